"""Verifies a recorded program again: is it still accepted, and if not, what has changed?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Any

from roboinstruct_ros.execute.run_setting import RunSetting
from roboinstruct_ros.trace.replay import CannotReplay
from roboinstruct_ros.trace.run_trace import RunTrace
from roboinstruct_ros.verify.service.worker import VerifierWorker
from roboinstruct_ros.verify.verdict import Verdict


class Cause(str, Enum):
    """The cause of a changed verdict, each tested with all previous changes applied."""

    VERIFIER = "the verifier"
    SKILLS = "the skills"
    MAP = "the map"
    POLICIES = "the policies"


_CAUSES = {"domain": Cause.SKILLS, "semantic_map": Cause.MAP, "policies": Cause.POLICIES}
"""The cause by field of `RunSetting`."""


@dataclass(frozen=True)
class Changed:
    """The recorded verdict, the current one, and the first change that explains it."""

    cause: Cause
    recorded: Verdict
    now: Verdict

    def __str__(self) -> str:
        return f"by {self.cause.value}: was {_told(self.recorded)} and is {_told(self.now)}"


def replay_verdict(
    trace: RunTrace, today: Mapping[str, Any] = MappingProxyType({})
) -> Changed | None:
    """Verify the program with the current verifier; None if the verdict is the recorded one.

    Args:
        today: current values of `RunSetting` fields; the others come from the recording.

    Raises:
        CannotReplay: the bag lacks the verdict or its setting.
    """
    if trace.setting is None or trace.verdict is None:
        raise CannotReplay(f"{trace.folder}: the bag does not hold the verdict and its rules")
    for cause, setting in _steps(trace.setting, today):
        verdict = _judged(trace, setting)
        if (verdict.status, verdict.exhaustive) != (trace.verdict.status, trace.verdict.exhaustive):
            return Changed(cause, trace.verdict, verdict)
    return None


def _steps(setting: RunSetting, today: Mapping[str, Any]) -> Iterator[tuple[Cause, RunSetting]]:
    yield Cause.VERIFIER, setting
    for field, cause in _CAUSES.items():
        if field in today and today[field] != getattr(setting, field):
            setting = setting.model_copy(update={field: today[field]})
            yield cause, setting


def _judged(trace: RunTrace, setting: RunSetting) -> Verdict:
    rules = setting.domain, setting.semantic_map, setting.policies
    with closing(VerifierWorker(*rules)) as worker:
        return worker.verify(trace.source, remains=setting.remains)


def _told(verdict: Verdict) -> str:
    if verdict.violations:
        first = verdict.violations[0]
        return f"{verdict.status.value} (line {first.line}: {first.message})"
    return f"{verdict.status.value}, {'no world' if verdict.exhaustive else 'worlds'} left out"
