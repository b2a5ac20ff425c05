"""The yardstick for the shipped model measures right."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from scripted_world import ScriptedWorld, Stuck, follows

from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.generate.examples import EXAMPLES
from roboinstruct_ros.verify.verifier import verify

ROWS = yaml.safe_load((Path(__file__).parent / "instructions.yaml").read_text())

COUNT_PAPER = """\
def task_program():
    start = get_current_location()
    count = 0
    for room in get_all_rooms():
        if "printer room" not in room:
            continue
        go_to(room)
        if is_in_room("paper"):
            count += 1
    go_to(start)
    say(str(count) + " printer rooms have paper")
"""
WAIT_THEN_ASK = """\
def task_program():
    go_to("kitchen")
    while not is_in_room("person"):
        time.sleep(1)
    ask("", "Could you open the fridge?", ["Yes", "No"])
"""


def row(words: str) -> dict[str, object]:
    (found,) = [row for row in ROWS if words in row["text"]]
    return found


@pytest.mark.parametrize(
    ("words", "source"), [("How many printer", COUNT_PAPER), ("open the fridge", WAIT_THEN_ASK)]
)
def test_a_right_program_follows_a_way(words: str, source: str) -> None:
    task = row(words)
    calls = ScriptedWorld(task["world"], task["here"], {}).run(source)  # type: ignore[arg-type]
    assert any(follows(calls, way) for way in task["ways"])  # type: ignore[attr-defined]
    assert verify(source, load_domain()).accepted


def test_a_call_too_many_or_other_words_are_not_right() -> None:
    way = ["go_to *", "pick cup", "say ~here cup"]
    assert follows(["go_to a", "go_to b", "pick cup", "say Here is the cup"], way)
    assert not follows(["go_to a", "pick cup", "say Here it is"], way)
    assert not follows(["go_to a", "pick cup", "say Here is the cup", "go_to b"], way)
    assert not follows(["pick cup", "say Here is the cup"], way)


def test_words_are_denied_forbidden_chosen_and_gathered() -> None:
    assert follows(["say There isn't any tea"], ["say ~tea|coffee NOT"])
    assert not follows(["say There is tea"], ["say ~tea NOT"])
    assert not follows(["say There is no tea"], ["say ~tea !NOT"])
    assert follows(["say Bob, note this"], ["say ~bob !NOT"])
    assert not follows(["say 13 rooms"], ["say ~3|three"])
    assert follows(["say Alice", "say Bob"], ["says ~bob alice !eve"])
    assert not follows(["say Alice", "say Bob"], ["say ~bob alice"])


def test_what_stands_in_brackets_and_driving_to_where_it_is_make_no_difference() -> None:
    way = ["go_to a", "pick cup", "(go_to hall)", "(says ~NOT)"]
    assert follows(["go_to a", "pick cup"], way)
    assert follows(["go_to hall", "go_to a", "go_to a", "pick cup", "go_to hall"], way, "hall")
    assert not follows(["go_to a", "pick cup", "go_to b"], way)
    assert not follows(["go_to a", "pick cup", "say I have it"], way)


def test_a_thing_has_several_names_and_nobody_is_spoken_to_before_they_come() -> None:
    here = {"kitchen": ["cup|mug"], "hallway": ["Bob@2"]}
    task = 'def task_program():\n    go_to("kitchen")\n    pick("the mug")\n    place("the mug")\n'
    assert ScriptedWorld("home", here, {}).run(task)[1:] == ["pick cup", "place cup"]
    wait = (
        "def task_program():\n    while not is_in_room('somebody'):\n        pass\n    say('hi')\n"
    )
    assert ScriptedWorld("home", here, {}).run(wait) == ["say hi"]
    with pytest.raises(Stuck):
        ScriptedWorld("home", here, {}).run("def task_program():\n    say('hi')\n")


@pytest.mark.parametrize(
    "body", ['go_to("moon")', 'pick("cup")', 'place("cup")', "while True:\n        time.sleep(1)"]
)
def test_what_cannot_be_done_is_said(body: str) -> None:
    with pytest.raises(Stuck):
        ScriptedWorld("home", {}, {}).run(f"def task_program():\n    {body}\n")


def test_every_row_is_well_formed_and_new() -> None:
    texts = [row["text"] for row in ROWS]
    assert len(set(texts)) == len(texts) == 40
    for task in ROWS:
        assert set(task) <= {"text", "world", "here", "answers", "ways", "shipped"}
        for call in (call for way in task["ways"] for call in way):
            assert call.split(" ")[0] in {"go_to", "pick", "place", "say", "ask"}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: text[15:45])
def test_the_examples_shown_to_other_models_are_accepted(example: str) -> None:
    assert verify(example, load_domain()).accepted
