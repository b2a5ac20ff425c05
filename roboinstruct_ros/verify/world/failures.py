"""Skills that fail where the program expects it: both are tried."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from roboinstruct_ros.domain.skills import Skill
from roboinstruct_ros.sandbox.namespace import SkillError
from roboinstruct_ros.verify.explore.line_watch import is_within
from roboinstruct_ros.verify.story import Made, call_text
from roboinstruct_ros.verify.world.handlers import MOST_FAILURES
from roboinstruct_ros.verify.world.path import Path
from roboinstruct_ros.verify.world.real_past import RealPast
from roboinstruct_ros.verify.world.whereabouts import Whereabouts
from roboinstruct_ros.verify.world.world import World


class Failures:
    """Those of one path."""

    def __init__(self, path: Path, world: World, past: RealPast, whereabouts: Whereabouts) -> None:
        self._path = path
        self._world = world
        self._past = past
        self._whereabouts = whereabouts
        self._handlers = path.question.facts.handlers
        self._raised: list[Exception] = []

    @property
    def expected(self) -> bool:
        """Whether the program catches what fails here."""
        return bool(self._handlers.lines) and is_within(self._handlers.lines)

    @property
    def count(self) -> int:
        """How many there were."""
        return len(self._raised)

    def includes(self, error: Exception) -> bool:
        """Whether this is one of them."""
        return any(error is failure for failure in self._raised)

    def may_come(
        self, skill: Skill, values: tuple[Any, ...], entities: Mapping[str, str], tired: bool
    ) -> None:
        """Let this call go well, or fail for each of the reasons that matter.

        Args:
            tired: no more answers are tried.

        Raises:
            SkillError: it fails in this world.
        """
        path, codes = self._path, self._handlers.codes
        if len(self._raised) == MOST_FAILURES or tired:
            path.leave_out("this may fail more often than is tried")
            return
        failing = path.choices.choose(1 + len(codes), (True, *codes), skill.name)
        if not failing:
            return
        if self._handlers.examined:
            path.choices.leave_out(self._handlers.examined, "more is asked of an error")
        if skill.adds or skill.books:
            path.leave_out("how far a skill came that failed")
        code, line = codes[failing - 1], path.line
        path.calls[-1] = Made(skill.name, values, line, failed=code)
        path.tell(lambda: f"Line {line}: {call_text(skill.name, values)} fails ({code}).")
        if skill.takes_time:
            self._world.takes_time()
        literals = [self._whereabouts.literal(e.pattern, entities) for e in skill.effects]
        self._past.unsettle(skill, literals)
        self._raised.append(SkillError(code, f"{skill.name} failed"))
        raise self._raised[-1]
