"""Prometheus counters for the stack, derived from its events and heartbeats."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    disable_created_metrics,
    generate_latest,
    write_to_textfile,
)

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.domain.violation_code import ViolationCode
from roboinstruct_ros.execute.task_state import TaskState

TEXT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
"""Content type of `RunCounters.text`."""

OTHER = "other"
"""Label for names outside the closed lists, which bounds the number of time series."""

disable_created_metrics()  # type: ignore[no-untyped-call]  # they would double the series

Data = Mapping[str, Any]


class RunCounters:
    """Counters since the start of this process. Thread-safe.

    Durations come from event time stamps, so replaying a bag gives the same figures.

    Args:
        skills: skill names that may become labels.
    """

    def __init__(self, skills: Iterable[str]) -> None:
        self._skills = frozenset(skills)
        self._begun: dict[int, float] = {}
        self._lock = threading.Lock()
        self._registry = registry = CollectorRegistry()

        def counter(name: str, text: str, *labels: str) -> Counter:
            return Counter(f"roboinstruct_{name}", text, labels, registry=registry)

        self._tasks = counter("tasks", "Tasks that ended.", "outcome", "error")
        self._calls = counter("skill_calls", "Skill calls that ended.", "skill", "code")
        self._seconds = counter("skill_seconds", "Time in ended skill calls, s.", "skill")
        self._tries = counter("recovery_tries", "Tries after a skill had failed.", "skill", "error")
        self._hazards = counter(
            "hazards", "Times that the rest of a program could go wrong.", "code", "reaction"
        )
        self._pauses = counter("pauses", "Times that a run was held.")
        self._stops = counter("stops", "Stop requests that ended a task.")
        self._rejected = counter(
            "programs_rejected", "Programs that were not accepted, by their first violation.",
            "by", "code",
        )  # fmt: skip
        self._generations = counter("generations", "Requests for a program that ended.", "error")
        self._drafts = counter("generation_drafts", "Programs that a model began to write.")
        self._lost = counter("nodes_lost", "Times that the heartbeats of a node ceased.")
        self._losses = 0

    def note(self, kind: str, data: Data, stamp: float) -> None:
        """Count one event; kinds without a counter are ignored.

        Args:
            data: with the keys documented in `EventKind`.
            stamp: s since the Unix epoch.

        Raises:
            ValueError: `data` does not fit the kind; nothing is counted.
        """
        try:
            with self._lock:
                self._count(kind, data, stamp)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise ValueError(f"an event {kind} is not counted: {error!r}") from None

    def note_losses(self, losses: int) -> bool:
        """Take the number of losses since the start. Returns whether there are new ones."""
        with self._lock:
            new, self._losses = losses - self._losses, losses
            self._lost.inc(new)
        return new > 0

    def text(self) -> bytes:
        """All counters in Prometheus' text format 0.0.4 (`TEXT_TYPE`)."""
        return bytes(generate_latest(self._registry))

    def write(self, path: Path) -> None:
        """Replace a file by `text` atomically. Raises OSError."""
        write_to_textfile(str(path), self._registry)

    def _count(self, kind: str, data: Data, stamp: float) -> None:
        match kind:
            case EventKind.RUN_STARTED:
                self._begun.clear()
            case EventKind.RUN_FINISHED:
                ends = [state.value for state in TaskState if state.final]
                self._tasks.labels(_one_of(ends, data["outcome"]), _task_error(data)).inc()
                self._begun.clear()
            case EventKind.SKILL_STARTED:
                self._begun[int(data["index"])] = stamp
            case EventKind.SKILL_FINISHED:
                self._skill_finished(data, stamp)
            case EventKind.RECOVERY_TRIED:
                error = _one_of([code.name.lower() for code in SkillErrorCode], data["error"])
                self._tries.labels(self._skill(data), error).inc()
            case EventKind.HAZARD_SEEN:
                reaction = _one_of(("warn", "pause", "stop"), data["reaction"])
                self._hazards.labels(_violation(data["code"]), reaction).inc()
            case EventKind.RUN_PAUSED if data["paused"]:
                self._pauses.inc()
            case EventKind.STOP_REQUESTED:
                self._stops.inc()
            case EventKind.PROGRAM_VERIFIED:
                self._judged("executor", data)
            case EventKind.DRAFT_VERIFIED:
                self._judged("generator", data)
            case EventKind.DRAFT_STARTED:
                self._drafts.inc()
            case EventKind.GENERATION_FINISHED:
                self._generations.labels(_task_error(data)).inc()

    def _skill_finished(self, data: Data, stamp: float) -> None:
        skill, code = self._skill(data), SkillErrorCode(data["error_code"]).name.lower()
        begun = self._begun.pop(int(data["index"]), stamp)
        self._calls.labels(skill, code).inc()
        self._seconds.labels(skill).inc(max(0.0, stamp - begun))

    def _judged(self, by: str, data: Data) -> None:
        verdict = data["verdict"]
        if verdict["status"] == "accepted":
            return
        violations = verdict.get("violations") or ({"code": verdict["status"]},)
        self._rejected.labels(by, _violation(violations[0]["code"])).inc()

    def _skill(self, data: Data) -> str:
        return _one_of(self._skills, data["skill"])


def _task_error(data: Data) -> str:
    return TaskErrorCode(data["error_code"]).name.lower()


def _violation(code: str) -> str:
    return _one_of(("undecided", *(known.value for known in ViolationCode)), code)


def _one_of(known: Iterable[str], name: Any) -> str:
    return str(name) if name in known else OTHER
