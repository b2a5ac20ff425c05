"""Declares a node's options as ROS parameters."""

from __future__ import annotations

from functools import partial
from typing import Any, TypeVar

from rcl_interfaces.msg import (
    FloatingPointRange,
    IntegerRange,
    ParameterDescriptor,
    SetParametersResult,
)
from rclpy.node import Node

from roboinstruct_ros.domain.configuration import ConfigError, nearest_name
from roboinstruct_ros.domain.option import Option, options_of, plain, with_values

Chosen = TypeVar("Chosen")

GIVEN: dict[str, Any] = {"automatically_declare_parameters_from_overrides": True}
"""For the constructor of a node: without it, ROS ignores a misspelt parameter."""

_MISSPELT = 0.8
"""Least similarity of a misspelt name and the right one."""


def declare(node: Node, defaults: Chosen) -> Chosen:
    """Declare every option as a parameter and read its value.

    Args:
        node: made with `GIVEN`.

    Raises:
        ConfigError: a parameter was given whose name is nearly that of an option.
        rclpy.exceptions.ParameterException: a value has the wrong type or is not allowed.
    """
    options = {one.name: one for one in options_of(defaults) if one.parameter}
    for given in node.get_parameters_by_prefix(""):
        if given in options:
            node.undeclare_parameter(given)  # to be declared with its description and range
        # An unlike name may be one for all nodes of a file or a launch.
        elif near := nearest_name(given, list(options), _MISSPELT):
            raise ConfigError(given, 0, "", "no such parameter", near)
    node.add_on_set_parameters_callback(partial(_refuse, options))
    for one in options.values():
        node.declare_parameter(one.name, plain(one.default), _descriptor(one))
    return current(node, defaults)


def current(node: Node, defaults: Chosen) -> Chosen:
    options = (one for one in options_of(defaults) if one.parameter)
    return with_values(defaults, {one.name: node.get_parameter(one.name).value for one in options})


def _descriptor(one: Option) -> ParameterDescriptor:
    when = "; read on configure" if one.on_configure else ""
    described = ParameterDescriptor(
        description=f"{one.told if one.known else one.line}{when}",
        read_only=not (one.live or one.on_configure),
        additional_constraints=f"one of {one.allowed}" if one.known else "",
    )
    if one.high is None:
        return described
    if isinstance(one.default, int):
        within = IntegerRange(from_value=int(one.low or 0), to_value=int(one.high), step=1)
        described.integer_range = [within]
    else:
        within = FloatingPointRange(from_value=float(one.low or 0), to_value=float(one.high))
        described.floating_point_range = [within]
    return described


def _refuse(options: dict[str, Option], parameters: list[Any]) -> SetParametersResult:
    """Check what a parameter descriptor cannot express; rcl itself checks ranges."""
    for parameter in parameters:
        one = options.get(parameter.name)
        if one is None or one.high is not None:
            continue
        if fault := one.fault(parameter.value):
            return SetParametersResult(successful=False, reason=f"{one.name}: {fault}")
    return SetParametersResult(successful=True)
