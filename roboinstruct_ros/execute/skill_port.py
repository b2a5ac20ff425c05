"""How the task runner reaches the robot's skills, whatever they are served by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.stop_number import Admission


@dataclass(frozen=True)
class SkillOutcome:
    """What a skill call came to.

    Attributes:
        value: the answer; None for skills without one.
        lost_node: name of the node that vanished, when that is why it failed.
    """

    value: Any = None
    error_code: SkillErrorCode = SkillErrorCode.NONE
    message: str = ""
    lost_node: str = ""


class SkillPort(Protocol):
    """Calls skills."""

    def call(self, skill: str, arguments: Mapping[str, Any], cancel: Admission) -> SkillOutcome:
        """Call one skill and wait for its end; `cancel` ends it at once, and lets none begin.

        The server is told the stop number of `cancel`.
        """
