"""The note on a program that does at once what the instruction sets a time for."""

from __future__ import annotations

import re

from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.generate.words.alignment_shape import ordered
from roboinstruct_ros.generate.words.program_shape import ProgramShape, parsed


def time_notes(instruction: str, source: str) -> tuple[str, ...]:
    """At most one plain English sentence.

    It says nothing against the program: every other one has it too. So it is no `alignment_notes`,
    for which the writer looks for a better program.
    """
    shape = ProgramShape(parsed(source))
    words = _POLITE.sub("", ordered(instruction, shape.literals))
    time = _FIRST.match(words) or (_LAST.search(words) if _ORDER.match(words) else None)
    if time is None or shape.waits or _OF_SOMETHING.search(words[: time.start()]):
        return ()
    if any(map(shape.speaks, map(re.escape, time["time"].split()))):
        return ()
    return (str(phrase("note.not_later", words=time["time"])),)


_HOUR = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight"
    r"|\d{1,2}(?:[:.]\d\d)?)(?: o'clock)?(?: ?[ap]\.?m\b)?"
)
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_PART = r"(?:morning|noon|afternoon|evening|night)"
_WHEN = (
    rf"(?:at {_HOUR}(?: sharp)?|tonight|later today|(?:this|tomorrow) {_PART}|tomorrow"
    rf"|on {_DAY}|next (?:week|month|{_DAY})|in (?:the {_PART}|half an hour|an hour)"
    r"|in (?:\d+|two|three|four|five|ten|fifteen|twenty|thirty) (?:minutes|hours|days|weeks)"
    rf"|(?:every|each) (?:day|week|hour|{_PART}|{_DAY})|daily)"
)
_TIME = rf"(?P<time>{_WHEN}(?: {_WHEN})*)"
_ACTS = (
    "ask|announce|bring|carry|check|collect|come|deliver|drive|fetch|find|get|give|go|greet|guide"
    "|hand|invite|look|make|meet|move|pick|put|remind|return|say|search|see|show|take|tell|visit"
    "|wait|wake|warn"
)
_ORDER = re.compile(rf"(?:{_ACTS})\b")
_FIRST = re.compile(rf"{_TIME},? (?:please )?(?:{_ACTS})\b")
_LAST = re.compile(rf"\b(?<!-){_TIME}(?=(?:,? please)?[.,;!?]*$|[.,;]? (?:and|then)\b)")
_POLITE = re.compile(
    r"^(?:(?:please|hey|hello|hi|robot|can you|could you|will you|would you|i want you to"
    r"|i'd like you to)[, ]+)+"
)
_OF_SOMETHING = re.compile(
    r"\b(?:i|i'm|we|he|she|they|you|it|there|is|are|was|were|be|been|am|will|has|have|had|that|which"
    r"|who|what|how|when|where|whose|if|whether|because|since|so|for|of|from|by|until|till|before"
    r"|tell|say|ask|remind|announce|inform|let|call|warn|invite|wish|know|find out|meeting|not"
    r"|never)\b|n't\b|['\u2019](?:s|ll|re|ve)\b(?! \w+)|\bthe$"
    r"|\b(?:(?!(?:bed|shed|red|seed|weed|feed)\b)\w+ed|lost|left|over|due|made|bought|brought|sent"
    r"|seen|taken|written|arriving|coming|starting)[ ,]*$"
)
"""Before a time: it belongs to what is said, asked or told of, not to the order."""
