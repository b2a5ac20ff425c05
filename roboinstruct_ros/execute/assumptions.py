"""Checks a program's assumptions against what its skills report during the run."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from roboinstruct_ros.domain.semantic_map import folded
from roboinstruct_ros.domain.skill_call import SkillCall, SkillErrorCode
from roboinstruct_ros.domain.skills import HERE, Domain, Skill
from roboinstruct_ros.domain.thing_names import plain_name
from roboinstruct_ros.program.syntax import parents_in
from roboinstruct_ros.verify.verdict import Assumption
from roboinstruct_ros.verify.world.assumptions import ROOM
from roboinstruct_ros.verify.world.handlers import handlers_of
from roboinstruct_ros.verify.world.world import ANYBODY, Literal


def disproved(
    assumptions: Sequence[Assumption], calls: Sequence[SkillCall], domain: Domain
) -> Assumption | None:
    """The assumption that the last of these calls, which failed, disproves; None for none."""
    call, room = calls[-1], _room(calls[:-1], domain)
    denied = list(_denied(call, domain))
    found = [
        assumption
        for assumption in assumptions
        if call.line in assumption.lines and any(_fits(assumption, one) for one in denied)
    ]
    here = [one for one in found if room in map(folded, one.literal)]
    return next(iter((*here, *found)), None)


def handles_failures(source: str, domain: Domain) -> bool:
    """Whether the program has an exception handler, which sees a failure before the run ends."""
    return bool(handlers_of(parents_in(ast.parse(source)), domain).caught)


def _denied(call: SkillCall, domain: Domain) -> Iterator[Literal]:
    """Literals that the call needs and its error denies; "*" is the robot's room."""
    skill, code = domain.skill(call.skill), SkillErrorCode(call.error_code)
    for precondition in skill.preconditions:
        pattern = precondition.pattern
        if precondition.error == code.name.lower():
            entities = (_entity(skill, call, name, domain) for name in pattern.arguments)
            yield (pattern.predicate, *entities)
    if code is SkillErrorCode.UNKNOWN_LOCATION:
        yield from ((ROOM, _entity(skill, call, name, domain)) for name in skill.room_parameters)


def _entity(skill: Skill, call: SkillCall, name: str, domain: Domain) -> str:
    if name not in skill.parameter_names:
        return {"here": "*", "anybody": ANYBODY}.get(name, name)
    text = str(call.arguments[skill.parameter_names.index(name)]).strip()
    people = "person" in next(p for p in skill.parameters if p.name == name).entity_types
    return ANYBODY if people and domain.is_anybody(text) else text


def _room(calls: Sequence[SkillCall], domain: Domain) -> str:
    """The room of the last successful drive, as the program names it; empty for none."""
    for call in reversed(calls):
        skill = domain.skill(call.skill)
        for effect in skill.effects:
            if effect.pattern.predicate == HERE and not call.error_code:
                return folded(_entity(skill, call, effect.pattern.arguments[0], domain))
    return ""


def _fits(assumption: Assumption, denied: Literal) -> bool:
    literal = assumption.literal
    plain = folded if literal[0] == ROOM else plain_name
    return len(literal) == len(denied) and all(
        wanted == "*" or plain(wanted) == plain(given)
        for wanted, given in zip(denied, literal, strict=True)
    )
