"""The offer at the end of a refusal: "I cannot count. I can look whether there is a chair."."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import replace

from roboinstruct_ros.domain.answer import Answer, AnswerKind
from roboinstruct_ros.domain.semantic_map import no_such_room
from roboinstruct_ros.generate.words.place_names import FURNITURE
from roboinstruct_ros.generate.words.stems import content_words, stems, unified
from roboinstruct_ros.program.wording import sentence

_OFFER = re.compile(r".+?\. (?P<offer>I can (?!do\b)[^.]+\.)$")
_IN_ROOM = re.compile(r"\b(?:in|into|go to) (?:the )?(?P<room>[\w' ]+)\.$")
_ASKING = frozenset(
    stems(
        "please tell me say let know look check see whether if there is are a an the in at on or "
        "and can could would you do i we want like to her his their"
    )
)
"""Words with which something is asked for, and which a command of the same need not repeat."""
_GENERAL = content_words(
    "a room that you name, things, something kind, help, about it, from room to room, somebody, "
    "now, the words that you give me"
)


def offers_what_is_asked(answer: Answer, instruction: str) -> bool:
    """Whether the answer refuses the instruction, and then offers the same."""
    said = frozenset(stems(instruction)) - _ASKING
    return bool(said) and said <= frozenset(stems(_offer_of(answer)))


def without_strange_offer(answer: Answer, instruction: str) -> Answer:
    """The answer; an offer that names things is left out if the instruction names none of them."""
    named = content_words(_offer_of(answer)) - _GENERAL
    if not named or named & content_words(instruction):
        return answer
    return replace(answer, words=answer.words.removesuffix(_offer_of(answer)).rstrip())


def without_unknown_room(
    answer: Answer,
    instruction: str,
    rooms: Collection[str],
    nearest: Callable[[str], tuple[str, ...]],
) -> Answer:
    """The answer; in the place of an offer in a room of the instruction that is not on the map, it
    says that there is no such room, and nothing of a piece of furniture.

    Args:
        rooms: Names of the rooms of the map, and their other names; none if there is no map.
        nearest: Rooms that a name may mean.
    """
    offer = _offer_of(answer)
    place = _IN_ROOM.search(offer)
    name = place["room"] if place else ""
    if (
        not name
        or not rooms
        or all(_is_meant(part, rooms) for part in re.split(r" and (?:the )?", name))
        or unified(name) not in unified(instruction)
    ):
        return answer
    unknown = "" if unified(name) in FURNITURE else sentence(no_such_room(name, nearest(name)))
    return replace(answer, words=(answer.words.removesuffix(offer) + unknown).rstrip())


def _is_meant(name: str, rooms: Collection[str]) -> bool:
    """Whether it is a room, or what several are called: which one is asked when it matters."""
    return any(f" {unified(room)}".endswith(f" {unified(name)}") for room in rooms)


def _offer_of(answer: Answer) -> str:
    found = _OFFER.match(answer.words) if answer.kind is AnswerKind.CANNOT else None
    return found["offer"] if found else ""
