"""How the task runner calls the robot's skills, independent of what serves them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.stop_number import Admission


@dataclass(frozen=True)
class SkillOutcome:
    """Result of a skill call.

    Attributes:
        value: the answer; None for skills without one.
        lost_node: the node whose loss failed the call; empty otherwise.
    """

    value: Any = None
    error_code: SkillErrorCode = SkillErrorCode.NONE
    message: str = ""
    lost_node: str = ""


class SkillPort(Protocol):
    def call(self, skill: str, arguments: Mapping[str, Any], cancel: Admission) -> SkillOutcome:
        """Call one skill and wait for its end. `cancel` ends it at once and prevents a new one.

        The server receives the stop number of `cancel`.
        """
