"""Tries again, as a sensible person would, before a program hears that a skill has failed."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.stop_number import Admission
from roboinstruct_ros.execute.recovery_policies import RecoveryPolicies, SkillRecovery, Try
from roboinstruct_ros.execute.skill_port import SkillOutcome, SkillPort

_FINAL = frozenset({SkillErrorCode.NONE, SkillErrorCode.CANCELED, SkillErrorCode.STOPPED})


@dataclass(frozen=True)
class RecoveryTry:
    """What was tried.

    Attributes:
        number: from 1, of this call.
        error: that the call had failed with.
        say: what was said before; empty for nothing.
        wait: s that were waited.
    """

    skill: str
    arguments: Mapping[str, Any]
    number: int
    error: SkillErrorCode
    say: str = ""
    wait: float = 0.0


class RecoveringPort:
    """A `SkillPort` that follows the recovery policies around another one.

    Args:
        port: makes the calls.
        tell: told of each try before it is made; None when the recovery is over.
        may: whether a call of the recovery itself breaks no policy of the operator.
        clock: s, on which the limit of a recovery counts.
    """

    def __init__(
        self,
        port: SkillPort,
        policies: RecoveryPolicies,
        tell: Callable[[RecoveryTry | None], None],
        may: Callable[[str, Mapping[str, Any]], bool],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._port = port
        self._policies = policies
        self._tell = tell
        self._may = may
        self._clock = clock

    def call(self, skill: str, arguments: Mapping[str, Any], cancel: Admission) -> SkillOutcome:
        """Call one skill, and again as its policy says; `cancel` ends all of it at once."""
        recovery = self._policies.of(skill)
        deadline = self._clock() + recovery.time_limit
        outcome = self._port.call(skill, arguments, cancel)
        used: dict[SkillErrorCode, int] = {}
        tried = 0
        while outcome.error_code not in _FINAL and not cancel.is_set():
            tries = recovery.tries(outcome.error_code)
            place = used.get(outcome.error_code, 0)
            if place >= len(tries) or self._clock() >= deadline:
                break
            used[outcome.error_code] = place + 1
            tried += 1
            self._prepare(skill, arguments, tries[place], outcome.error_code, tried, cancel)
            if cancel.is_set():
                break
            outcome = self._port.call(skill, arguments, cancel)
        if tried:
            self._tell(None)
        if cancel.is_set() and outcome.error_code not in _FINAL:
            return SkillOutcome(error_code=SkillErrorCode.CANCELED, message="cancelled")
        return _answered(recovery, outcome)

    def _prepare(
        self,
        skill: str,
        arguments: Mapping[str, Any],
        one: Try,
        error: SkillErrorCode,
        number: int,
        cancel: Admission,
    ) -> None:
        words = _filled(one.say, arguments)
        if words and not self._may("say", {"message": words}):
            words = ""
        self._tell(RecoveryTry(skill, arguments, number, error, words, one.wait))
        if words:
            self._port.call("say", {"message": words}, cancel)
        if one.wait:
            cancel.wait(one.wait)


def _answered(recovery: SkillRecovery, outcome: SkillOutcome) -> SkillOutcome:
    """The answer that the policy lets stand for one that never came."""
    if outcome.error_code is SkillErrorCode.NO_ANSWER and recovery.otherwise:
        return SkillOutcome(recovery.otherwise)
    return outcome


def _filled(words: str, arguments: Mapping[str, Any]) -> str:
    for name, value in arguments.items():
        text = ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
        words = words.replace("{" + name + "}", text)
    return words
