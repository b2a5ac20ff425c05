"""Holds a run between two skill calls, and a drive in the middle."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.skills import HERE, Domain
from roboinstruct_ros.domain.stop_number import Admission
from roboinstruct_ros.execute.skill_port import SkillOutcome, SkillPort

_POLL = 0.02  # s
_CANCELED = SkillOutcome(error_code=SkillErrorCode.CANCELED, message="the call was not made")


class Pause:
    """Set from any thread; the run holds at its next call, or now when it drives."""

    def __init__(self) -> None:
        self._held = threading.Event()
        self._going = threading.Event()
        self._going.set()
        self._since, self._before = 0.0, 0.0

    @property
    def is_set(self) -> bool:
        return self._held.is_set()

    def hold(self) -> None:
        """Pause."""
        if not self.is_set:
            self._since = time.monotonic()
        self._going.clear()
        self._held.set()

    def go_on(self) -> None:
        """End the pause."""
        self._before = self._before + self._held_now()
        self._held.clear()
        self._going.set()

    def clock(self) -> float:
        """s, on a clock that stands still while the run is held."""
        return time.monotonic() - self._before - self._held_now()

    def _held_now(self) -> float:
        return time.monotonic() - self._since if self.is_set else 0.0

    def wait(self, cancel: threading.Event) -> None:
        """Return when the pause is over, or `cancel` is set."""
        while not self._going.wait(_POLL) and not cancel.is_set():
            continue

    def or_cancelled(self, cancel: Admission) -> Admission:
        """An event that counts as set as soon as the pause or `cancel` is."""
        return _Either(cancel, self._held)


class PausablePort:
    """A `SkillPort` that waits while the run is paused.

    A skill that takes the robot somewhere is ended by a pause and called again afterwards: going
    to a room twice is going there once. Any other call comes to its end first.

    Args:
        port: makes the calls.
        tell: told when a pause begins to hold the run (True), and when the run goes on.
        may_go_on: asked when a pause is over: whether the call is still made. It may begin another.
    """

    def __init__(
        self,
        port: SkillPort,
        domain: Domain,
        pause: Pause,
        tell: Callable[[bool], None],
        may_go_on: Callable[[], bool] = lambda: True,
    ) -> None:
        self._port = port
        self._pause = pause
        self._tell = tell
        self._may_go_on = may_go_on
        self._drives = frozenset(
            skill.name
            for skill in domain.skills
            if any(effect.pattern.predicate == HERE for effect in skill.effects)
        )

    def call(self, skill: str, arguments: Mapping[str, Any], cancel: Admission) -> SkillOutcome:
        """Call one skill, not while the run is paused."""
        while True:
            if not self._wait(cancel) or cancel.is_set():
                return _CANCELED
            if skill not in self._drives:
                return self._port.call(skill, arguments, cancel)
            either = self._pause.or_cancelled(cancel)
            outcome = self._port.call(skill, arguments, either)
            held = self._pause.is_set and not cancel.is_set()
            if not held or outcome.error_code is not SkillErrorCode.CANCELED:
                return outcome

    def _wait(self, cancel: threading.Event) -> bool:
        """Gives whether the call is made, unless `cancel` is set."""
        if not self._pause.is_set or cancel.is_set():
            return True
        may = True
        self._tell(True)
        while may and self._pause.is_set and not cancel.is_set():
            self._pause.wait(cancel)
            may = cancel.is_set() or self._may_go_on()
        self._tell(False)
        return may


class _Either(Admission):
    """Set as soon as one of two events is; never set itself."""

    def __init__(self, one: Admission, other: threading.Event) -> None:
        super().__init__(one.number)
        self._one, self._other = one, other

    def is_set(self) -> bool:
        return self._one.is_set() or self._other.is_set()

    def wait(self, timeout: float | None = None) -> bool:
        left = timeout
        while not self.is_set():
            if left is not None and left <= 0:
                return False
            step = _POLL if left is None else min(_POLL, left)
            self._one.wait(step)
            left = None if left is None else left - step
        return True
