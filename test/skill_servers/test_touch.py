"""What a page says was touched, and what somebody else says in its place."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from roboinstruct_msgs.action import Ask
from roboinstruct_msgs.msg import Answer, Question
from roboinstruct_ros.skill_servers.kit.touch import Touch, chosen

TEA = Ask.Goal(question="Tea?", options=["yes", "no"])


def test_an_answer_is_an_option_of_its_own_question() -> None:
    assert chosen(Answer(question="Tea?", answer=" YES "), TEA) == "yes"
    assert chosen(Answer(answer="no"), TEA) == "no", "as it is sent by hand"


@pytest.mark.parametrize(
    ("said", "asked", "message"),
    [
        (Answer(answer="yes"), None, "nobody is asked anything; ignored 'yes'"),
        (Answer(answer="x" * 100_000), TEA, f"not an answer to 'Tea?' (yes, no): '{'x' * 80}'"),
        (Answer(), TEA, "not an answer to 'Tea?' (yes, no): ''"),
        (Answer(question="Milk?", answer="yes"), TEA, "not an answer to 'Tea?' (yes, no): 'yes'"),
    ],
    ids=["nobody asked", "too long", "empty", "another question"],
)
def test_what_is_no_answer_chooses_nothing(said: Answer, asked: object, message: str) -> None:
    with pytest.raises(ValueError) as refused:
        chosen(said, asked)
    assert str(refused.value) == message


def test_a_question_whose_server_was_killed_is_gone_when_it_is_back() -> None:
    shown: list[Question] = []
    server: Any = SimpleNamespace(
        create_publisher=lambda *_: SimpleNamespace(publish=shown.append),
        hear=lambda *_: None,
    )
    Touch(server)
    assert shown == [Question()]
