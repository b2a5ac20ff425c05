"""Many at once: a JSON object a line of standard input, answered in the same order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from roboinstruct_ros.domain.arrival import read_lines, read_object


@dataclass(frozen=True)
class Line:
    """A line of input: a text with its id, or what is wrong with the line."""

    id: Any
    text: str
    fault: str = ""


def lines_of(source: IO[str], wanted: str, shape: str) -> Iterator[Line]:
    """The lines that are not empty.

    Args:
        wanted: the key of the text.
        shape: an example of a line, for whoever has given another.
    """
    for number, text in enumerate(read_lines(source), start=1):
        if text.strip():
            yield _line(f"line {number}", text, wanted, shape)


def bar(doing: str) -> Progress:
    """A bar on standard error, gone in the end."""
    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)


def _line(place: str, text: str, wanted: str, shape: str) -> Line:
    try:
        given = read_object(text, place)
    except ValueError as error:
        return Line(None, "", f"{error}; expected {shape}")
    if not isinstance(given.get(wanted), str):
        return Line(given.get("id"), "", f"{place}: no text '{wanted}'; expected {shape}")
    return Line(given.get("id"), given[wanted])
