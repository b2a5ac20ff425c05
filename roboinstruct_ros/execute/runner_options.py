"""What the task runner does beside running a program."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from roboinstruct_ros.execute.call_guard import RulesSource
from roboinstruct_ros.execute.clocks import Clocks
from roboinstruct_ros.execute.journal import RecordedRun
from roboinstruct_ros.execute.recovery_policies import NO_RECOVERY, RecoveryPolicies
from roboinstruct_ros.execute.run_monitor import OnHazard, VerifyFrom
from roboinstruct_ros.sandbox.confinement import Limits
from roboinstruct_ros.verify.verdict import Verdict

_SEEDS = 2**31


@dataclass(frozen=True)
class RunnerOptions:
    """What a runner does beside running.

    Attributes:
        limits: of a program's process.
        recovery: what is tried when a skill fails.
        verify_from: verifies the rest of a program from the calls that were made; None does not.
        on_hazard: what is done when that finds something.
        journals: folder of the journals; None keeps none, and nothing can be resumed.
        verify_resumed: the verdict on the rest of an interrupted run; None takes it as a new one.
        most_waiting: tasks that may wait for their turn.
        begin: asked when a run begins; why it must not, empty for nothing.
        most_calls: skill calls that one run may make.
        rules: map and policies of now, which a run is held to; None for such as never change.
        seed: of the random numbers of the next run.
        clocks: of its runs.
    """

    limits: Limits = field(default_factory=Limits)
    recovery: RecoveryPolicies = NO_RECOVERY
    verify_from: VerifyFrom | None = None
    on_hazard: OnHazard = OnHazard.PAUSE
    journals: Path | None = None
    verify_resumed: Callable[[RecordedRun], Verdict] | None = None
    most_waiting: int = 4
    begin: Callable[[], str] = lambda: ""
    most_calls: int = 10_000
    rules: RulesSource | None = None
    seed: Callable[[], int] = lambda: secrets.randbelow(_SEEDS)
    clocks: Clocks = field(default_factory=Clocks)
