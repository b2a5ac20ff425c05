"""Notes on what the instruction excepts, ends or has done otherwise, and the program does not."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.generate.words.program_shape import ProgramShape
from roboinstruct_ros.generate.words.stems import unified
from roboinstruct_ros.program.syntax import text_of


def exception_notes(told: str, words: str, shape: ProgramShape) -> Iterator[str]:
    """One plain English sentence for each difference.

    Args:
        told: The instruction without what the program says or asks.
        words: The same without the names in the program.
    """
    yield from _excepted(words, shape)
    yield from _otherwise(words, shape)
    yield from _first_found(words, shape)
    yield from _left_there(told, shape)


def _excepted(words: str, shape: ProgramShape) -> Iterator[str]:
    """A loop over all rooms, or all of a kind, that treats each one alike."""
    if not any("get_all_rooms()" in ast.unparse(loop.iter) for loop in shape.visits):
        return
    match = None
    if not (shape.called("is_in_room") or shape.called("ask")):
        match = _EXCEPTED_WHERE.search(words)
    if not shape.compares:
        match = match or _EXCEPTED.search(words)
    if match:
        yield str(phrase("note.excepts", word=match[1]))


def _otherwise(words: str, shape: ProgramShape) -> Iterator[str]:
    """The only branch stands at the program's end, and has no alternative."""
    match, last = _OTHERWISE.search(words), shape.body[-1:]
    if match and not _ENSURED.search(words) and shape.ifs == last and not shape.ifs[0].orelse:
        yield str(phrase("note.otherwise", word=match[0]))


def _first_found(words: str, shape: ProgramShape) -> Iterator[str]:
    """The search goes on after something was found."""
    match = _UNTIL_FOUND.search(words)
    searches = [loop for loop in shape.visits if "is_in_room(" in ast.unparse(loop)]
    ends = (ast.Break, ast.Return)
    if match and searches and not any(isinstance(n, ends) for s in searches for n in ast.walk(s)):
        yield str(phrase("note.goes_on", word=match[0]))


def _left_there(told: str, shape: ProgramShape) -> Iterator[str]:
    """What should be left where it is, and is picked up in any case."""
    for call in shape.called("pick") if not shape.decides else ():
        thing = text_of(next(iter(call.args), None)) or ""
        name = re.escape(unified(thing))
        if thing and re.search(f"{_LEFT.format(name)}|{_UNTOUCHED.format(name)}", told):
            yield str(phrase("note.left_there", thing=thing))


_WHERE = r"[^.;,]* (?:where|that|which|if|when|with)\b"
_EXCEPTED_WHERE = re.compile(rf"\b(skip|leave out|except){_WHERE}")
_EXCEPTED = re.compile(rf"\b(except|other than|apart from|excluding)\b(?!{_WHERE})")
_OTHERWISE = re.compile(
    r"\b(?:otherwise|or else)\b(?!,? (?:(?:do |say )?nothing|never ?mind|forget|ignore"
    r"|leave|stay|just|don't|do not|come|go back)\b)"
)
_ENSURED = re.compile(r"\b(?:ensure|make sure)\b")
_UNTIL_FOUND = re.compile(r"\buntil you (?:find|see|spot|come across|meet)\b")
_ARTICLE = r"(?: the| my| your| his| her| our| any| an?)?"
_LEFT = rf"\bleave{_ARTICLE} {{}} (?:where|there|alone|in (?:its|their) place)\b"
_UNTOUCHED = (
    r"\b(?:don't|do not|never) (?:bring|take|carry|move|touch|fetch|pick up)"
    rf"{_ARTICLE} {{}}\b(?! (?:to|into)\b)"
)
