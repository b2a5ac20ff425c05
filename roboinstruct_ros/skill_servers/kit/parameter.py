"""A parameter of a skill server, said once: its default, its bounds and what it means. No ROS.

A server's parameters are a frozen dataclass whose fields are made by `parameter`; a field that is
such a dataclass itself is a group, whose parameters stand beside the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from typing import Any


@dataclass(frozen=True)
class Parameter:
    """What ROS is told of one.

    Attributes:
        default: a text, number, switch, or tuple of texts.
        text: for `ros2 param describe`, with the unit.
        least, most: bounds of a number; of a tuple, `least` 1 refuses an empty one.
        live: whether it may change while the node runs.
        choices: the only texts that it may be; empty for any.
    """

    name: str
    default: Any
    text: str
    least: float | None
    most: float | None
    live: bool
    choices: tuple[str, ...]


def parameter(
    default: Any,
    text: str,
    least: float | None = None,
    most: float | None = None,
    *,
    live: bool = False,
    choices: tuple[str, ...] = (),
    name: str = "",
) -> Any:
    """A field of the dataclass; see `Parameter`. `name` where it is not the field's."""
    told = Parameter(name, default, text, least, most, live, choices)
    return field(default=default, metadata={"parameter": told})


def parameters_of(kind: type) -> dict[str, Parameter]:
    """Every parameter of a dataclass and its groups, by name."""
    found = {}
    for one, told in parameter_fields(kind):
        found.update(parameters_of(told) if isinstance(told, type) else {name_of(one): told})
    return found


def parameter_fields(kind: type) -> Iterator[tuple[Field[Any], Parameter | type]]:
    """The fields that are parameters or, as the type of the group, groups of them."""
    for one in fields(kind):
        if "parameter" in one.metadata:
            yield one, one.metadata["parameter"]
        elif one.default_factory is not MISSING and is_dataclass(one.default_factory):
            yield one, one.default_factory  # type: ignore[misc]


def name_of(one: Field[Any]) -> str:
    """What ROS calls the parameter of a field."""
    return one.metadata["parameter"].name or one.name
