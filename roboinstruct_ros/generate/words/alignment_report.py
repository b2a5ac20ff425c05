"""Notes on a program that does not find out what the person asks, or tells it to nobody."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.generate.words.program_course import START, ProgramCourse
from roboinstruct_ros.generate.words.program_shape import ADDRESS, ProgramShape


def report_notes(told: str, shape: ProgramShape, course: ProgramCourse) -> Iterator[str]:
    """One plain English sentence for each difference.

    Args:
        told: The instruction without what the program says or asks.
    """
    asked = _ASKED.search(told) if shape.called("say") else None
    if asked and not (shape.called("is_in_room") or shape.called("ask") or _KNOWN.search(told)):
        yield str(phrase("note.never_looks", word=asked[0].strip(" ?")))
    if (asked or _TELL_ME.search(told)) and not _TO_OTHERS.search(told):
        yield from sorted({str(phrase("note.told_elsewhere", room=r)) for r in _elsewhere(course)})


def _elsewhere(course: ProgramCourse) -> Iterator[str]:
    """Rooms in which the program speaks to nobody by name, though it also drives back."""
    for call, place in course.says if START in course.reached else ():
        if place and not _ADDRESSED.match(ast.unparse(call)):
            yield place


_ASKED = re.compile(
    r"\b(?:(?:tell|inform) me|let me know|report(?: back)?|find out) "
    r"(?:which|where|how many|who|whether|what)\b"
    r"|^(?:which|where|how many|who|is(?! it\b)|are(?! you\b))\b[^?.;]*\?$"
)
"""The person asks what only the world can tell."""
_KNOWN = re.compile(
    r"\b(?:how many|which|what)(?: \w+){1,2} (?:(?:are there|there are|do you|do we have)\b|are on)"
    r"|\bwhere (?:are you|you are|am i|i am)\b"
)
"""The map or the robot's own place answers it."""
_TELL_ME = re.compile(r"\b(?:tell|inform) me\b(?! (?:in|at)\b)|\blet me know\b|\breport back\b")
_TO_OTHERS = re.compile(
    r"\b(?:say|announce|(?:tell|inform|let)(?! me\b)|remind|greet|ask|thank|shout|call|wish|read"
    r"|repeat|warn|invite|give|guide|lead|show|escort|accompany|hello|welcome)\b"
)
_ADDRESSED = re.compile(rf"""say\(f?['"]{ADDRESS}""")
