"""What a refusal offers: nothing that was just refused, and nothing that nobody named."""

from __future__ import annotations

import pytest

from roboinstruct_ros.domain.answer import Answer, AnswerKind
from roboinstruct_ros.generate.words.refusal_offer import (
    offers_what_is_asked,
    without_strange_offer,
    without_unknown_room,
)

SEE = "I cannot describe what I see."
PLANT = f"{SEE} I can look whether there is a plant in the lobby."


def cannot(words: str) -> Answer:
    return Answer(AnswerKind.CANNOT, words)


@pytest.mark.parametrize(
    ("words", "instruction", "same"),
    [
        (PLANT, "Tell me whether there is a plant in the lobby", True),
        (PLANT, "can you see if there's a plant in the lobby please", True),
        (PLANT, "describe the plant in the lobby", False),
        ("I cannot count. I can look whether there is a plant.", "count the plants", False),
        ("I cannot repeat that by a schedule. I can do it now.", "do it now", False),
        (SEE, "", False),
    ],
)
def test_a_refusal_that_offers_the_same_is_none(words: str, instruction: str, same: bool) -> None:
    assert offers_what_is_asked(cannot(words), instruction) is same
    assert not offers_what_is_asked(Answer(AnswerKind.REPLY, words), instruction)


@pytest.mark.parametrize(
    ("words", "instruction", "left"),
    [
        (PLANT, "What does the plant look like?", PLANT),
        (PLANT, "Bring mir bitte ein Glas Wasser", SEE),
        (f"{SEE} I can go to a room.", "Sing", f"{SEE} I can go to a room."),
        (f"{SEE} I can do it now.", "Sing", f"{SEE} I can do it now."),
        (SEE, "Sing", SEE),
    ],
)  # fmt: skip
def test_an_offer_of_what_nobody_named_is_left_out(words: str, instruction: str, left: str) -> None:
    assert without_strange_offer(cannot(words), instruction) == cannot(left)


@pytest.mark.parametrize(
    ("instruction", "offer", "left"),
    [
        ("Who is in the open office?", "look whether somebody is in the open office",
         "There is no room 'open office' on the map; did you mean 'office 1'?"),
        ("Who is in the Sauna", "look whether somebody is in the sauna",
         "There is no room 'sauna' on the map."),
        ("Who is in the lobby?", "look whether somebody is in the lobby", ""),
        ("Who is in the office?", "look whether somebody is in the office", ""),
        ("Who is in the lobby and the reception?", "see who is in the lobby and the reception", ""),
        ("Count the bottles in the fridge", "look whether there is a bottle in the fridge", " "),
        ("Who is in reception?", "look whether somebody is in Reception", ""),
        ("Who is there?", "look whether somebody is in the cellar", ""),
        ("Be kind", "go to somebody and say something kind", ""),
        ("Go to a room", "go to a room that you name", ""),
    ],
)  # fmt: skip
def test_nothing_is_offered_in_a_room_that_is_not_on_the_map(
    instruction: str, offer: str, left: str
) -> None:
    near = {"open office": ("office 1",)}
    answer = cannot(f"{SEE} I can {offer}.")
    for rooms in (("lobby", "Office 1", "reception", "main office"), ()):
        told = without_unknown_room(answer, instruction, rooms, lambda name: near.get(name, ()))
        assert told == (cannot(f"{SEE} {left}".rstrip()) if left and rooms else answer)
