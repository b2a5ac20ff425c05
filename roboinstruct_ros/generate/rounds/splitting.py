"""Splits an instruction into what can be done now and what waits until more is known.

Source: LLMs Synergy, section 4.1 and appendix B: an immediate task, and a deferred one that needs
information not yet available. Programs can branch, so nearly every "if" fits into one program. A
split is right only if the rest cannot be written before a free answer is known, or if the person
says so. In doubt nothing is split.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.generate.prompts.surroundings import NOWHERE, Surroundings

MOST_OPTIONS = 12
"""Most names offered as answers; with more, the person at the screen is asked."""

NEXT = "what to do next"
"""What is unknown if the person wants to decide after the first part."""

SEEN = "what is there"
"""What is unknown if the rest depends on what the robot finds."""


@dataclass(frozen=True)
class Split:
    """An instruction in two parts.

    Attributes:
        now: the part for which a program can be written at once; empty if something must be known
            first.
        deferred: the rest, in the notation of `Deferred`; empty if there is none.
    """

    now: str
    deferred: str = ""


@dataclass(frozen=True)
class Deferred:
    """The rest of an instruction: `rest` is to be done when `what` is known.

    Attributes:
        what: a clause like "what Bob needs"; empty if the rest only has to come later.
    """

    rest: str
    what: str = ""

    def __str__(self) -> str:
        if not self.what:
            return self.rest
        return str(phrase("told.when_known", what=self.what, rest=self.rest))

    @classmethod
    def read(cls, text: str) -> Deferred:
        """The inverse of `str`; any other text is a rest that only has to come later."""
        match = _DEFERRED.match(text)
        return cls(match["rest"], match["what"]) if match else cls(text)


def split(
    instruction: str, there: Surroundings = NOWHERE, reads: bool = True, offers: bool = False
) -> Split:
    """Split an instruction by its words alone.

    Args:
        instruction: One line.
        there: Names of the place; a short list of them is offered as the answers to a question.
        reads: A model that can read will write the programs. For another model the robot does not
            ask an open question: the person at the screen has to answer it first.
        offers: The model suggests answers to an open question and continues with the chosen one, so
            such a question is no reason to split.
    """
    text = instruction.strip()
    for cue in (_in_steps, _told_later, _depends_on_what_is_found, _asked, _found_out):
        parts = None if offers and cue is _asked else cue(text, there)
        if parts is not None:
            return parts if reads or cue is not _asked else Split("", parts.deferred)
    return Split(instruction)


def _in_steps(text: str, there: Surroundings) -> Split | None:
    match = _STEPS.match(text)
    if match is None:
        return None
    parts = [part.strip(" ,.") for part in _NEXT_STEP.split(match["body"])]
    parts = [_FIRST.sub("", part) for part in parts if part]
    if len(parts) < 2:
        return None
    later = parts[1] if len(parts) == 2 else f"in several steps: {'; '.join(parts[1:])}"
    return Split(_capital(parts[0]), str(Deferred(_capital(later))))


def _told_later(text: str, there: Surroundings) -> Split | None:
    match = _TOLD_LATER.match(text)
    if match is None or not match["now"].strip():
        return None
    return Split(_alone(match["now"]), str(Deferred("do it", NEXT)))


def _depends_on_what_is_found(text: str, there: Surroundings) -> Split | None:
    match = _DEPENDING.match(text) or _DEPENDING_AFTER.match(text)
    if match is None:
        return None
    rest = match["rest"].strip(" ,.")
    return Split(_alone(match["now"]), str(Deferred(rest, SEEN)))


def _asked(text: str, there: Surroundings) -> Split | None:
    match = _ASK.match(text) or _FIND_OUT.match(text)
    if match is None or _OPTIONS.search(match["clause"]) or not _depends(match["rest"]):
        return None
    who, clause = match["who"].strip(), match["clause"].strip()
    if _WHO.match(clause) and re.search(r"\bit\b", match["rest"]):
        return None  # the answer is a person, and "it" is undefined
    lead = match.groupdict().get("lead") or ""
    went = _LEAD_PLACE.match(lead)
    found_at = f"{who} in {went['place']}" if went and _short(who) == who else who
    rest = _with_subject(_for_person(match["rest"].strip(" ."), found_at), clause)
    clause = clause.replace(who, _short(who))
    what = _SUBJECT_PRONOUN.sub(lambda match: f"{match['wh']} {_short(who)}", clause, count=1)
    offered = _offered(clause, there)
    if offered:
        *most, last = offered
        now = f"{lead}ask {who} {clause}: {', '.join(most)} or {last}"
    else:
        now = f"{lead}tell {who} to say {clause}"
    return Split(_capital(now), str(Deferred(rest, what)))


def _found_out(text: str, there: Surroundings) -> Split | None:
    match = _FIND_OUT_EVENT.match(text)
    if match is None or not re.search(r"\bthere\b", match["rest"], re.IGNORECASE):
        return None
    return Split("", str(Deferred(match["rest"].strip(" ."), match["clause"].strip())))


def _depends(rest: str) -> bool:
    """Whether the rest uses the answer for more than telling it."""
    return _DOES.match(rest) is not None and _DOES_WITH_IT.search(rest) is not None


def _offered(clause: str, there: Surroundings) -> tuple[str, ...]:
    """The map's names of the kind that the answer must have, if there are few enough."""
    first, _, tail = clause.lower().partition(" ")
    if first == "where" or tail.startswith(("room ", "place ")):
        names = there.rooms
    elif first in ("who", "whom") or tail.startswith(("person ", "people ")):
        names = there.people
    else:
        names = there.objects
    return names if 2 <= len(names) <= MOST_OPTIONS else ()


