"""A program appended to another one, for models that cannot change a program."""

from __future__ import annotations

import pytest
from versions import version

from roboinstruct_ros.generate.prompts.appended_program import appended
from roboinstruct_ros.generate.rounds.steering import read_follow_up

HEAD = "def task_program():\n"
HERE = "    start_loc = get_current_location()\n"
BACK = "    go_to(start_loc)\n"
GARAGE = '    go_to("garage")\n'
STUDY = '    go_to("study")\n'


@pytest.mark.parametrize(
    ("before", "more", "whole"),
    [
        (GARAGE, STUDY, GARAGE + STUDY),
        (GARAGE, HERE + STUDY + BACK, HERE + GARAGE + STUDY + BACK),
        (HERE + GARAGE + BACK, HERE + STUDY + BACK, HERE + GARAGE + BACK + STUDY + BACK),
        (
            HERE + GARAGE + HERE + BACK,
            HERE + STUDY + BACK,
            HERE + GARAGE + HERE + BACK + HERE + STUDY + BACK,
        ),
        ("    start_loc = 3\n", HERE + STUDY, "    start_loc = 3\n" + HERE + STUDY),
        ("    if is_in_room('cup'):\n        return\n", STUDY, None),
    ],
)
def test_what_is_appended_comes_back_to_where_the_whole_began(
    before: str, more: str, whole: str | None
) -> None:
    assert appended(HEAD + before, HEAD + more) == (HEAD + whole if whole else "")


@pytest.mark.parametrize(
    "text",
    ["and come back", "come back afterwards", "then return to me", "and then go back to where you "
     "started at the end", "also come back here when you're done"],
)  # fmt: skip
def test_the_way_back_needs_no_model(text: str) -> None:
    to_garage = version(1, "Go to the garage", HEAD + GARAGE)
    there_and_back = HEAD + HERE + GARAGE + BACK
    assert read_follow_up(text, (to_garage,)).comes_back == there_and_back
    again = version(2, "Go to the garage, then come back", there_and_back)
    assert read_follow_up(text, (to_garage, again)).comes_back == there_and_back


@pytest.mark.parametrize("text", ["and come back with the milk", "also go back to the kitchen"])
def test_more_than_the_way_back_is_for_the_model(text: str) -> None:
    assert not read_follow_up(text, (version(1, "Go to the garage", HEAD + GARAGE),)).comes_back
