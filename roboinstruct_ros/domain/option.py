"""What can be chosen, each declared once: a field of a frozen dataclass, made by `option`.

Of these declarations are made the ROS parameters with their descriptions and ranges, the options
of the command line, the arguments of the launch file, the tables of docs/options.md, and the checks
of values.
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
    """One thing to choose.

    Attributes:
        name: of the ROS parameter and of the launch argument.
        default: its type is the option's: a switch, a number, a text, one of an Enum's texts, or
            a tuple of texts.
        told: one line for a person, in the middle of a sentence.
        low, high: bounds of a number; `low` of a tuple is how many texts it has at least.
        unit: of the number.
        lowest: what the lowest number stands for; empty when for itself.
        choices: the only texts that are allowed; none allows any.
        live: whether it may change while the node runs.
        on_configure: whether it may too, and counts from the next time the node is configured.
        flag: on the command line; None is made of the name, empty is not offered there. A switch
            with a flag of its own is turned from its default by it.
        parameter: whether a node has it as a ROS parameter.
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
        """The only texts that are allowed; an Enum's are its values."""
        if isinstance(self.default, Enum):
            return tuple(one.value for one in type(self.default))
        return self.choices

    @property
    def allowed(self) -> str:
        """The values that can be given, for a person; empty where any can."""
        if self.low is None or self.high is None:
            return ", ".join(self.known)
        lowest = f" ({self.lowest})" if self.lowest else ""
        return f"{_shown(self.low)}{lowest} to {_shown(self.high)} {self.unit}".rstrip()

    @property
    def line(self) -> str:
        """What it is, and the values that can be given."""
        return f"{self.told}: {self.allowed}" if self.allowed else self.told

    def fault(self, value: Any) -> str:
        """Why it cannot have this value and what would be right, in one line; else empty."""
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
        """The value that a text means. Raises ConfigError."""
        if isinstance(self.default, bool):
            return text == "true"
        try:
            return type(self.default)(text)
        except ValueError:
            wrong = (
                self.fault(text) if self.known else f"'{text}' is no number, e.g. {self.default}"
            )
            raise ConfigError(self.name, 0, "", wrong) from None

    def value(self, given: Any) -> Any:
        """What is given, in the option's own type. Raises ConfigError."""
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
    """A field of a dataclass that is an option; see `Option`.

    A default that depends on this machine is given as a function.
    """
    declared = {_DECLARED: Option(None, told, low, high, unit, **facts)}
    if callable(default):
        return field(default_factory=default, metadata=declared)
    return field(default=default, metadata=declared)


def options_of(chosen: Any) -> tuple[Option, ...]:
    """The options of a dataclass and of the dataclasses in it, with its values as defaults."""
    found: list[Option] = []
    for _, value, own in _fields(chosen):
        found += [own] if own else options_of(value) if is_dataclass(value) else []
    return tuple(found)


def with_values(chosen: Chosen, given: Mapping[str, Any]) -> Chosen:
    """The same with these values, by the names of the options. Raises ConfigError."""
    changed: dict[str, Any] = {}
    for one, value, own in _fields(chosen):
        if own and own.name in given:
            changed[one.name] = own.value(given[own.name])
        elif not own and is_dataclass(value):
            changed[one.name] = with_values(value, given)
    return replace(chosen, **changed)  # type: ignore[type-var]


def check(chosen: Any) -> None:
    """Look at every value that was chosen. Raises ConfigError."""
    for one in options_of(chosen):
        one.value(one.default)


def _fields(chosen: Any) -> Iterator[tuple[Field[Any], Any, Option | None]]:
    """Each field, its value, and its option where it is one."""
    for one in fields(chosen):
        value, declared = getattr(chosen, one.name), one.metadata.get(_DECLARED)
        name = declared.name or one.name if declared else ""
        yield one, value, replace(declared, name=name, default=value) if declared else None


def plain(value: Any) -> Any:
    """The value as ROS and YAML have it; a list without a member has no type there."""
    if isinstance(value, tuple):
        return list(value) or [""]
    return value.value if isinstance(value, Enum) else value


def names_in(text: str) -> tuple[str, ...]:
    """The names of a list by commas, none twice."""
    return tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def _texts(given: Sequence[str] | None) -> tuple[str, ...]:
    """A list as ROS has it: nothing, or one empty text, where there is no member."""
    return tuple(filter(None, given or ()))


def _shown(number: float | None) -> str:
    """A number as a person writes it."""
    return str(number) if isinstance(number, int) else f"{number:.9g}"
