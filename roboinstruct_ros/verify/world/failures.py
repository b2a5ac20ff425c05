"""Failures of skills where the program handles them: success and failure are both tried."""

from __future__ import annotations

from dataclasses import dataclass, field

from roboinstruct_ros.sandbox.namespace import SkillError
from roboinstruct_ros.verify.error_words import FAILED
from roboinstruct_ros.verify.explore.line_watch import is_within
from roboinstruct_ros.verify.story import Made, call_text
from roboinstruct_ros.verify.world.handlers import MOST_FAILURES
from roboinstruct_ros.verify.world.path import Path
from roboinstruct_ros.verify.world.real_past import RealPast
from roboinstruct_ros.verify.world.skill_arguments import Call
from roboinstruct_ros.verify.world.whereabouts import Whereabouts
from roboinstruct_ros.verify.world.world import World


@dataclass(eq=False)
class Failures:
    """The failures of one path."""

    _path: Path
    _world: World
    _past: RealPast
    _whereabouts: Whereabouts
    _raised: list[Exception] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._handlers = self._path.question.facts.handlers

    @property
    def expected(self) -> bool:
        """Whether a failure at this point is caught, or followed by a `finally:` block."""
        return bool(self._handlers.lines) and is_within(self._handlers.lines)

    @property
    def count(self) -> int:
        """Number of failures so far."""
        return len(self._raised)

    def includes(self, error: Exception) -> bool:
        """Whether the error is one of these failures."""
        return any(error is failure for failure in self._raised)

    def may_come(self, call: Call, tired: bool) -> None:
        """Let this call succeed, or fail for one of the reasons that the program can distinguish.

        Args:
            tired: stop trying further answers.

        Raises:
            SkillError: the call fails in this world.
        """
        path, codes, skill = self._path, self._handlers.codes, call.skill
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
        path.calls[-1] = Made(skill.name, call.values, line, failed=code)
        path.tell(lambda: f"Line {line}: {call_text(skill.name, call.values)} fails ({code}).")
        if skill.takes_time:
            self._world.takes_time()
        self._past.unsettle(skill, self._whereabouts.effects(call))
        self._raised.append(SkillError(code, f"{skill.name} {FAILED}"))
        raise self._raised[-1]
