"""Options of the task runner: limits, recovery, monitoring and journals."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from roboinstruct_ros.domain.robot_name import ONLY_ROBOT, RobotName
from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.execute.clocks import Clocks
from roboinstruct_ros.execute.hazard import OnHazard
from roboinstruct_ros.execute.recovery_policies import NO_RECOVERY, RecoveryPolicies
from roboinstruct_ros.sandbox.confinement import Limits
from roboinstruct_ros.verify.service.current_rules import Rules
from roboinstruct_ros.verify.verdict import Verdict
from roboinstruct_ros.verify.world.remains import Remains

_SEEDS = 2**31

VerifyFrom = Callable[[Sequence[SkillCall], str, Remains], Verdict]
"""Verifies what is still possible in a program text after these calls.

The facts are those with which the run began.
"""


class RulesSource(Protocol):
    """Source of the current rules (map and policies), e.g. `CurrentRules`."""

    last: Rules

    def look(self) -> Rules:
        """The rules now in force. Raises ConfigError if the files cannot be read."""


@dataclass(frozen=True)
class RunnerOptions:
    """Options of the task runner.

    Attributes:
        verify_rest: verifies the rest of a running program after the calls made so far; None does
            not.
        journals: journal folder; None keeps none, and nothing can be resumed.
        robot: whose runs the journals record.
        remains: facts left by earlier runs, with which the next one begins.
        begin: called when a run begins; returns why it must not, empty if it may.
        rules: current map and policies, checked during the run; None if they never change.
        seed: draws the seed of the next run's random numbers.
    """

    limits: Limits = field(default_factory=Limits)
    recovery: RecoveryPolicies = NO_RECOVERY
    verify_rest: VerifyFrom | None = None
    on_hazard: OnHazard = OnHazard.PAUSE
    journals: Path | None = None
    robot: RobotName = ONLY_ROBOT
    remains: Callable[[], Remains] = lambda: ()
    most_waiting: int = 4
    begin: Callable[[], str] = lambda: ""
    most_calls: int = 10_000
    rules: RulesSource | None = None
    seed: Callable[[], int] = lambda: secrets.randbelow(_SEEDS)
    clocks: Clocks = field(default_factory=Clocks)
