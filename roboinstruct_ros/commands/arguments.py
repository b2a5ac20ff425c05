"""Builds command-line options from those of a dataclass, and arguments that many commands take."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any

import typer

from roboinstruct_ros.domain.configuration import ConfigError, read_text
from roboinstruct_ros.domain.option import Option, option, options_of, with_values

Command = Callable[..., Any]


def takes(
    argument: str,
    defaults: Any,
    without: Collection[str] = (),
) -> Callable[[Command], Command]:
    """Decorator: replaces one argument of a command by an option per dataclass field; the command
    receives them as the dataclass.

    Args:
        without: options that the command does not offer, or declares itself.
    """
    offered = [one for one in options_of(defaults) if one.flag != "" and one.name not in without]

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def with_options(**given: Any) -> Any:
            chosen = {one.name: _value(one, given.pop(one.name)) for one in offered}
            return command(**given, **{argument: with_values(defaults, chosen, checked=False)})

        parameters: list[inspect.Parameter] = []
        for parameter in inspect.signature(command, eval_str=True).parameters.values():
            own = parameter.name == argument
            parameters += map(_parameter, offered) if own else [parameter]
        # typer reads both
        with_options.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        with_options.__annotations__ = {one.name: one.annotation for one in parameters}
        return with_options

    return decorate


def like(defaults: Any, name: str, **extra: Any) -> Any:
    """The `typer.Option` for a single option of a dataclass."""
    (one,) = (one for one in options_of(defaults) if one.name == name)
    return _typer_option(one, **extra)


def _parameter(one: Option) -> inspect.Parameter:
    several = isinstance(one.default, tuple)
    kind: Any = list[str] if several else type(one.default)
    return inspect.Parameter(
        one.name,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        default=False if _turns(one) else list(one.default) if several else one.default,
        annotation=Annotated[kind, _typer_option(one)],
    )


def _turns(one: Option) -> bool:
    """Whether its flag inverts the default, instead of a pair with `--no-`."""
    return isinstance(one.default, bool) and bool(one.flag)


def _value(one: Option, given: Any) -> Any:
    if isinstance(one.default, tuple):
        return tuple(given)
    return given != one.default if _turns(one) else given


def _typer_option(one: Option, **extra: Any) -> Any:
    told = one.told if isinstance(one.default, Enum) else one.line
    if _turns(one) and one.default:  # describes the case without the default
        told = told.rpartition("; else ")[2]
    return typer.Option(*(one.flag or "").split(), help=f"{told[0].upper()}{told[1:]}.", **extra)


def read_program(place: str) -> str:
    """Program text from a file, or from standard input for `-`.

    Raises:
        ConfigError: it cannot be read as text.
    """
    if place != "-":
        return read_text(place)
    try:
        return sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError:
        raise ConfigError(place, 0, "", "not a text in UTF-8") from None


@dataclass(frozen=True)
class SpreadOptions:
    """Where the work of a command is done."""

    jobs: int = option(1, "number of processes", 0, 256, lowest="one per core")
    ray: str = option("", "address of a Ray cluster to run on; local starts one here")


Open = Annotated[
    bool, typer.Option("--open", help="Any room may exist, not only those of the map.")
]
Yes = Annotated[bool, typer.Option("--yes", help="Approve the program in advance.")]
Follow = Annotated[str, typer.Option(help="Change this task: its id, ID/NUMBER, or last.")]
Only = Annotated[str, typer.Option(help="Only these settings, separated by commas; empty: all.")]
Bag = Annotated[str, typer.Argument(help="A bag: its folder, the start of its name, or last.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
JsonEvents = Annotated[
    bool, typer.Option("--json", help="Print one JSON object per event and nothing else.")
]
