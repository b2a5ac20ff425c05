"""A runner with skills that a test plays, and all that it tells."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.domain.stop_number import StopNumber
from roboinstruct_ros.execute.run_report import RunnerHooks
from roboinstruct_ros.execute.runner_options import RunnerOptions, VerifyFrom
from roboinstruct_ros.execute.skill_port import SkillOutcome
from roboinstruct_ros.execute.task_run import TaskOrder, TaskRun
from roboinstruct_ros.execute.task_runner import TaskRunner
from roboinstruct_ros.execute.task_state import TaskState
from roboinstruct_ros.program.task_program import sha256_of
from roboinstruct_ros.sandbox.confinement import Limits
from roboinstruct_ros.verify.verdict import Verdict
from roboinstruct_ros.verify.verifier import verify

LIMIT = 60.0  # s, for anything that should happen soon on a busy machine
DOMAIN = load_domain()
BLOCKED = SkillOutcome(error_code=SkillErrorCode.NAVIGATION_BLOCKED, message="a door is shut")


class FakeSkills:
    """Answers calls from a table; a skill in `holds` lasts until it is cancelled."""

    def __init__(self, outcomes: Mapping[str, SkillOutcome] | None = None, holds: str = "") -> None:
        self.outcomes = dict(outcomes or {})
        self.holds = holds
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.entered = threading.Event()

    def call(
        self, skill: str, arguments: Mapping[str, Any], cancel: threading.Event
    ) -> SkillOutcome:
        self.calls.append((skill, dict(arguments)))
        if skill == self.holds:
            self.entered.set()
            assert cancel.wait(LIMIT)
            return SkillOutcome(error_code=SkillErrorCode.CANCELED, message="cancelled")
        return self.outcomes.get(skill, SkillOutcome())


class Stage:
    """A runner, and all that it told."""

    def __init__(
        self,
        skills: FakeSkills | None = None,
        verifier: Callable[[str], Verdict] = lambda source: verify(source, DOMAIN),
        limits: Limits | None = None,
        verify_from: VerifyFrom | None = None,
        **options: Any,
    ) -> None:
        self.skills = skills or FakeSkills()
        self.states: list[TaskState] = []
        self.events: list[tuple[EventKind, dict[str, Any]]] = []
        self.left: list[tuple[int, bool]] = []
        hooks = RunnerHooks(
            state=self._state,
            event=lambda kind, data, task: self.events.append((kind, data)),
            call=lambda call: None,
            ended=lambda calls: self.left.append((len(calls), self.runner.running)),
        )
        options = RunnerOptions(limits or Limits(), **options)
        self.stops = StopNumber()
        judge = verify_from or (lambda calls, source, remains: verifier(source))
        self.runner = TaskRunner(DOMAIN, judge, self.skills, hooks, options, stops=self.stops)

    def _state(self, state: TaskState, order: TaskOrder, line: int, message: str) -> None:
        if not line:
            self.states.append(state)

    def verdict_of(self, body: str, sha256: str) -> Verdict:
        """The verdict on another program, as if it were on this one."""
        found = verify(order(body).source, DOMAIN)
        return found.model_copy(update={"program_sha256": sha256})

    def run(self, body: str) -> TaskRun:
        return self.runner.run(order(body))

    def start(self, body: str) -> tuple[threading.Thread, list[TaskRun]]:
        runs: list[TaskRun] = []
        thread = threading.Thread(target=lambda: runs.append(self.run(body)))
        thread.start()
        return thread, runs

    def told(self, kind: EventKind) -> list[dict[str, Any]]:
        return [data for other, data in self.events if other is kind]


def order(body: str) -> TaskOrder:
    source = "def task_program():\n" + "".join(f"    {line}\n" for line in body.split("\n"))
    return TaskOrder("t1", "a task", source, sha256_of(source), "test")
