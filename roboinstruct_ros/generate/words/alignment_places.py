"""Notes on a program that takes a thing from another room than the words say, or puts it down in
another one: two names swapped, or the room of a person in the place of the thing's."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator

from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.generate.words.program_shape import ProgramShape, leaves
from roboinstruct_ros.generate.words.stems import unified

Rooms = set[str | None]
"""Rooms in which something happens; None stands for one that depends on the world."""


def place_notes(told: str, shape: ProgramShape, rooms: Collection[str] = ()) -> Iterator[str]:
    """One plain English sentence for each difference.

    Args:
        told: The instruction without what the program says or asks.
        rooms: Names of the rooms of the map; those of the program are always known.
    """
    course = _Course(shape.body)
    for room in sorted(course.rooms.union(rooms)):
        if unified(room) not in told:
            continue
        name = rf"(?:the )?{re.escape(unified(room))}\b(?!'s)"
        if _elsewhere(course.picks, room):
            said = _lies(course.things, name, told) or _first(_TAKEN + name, told)
            if not said and room in course.places:
                said = _first(_FROM + name, told, supposed=True)
            if said:
                yield str(phrase("note.taken_elsewhere", word=said, room=room))
        said = _first(_TO + name, told, supposed=True)
        if said and room in course.picks and _elsewhere(course.places, room):
            yield str(phrase("note.put_elsewhere", word=said, room=room))


def _elsewhere(rooms: Rooms, room: str) -> bool:
    """Whether all of these rooms are known, and this is none of them."""
    return bool(rooms) and None not in rooms and room not in rooms


def _lies(things: set[str], name: str, words: str) -> str:
    """The words that say that one of the things is in this room; empty without any."""
    named = [re.escape(unified(thing)) for thing in sorted(things)]
    return _first(rf"\b(?:{'|'.join([*named, 'it', 'they'])}){_IS}{name}", words)


def _first(pattern: str, words: str, supposed: bool = False) -> str:
    """What matches first; empty if nothing does, or only in a condition or question.

    Args:
        supposed: whether that counts too.
    """
    for match in re.finditer(pattern, words):
        if supposed or not _SUPPOSED.search(words[: match.end()]):
            return match[0].strip()
    return ""


class _Course:
    """Where a program picks up and puts down, in the order of its lines.

    Attributes:
        things: what it picks up, as far as named.
        rooms: the rooms that it names as destinations.
    """

    def __init__(self, body: list[ast.stmt]) -> None:
        self.things: set[str] = set()
        self.rooms: set[str] = set()
        self.picks: Rooms = set()
        self.places: Rooms = set()
        self._follow(body, None)

    def _follow(self, body: list[ast.stmt], here: str | None) -> str | None:
        """The room after these lines, if it is known."""
        for line in body:
            if isinstance(line, ast.If):
                branches = (line.body, line.orelse)
                ends = {self._follow(one, here) for one in branches if not leaves(one)}
                here = ends.pop() if len(ends) == 1 else None
            elif isinstance(line, ast.For | ast.While):
                self._follow(line.body, None)
                here = self._follow(line.orelse, None)
            elif isinstance(line, ast.Expr) and isinstance(line.value, ast.Call):
                here = self._call(line.value, here)
        return here

    def _call(self, call: ast.Call, here: str | None) -> str | None:
        skill, first = getattr(call.func, "id", ""), next(iter(call.args), None)
        name = {str(first.value)} if isinstance(first, ast.Constant) else set()
        if skill == "go_to":
            self.rooms |= name
            return next(iter(name), None)
        if skill == "pick":
            self.picks.add(here)
            self.things |= name
        elif skill == "place":
            self.places.add(here)
        return here


_TAKEN = (
    r"\b(?:take|get|bring|fetch|grab|carry|move|collect|deliver|pick)\b"
    r"(?:(?!\b(?:to|into|go|drive|ask|tell|then)\b)[^.;,?!]){1,60}? from "
)
_FROM = r"\b(?:from|out of) "
_TO = (
    r"\b(?:take|bring|fetch|carry|move|deliver|return|put|get)\b"
    r"(?:(?!\b(?:from|go|drive|ask|tell|then)\b)[^.;?!]){1,60}? (?:to|into) "
)
_IS = r"(?:'s|'re|'ll be|s? is|s? are|s? lies?)(?: \w+){0,2}? (?:in|at) "
_SUPPOSED = re.compile(
    r"(?:\b(?:if|unless|whether|when|check|see|not|except|perhaps|maybe|might|may|should)\b|n't\b)"
    r"[^.;?!]*$"
)
