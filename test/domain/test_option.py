"""What an option says of values, and what a dataclass of options is made with."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import pytest

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.option import check, option, options_of, with_values


class Shade(str, Enum):
    DARK = "dark"
    LIGHT = "light"


@dataclass(frozen=True)
class Lamp:
    power: float = option(1.0, "of the lamp", 0.0, 5.0, "W", lowest="off", name="lamp_power")
    made: str = "here"


@dataclass(frozen=True)
class Room:
    shade: Shade = option(Shade.DARK, "of the wall")
    names: tuple[str, ...] = option(("lab",), "of the room", 1)
    lamp: Lamp = field(default_factory=lambda: Lamp(power=2.0))


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("shade", "red", "shade: 'red' is not one of dark, light"),
        ("names", None, "names: give at least 1"),
        ("names", [""], "names: give at least 1"),
        ("lamp_power", 5.5, "lamp_power: 5.5 is out of range; 0 (off) to 5 W is allowed"),
        ("lamp_power", float("nan"), "lamp_power: nan is out of range; 0 (off) to 5 W is allowed"),
    ],
)
def test_a_wrong_value_is_one_line(name: str, value: Any, line: str) -> None:
    with pytest.raises(ConfigError) as refused:
        with_values(Room(), {name: value})
    assert str(refused.value) == line


def test_values_come_in_the_options_own_types_and_the_rest_stays() -> None:
    given = {"shade": "light", "names": ["lab", ""], "lamp_power": 3}
    assert with_values(Room(), given) == Room(Shade.LIGHT, ("lab",), Lamp(3.0))
    assert with_values(Room(), {}) == Room()


def test_what_was_chosen_is_looked_at() -> None:
    assert [one.default for one in options_of(Room())] == [Shade.DARK, ("lab",), 2.0]
    check(Room())
    with pytest.raises(ConfigError, match="lamp_power: 9 is out of range"):
        check(Room(lamp=Lamp(power=9.0)))
