"""Notes on a program that takes a thing from another room than the words say, or puts it down in
another one: two names swapped, or the room of a person in the place of the thing's."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.generate.words.program_course import Places, ProgramCourse
from roboinstruct_ros.generate.words.stems import unified


def place_notes(told: str, course: ProgramCourse, rooms: Collection[str] = ()) -> Iterator[str]:
    """One plain English sentence for each difference.

    Args:
        told: The instruction without what the program says or asks.
        rooms: Names of the rooms of the map; those of the program are always known.
    """
    if not _HERE.search(told) and any(_sent(thing, told) for thing in course.brought):
        yield str(phrase("note.brought_here"))
    for room, name in _names_in(told, course.rooms.union(rooms)):
        if _elsewhere(course.picks, room):
            said = _lies(course.things, name, told) or _first(_TAKEN + name, told)
            if not said and room in course.places:
                said = _first(_FROM + name, told, supposed=True)
            if said:
                yield str(phrase("note.taken_elsewhere", word=said, room=room))
        said = _first(_TO + name, told, supposed=True)
        if said and room in course.picks and _elsewhere(course.places, room):
            yield str(phrase("note.put_elsewhere", word=said, room=room))


def meeting_notes(told: str, course: ProgramCourse, rooms: Collection[str] = ()) -> Iterator[str]:
    """A sentence for each person whom the program meets elsewhere than the words say."""
    for room, name in _names_in(told, course.rooms.union(rooms)):
        for who, places in sorted(course.met.items()):
            said = _elsewhere(places, room) and _first(
                rf"\b{re.escape(unified(who))}{_IS_IN}{name}", told
            )
            if said:
                yield str(phrase("note.met_elsewhere", word=said, who=who))


def _names_in(told: str, rooms: Collection[str]) -> Iterator[tuple[str, str]]:
    """The rooms that the words may name, each as a pattern that is none of a longer name."""
    names = {room: unified(room) for room in sorted(rooms)}
    for room, name in names.items():
        more = (one.removeprefix(name) for one in names.values() if one.startswith(f"{name} "))
        other = "|".join(["'s", *map(re.escape, more)])
        if name in told:
            yield room, rf"(?:the )?{re.escape(name)}\b(?!{other})"


def _sent(thing: str, told: str) -> bool:
    """Whether the words that name a thing send it somewhere, as their only errand."""
    name = rf"\b{re.escape(unified(thing))}\b"
    clauses = (clause for clause in _ENDS.split(told) if re.search(name, clause))
    return any(_SENT.search(one) and len(_CARRIED.findall(one)) == 1 for one in clauses)


def _elsewhere(rooms: Places, room: str) -> bool:
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


_TAKEN = (
    r"\b(?:take|get|bring|fetch|grab|carry|move|collect|deliver|pick)\b"
    r"(?:(?!\b(?:to|into|go|drive|ask|tell|then)\b)[^.;,?!]){1,60}? from "
)
_ENDS = re.compile(r"[.;:?!]|\b(?:then|next|after that|finally)\b")
_SENT = re.compile(
    r"\b(?:take|bring|carry|move|deliver)\b.*? (?:in)?to |\bput\b.*? (?:in|on)(?:to)? "
)
_CARRIED = re.compile(r"\b(?:take|bring|carry|move|deliver|put|get|grab|fetch|collect|pick)\b")
_HERE = re.compile(
    r"\b(?:me|us|i|i'\w+|my|mine|our|we|here|back|return\w*|home|where you (?:are|started))\b"
)
"""Whoever speaks may want it: "bring me", "come back with it"."""
_FROM = r"\b(?:from|out of) "
_TO = (
    r"\b(?:take|bring|fetch|carry|move|deliver|return|put|get)\b"
    r"(?:(?!\b(?:from|go|drive|ask|tell|then)\b)[^.;?!]){1,60}? (?:to|into) "
)
_IS = (
    r"(?:'s|'re|'ll be|s? is|s? are|s? lies?)"
    r"(?: (?!(?:needed|wanted|missing|required|for)\b)\w+){0,2}? (?:in|at) "
)
_IS_IN = r"(?:'s| is|,? who's|,? who is)?(?: (?:over |up |down )?(?:in|at) | \()"
_SUPPOSED = re.compile(
    r"(?:\b(?:if|unless|whether|when|check|see|not|except|perhaps|maybe|might|may|should)\b|n't\b)"
    r"[^.;?!]*$"
)
