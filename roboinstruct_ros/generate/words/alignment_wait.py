"""Notes on a program that does not wait as the instruction says: not at all, too short or too long,
or for the opposite."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import product

from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.generate.words.alignment_seen import seen_in
from roboinstruct_ros.generate.words.program_shape import ProgramShape, polarity
from roboinstruct_ros.generate.words.stems import SEVERAL


def wait_notes(words: str, shape: ProgramShape) -> Iterator[str]:
    """One plain English sentence for each difference.

    Args:
        words: The instruction, as `alignment_shape.ordered` gives it.
    """
    yield from _waiting(words, shape)
    yield from _waiting_for(words, shape)


def _waiting(words: str, shape: ProgramShape) -> Iterator[str]:
    match = _WAIT.search(words)
    if match and not shape.waits and not shape.speaks("wait"):
        yield str(phrase("note.waits", word=match[0]))
    if not shape.waits or not (shape.sleeps or shape.loops):
        return
    limits = {a * b for a, b in product({1, *shape.numbers}, repeat=2)}
    for time in (_LIMIT if shape.loops else _DURATION).finditer(words):
        parts = [(_LENGTHS.get(n) or int(n)) * _SECONDS[unit] for n, unit in _PART.findall(time[0])]
        told = limits if shape.loops else shape.sleeps
        if not (sum(parts) in told or told.issuperset(parts) or shape.speaks(_UNIT)):
            yield str(phrase("note.waits_otherwise", word=time[0]))


def _waiting_for(words: str, shape: ProgramShape) -> Iterator[str]:
    """The program waits for somebody to come where the words have them leave, or the reverse."""
    comes, goes = bool(_COMES.search(words)), bool(_GOES.search(words))
    waits = [loop for loop in shape.loops if isinstance(loop, ast.While)]
    if comes is goes or len(waits) != 1:
        return
    there, thing = polarity(waits[0].test, shape.answers), seen_in(waits[0].test, shape.answers)
    if thing and there is comes:
        yield str(phrase("note.until_gone" if there else "note.until_there", thing=thing))


_WAIT = re.compile(
    r"(?<!no )(?<!no, )\bwait\b"
    r"(?=[^.;]* (?:until (?!i\b)|till? (?!i\b)|for (?!me\b|us\b|further\b)"
    r"|(?:second|minute|hour)s?\b))"
    r"(?! for (?:his|her|their|an?|the) (?:answers?|reply|replies|responses?)\b)"
    r"|\b(?:stay|remain|stop|hold on|hang on)\b[^.;,]* until\b"
)
_FEW = r"(?: [\w'-]+){0,4}?"
_GOES = re.compile(
    rf"\b(?:until|till|when|once|as soon as){_FEW} "
    r"(?:leaves?|left|goes|gone|away|empty|nobody|no one)\b"
    rf"|\bas long as{_FEW} (?:is|are) (?:in|there|here|still|out|at)\b"
)
_COMES = re.compile(
    rf"\b(?:until|till|when|once|as soon as)(?! nobody\b| no one\b){_FEW} "
    r"(?:comes?|arrives?|(?:is|are) (?:there|here|back)|shows? up|appears?|turns? up)\b"
    rf"|\bwait for{_FEW} to (?:come|arrive|show up|appear|turn up)\b"
)
_SECONDS = {"second": 1, "minute": 60, "hour": 3600}
_UNIT = rf"({'|'.join(_SECONDS)})s?"
_LENGTHS = SEVERAL | {
    "a": 1, "an": 1, "one": 1, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "ninety": 90
}  # fmt: skip
_NUMBER = rf"({'|'.join(_LENGTHS)}|\d{{1,3}})"
_PART = re.compile(rf"\b{_NUMBER} {_UNIT}\b")
_DURATION = re.compile(
    rf"\b(?:{_NUMBER} {_UNIT},? (?:and )?)?{_NUMBER} ({'|'.join(_SECONDS)})s\b"
    rf"(?:,? (?:and )?{_NUMBER} {_UNIT}\b)*(?! and a half)"
)
"""One or more lengths: "2 minutes and 30 seconds"; "a minute" alone may only be a moment."""
_LIMIT = re.compile(
    rf"\b(?:at most|at the most|no longer than|no more than|up to|a maximum of) {_DURATION.pattern}"
)
"""How long a loop may wait; its length is a number of the program, or the product of two."""
