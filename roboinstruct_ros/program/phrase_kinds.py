"""What a phrase of a plan stands for: rooms, the name of one thing, a text."""

from __future__ import annotations

from roboinstruct_ros.domain.phrase import Phrase, Said

_NAMES = (
    "plan.that_room",
    "plan.that",
    "plan.it",
    "plan.where_i_am",
    "plan.started",
    "plan.remembered",
    "plan.place_called",
)


def is_rooms(said: Said) -> bool:
    """Whether the phrase stands for all rooms, or for those that meet a test."""
    return isinstance(said, Phrase) and said.key == "plan.rooms"


def which_of(rooms: Said) -> Said:
    """The test that the rooms meet; empty if it is all rooms."""
    assert isinstance(rooms, Phrase)
    which: Said = rooms.values["which"]
    return which


def is_name(said: Said, but: str = "") -> bool:
    """Whether the words stand for the name of one room or thing."""
    return isinstance(said, Phrase) and said.key in _NAMES and said.key != but


def is_answer(said: Said | None) -> bool:
    return isinstance(said, Phrase) and said.key.startswith("plan.answer")


def is_text(said: Said) -> bool:
    """Whether the words stand for a text: an answer, or one in quotes."""
    return is_answer(said) or (isinstance(said, Phrase) and said.key == "plan.quoted")
