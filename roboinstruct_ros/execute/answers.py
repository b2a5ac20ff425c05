"""Answers of skill servers are held against what the skill may answer.

A program was verified with the answers that its domain file allows. One outside of them would lead
it where no world of the verdict has been, so it counts as a skill that failed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.skills import Skill
from roboinstruct_ros.execute.skill_port import SkillOutcome

_LONGEST_MESSAGE = 1000  # characters
_LONGEST_NAME = 200  # characters of a room's name


def checked(skill: Skill, arguments: Mapping[str, Any], outcome: SkillOutcome) -> SkillOutcome:
    """The outcome, or a failure with UNKNOWN where its value is none that the skill may have.

    Its message is cut where it is long: it is recorded, sent on, and given to the program.
    """
    outcome = replace(outcome, message=outcome.message[:_LONGEST_MESSAGE])
    if outcome.error_code is not SkillErrorCode.NONE:
        return outcome
    fault = _fault(skill, arguments, outcome.value)
    if not fault:
        return outcome
    message = f"the server of '{skill.name}' {fault}"
    return replace(outcome, value=None, error_code=SkillErrorCode.UNKNOWN, message=message)


def _fault(skill: Skill, arguments: Mapping[str, Any], value: Any) -> str:
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
