"""What a part of the stack says of its health; `nodes/diagnostics.py` publishes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum


class Level(IntEnum):
    """The same numbers as `diagnostic_msgs/msg/DiagnosticStatus`."""

    OK = 0
    WARN = 1
    ERROR = 2


@dataclass(frozen=True)
class Diagnosis:
    """One line of `rqt_robot_monitor`.

    Attributes:
        part: what is looked at; the node's name is put before it.
        message: a few words.
        values: more, by name.
    """

    part: str
    level: Level
    message: str
    values: Mapping[str, str] = field(default_factory=dict)
