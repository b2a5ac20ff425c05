"""Checks the answers of skill servers against the domain file.

The verdict on a program covers only the answers that the domain file allows. Any other answer would
lead the program into a state that no verified world contains, so the skill counts as failed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from roboinstruct_ros.domain.skills import Skill

_LONGEST_NAME = 200  # characters of a room's name


def answer_fault(skill: Skill, arguments: Mapping[str, Any], value: Any) -> str:
    """Why the skill may not give this answer, worded to follow "the server"; empty if it may."""
    if skill.answer is not None:
        return "" if isinstance(value, bool) else "answered neither yes nor no"
    if skill.returns == "one_of_options":
        options = [str(option) for option in arguments.get("options") or ()]
        shown = repr(value)[:100]
        return "" if value in options else f"answered {shown}, which is none of the options"
    if skill.returns == "current_location":
        return "" if _is_name(value) else "named no room"
    if skill.returns == "all_locations":
        named = isinstance(value, (list, tuple)) and value and all(map(_is_name, value))
        return "" if named else "named no rooms"
    return ""


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and len(value) <= _LONGEST_NAME