def _for_person(rest: str, who: str) -> str:
    """The rest with the person's name instead of a pronoun, as it will stand alone."""
    return _HER.sub(lambda match: who, re.sub(r"\bhim\b", lambda match: who, rest))


def _with_subject(rest: str, clause: str) -> str:
    """Replace `it` by the thing in question if the answer is a place."""
    match = _WHERE_IS.match(clause)
    if match is None:
        return rest
    thing = match["thing"]
    if re.search(r"\bthere\b", rest):
        return re.sub(r"\b(?:it|them)\b", lambda match: thing, rest, count=1)
    return re.sub(r"\b(?:it|them)\b", lambda match: f"{thing} from there", rest, count=1)


def _short(who: str) -> str:
    """The person without the place: "Bob" of "Bob in the study"."""
    return re.split(r" (?:in|at|from|near|by) ", who, maxsplit=1)[0]


def _alone(part: str) -> str:
    """A first part as an instruction of its own."""
    return _capital(_JOINED.sub("", _FIRST.sub("", part.strip(" ,.;"))))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


_I = re.IGNORECASE
_DEFERRED = re.compile(r"^when it is known (?P<what>[^:]{1,200}): (?P<rest>.+)$", _I)
_FIRST = re.compile(r"^(?:first(?:ly)?|step 1)[,:]?\s+", _I)
_JOINED = re.compile(r"[,\s]+(?:and|then|and then)$", _I)
_STEPS = re.compile(
    r"^(?:please )?(?:do (?:this|it) )?in (?:two|three|four|several|\d) "
    r"(?:steps|rounds|stages|parts)\s*[:,.]\s*(?P<body>.+)$",
    _I,
)
_NEXT_STEP = re.compile(
    r"\s*(?:;|\.\s+|,?\s+(?:and\s+)?then\b,?|,\s*(?:and\s+)?(?:second(?:ly)?|third(?:ly)?|finally)"
    r"\b,?)\s*(?:(?:and\s+)?(?:then|second(?:ly)?|third(?:ly)?|finally)\b,?\s*)?",
    _I,
)
_TOLD_LATER = re.compile(
    r"^(?P<now>.+?)(?:[,.;]\s*(?:and\s+)?(?:then|after that|afterwards)?|\s+(?:and\s+)?then)"
    r"[,\s]\s*"
    r"(?:I(?:'ll| will| am going to)? (?:then )?(?:tell|let) you(?: know)?(?: what| where| more|"
    r" the rest)?\b|(?:we(?:'ll| will)? )?decide (?:it )?(?:together )?with me\b|"
    r"we(?:'ll| will) (?:decide|see)\b|ask me what (?:to do|comes)\b|"
    r"wait for (?:my|further|new|more) (?:instructions?|orders?|commands?|words)\b).*$",
    _I,
)
_IT_DEPENDS = r"depending on what (?:you|we) (?:find|see|discover|have found)(?: there)?"
_DEPENDING = re.compile(
    rf"^(?P<now>.+?)[,.;]?\s+(?:and\s+|then\s+|and then\s+)?,?\s*{_IT_DEPENDS},?\s+(?P<rest>\w.+)$",
    _I,
)
_DEPENDING_AFTER = re.compile(
    r"^(?P<now>(?:please )?(?:go|drive|look|check)\b.+?),?\s+(?:and then|and|then)\s+"
    rf"(?P<rest>.+?),?\s+{_IT_DEPENDS}\s*\.?$",
    _I,
)
_WHO = re.compile(r"^whom?\b", _I)
_LEAD_PLACE = re.compile(r"^(?:go|drive) to (?P<place>[^,.;?]+?),? (?:and|then) $", _I)
_WH = r"(?:what|which|where|whom|who)"
_THEN = r"(?:,?\s+(?:and then|and|then)\s+|[,.;]\s+(?:and then\s+|and\s+|then\s+)?)"
_ASK = re.compile(
    r"^(?P<lead>(?:please |(?:go|drive) to [^,.;?]{1,60}?,? (?:and|then) )?)ask "
    rf"(?P<who>[^,.;?:]{{1,60}}?) (?P<clause>{_WH}\b[^,.;?]*?){_THEN}(?P<rest>.+)$",
    _I,
)
_FIND_OUT = re.compile(
    r"^(?P<lead>please )?find out (?P<clause>what (?P<who>(?-i:[A-Z])\w+(?: in [^,.;?]{1,40}?)?) "
    rf"(?:needs?|wants?|would like|prefers?|is looking for)[^,.;?]*?){_THEN}(?P<rest>.+)$",
    _I,
)
_EVENTS = r"(?:meeting|party|lecture|class|lunch|dinner|exam|talk|seminar|concert|event|movie|show)"
_FIND_OUT_EVENT = re.compile(
    rf"^(?:please )?find out (?P<clause>where the (?:\w+ )?{_EVENTS} (?:is|will be|takes place)"
    rf"[^,.;?]*?){_THEN}(?P<rest>.+)$",
    _I,
)
_OPTIONS = re.compile(r"\bor\b|:|\(|\d|[\"']\s|\s[\"']")
_ACTS = (
    r"(?:bring|fetch|get|take|carry|deliver|put|place|pick|grab|hand|give|move|go|drive|find|"
    r"collect|leave|look)"
)
_DOES = re.compile(rf"^(?:please )?{_ACTS}\b(?! back| the (?:choices|options))", _I)
_DOES_WITH_IT = re.compile(
    rf"\b{_ACTS}\b[^.;]*?\b(?:it|them|there|one|that(?= (?:to|back|here)\b)|"
    r"what(?:ever)? (?:he|she|they|(?-i:[A-Z])\w+) (?:said|says|wants?|needs?|asked for|likes?))\b",
    _I,
)
_SUBJECT_PRONOUN = re.compile(
    rf"^(?P<wh>{_WH}(?: \w+)?) (?:he|she|they)\b", _I
)  # "what he needs", "which book she wants"
_HER = re.compile(r"\bher\b(?=\s*(?:$|[.,;]|(?:and|then|the|a|an|it|one)\b))", _I)
_WHERE_IS = re.compile(r"^where (?P<thing>(?:the|a|an|his|her|their|my) [^,]+?) (?:is|are)\b", _I)
