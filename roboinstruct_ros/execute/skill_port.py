"""How the task runner reaches the robot's skills, whatever they are served by."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from roboinstruct_ros.domain.skill_call import SkillErrorCode


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

    def call(
        self, skill: str, arguments: Mapping[str, Any], cancel: threading.Event
    ) -> SkillOutcome:
        """Call one skill and wait for its end; when `cancel` is set, end it at once."""
