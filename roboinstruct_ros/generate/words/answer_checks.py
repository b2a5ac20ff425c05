"""Which answers of a model in words a person gets, and what is added to them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from roboinstruct_ros.domain.answer import Answer, AnswerKind
from roboinstruct_ros.generate.site import Site
from roboinstruct_ros.generate.words.clarifying_question import (
    contradicts_map,
    with_all_rooms,
    with_known_choices,
    with_nearest_rooms,
)
from roboinstruct_ros.generate.words.refusal_offer import (
    offers_what_is_asked,
    without_strange_offer,
    without_unknown_room,
)
from roboinstruct_ros.generate.words.said_names import SaidNames
from roboinstruct_ros.program.wording import named

_SOME_ROOMS = re.compile(r"(?P<why>.+ on my map\.) I know (?P<some>.+)\.$")
_HERE = "I am here."
_COME = re.compile(r"\b(?:come|over here)\b", re.IGNORECASE)


def completed(answer: Answer, instruction: str, site: Site) -> Answer:
    """The answer with all rooms that it may mean, and where the robot is."""
    there = site.surroundings
    answer = with_all_rooms(answer, instruction, there.rooms)
    answer = _with_number_of_rooms(answer, there.rooms)
    answer = with_nearest_rooms(answer, site.nearest_rooms)
    if answer.kind is AnswerKind.REPLY and answer.words == _HERE:
        return replace(answer, words=_where(instruction, there.here))
    return answer


def _with_number_of_rooms(answer: Answer, rooms: Sequence[str]) -> Answer:
    """The answer; a refusal that tells some rooms of the map says that there are more."""
    told = _SOME_ROOMS.match(answer.words) if answer.kind is AnswerKind.CANNOT else None
    if told is None or not 0 < sum(one in SaidNames(told["some"]) for one in rooms) < len(rooms):
        return answer
    words = f"{told['why']} I know {len(rooms)} rooms, for example {told['some']}."
    return replace(answer, words=words)


def _where(instruction: str, here: str) -> str:
    """Where the robot is; who tells it to come may be elsewhere."""
    if not _COME.search(instruction):
        return f"I am here, in {named(here)}." if here else _HERE
    where = f"I am in {named(here)}. " if here else ""
    return f"{where}Say which room I should come to."


def contradicts(answer: Answer, instruction: str, site: Site) -> bool:
    """Whether the map, or the answer's own offer, says that the instruction can be carried out."""
    there = site.surroundings
    rooms = (*there.rooms, *(alias for alias, _ in there.aliases))
    return offers_what_is_asked(answer, instruction) or contradicts_map(answer, instruction, rooms)


def of_known_names(answer: Answer, instruction: str, site: Site) -> Answer | None:
    """The answer with choices and offers of what map or instruction name; None if none are left."""
    there = site.surroundings
    names = there.names if there.objects else ()  # most maps tell rooms only
    answer = without_strange_offer(answer, instruction)
    rooms = (*there.rooms, *(alias for alias, _ in there.aliases))
    answer = without_unknown_room(answer, instruction, rooms, site.nearest_rooms)
    return with_known_choices(answer, names)
