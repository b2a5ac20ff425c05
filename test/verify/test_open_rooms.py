"""Rooms that are made up: every comparison of their names has rooms that match and that do not."""

from __future__ import annotations

import textwrap

import pytest

from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.verify.verdict import Verdict, WarningCode
from roboinstruct_ros.verify.verifier import verify

DOMAIN = load_domain()
CONDITIONS = {
    "contains": '"lab" in r',
    "does not contain": '"lab" not in r',
    "contains both": '"big" in r and "lab" in r',
    "contains all three": '"big" in r and "old" in r and "lab" in r',
    "starts": 'r.startswith("lab")',
    "starts with one of two": 'r.startswith(("lab", "den"))',
    "ends": 'r.endswith("lab")',
    "starts and ends": 'r.startswith("big") and r.endswith("lab")',
    "equals": 'r == "lab"',
    "in a list": 'r in ["lab", "den"]',
    "in a set": 'r in {"lab", "den"}',
    "key of a dict": '{"lab": 1}.get(r)',
    "lower case": 'r.lower() == "lab"',
    "upper case": '"LAB" in r.upper()',
    "first letters": 'r[:3] == "lab"',
    "first word": 'r.split()[0] == "lab"',
    "last word": 'r.split()[-1] == "lab"',
    "position": 'r.find("lab") >= 0',
    "with a text before it": '"lab" in "x " + r',
    "not the room where it is": "r != get_current_location()",
}
WHOLE = {
    "is in the list of rooms": 'if "lab" in get_all_rooms():',
    "is not in the list of rooms": 'if "lab" not in get_all_rooms():',
    "a word that a person chooses": """
        w = ask("", "Where?", ["east", "west"])
        if [r for r in get_all_rooms() if w in r]:""",
    "a word that is put together": """
        n = ask("", "Which?", ["1", "2"])
        if f"lab {n}" in get_all_rooms():""",
    "no room matches": 'if not [r for r in get_all_rooms() if "lab" in r]:',
    "two rooms match": 'if len([r for r in get_all_rooms() if "lab" in r]) == 2:',
    "five rooms match": 'if len([r for r in get_all_rooms() if "lab" in r]) == 5:',
    "many rooms": "if len(get_all_rooms()) > 4:",
    "one room": "if len(get_all_rooms()) < 2:",
    "the room where it is": 'if "lab" in get_current_location():',
    "another room than where it is": 'if get_current_location() != "lab":',
}


def reaching(lines: str, depth: int) -> str:
    """A program that picks up two things where the last of the lines leads."""
    body = textwrap.dedent(lines).strip("\n")
    trap = "".join(f"\n{'    ' * depth}pick({thing!r})" for thing in ("a", "b"))
    return "def task_program():\n" + textwrap.indent(body + trap, "    ") + "\n"


LOOP = "for r in get_all_rooms():\n    if {}:"
SOURCES = {
    **{name: reaching(LOOP.format(test), 2) for name, test in CONDITIONS.items()},
    **{name: reaching(lines, 1) for name, lines in WHOLE.items()},
}

LEFT_OUT = {
    "starts with one of two": (2, "the rooms may stand in more orders than are tried"),
    **dict.fromkeys(
        ["first letters", "first word", "last word", "position", "with a text before it"],
        (3, "more is asked of a room's name than made-up names can answer"),
    ),
}
"""Where worlds are left out, and why: of orders, and of what is asked of names beyond whether they
are, have, begin or end with a text."""


@pytest.mark.parametrize("name", SOURCES)
def test_the_branch_is_reached_in_some_world(name: str) -> None:
    verdict = verify(SOURCES[name], DOMAIN)
    assert [violation.code.value for violation in verdict.violations] == ["hand_full"]
    assert verdict.exhaustive == (name not in LEFT_OUT)
    assert _left_out(verdict) == ([LEFT_OUT[name]] if name in LEFT_OUT else [])


def _left_out(verdict: Verdict) -> list[tuple[int, str]]:
    """Lines and reasons, without the last warning, which tells how many worlds were tried."""
    told = [w for w in verdict.warnings if w.code is WarningCode.NOT_EXHAUSTIVE][:-1]
    start = "Not every world was tried: line {}: "
    return [(w.line, w.message.removeprefix(start.format(w.line)).rstrip(".")) for w in told]


def test_both_outcomes_of_a_comparison_are_explored() -> None:
    source = (
        "def task_program():\n    for room in get_all_rooms():\n"
        '        if "lab" in room:\n            say("a")\n        else:\n            say("b")\n'
    )
    coverage = verify(source, DOMAIN).coverage
    assert (coverage.branches_reached, coverage.branches) == (4, 4)


def test_more_words_than_can_be_paired_are_not_called_exhaustive() -> None:
    tests = " and ".join(f'"{word}" in room' for word in ("red", "big", "old", "dry"))
    source = f"def task_program():\n    for room in get_all_rooms():\n        if {tests}:\n"
    verdict = verify(source + '            say("x")\n', DOMAIN)
    assert not verdict.exhaustive


def test_a_room_is_what_it_is_called_whenever_asked() -> None:
    source = (
        "def task_program():\n    a = get_all_rooms()\n    b = get_all_rooms()\n"
        '    if a != b:\n        place("nothing")\n'
    )
    assert verify(source, DOMAIN).accepted


@pytest.mark.parametrize("first", ["go_to", "is_in_room"])
def test_a_room_is_no_thing_however_a_text_before_it_is_spelled(first: str) -> None:
    then = {"go_to": "is_in_room", "is_in_room": "go_to"}[first]
    calls = f'    say("Kitchen")\n    {first}("kitchen")\n    {then}("kitchen")\n'
    (violation,) = verify(f"def task_program():\n{calls}", DOMAIN).violations
    assert (violation.code, violation.line) == ("entity_type_conflict", 4)
