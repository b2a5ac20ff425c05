"""Plans one round of a task: the words for its program, with findings filled in."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.generate.prompts.surroundings import NOWHERE, Surroundings
from roboinstruct_ros.generate.rounds.findings import (
    THE_PERSON,
    Answer,
    answers,
    checked,
    held_thing,
)
from roboinstruct_ros.generate.rounds.splitting import NEXT, SEEN, Deferred, Split, split
from roboinstruct_ros.program.wording import named

Ask = Callable[[str, Surroundings], "Split | None"]
"""Asks a model for the split of an instruction; None if it gave no usable one."""


class Progressive(str, Enum):
    """Whether an instruction may be split.

    OFF: never. CUES: by its words. MODEL: by its words, else by a model that can read.
    """

    OFF = "off"
    CUES = "cues"
    MODEL = "model"


@dataclass(frozen=True)
class Round:
    """What to do now.

    Attributes:
        words: the words for the program; empty if the question comes first.
        deferred: what is left after it.
        question: to the person; the answer is among the findings when the round is planned again.
        found: for the prompt of a model that can read.
    """

    words: str
    deferred: str = ""
    question: str = ""
    found: tuple[str, ...] = ()


def plan_round(
    text: str,
    found: Sequence[str] = (),
    there: Surroundings = NOWHERE,
    how: Progressive = Progressive.CUES,
    ask: Ask | None = None,
    offers: bool = False,
) -> Round:
    """The next round of the task in `text`.

    Args:
        text: The instruction, or what an earlier round has left of it.
        found: Sentences in the form of `findings`, unchecked.
        there: Names of the place.
        how: Whether to split; with OFF only the rest of an earlier round is filled in.
        ask: Asks a model that can read, which also gets the findings; None if there is none.
        offers: As in `split`.
    """
    facts = checked(found)
    later = Deferred.read(text)
    words = _filled(later, facts, reads=ask is not None)
    if words is None:
        return Round("", text, _question(later), facts)
    parts = Split(words)
    if how is not Progressive.OFF:
        parts = split(words, there, reads=ask is not None, offers=offers)
        if not parts.deferred and how is Progressive.MODEL and ask is not None:
            parts = ask(words, there) or parts
    if not parts.now:
        return Round("", parts.deferred, _question(Deferred.read(parts.deferred)), facts)
    return Round(parts.now, parts.deferred, "", facts)


def _filled(later: Deferred, found: Sequence[str], reads: bool) -> str | None:
    """The rest with the findings filled in; None if they are not known yet."""
    if not later.what:
        thing = held_thing(found)
        return _IT.sub(lambda match: thing, later.rest, count=1) if thing else later.rest
    answer = _answer_to(later.what, found)
    if answer is None:
        # a model that can read finds this among the findings
        return later.rest if later.what == SEEN and reads and found else None
    if later.what in (NEXT, SEEN) or _DO_IT.match(later.rest):
        return answer.text
    if answer.text.strip(" .").lower() in _NOTHING:
        return None
    return _with(answer.text.strip(" ."), later)


def _answer_to(what: str, found: Sequence[str]) -> Answer | None:
    """The last answer to this very clause, else the last one of a person whom it names."""
    for answer in answers(found):
        if answer.question == what:
            return answer
        if what not in (NEXT, SEEN) and answer.who != THE_PERSON and _names(what, answer.who):
            return answer
    return None


def _names(what: str, who: str) -> bool:
    return re.search(rf"\b{re.escape(who)}\b", what, re.IGNORECASE) is not None


def _with(answer: str, later: Deferred) -> str:
    """The rest with the answer in place of its pronoun."""
    rest, what = later.rest, later.what.lower()
    if re.search(r"\bthere\b", rest) and what.startswith(("where", "which room", "which place")):
        there = named(answer).replace("\\", r"\\")  # as part of a template
        rest = re.sub(r"\bfrom there\b", f"from {there}", rest)
        rest = re.sub(r"\b((?:go|drive|walk|move|get) (?:over )?)there\b", rf"\1to {there}", rest)
        rest = re.sub(r"\b((?:bring|take|carry|fetch)\b[^.;]*?) there\b", rf"\1 to {there}", rest)
        return re.sub(r"\bthere\b", f"in {there}", rest)
    if what.startswith("who"):
        return re.sub(r"\b(?:him|her|them)\b", lambda match: answer, rest, count=1)
    thing = named(answer)
    for pattern in (_WHAT_WAS_SAID, _IT):
        if pattern.search(rest):
            return pattern.sub(lambda match: thing, rest, count=1)
    return rest


def _question(later: Deferred) -> str:
    if later.what == NEXT:
        return str(phrase("told.ask_next"))
    if later.what == SEEN:
        return str(phrase("told.ask_seen", rest=later.rest))
    return str(phrase("told.ask_known", what=later.what, rest=later.rest))


_NOTHING = frozenset({"nothing", "none", "no", "nobody", "nowhere", "nothing at all", "no thanks"})
_DO_IT = re.compile(r"^do (?:it|that|this)\.?$", re.IGNORECASE)
_IT = re.compile(r"\b(?:it|them|one|that(?= (?:to|back|here)\b))(?!')\b", re.IGNORECASE)
_WHAT_WAS_SAID = re.compile(
    r"\bwhat(?:ever)? (?:he|she|they|(?-i:[A-Z])\w+) "
    r"(?:said|says|wants?|needs?|asked for|likes?|would like)\b",
    re.IGNORECASE,
)
