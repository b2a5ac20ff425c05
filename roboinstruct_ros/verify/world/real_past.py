"""Calls made in reality before the verification, with their results."""

from __future__ import annotations

from typing import Any

from roboinstruct_ros.domain.skill_call import CLOCK, LONGEST_ERROR, SEED, SkillCall, SkillErrorCode
from roboinstruct_ros.domain.skills import HERE, Skill
from roboinstruct_ros.sandbox.namespace import SkillError
from roboinstruct_ros.verify.rooms.rooms import Rooms
from roboinstruct_ros.verify.world.skill_arguments import Call
from roboinstruct_ros.verify.world.world import ImpossibleWorld, Literal, World


class RealPast:
    """The known first calls of a path.

    A path that makes other calls is not the real one and ends as impossible.

    Attributes:
        failures: errors that the program was given for real calls that failed.
    """

    def __init__(self, calls: tuple[SkillCall, ...], world: World, rooms: Rooms) -> None:
        self._calls = tuple(call for call in calls if call.skill not in (CLOCK, SEED))
        self._readings = _readings(calls)
        self.failures: list[SkillError] = []
        self._world = world
        self._rooms = rooms
        world.changing |= bool(calls)  # facts were observed at different times

    def over(self, made: int) -> bool:
        """Whether `made` calls are all of them, and all clock readings have been repeated."""
        return made >= len(self._calls) and not self._readings

    def clock(self, made: int) -> float | None:
        """The clock reading after `made` calls; None if it is unknown.

        Raises:
            ImpossibleWorld: the real reading happened elsewhere.
        """
        if not self._readings:
            return None
        place, reading = self._readings.pop()
        if place != made:
            raise ImpossibleWorld
        return reading

    def next(self, call: Call, made: int) -> SkillCall | None:
        """The real call that this one repeats; None after the last real call.

        Raises:
            ImpossibleWorld: the real run made another call instead.
        """
        if self._readings and self._readings[-1][0] <= made:
            raise ImpossibleWorld  # the real run read the clock first
        if self.over(made):
            return None
        real = self._calls[made]
        same = real.arguments == call.values or _plain(real.arguments) == _plain(call.values)
        if real.skill != call.skill.name or not same:
            raise ImpossibleWorld
        return real

    def location(self, made: int) -> str | None:
        """The robot's room, if a real call reports it before the robot moves."""
        for call in self._calls[made:]:
            skill = self._world.domain.skill(call.skill)
            if skill.returns == "current_location" and not call.error_code:
                return self._rooms.resolve(str(call.result))
            if any(effect.pattern.predicate == HERE for effect in skill.effects):
                return None
        return None

    def learn(self, skill: Skill, real: SkillCall, answer: Literal | None) -> Any:
        """Add a real result to the world. Return the program's answer."""
        if answer is not None:
            self._world.set(answer, bool(real.result))
        elif skill.returns == "current_location":
            room = self._rooms.resolve(str(real.result)) or str(real.result)
            self._world.narrow(room, frozenset({"location"}))
            self._world.set((HERE, room), True)
            return self._rooms.name(room)
        elif skill.returns == "all_locations":
            self._rooms.fix(real.result)
            return self._rooms.all()
        return real.result

    def unsettle(self, skill: Skill, effects: list[Literal]) -> None:
        """After a failure, the effects are unknown, except for predicates with an initial value."""
        for literal, effect in zip(effects, skill.effects, strict=True):
            if self._world.domain.predicate(literal[0]).initially is None:
                if effect.becomes is True and literal[0] == HERE:
                    here = self._world.argument_of(HERE)
                    self._world.set((HERE, here) if here else literal, None)
                self._world.set(literal, None)

    def failure(self, skill: Skill, real: SkillCall) -> SkillError:
        """The SkillError of the real run."""
        code = SkillErrorCode(real.error_code).name.lower()
        message = f"{skill.name} failed: {real.error_msg}"[:LONGEST_ERROR]  # as in the run
        self.failures.append(SkillError(code, message))
        return self.failures[-1]

    def told(self, real: SkillCall) -> str:
        """The result of the call, in the words of the story."""
        if real.error_code:
            return f"failed ({real.error_msg or SkillErrorCode(real.error_code).name.lower()})"
        return "was done" if real.result is None else f"answered {real.result!r}"


def seed_of(calls: tuple[SkillCall, ...]) -> int | None:
    """The seed of the run's random numbers, if known."""
    return next((call.arguments[0] for call in calls if call.skill == SEED), None)


def _readings(calls: tuple[SkillCall, ...]) -> list[tuple[int, float]]:
    """(calls made before, s since the epoch) of each clock reading, in reverse order."""
    made, found = 0, []
    for call in calls:
        if call.skill == CLOCK:
            found += [(made, float(reading)) for reading in call.arguments]
        made += call.skill not in (CLOCK, SEED)
    return found[::-1]


def _plain(values: Any) -> list[Any]:
    return [list(value) if isinstance(value, (list, tuple)) else value for value in values]
