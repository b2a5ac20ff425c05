"""Checks the answers of skill servers against the domain file.

The verdict on a program covers only the answers that the domain file allows. Any other answer would
lead the program into a state that no verified world contains, so the skill counts as failed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from roboinstruct_ros.domain.semantic_map import SemanticMap, no_such_room
from roboinstruct_ros.domain.skills import Skill

_LONGEST_NAME = 200  # characters of a room's name


def answer_fault(
    skill: Skill, arguments: Mapping[str, Any], value: Any, rooms: SemanticMap | None = None
) -> str:
    """Why the skill may not give this answer, worded to follow "the server"; empty if it may.

    Args:
        rooms: the map of the verdict; None if it left the rooms open.
    """
    if skill.answer is not None:
        return "" if isinstance(value, bool) else "answered neither yes nor no"
    if skill.returns == "one_of_options":
        options = [str(option) for option in skill.options_in(arguments)]
        shown = repr(value)[:100]
        return "" if value in options else f"answered {shown}, which is none of the options"
    if skill.returns == "current_location":
        return _room_fault(value, rooms) if _is_name(value) else "named no room"
    if skill.returns == "all_locations":
        if not (isinstance(value, (list, tuple)) and value and all(map(_is_name, value))):
            return "named no rooms"
        return next(filter(None, (_room_fault(room, rooms) for room in value)), "")
    return "" if value is None else f"answered {repr(value)[:100]}, and the skill has no answer"


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and len(value) <= _LONGEST_NAME


def _room_fault(name: str, rooms: SemanticMap | None) -> str:
    if rooms is None or name in rooms.room_names:
        return ""
    return f"named a room of another map: {no_such_room(name, rooms.nearest(name))}"
