"""Shows a goal's question on the kiosk page and takes the answer that a person touches."""

from __future__ import annotations

from typing import Any

from roboinstruct_msgs.msg import Answer, Question
from roboinstruct_ros import names
from roboinstruct_ros.domain.semantic_map import folded
from roboinstruct_ros.nodes.qos import LATCHED
from roboinstruct_ros.skill_servers.kit.activity import Activity
from roboinstruct_ros.skill_servers.kit.skill_server import SkillServer

LONGEST_SHOWN = 80
"""Most characters of an answer in a log line."""


class Touch:
    """Shows one question at a time; a valid answer ends the goal that asks."""

    def __init__(self, server: SkillServer) -> None:
        self._server = server
        self._asked: tuple[Question, Activity] | None = None
        self._shown = server.create_publisher(Question, names.QUESTION_TOPIC, LATCHED)
        self._shown.publish(Question())  # the process before may have been killed while it asked
        server.hear(Answer, names.ANSWER_TOPIC, self._touched)

    def ask(self, activity: Activity, goal: Any, person: str, live: bool = True) -> None:
        """Show the question of an `Ask` goal; only a live one accepts answers from the page."""
        asked, goal_id = goal.request, bytes(goal.goal_id.uuid).hex()
        told = Question(
            person=person, question=asked.question, options=asked.options, live=live,
            goal_id=goal_id,
        )  # fmt: skip
        with self._server.lock:
            self._asked = told, activity
            self._shown.publish(told)

    def close(self, activity: Activity) -> None:
        """Remove the question of this goal, if it is shown."""
        with self._server.lock:
            if self._asked and self._asked[1] is activity:
                self._asked = None
                self._shown.publish(Question())

    def _touched(self, said: Answer) -> None:
        with self._server.lock:
            live = self._asked if self._asked and self._asked[0].live else None
            try:
                answer = chosen(said, live[0] if live else None)
            except ValueError as error:
                self._server.get_logger().warning(str(error))
                return
            if live and not live[1].over.is_set():
                live[1].answer = answer
                live[1].end()


def chosen(said: Answer, asked: Question | None) -> str:
    """The option that an answer chooses; an answer that names no question is for the current one.

    Raises:
        ValueError: the answer does not fit the question `asked` (None: nobody is asked); one line.
    """
    answer = said.answer[:LONGEST_SHOWN]
    if asked is None:
        raise ValueError(f"nobody is asked anything; ignored '{answer}'")
    if said.goal_id not in ("", asked.goal_id):
        raise ValueError(f"'{answer}' is late: it answers no question that is asked now")
    matching = (option for option in asked.options if folded(option) == folded(said.answer))
    option = next(matching, None) if said.question in ("", asked.question) else None
    if option is None:
        wanted = ", ".join(asked.options)
        raise ValueError(f"not an answer to '{asked.question}' ({wanted}): '{answer}'")
    return str(option)
