"""Reads one JSON object per line of standard input, for commands that process many at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import TextIOWrapper
from typing import IO, Any

from roboinstruct_ros.domain.arrival import read_lines, read_object
from roboinstruct_ros.domain.whole_text import has_half_characters


@dataclass(frozen=True)
class Line:
    """An input line: a text with its id, or what is wrong with the line."""

    id: Any
    text: str
    fault: str = ""


def lines_of(source: IO[str], wanted: str, shape: str) -> Iterator[Line]:
    """The lines that are not empty.

    Args:
        wanted: key of the text.
        shape: example of a line, for error messages.
    """
    if isinstance(source, TextIOWrapper):  # standard input, in whatever encoding the terminal has
        source.reconfigure(encoding="utf-8", errors="surrogateescape")
    for number, text in enumerate(read_lines(source), start=1):
        if text.strip():
            yield _line(f"line {number}", text, wanted, shape)


def _line(place: str, text: str, wanted: str, shape: str) -> Line:
    try:
        given = read_object(text, place)
    except ValueError as error:
        return Line(None, "", f"{error}; expected {shape}")
    if has_half_characters(text):
        return Line(given.get("id"), "", f"{place}: not a text in UTF-8; expected {shape}")
    if not isinstance(given.get(wanted), str):
        return Line(given.get("id"), "", f"{place}: no text '{wanted}'; expected {shape}")
    return Line(given.get("id"), given[wanted])
