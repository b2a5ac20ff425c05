"""Tasks written one by one: right wherever they are drawn, and like no sentence of a test set."""

from __future__ import annotations

import random
import re

import pytest

from roboinstruct_ros.learn.draw import Draw, Split
from roboinstruct_ros.learn.pairs.check_written import faults, held_out_sentences
from roboinstruct_ros.learn.pairs.draw_pair import make_pair
from roboinstruct_ros.learn.pairs.from_written import pair_of, read_written, written
from roboinstruct_ros.learn.pairs.pair import Pair

pytestmark = pytest.mark.computes

KNOWN = held_out_sentences()

FETCH = """
- said: ["bring {thing:the} from {room} to {person} in {room2}, {person:he} needs {thing:it}"]
  do: |
    go_to("{room}")
    pick("{thing}")
    go_to("{room2}")
    place("{thing}")
"""


def drawn(text: str, number: int = 0) -> Pair:
    """The pair of this number of a single entry."""
    [entry] = read_written(text)
    return pair_of(Draw(random.Random(f"written/{number}")), entry)


def wrong(text: str) -> str:
    """All that the check finds wrong with an entry."""
    [entry] = read_written(text)
    return "\n".join(faults(entry, KNOWN))


def test_the_verifier_accepts_every_wording() -> None:
    assert [line for entry in written() for line in faults(entry, KNOWN, draws=1)] == []


def test_names_are_the_same_in_the_sentence_and_in_the_program() -> None:
    for number in range(40):
        pair = drawn(f"{FETCH}  map: never", number)
        [source, thing, target, placed] = re.findall(r'"(.*)"', pair.program)
        assert thing == placed and source != target
        for name in (source, thing, target):
            assert name.lower() in pair.instruction.lower()


def test_names_that_are_written_out_are_on_the_map() -> None:
    for number in range(40):
        pair = drawn(
            '[{said: [go to the tower], rooms: [tower], do: "go_to(\\"tower\\")"}]', number
        )
        assert "tower" in pair.scene.rooms


def test_where_somebody_has_a_room_nobody_is_searched_for() -> None:
    search = """
- said: ["find {person} and say hello"]
  map: always
  do: |
    for room in get_all_rooms():
        go_to(room)
        if is_in_room("{person}"):
            say("hello")
            return
"""
    for number in range(200):
        pair = drawn(search, number)
        [line] = [each for each in pair.program.split("\n") if "is_in_room" in each]
        name = line.split('"')[1]
        assert not any(room.lower().startswith(f"{name.lower()}'s ") for room in pair.scene.rooms)


def test_the_choices_of_a_question_are_in_the_order_of_the_map() -> None:
    ask = """
- said: [go to the lab]
  rooms: [lab 1, lab 2]
  map: always
  answer: "Question: Which lab do you mean? | lab 1 | lab 2"
"""
    orders = set()
    for number in range(20):
        pair = drawn(ask, number)
        choices = pair.program.strip().split(" | ")[1:]
        assert choices == [room for room in pair.scene.rooms if room in choices]
        orders.add(tuple(choices))
    assert len(orders) == 2


def test_some_entries_are_only_measured() -> None:
    held_out = {text for entry in written() if entry.is_held_out for text in entry.said}
    assert 0.03 < sum(entry.is_held_out for entry in written()) / len(written()) < 0.1
    trained = {make_pair(5, number, source="written").instruction for number in range(300)}
    measured = {make_pair(5, n, Split.UNSEEN_NAMES, "written").instruction for n in range(300)}
    assert held_out & measured and not held_out & trained


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ('[{said: ["go to the moon"], map: always, do: "go_to(\\"moon\\")"}]', "moon"),
        ('[{said: ["take {thing:the}"], do: "pick(\\"{thing}\\")\\npick(\\"{thing}\\")"}]', "pick"),
        ('[{said: ["to {rom}"], do: "go_to(\\"{rom}\\")", map: always}]', "{rom}"),
        ('[{said: ["mop up"], answer: "Sorry: no."}]', "is no answer"),
        ('[{said: ["garage"], rooms: [garage], do: "go_to(\\"garage\\")"}]', "test set"),
    ],
)
def test_the_check_says_what_is_wrong(entry: str, reason: str) -> None:
    assert reason in wrong(entry)


@pytest.mark.parametrize(
    "entry", ["[{said: [hi]}]", "[{said: [hi], do: x, answer: y}]", "[{do: x}]"]
)
def test_an_entry_without_one_answer_is_refused(entry: str) -> None:
    with pytest.raises(ValueError):
        read_written(entry)
