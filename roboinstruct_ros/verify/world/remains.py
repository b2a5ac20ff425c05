"""The facts that earlier runs have left and that differ from a verdict's defaults.

A program is verified from every state that it may meet; only predicates with an `initially` have a
known value at the beginning, such as an empty hand. After a run that ended with a cup in the hand
that value is wrong, and the next program must be verified from there.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable

from roboinstruct_ros.domain.semantic_map import folded
from roboinstruct_ros.domain.skill_call import SkillCall, SkillErrorCode
from roboinstruct_ros.domain.skills import Domain, Skill
from roboinstruct_ros.domain.thing_names import same_thing
from roboinstruct_ros.verify.world.world import Literal, World

_CUT_OFF = frozenset(
    {
        SkillErrorCode.UNKNOWN,
        SkillErrorCode.CANCELED,
        SkillErrorCode.STOPPED,
        SkillErrorCode.TIMEOUT,
        SkillErrorCode.SERVER_UNAVAILABLE,
        SkillErrorCode.EXECUTOR_LOST,
    }
)
"""Failure codes that do not say how far the call came."""

Remains = tuple[tuple[Literal, bool], ...]
"""Literals whose value at the beginning of a program differs from the initial one."""


class RobotPast:
    """Learns from the skill calls of all runs which facts remain.

    Attributes:
        remains: for the verdict on the next program.
    """

    def __init__(self, domain: Domain) -> None:
        self._world = World(domain)
        self._has_calls = False
        self._said: str | None = None
        self._changed = threading.Condition()

    def wait_until(self, left: bool, limit: float) -> bool:
        """Wait at most `limit` s for remains (or for none). Return whether they came."""
        with self._changed:
            return self._changed.wait_for(lambda: bool(self.remains) is left, limit)

    @property
    def remains(self) -> Remains:
        domain = self._world.domain
        facts = self._world.literals.items()
        return tuple((fact, v) for fact, v in facts if v != domain.predicate(fact[0]).initially)

    @property
    def held(self) -> str:
        """The object in the hand, by the name that a program used; "" for none."""
        return next((fact[1] for fact, value in self.remains if value and len(fact) == 2), "")

    def begins_with(self, held: str, between_runs: bool = True) -> None:
        """Note what the robot itself says it holds, empty for nothing; facts learnt from calls take
        precedence.

        Calls use the program's name for a thing, which may differ from the robot's. After an
        interrupted call, the robot's word counts.
        """
        with self._changed:
            self._said = held.strip()
            if between_runs and not self._has_calls:
                self._begin_with(self._said)
            self._changed.notify_all()

    def _begin_with(self, held: str) -> None:
        for predicate in self._world.domain.predicates:
            if predicate.initially is False and predicate.single and len(predicate.arguments) == 1:
                before = self._world.argument_of(predicate.name)
                if before is not None:
                    self._world.set((predicate.name, before), None)
                if held:
                    self._set((predicate.name, held), True)

    def note(self, calls: Iterable[SkillCall]) -> None:
        """Process the calls of a run; a failed call has changed nothing.

        If the robot reports an empty hand, it is believed: somebody has taken the object out of it.
        """
        with self._changed:
            for call in calls:
                self._note(call)
            self._changed.notify_all()

    def _note(self, call: SkillCall) -> None:
        domain = self._world.domain
        if call.skill not in domain.skill_names:
            return
        skill = domain.skill(call.skill)
        if call.error_code == SkillErrorCode.HAND_EMPTY:
            self._empty(skill)
        elif not call.error_code:
            self._apply(skill, call)
        elif call.error_code in _CUT_OFF and self._said is not None and self._lasts(skill):
            self._has_calls = False
            self._begin_with(self._said)

    def _lasts(self, skill: Skill) -> bool:
        """Whether some effect of the skill is remembered between runs."""
        predicates = (effect.pattern.predicate for effect in skill.effects)
        return any(self._world.domain.predicate(name).initially is not None for name in predicates)

    def _apply(self, skill: Skill, call: SkillCall) -> None:
        arguments = dict(zip(skill.parameter_names, call.arguments, strict=False))
        for effect in skill.effects:
            name, places = effect.pattern.predicate, effect.pattern.arguments
            if self._world.domain.predicate(name).initially is None:
                continue
            if any(place not in arguments for place in places):
                continue
            self._has_calls = True
            literal = (name, *(str(arguments[place]).strip() for place in places))
            self._set(literal, None if effect.becomes == "undefined" else effect.becomes)

    def _set(self, literal: Literal, value: bool | None) -> None:
        """Set a literal in the place of what was known of it under other names of its entities."""
        kinds = self._world.domain.predicate(literal[0]).arguments
        for known in list(self._world.literals):
            if known[0] == literal[0] and all(map(_is_same, known[1:], literal[1:], kinds)):
                self._world.set(known, None)
        self._world.set(literal, value)

    def _empty(self, skill: Skill) -> None:
        self._has_calls = True
        ended = {effect.pattern.predicate for effect in skill.effects if effect.becomes is False}
        for literal in [literal for literal in self._world.literals if literal[0] in ended]:
            self._world.set(literal, None)


def _is_same(one: str, other: str, kind: str) -> bool:
    return folded(one) == folded(other) if kind == "location" else same_thing(one, other)
