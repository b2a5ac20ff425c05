"""What a page says was touched, and what somebody else says in its place."""

from __future__ import annotations

import threading
import uuid
from types import SimpleNamespace
from typing import Any

import pytest

from roboinstruct_msgs.action import Ask
from roboinstruct_msgs.msg import Answer, Question
from roboinstruct_ros.skill_servers.kit.activity import Activity
from roboinstruct_ros.skill_servers.kit.touch import Touch, chosen

TEA = Question(question="Tea?", options=["yes", "no"], goal_id="2")


class Server:
    """Keeps what it shows, and passes on what is heard."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.shown: list[Question] = []
        self.warned: list[str] = []
        self.say: Any = None

    def create_publisher(self, *_: Any) -> Any:
        return SimpleNamespace(publish=self.shown.append)

    def hear(self, kind: type, topic: str, take: Any) -> None:
        self.say = take

    def get_logger(self) -> Any:
        return SimpleNamespace(warning=self.warned.append)


def asking() -> Any:
    identity = SimpleNamespace(uuid=list(uuid.uuid4().bytes))
    return SimpleNamespace(goal_id=identity, request=Ask.Goal(question="Tea?", options=["yes"]))


def test_an_answer_is_an_option_of_its_own_question() -> None:
    assert chosen(Answer(question="Tea?", answer=" YES "), TEA) == "yes"
    assert chosen(Answer(question="Tea?", answer="no", goal_id="2"), TEA) == "no"
    assert chosen(Answer(answer="no"), TEA) == "no", "as it is sent by hand"


@pytest.mark.parametrize(
    ("said", "asked", "message"),
    [
        (Answer(answer="yes"), None, "nobody is asked anything; ignored 'yes'"),
        (Answer(answer="x" * 100_000), TEA, f"not an answer to 'Tea?' (yes, no): '{'x' * 80}'"),
        (Answer(), TEA, "not an answer to 'Tea?' (yes, no): ''"),
        (Answer(question="Milk?", answer="yes"), TEA, "not an answer to 'Tea?' (yes, no): 'yes'"),
        (
            Answer(question="Tea?", answer="yes", goal_id="1"),
            TEA,
            "'yes' is late: it answers no question that is asked now",
        ),
    ],
    ids=["nobody asked", "too long", "empty", "another question", "asked before"],
)
def test_what_is_no_answer_chooses_nothing(
    said: Answer, asked: Question | None, message: str
) -> None:
    with pytest.raises(ValueError) as refused:
        chosen(said, asked)
    assert str(refused.value) == message


def test_a_question_whose_server_was_killed_is_gone_when_it_is_back() -> None:
    server: Any = Server()
    Touch(server)
    assert server.shown == [Question()]


def test_a_late_touch_for_one_person_is_no_answer_of_the_next_one() -> None:
    server: Any = Server()
    touch, ann, bob = Touch(server), Activity("ask"), Activity("ask")

    def touched(seen: Question) -> None:
        server.say(Answer(question=seen.question, answer="yes", goal_id=seen.goal_id))

    touch.ask(ann, asking(), "Ann")
    seen_by_ann = server.shown[-1]
    touched(seen_by_ann)
    touch.close(ann)
    touch.ask(bob, asking(), "Bob")
    touched(seen_by_ann)
    assert ann.answer == "yes" and not bob.over.is_set() and len(server.warned) == 1
    touched(server.shown[-1])
    assert bob.over.is_set() and bob.answer == "yes"
