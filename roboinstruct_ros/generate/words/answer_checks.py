"""Which answers of a model in words a person gets, and what is added to them."""

from __future__ import annotations

from roboinstruct_ros.domain.answer import Answer
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
)


def completed(answer: Answer, instruction: str, site: Site) -> Answer:
    """The answer with all rooms that it may mean."""
    answer = with_all_rooms(answer, instruction, site.surroundings.rooms)
    return with_nearest_rooms(answer, site.nearest_rooms)


def contradicts(answer: Answer, instruction: str, site: Site) -> bool:
    """Whether the map, or the answer's own offer, says that the instruction can be carried out."""
    there = site.surroundings
    rooms = (*there.rooms, *(alias for alias, _ in there.aliases))
    return offers_what_is_asked(answer, instruction) or contradicts_map(answer, instruction, rooms)


def of_known_names(answer: Answer, instruction: str, site: Site) -> Answer | None:
    """The answer with choices and offers of what map or instruction name; None if none are left."""
    there = site.surroundings
    names = there.names if there.objects else ()  # most maps tell rooms only
    return with_known_choices(without_strange_offer(answer, instruction), names)
