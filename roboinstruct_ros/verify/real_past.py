"""Calls that were really made before the verifier was asked again, with what came of them."""

from __future__ import annotations

from typing import Any, NoReturn

from roboinstruct_ros.domain.skill_call import SkillCall, SkillErrorCode
from roboinstruct_ros.domain.skills import HERE, Skill
from roboinstruct_ros.sandbox.namespace import SkillError
from roboinstruct_ros.verify.rooms import Rooms
from roboinstruct_ros.verify.world import ImpossibleWorld, Literal, World


class RealPast:
    """The first calls of a path, when they are known.

    A path that would have made other calls is not the one that was taken: it ends as impossible.
    """

    def __init__(self, calls: tuple[SkillCall, ...], world: World, rooms: Rooms) -> None:
        self._calls = calls
        self._world = world
        self._rooms = rooms
        world.changing |= bool(calls)  # what was seen at different times

    def over(self, made: int) -> bool:
        """Whether `made` calls are all of them."""
        return made >= len(self._calls)

    def next(self, skill: Skill, values: tuple[Any, ...], made: int) -> SkillCall | None:
        """The real call that this one repeats; None when the future has begun.

        Raises:
            ImpossibleWorld: another call was made in its place.
        """
        if self.over(made):
            return None
        real = self._calls[made]
        if real.skill != skill.name or _plain(real.arguments) != _plain(values):
            raise ImpossibleWorld
        return real

    def location(self, made: int) -> str | None:
        """Where the robot is, if the next real answer to tell it comes before it moves."""
        for call in self._calls[made:]:
            skill = self._world.domain.skill(call.skill)
            if skill.returns == "current_location" and not call.error_code:
                return self._rooms.resolve(str(call.result))
            if any(effect.pattern.predicate == HERE for effect in skill.effects):
                return None
        return None

    def learn(self, skill: Skill, real: SkillCall, answer: Literal | None) -> Any:
        """What the program is answered, after the world has taken it in."""
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
        """After a failure, what the skill was to make true is unknown; an empty hand stays so."""
        for literal, effect in zip(effects, skill.effects, strict=True):
            if self._world.domain.predicate(literal[0]).initially is None:
                if effect.becomes is True and literal[0] == HERE:
                    here = self._world.argument_of(HERE)
                    self._world.set((HERE, here) if here else literal, None)
                self._world.set(literal, None)

    def raise_failure(self, skill: Skill, real: SkillCall) -> NoReturn:
        """Raises SkillError, as the run did."""
        code = SkillErrorCode(real.error_code).name.lower()
        raise SkillError(code, f"{skill.name} failed: {real.error_msg}")

    def told(self, real: SkillCall) -> str:
        """How the story tells it."""
        if real.error_code:
            return f"failed ({real.error_msg or SkillErrorCode(real.error_code).name.lower()})"
        return "was done" if real.result is None else f"answered {real.result!r}"


def _plain(values: Any) -> list[Any]:
    return [list(value) if isinstance(value, (list, tuple)) else value for value in values]
