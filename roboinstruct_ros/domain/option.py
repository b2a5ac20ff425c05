"""Options of nodes and commands, each declared once: a field of a frozen dataclass, made by
`option`.

The declarations yield the ROS parameters with their descriptions and ranges, the command-line
options, the arguments of the launch file, the tables of docs/options.md, and the checks of values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, is_dataclass, replace
from enum import Enum
from typing import Any, TypeVar

from roboinstruct_ros.domain.configuration import ConfigError

Chosen = TypeVar("Chosen")

_DECLARED = "option"


@dataclass(frozen=True)
class Option:
    """One option.

    Attributes:
        name: of the ROS parameter and of the launch argument.
        default: gives the option its type: a switch, a number, a text, one of an Enum's texts, or a
            tuple of texts.
        told: one-line description for people, worded for the middle of a sentence.
        low, high: bounds of a number; for a tuple, `low` is the least number of texts.
        unit: of the number.
        lowest: what the lowest number means; empty if it has no special meaning.
        choices: the only allowed texts; if empty, any text is allowed.
        live: whether the parameter may change while the node is active.
        on_configure: whether the parameter may change too, but takes effect at the next configure
            transition.
        flag: on the command line; None derives it from the name, empty offers no flag. A flag of a
            switch reverses its default.
        parameter: whether the node declares it as a ROS parameter.
    """

    default: Any
    told: str
    low: float | None = None
    high: float | None = None
    unit: str = ""
    lowest: str = ""
    choices: tuple[str, ...] = ()
    live: bool = False
    on_configure: bool = False
    flag: str | None = None
    parameter: bool = True
    name: str = ""

    @property
    def known(self) -> tuple[str, ...]:
        """The only allowed texts; for an Enum, its values."""
        if isinstance(self.default, Enum):
            return tuple(one.value for one in type(self.default))
        return self.choices

    @property
    def allowed(self) -> str:
        """The allowed values, in words; empty if any value is allowed."""
        if self.low is None or self.high is None:
            return ", ".join(self.known)
        lowest = f" ({self.lowest})" if self.lowest else ""
        return f"{_shown(self.low)}{lowest} to {_shown(self.high)} {self.unit}".rstrip()

    @property
    def line(self) -> str:
        """The description and the allowed values."""
        return f"{self.told}: {self.allowed}" if self.allowed else self.told

    def fault(self, value: Any) -> str:
        """Why the option cannot have this value, and what would be right; empty if it can."""
        if self.known and value not in self.known:
            return f"'{value}' is not one of {self.allowed}"
        if self.low is None:
            return ""
        if isinstance(self.default, tuple):
            return "" if len(_texts(value)) >= self.low else f"give at least {self.low}"
        if self.high is None or self.low <= value <= self.high:
            return ""
        return f"{_shown(value)} is out of range; {self.allowed} is allowed"

    def of_text(self, text: str) -> Any:
        """Parse the text of a value. Raises ConfigError."""
        if isinstance(self.default, bool):
            return text.lower() == "true"
        try:
            return type(self.default)(text)
        except ValueError:
            wrong = (
                self.fault(text) if self.known else f"'{text}' is no number, e.g. {self.default}"
            )
            raise ConfigError(self.name, 0, "", wrong) from None

    def value(self, given: Any) -> Any:
        """Check a value and convert it to the option's type. Raises ConfigError."""
        if isinstance(self.default, tuple):
            given = _texts(given)
        if fault := self.fault(given):
            raise ConfigError(self.name, 0, "", fault)
        return type(self.default)(given)


def option(
    default: Any,
    told: str,
    low: float | None = None,
    high: float | None = None,
    unit: str = "",
    **facts: Any,
) -> Any:
    """Declare a dataclass field as an option; see `Option`.

    Pass a function as `default` if the default depends on this machine.
    """
    declared = {_DECLARED: Option(None, told, low, high, unit, **facts)}
    if callable(default):
        return field(default_factory=default, metadata=declared)
    return field(default=default, metadata=declared)


def options_of(chosen: Any) -> tuple[Option, ...]:
    """All options of a dataclass and its nested dataclasses, with its values as defaults."""
    found: list[Option] = []
    for _, value, own in _fields(chosen):
        found += [own] if own else options_of(value) if is_dataclass(value) else []
    return tuple(found)


def with_values(chosen: Chosen, given: Mapping[str, Any], checked: bool = True) -> Chosen:
    """A copy of `chosen` with the given values, by option name. Raises ConfigError if `checked`."""
    changed: dict[str, Any] = {}
    for one, value, own in _fields(chosen):
        if own and own.name in given:
            value = given[own.name]
            changed[one.name] = own.value(value) if checked else value
        elif not own and is_dataclass(value):
            changed[one.name] = with_values(value, given, checked)
    return replace(chosen, **changed)  # type: ignore[type-var]


def check(chosen: Any) -> None:
    """Check every value. Raises ConfigError."""
    for one in options_of(chosen):
        one.value(one.default)


def _fields(chosen: Any) -> Iterator[tuple[Field[Any], Any, Option | None]]:
    """Yield each field, its value, and its option if it is one."""
    for one in fields(chosen):
        value, declared = getattr(chosen, one.name), one.metadata.get(_DECLARED)
        name = declared.name or one.name if declared else ""
        yield one, value, replace(declared, name=name, default=value) if declared else None


def plain(value: Any) -> Any:
    """The value in the form of ROS and YAML; an empty list becomes `[""]`, as ROS cannot infer its
    type.
    """
    if isinstance(value, tuple):
        return list(value) or [""]
    return value.value if isinstance(value, Enum) else value


def names_in(text: str) -> tuple[str, ...]:
    """The names in a comma-separated list, without duplicates."""
    return tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def _texts(given: Sequence[str] | None) -> tuple[str, ...]:
    """A list without the empty texts by which ROS represents an empty list."""
    return tuple(filter(None, given or ()))


def _shown(number: float | None) -> str:
    return str(number) if isinstance(number, int) else f"{number:.9g}"
