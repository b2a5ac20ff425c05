"""Plays the calls of an interrupted run back to its program, and settles the one in flight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from roboinstruct_ros.domain.skill_call import SkillCall, SkillErrorCode
from roboinstruct_ros.domain.stop_number import Admission
from roboinstruct_ros.execute.journal import RecordedRun
from roboinstruct_ros.execute.recovery_policies import AfterRestart, RecoveryPolicies
from roboinstruct_ros.execute.skill_port import SkillOutcome, SkillPort


class Diverged(Exception):
    """A resumed program does not make the calls that it made before; `str()` is one line."""


class CallHistory:
    """What an interrupted run has done already, handed out once and in order."""

    def __init__(self, recorded: RecordedRun | None = None) -> None:
        self._calls = list(recorded.calls) if recorded else []
        self._clock = list(recorded.clock) if recorded else []
        self._in_flight = recorded.in_flight if recorded else None

    @property
    def is_over(self) -> bool:
        """Whether the program has come to where it was interrupted."""
        return not self._calls and not self._clock

    @property
    def calls_left(self) -> int:
        return len(self._calls)

    def next_call(self, skill: str, arguments: tuple[Any, ...]) -> SkillCall | None:
        """The recorded end of the call that the program makes now; None when it makes it anew.

        Raises:
            Diverged: it is another call than the recorded one.
        """
        if not self._calls:
            return None
        recorded = self._calls.pop(0)
        self._compare(recorded, skill, arguments)
        return recorded

    def interrupted(self, skill: str, arguments: tuple[Any, ...]) -> bool:
        """Whether this is the call that had begun when the run was interrupted; says so once.

        Raises:
            Diverged: it should be, and is another one.
        """
        recorded, self._in_flight = self._in_flight, None
        if recorded is None:
            return False
        self._compare(recorded, skill, arguments)
        return True

    def next_clock(self) -> float | None:
        """The recorded reading of the clock, s; None when it is read anew."""
        return self._clock.pop(0) if self._clock else None

    def _compare(self, recorded: SkillCall, skill: str, arguments: tuple[Any, ...]) -> None:
        if (recorded.skill, _plain(recorded.arguments)) != (skill, _plain(arguments)):
            raise Diverged(
                f"the program does not repeat what it did: call {recorded.index + 1} was "
                f"{recorded.skill}{_plain(recorded.arguments)} and is {skill}{_plain(arguments)}"
            )


def settle(
    skill: str,
    arguments: Mapping[str, Any],
    policies: RecoveryPolicies,
    port: SkillPort,
    cancel: Admission,
) -> SkillOutcome:
    """What became of a call that had begun when the run was interrupted."""
    recovery = policies.of(skill)
    if recovery.after_restart is AfterRestart.SKIP:
        return SkillOutcome()
    if recovery.after_restart is AfterRestart.ASK:
        question = f"I was interrupted. Is this done: {_said(skill, arguments)}?"
        asked = {"person": "", "question": question, "options": ["yes", "no"]}
        answer = port.call("ask", asked, cancel)
        if answer.error_code is not SkillErrorCode.NONE:
            return answer
        if answer.value == "yes":
            return SkillOutcome()
    return _done_or_failed(port.call(skill, arguments, cancel), recovery.done_if)


def _said(skill: str, arguments: Mapping[str, Any]) -> str:
    return " ".join([skill.replace("_", " "), *(str(value) for value in arguments.values())])


def _done_or_failed(outcome: SkillOutcome, done_if: str) -> SkillOutcome:
    if done_if and outcome.error_code.name.lower() == done_if:
        return replace(outcome, error_code=SkillErrorCode.NONE, message="")
    return outcome


def _plain(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """As a journal gives them back: sequences are lists in JSON."""
    return tuple(list(value) if isinstance(value, tuple) else value for value in arguments)
