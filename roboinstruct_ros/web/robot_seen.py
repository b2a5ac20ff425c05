"""The robot as pages show it: where it is, what is around it, what it asks, and its nodes."""

from __future__ import annotations

import time
from dataclasses import asdict, replace
from typing import Any

from pydantic_core import to_jsonable_python

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.names import GENERATOR_NODE
from roboinstruct_ros.web.event_hub import EventHub
from roboinstruct_ros.web.own_sentences import own_phrase
from roboinstruct_ros.web.robot_link import (
    AnswerTime,
    NodesSeen,
    Question,
    RobotEvent,
    RobotLink,
    RobotPose,
    Speech,
    StopAnswer,
    WorldSeen,
)
from roboinstruct_ros.web.shown import shown, shown_text
from roboinstruct_ros.web.web_error import WebError, WebErrorCode

LATER = 1.0
"""s by which the end of a question has to move to be told again."""

SHOWN_EVENTS = {kind.value for kind in (EventKind.ERROR, EventKind.WARNING, EventKind.NODE_LOST)}
"""Events that a page shows as they are; the others change a task."""

Seen = RobotPose | WorldSeen | Question | AnswerTime | Speech | StopAnswer | NodesSeen
"""What is heard of it."""


class RobotSeen:
    """Keeps the last of each and tells pages; lives on one event loop.

    Attributes:
        nodes: state by name.
    """

    def __init__(self, link: RobotLink, hub: EventHub) -> None:
        self.nodes: dict[str, str] = {}
        self._link, self._hub = link, hub
        self._pose: RobotPose | None = None
        self._world, self._question = WorldSeen(), Question()

    def lost(self, seen: NodesSeen) -> list[str]:
        """Names of the nodes that were up before."""
        gone = (name for name, state in seen.states.items() if state == "lost")
        return [name for name in gone if self.nodes.get(name) == "up"]

    @property
    def held(self) -> str:
        """What it holds; empty for nothing, and where nobody tells."""
        return self._world.held

    def missing(self) -> list[str]:
        """Names of the nodes that are not up and that a run needs; no program is written in one."""
        return [
            name for name, state in self.nodes.items() if state != "up" and name != GENERATOR_NODE
        ]

    def tell(self, event: RobotEvent) -> None:
        """Tell pages an event, if it is one of `SHOWN_EVENTS`."""
        if event.kind in SHOWN_EVENTS:
            data = {shown_text(key, 60): shown(value) for key, value in event.data.items()}
            told = own_phrase(str(data.get("message") or data.get("error_msg") or ""))
            fields = {"data": data, "phrase": to_jsonable_python(told)}
            self._hub.send("event", kind=event.kind, task_id=event.task_id, **fields)

    def hear(self, heard: Seen) -> None:
        """Take it, and tell pages."""
        match heard:
            case RobotPose():
                if heard != self._pose:
                    self._pose = heard
                    self._hub.show("pose", **asdict(heard))
            case WorldSeen():
                self._world = heard
                self._hub.send("world", world=asdict(heard))
            case Question():
                self._question = heard
                self._hub.send("question", question=asdict(heard))
            case AnswerTime():
                self._note_end(time.time() + heard.left)
            case Speech():
                self._hub.send("speech", text=heard.text)
            case StopAnswer():
                self._hub.send("stopped", **asdict(heard))
            case NodesSeen():
                self.nodes = dict(heard.states)
                self._hub.send("nodes", nodes=self.nodes)

    def _note_end(self, until: float) -> None:
        asked = self._question
        if asked.live and abs(asked.until - until) > LATER:
            self._question = replace(asked, until=until)
            self._hub.send("question", question=asdict(self._question))

    def answer(self, question: str, answer: str, goal_id: str) -> None:
        """Answers the question that a live person is asked now.

        Args:
            goal_id: Of the question that the person saw; empty means the one of now.

        Raises:
            WebError: BAD_REQUEST, nobody is asked that, or it is none of the options.
        """
        asked = self._question
        if not asked.text or asked.text != question or goal_id not in ("", asked.goal_id):
            raise WebError(WebErrorCode.BAD_REQUEST, "the robot is not asking that any more")
        if answer not in asked.options:
            options = ", ".join(asked.options)
            raise WebError(WebErrorCode.BAD_REQUEST, f"'{answer[:40]}' is none of: {options}")
        self._link.answer(question, answer, asked.goal_id)

    def as_json(self) -> dict[str, Any]:
        """As a new page gets it."""
        return {
            "pose": asdict(self._pose) if self._pose else None,
            "world": asdict(self._world),
            "question": asdict(self._question),
            "nodes": self.nodes,
        }
