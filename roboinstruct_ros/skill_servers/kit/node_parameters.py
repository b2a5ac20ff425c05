"""Declares the parameters of a skill server on its node, and reads them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, TypeVar

from rcl_interfaces.msg import (
    FloatingPointRange,
    IntegerRange,
    ParameterDescriptor,
    SetParametersResult,
)
from rclpy.node import Node

from roboinstruct_ros.skill_servers.kit.parameter import (
    Parameter,
    name_of,
    parameter_fields,
    parameters_of,
)

T = TypeVar("T")


def declare(node: Node, kind: type[T]) -> T:
    """Declare every parameter of a dataclass (see `parameter`) and read it.

    Raises:
        rclpy.exceptions.ParameterException: a value of the wrong type or out of range.
    """
    known = parameters_of(kind)
    node.add_on_set_parameters_callback(partial(_check, known))
    for name, told in known.items():
        value = told.default
        if isinstance(value, tuple):  # a list without a member has no type in ROS
            value = list(value) or [""]
        node.declare_parameter(name, value, _described(told))
    return read(node, kind)


def read(node: Node, kind: type[T]) -> T:
    """The values of now; a list as a tuple of its texts."""
    values: dict[str, Any] = {}
    for one, told in parameter_fields(kind):
        if isinstance(told, type):
            values[one.name] = read(node, told)
        else:
            value = node.get_parameter(name_of(one)).value
            values[one.name] = (
                tuple(filter(None, value)) if isinstance(value, (list, tuple)) else value
            )
    return kind(**values)


def _described(told: Parameter) -> ParameterDescriptor:
    described = ParameterDescriptor(description=told.text, read_only=not told.live)
    bounds = {"from_value": told.least, "to_value": told.most}
    if isinstance(told.default, float):
        described.floating_point_range = [FloatingPointRange(**bounds)]
    elif told.most is not None:
        described.integer_range = [IntegerRange(**bounds, step=1)]
    return described


def _check(known: dict[str, Parameter], changed: Sequence[Any]) -> SetParametersResult:
    for one in changed:
        told = known.get(one.name)
        if told is None:
            continue
        if told.choices and one.value not in told.choices:
            reason = f"{one.name}: '{one.value}' is not one of {', '.join(told.choices)}"
            return SetParametersResult(successful=False, reason=reason)
        if isinstance(told.default, tuple) and told.least and not any(one.value or ()):
            reason = f"{one.name}: give at least one"
            return SetParametersResult(successful=False, reason=reason)
    return SetParametersResult(successful=True)
