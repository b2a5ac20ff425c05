"""The health of one part of the stack; `nodes/diagnostics.py` publishes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum


class Level(IntEnum):
    """Has the values of `diagnostic_msgs/msg/DiagnosticStatus`."""

    OK = 0
    WARN = 1
    ERROR = 2


@dataclass(frozen=True)
class Diagnosis:
    """One line of `rqt_robot_monitor`.

    Attributes:
        part: what was checked; the publisher puts the node's name in front of it.
        message: a few words.
        values: further details by name.
    """

    part: str
    level: Level
    message: str
    values: Mapping[str, str] = field(default_factory=dict)
