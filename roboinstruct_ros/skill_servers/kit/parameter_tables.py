"""Declares the parameters of a skill server from tables, and reads them again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor
from rclpy.node import Node


@dataclass(frozen=True)
class ParameterTables:
    """Read-only parameters by name; the last of each row is its description.

    Attributes:
        texts: default.
        lists: default; no text is one empty text, since a list without a member has no type in ROS.
        numbers: default, least, greatest.
        counts: default; from 1 to `most_count`.
    """

    texts: Mapping[str, tuple[str, str]]
    lists: Mapping[str, tuple[tuple[str, ...], str]]
    numbers: Mapping[str, tuple[float, float, float, str]]
    counts: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    most_count: int = 100

    def declare(self, node: Node) -> None:
        """Declare them all.

        Raises:
            rclpy.exceptions.ParameterException: a value of the wrong type or out of range.
        """
        for name, (text, told) in self.texts.items():
            _declare(node, name, text, told)
        for name, (words, told) in self.lists.items():
            _declare(node, name, list(words) or [""], told)
        for name, (number, low, high, told) in self.numbers.items():
            within = FloatingPointRange(from_value=low, to_value=high)
            _declare(node, name, number, told, floating_point_range=[within])
        for name, (count, told) in self.counts.items():
            whole = IntegerRange(from_value=1, to_value=self.most_count, step=1)
            _declare(node, name, count, told, integer_range=[whole])

    def value(self, node: Node, name: str) -> Any:
        """What a declared one is; a list as a tuple of its texts."""
        found = node.get_parameter(name).value
        return tuple(filter(None, found)) if name in self.lists else found


def _declare(node: Node, name: str, default: object, told: str, **limits: object) -> None:
    described = ParameterDescriptor(description=told, read_only=True, **limits)
    node.declare_parameter(name, default, described)
