"""What a page says was touched, and what somebody else says in its place."""

from __future__ import annotations

import pytest

from roboinstruct_ros.skill_servers.kit.touch import chosen


@pytest.mark.parametrize(
    "said",
    ["[" * 100_000, '{"a":' * 100_000, "[]", "7", '{"answer": ["yes"]}', '{"answer": null}'],
    ids=lambda said: said[:20],
)
def test_a_forged_answer_chooses_nothing(said: str) -> None:
    assert chosen(said, "Tea?", ["yes", "no"]) is None


def test_an_answer_is_an_option_of_its_own_question() -> None:
    assert chosen('{"answer": " YES "}', "Tea?", ["yes", "no"]) == "yes"
    assert chosen('{"question": "Milk?", "answer": "yes"}', "Tea?", ["yes", "no"]) is None
    assert chosen('{"question": {}, "answer": "yes"}', "Tea?", ["yes", "no"]) is None
