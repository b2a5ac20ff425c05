"""Checks a program's assumptions against what its skills report during the run."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from roboinstruct_ros.domain.semantic_map import folded
from roboinstruct_ros.domain.skill_call import SkillCall, SkillErrorCode
from roboinstruct_ros.domain.skills import HERE, Domain, Skill
from roboinstruct_ros.program.syntax import parents_in
from roboinstruct_ros.verify.verdict import Assumption
from roboinstruct_ros.verify.world.assumptions import ROOM
from roboinstruct_ros.verify.world.handlers import handlers_of
from roboinstruct_ros.verify.world.world import ANYBODY, Literal


class AssumptionsInRun:
    """Finds the assumption that a failed call disproves.

    Args:
        assumptions: from the verdict that admitted the run.

    Attributes:
        may_be_handled: the program has an exception handler, which sees each failure before the run
            is ended.
    """

    def __init__(
        self, domain: Domain, assumptions: Sequence[Assumption] = (), source: str = ""
    ) -> None:
        self._domain = domain
        self._assumptions = assumptions
        handled = handlers_of(parents_in(ast.parse(source)), domain).lines if assumptions else ()
        self.may_be_handled = bool(handled)

    def failed(self, calls: Sequence[SkillCall]) -> Assumption | None:
        """The assumption that the last of these calls disproves, or None."""
        if not (self._assumptions and calls and calls[-1].error_code):
            return None
        call, room = calls[-1], self._room(calls[:-1])
        denied = list(self._denied(call))
        found = [
            assumption
            for assumption in self._assumptions
            if call.line in assumption.lines and any(_fits(assumption, one) for one in denied)
        ]
        here = [one for one in found if room in map(folded, one.literal)]
        return next(iter((*here, *found)), None)

    def _denied(self, call: SkillCall) -> Iterator[Literal]:
        """Literals that the call needs and its error denies; "*" is the robot's room."""
        skill, code = self._domain.skill(call.skill), SkillErrorCode(call.error_code)
        for precondition in skill.preconditions:
            pattern = precondition.pattern
            if precondition.error == code.name.lower():
                entities = (self._entity(skill, call, name) for name in pattern.arguments)
                yield (pattern.predicate, *entities)
        if code is SkillErrorCode.UNKNOWN_LOCATION:
            yield from ((ROOM, self._entity(skill, call, name)) for name in skill.room_parameters)

    def _entity(self, skill: Skill, call: SkillCall, name: str) -> str:
        if name not in skill.parameter_names:
            return {"here": "*", "anybody": ANYBODY}.get(name, name)
        text = str(call.arguments[skill.parameter_names.index(name)]).strip()
        people = "person" in next(p for p in skill.parameters if p.name == name).entity_types
        return ANYBODY if people and self._domain.is_anybody(text) else text

    def _room(self, calls: Sequence[SkillCall]) -> str:
        """The room of the last successful drive, as the program names it; empty for none."""
        for call in reversed(calls):
            skill = self._domain.skill(call.skill)
            for effect in skill.effects:
                if effect.pattern.predicate == HERE and not call.error_code:
                    return folded(self._entity(skill, call, effect.pattern.arguments[0]))
        return ""


def _fits(assumption: Assumption, denied: Literal) -> bool:
    literal = assumption.literal
    return len(literal) == len(denied) and all(
        wanted == "*" or folded(wanted) == folded(given)
        for wanted, given in zip(denied, literal, strict=True)
    )
