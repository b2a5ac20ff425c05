"""Limits of skills that are not literals: quantities with a range, timelines with slots.

Source: seed paper, appendix A.7.
"""

from __future__ import annotations

import math
import re
from functools import cached_property
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_validator

from roboinstruct_ros.domain.configuration import FieldFault, Strict
from roboinstruct_ros.domain.literal_pattern import LiteralPattern, LiteralText
from roboinstruct_ros.domain.violation_code import ViolationCode

_FRACTION_OF_PI = re.compile(r"(-?)(?:(\d+(?:\.\d+)?)\s*\*\s*)?pi(?:\s*/\s*(\d+(?:\.\d+)?))?")


def _number(value: Any) -> Any:
    match = _FRACTION_OF_PI.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None or float(match[3] or 1) == 0:
        return value
    size = float(match[2] or 1) * math.pi / float(match[3] or 1)
    return -size if match[1] else size


Number = Annotated[float, BeforeValidator(_number)]
"""A number, or a fraction of pi such as `-pi/6`."""


class Quantity(Strict):
    """A number that each entity has, unknown at the start and kept between two bounds.

    Attributes:
        low, high: inclusive bounds, in `unit`.
    """

    name: str
    arguments: tuple[str, ...]
    low: Number = Field(alias="from")
    high: Number = Field(alias="to")
    unit: str = ""

    @model_validator(mode="after")
    def _is_a_range(self) -> Quantity:
        if self.low > self.high:
            raise FieldFault(
                ("to",), f"{self.high:g} is less than {self.low:g}, where the range begins"
            )
        return self


class Addition(Strict):
    """A skill's effect of adding `amount` (a number parameter) to a quantity.

    The message may contain {now}, {low} and {high} besides the skill's parameters.
    """

    quantity: LiteralText
    amount: str
    violation: ViolationCode = ViolationCode.OUT_OF_RANGE
    message: str

    @cached_property
    def pattern(self) -> LiteralPattern:
        return LiteralPattern.from_text(self.quantity)


class Booking(Strict):
    """A skill's effect of taking a slot of a timeline: from `start` (a time) for `duration`.

    Attributes:
        what: the parameter that names the occupant of the slot.

    The message may contain {other}, {other_start} and {other_end} besides the skill's parameters.
    """

    timeline: str
    what: str
    start: str
    duration: str
    violation: ViolationCode = ViolationCode.SLOT_TAKEN
    message: str
