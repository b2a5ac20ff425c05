"""What comes from elsewhere and is no JSON is one kind of error."""

from __future__ import annotations

import pytest

from roboinstruct_ros.domain.json_text import read_json
from roboinstruct_ros.skill_servers.touch import chosen

DEEP = "[" * 100_000


@pytest.mark.parametrize("text", ["", "{", DEEP, '{"a":' * 100_000])
def test_what_is_no_json_or_too_deep_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError):
        read_json(text)


@pytest.mark.parametrize(
    "said", [DEEP, "[]", "7", '{"answer": ["yes"]}', '{"answer": null}', '{"question": {}}']
)
def test_a_forged_answer_chooses_nothing(said: str) -> None:
    assert chosen(said, "Tea?", ["yes", "no"]) is None
    assert chosen('{"answer": " YES "}', "Tea?", ["yes", "no"]) == "yes"
