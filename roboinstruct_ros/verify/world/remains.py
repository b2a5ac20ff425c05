"""What earlier runs have left of what a verdict takes for granted, such as an empty hand.

A program is verified from every state of the world that it might meet; only a predicate with an
`initially` is taken to be so at the beginning. After a run that ended with a cup in the hand it is
not, and the next program has to be judged from there.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable

from roboinstruct_ros.domain.skill_call import SkillCall, SkillErrorCode
from roboinstruct_ros.domain.skills import Domain, Skill
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
"""Ends of a call that say nothing of how far it came."""

Remains = tuple[tuple[Literal, bool], ...]
"""Literals with the value that they have as a program begins, where it is not the usual one."""


class RobotPast:
    """Learns from the skill calls of all runs, and says what is left of them.

    Attributes:
        remains: for the verdict on the next program.
    """

    def __init__(self, domain: Domain) -> None:
        self._world = World(domain)
        self._has_calls = False
        self._said: str | None = None
        self._changed = threading.Condition()

    def wait_until(self, left: bool, limit: float) -> bool:
        """Whether something (or nothing) is left, for which calls may come within `limit` s."""
        with self._changed:
            return self._changed.wait_for(lambda: bool(self.remains) is left, limit)

    @property
    def remains(self) -> Remains:
        domain = self._world.domain
        facts = self._world.literals.items()
        return tuple((fact, v) for fact, v in facts if v != domain.predicate(fact[0]).initially)

    @property
    def held(self) -> str:
        """What the hand holds, by the name that a program used; "" for nothing."""
        return next((fact[1] for fact, value in self.remains if value and len(fact) == 2), "")

    def begins_with(self, held: str, between_runs: bool = True) -> None:
        """What the robot says it holds, empty for nothing; what was learnt from calls stands.

        Calls name a thing as programs do, which need not be the robot's own name for it. After a
        call that was cut off it is the robot that knows.
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
                    self._world.set((predicate.name, held), True)

    def note(self, calls: Iterable[SkillCall]) -> None:
        """Take the calls of a run in; one that failed has changed nothing.

        A robot that says its hand is empty is believed: somebody has taken the thing out of it.
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
        """Whether something of what the skill does is remembered."""
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
            self._world.set(literal, None if effect.becomes == "undefined" else effect.becomes)

    def _empty(self, skill: Skill) -> None:
        self._has_calls = True
        ended = {effect.pattern.predicate for effect in skill.effects if effect.becomes is False}
        for literal in [literal for literal in self._world.literals if literal[0] in ended]:
            self._world.set(literal, None)
