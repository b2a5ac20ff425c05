"""Notes on conditions, repetitions and numbers of the instruction that the program lacks.

`alignment.py` compares names. This module compares structure: a loop for "every", a branch for
"if", the drive back for "come back". It uses no model, so every rule is narrow: words that the
program speaks belong to a message and are not an order, and if a correct program may look different
there is no note.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import combinations

from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.generate.words.alignment_exceptions import exception_notes
from roboinstruct_ros.generate.words.alignment_places import meeting_notes, place_notes
from roboinstruct_ros.generate.words.alignment_report import report_notes
from roboinstruct_ros.generate.words.alignment_seen import seen_notes
from roboinstruct_ros.generate.words.alignment_wait import wait_notes
from roboinstruct_ros.generate.words.program_course import ProgramCourse
from roboinstruct_ros.generate.words.program_shape import ProgramShape, leaves, polarity
from roboinstruct_ros.generate.words.stems import SEVERAL, unified


def shape_notes(
    instruction: str,
    tree: ast.AST,
    rooms: Collection[str] = (),
    names: Callable[[str], Sequence[str]] = lambda room: (room,),
) -> tuple[str, ...]:
    """One plain English sentence for each difference.

    Args:
        instruction: The words.
        tree: A program that parses.
        rooms: Names of the rooms of the map.
        names: All names of a room.
    """
    shape = ProgramShape(tree)
    course = ProgramCourse(shape)
    told = ordered(instruction, shape.spoken)
    words = ordered(told, shape.literals)
    notes = (
        *_numbers(ordered(words, rooms), shape),
        *_every(words, shape),
        *_conditions(words, shape),
        *_way_back(words, shape, _is_met(told, [n for r in course.rooms for n in names(r)])),
        *wait_notes(words, shape),
        *exception_notes(told, words, shape),
        *_ignored(shape),
        *_undone(words, shape),
        *_forbidden(told, shape),
        *seen_notes(shape),
        *report_notes(told, shape, course),
        *place_notes(told, course, rooms),
        *meeting_notes(told, course, rooms),
    )
    return tuple(dict.fromkeys(notes))


_NUMBERING = re.compile(r"(?<!\S)(?:\(\d\d?\)|\d\d?[.)])(?=\s)")
"""The numbering of a list: "1. go to the lab; 2. come back"."""


def ordered(instruction: str, literals: Collection[str]) -> str:
    """The instruction in lower case, without quotations and the literals of two words or more."""
    listed = _NUMBERING.sub(" ", instruction)
    text = re.sub(r'"[^"]*"|(?<!\w)\'[^\']*\'(?!\w)', " ", unified(listed))
    for literal in sorted(map(_folded, literals), key=len, reverse=True):
        if literal and len(literal.split()) > 1:
            text = re.sub(rf"\b{re.escape(literal)}\b", " ", text)
    return " ".join(text.split())


def _folded(literal: str) -> str:
    return unified(literal).strip(" .!?,:")


def _numbers(words: str, shape: ProgramShape) -> Iterator[str]:
    told = [1] * len(re.findall(r"\bone\b", words))
    told += [SEVERAL.get(word) or int(word) for word in _ANY_NUMBER.findall(words)]
    # of more equal ones no further sum comes, and a pasted list of numbers must not take minutes
    few = [n for n, times in Counter(told).items() if n <= 20 for _ in range(min(times, 3))]
    sums = {sum(some) for size in (2, 3) for some in combinations(few, size)}
    for match in _NUMBER.finditer(_IN_FIVE.sub(" ", words)):
        word = match[0]
        number = SEVERAL.get(word) or int(word)
        if "half" in words or number in sums:
            continue  # the number is divided among several
        # A loop with a count that nobody said stands for one that somebody did.
        unsaid = any(not re.search(rf"\b(?:{'|'.join(_forms(n))})\b", words) for n in shape.ranges)
        known = shape.numbers | (set() if unsaid else shape.counts)
        if not 2 <= number <= 20 or number in known:
            continue
        if not any(shape.speaks(form) for form in _forms(number)):
            yield _says("note.times", word, count=word)


def _forms(number: int) -> list[str]:
    return [str(number), *(word for word, value in SEVERAL.items() if value == number)]


def _every(words: str, shape: ProgramShape) -> Iterator[str]:
    match = _EVERY.search(words)
    several = len({ast.dump(call) for call in shape.called("go_to")}) > 1
    if match and not shape.loops and not (several and match[1] != "that many"):
        yield _says("note.repeats", match[1])


def _conditions(words: str, shape: ProgramShape) -> Iterator[str]:
    told = _REPORTED.sub(" whether", words)
    match = _CONDITION.search(told)
    if match and _AND_IF.search(told[: match.end()]):
        match = None  # "ask her whether she has time and if she is hungry"
    word = (match[1] or match[2]) if match else ""
    if word and not shape.decides and not shape.speaks(word):
        yield _says("note.decides", word)
        return
    if not _LACKING.search(told):  # "it may be out of soap. If so, ..." holds if nothing is there
        yield from _negated(told, shape)
    yield from _other_kind(words, shape)


def _negated(words: str, shape: ProgramShape) -> Iterator[str]:
    """A condition that the program inverts; only if both have exactly one and no alternative."""
    wanted = {True for _ in _POSITIVE.finditer(words)} | {False for _ in _NEGATIVE.finditer(words)}
    if _ENSURE.search(words):
        wanted = {False}
    elif _OTHERWISE.search(words) or _STAYS.search(words) or len(_ANY_IF.findall(words)) > 1:
        return
    if any(_chooses(one.test, shape.answers) for one in shape.ifs):
        return  # the words may be about that choice
    known = [one for one in shape.ifs if polarity(one.test, shape.answers) is not None]
    if len(wanted) != 1 or len(known) != 1 or known[0].orelse or leaves(known[0].body):
        return
    holds = polarity(known[0].test, shape.answers)
    if holds not in wanted:
        yield str(phrase("note.opposite_so" if holds else "note.opposite_not"))


def _chooses(test: ast.expr, answers: dict[str, ast.Call]) -> bool:
    """Whether a test compares an answer with something other than yes or no."""
    equal = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Eq | ast.NotEq)
    return equal and polarity(test, answers) is None


def _other_kind(words: str, shape: ProgramShape) -> Iterator[str]:
    """The instruction means rooms of a kind, and the program takes all others."""
    if _EXCEPT.search(words):
        return
    for branch in shape.ifs:
        test, turned = branch.test, False
        while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test, turned = test.operand, not turned
        if not isinstance(test, ast.Compare) or not isinstance(test.left, ast.Constant):
            continue
        if not isinstance(test.ops[0], ast.In | ast.NotIn) or branch.orelse:
            continue
        skips = len(branch.body) == 1 and isinstance(branch.body[0], ast.Continue)
        inside = isinstance(test.ops[0], ast.In) is not turned
        if inside is skips:
            yield str(phrase("note.other_rooms", kind=str(test.left.value)))


def _is_met(told: str, rooms: Collection[str]) -> bool:
    """Whether the words say that the person is, or wants something, in one of these rooms."""
    return any(re.search(rf"{_WITH_ME}{re.escape(unified(room))}\b", told) for room in rooms)


def _way_back(words: str, shape: ProgramShape, is_met: bool) -> Iterator[str]:
    match = _wanted(_BACK, words) or (None if is_met else _wanted(_TO_ME, words))
    if match and match[0].endswith(" over") and _LACKING.search(words[: match.start()]):
        match = None  # "we are out of cups in the hall, bring one over"
    if match is None and shape.called("say"):
        match = _QUESTION.search(words)
    if match is None or not shape.called("go_to") or shape.speaks(match[0].split()[0]):
        return
    if not shape.drives_home(with_nothing=bool(_IN_VAIN.search(words))):
        yield _says("note.drives_back", match[0].strip())


def _ignored(shape: ProgramShape) -> Iterator[str]:
    for call in shape.ignored_answers():
        question = call.args[1] if len(call.args) > 1 else call
        words = question.value if isinstance(question, ast.Constant) else ast.unparse(question)
        yield str(phrase("note.ignores", question=str(words)))


def _undone(words: str, shape: ProgramShape) -> Iterator[str]:
    """The program speaks to nobody, or never puts down what it picked up."""
    match = _wanted(_SPOKEN, words)
    says = shape.says(with_nothing=bool(_IN_VAIN.search(words)))
    if match and not (says or shape.called("ask") or shape.speaks(match[0].split()[0])):
        yield _says("note.says", match[0].strip())
    match = _wanted(_ASKED, words) or _REPLIED.search(words)
    if match and not shape.called("ask"):
        yield _says("note.asks", match[1])
    match = _BROUGHT.search(words)
    if match and shape.called("pick") and not shape.called("place"):
        yield _says("note.puts", match[0])
    match = _wanted(_CARRIED, words)
    if match and not (shape.called("pick") or shape.called("place") or shape.speaks(match[1])):
        yield _says("note.picks", match[1])


def _forbidden(words: str, shape: ProgramShape) -> Iterator[str]:
    """The robot should stay, or keep out of a room, but drives there."""
    drives = shape.called("go_to")
    stays = _STAYS.search(words)
    if drives and stays and not (shape.decides and _SUPPOSED.search(words[: stays.start()])):
        yield str(phrase("note.stays"))
    parts = (part for drive in drives for part in drive.args)
    for room in sorted({str(part.value) for part in parts if isinstance(part, ast.Constant)}):
        name = unified(room)
        if name in words and re.search(_KEEP_OUT + re.escape(name), words):
            yield str(phrase("note.forbidden", room=room))


def _wanted(order: re.Pattern[str], words: str) -> re.Match[str] | None:
    """The first match that the words do not forbid: "don't tell Mum", "no need to come back"."""
    matches = order.finditer(words)
    return next((match for match in matches if not _DENIED.search(words[: match.start()])), None)


_DENIED = re.compile(
    r"(?:n't|(?<!\bif )(?<!\bor )\bnot|\bno need|\bnever|\bwithout)\b[^.,;:?!]{0,30}$"
)
_CARRIED = re.compile(
    r"(?<!\bi )(?<!\bi'll )(?<!'d )\b(bring|fetch|carry|deliver)(?: (?:me|us|him|her|them|back))?"
    r" (?:an?|the|some|my|your|another|one)\b(?![^.;,]*\b(?:answer|reply|replies|response|number"
    r"|count|list|name|news|message|word|result|yes|verdict|figure|score|class|guests?|visitors?)s?\b)"
)
_ANY_NUMBER = re.compile(rf"\b(?:{'|'.join(SEVERAL)}|\d{{1,2}})\b")
_NUMBER = re.compile(
    r"(?<!no\. )(?<!\bat )(?<!\bby )(?<!\btill )(?<!\buntil )(?<!\bsince )(?<!\bpast )(?<!\btable )"
    rf"(?<!\bthese )(?<!\bthose )\b(?:{'|'.join(SEVERAL)}|[2-9]|1\d|20)\b"
    r"(?!\s*(?:%|(?:am|pm|a\.m|p\.m|o'clock|(?:more )?(?:seconds?|"
    r"secs?|minutes?|mins?|hours?|days?|weeks?)|or|to|and)\b|,)|[:.]\d)"
)
_IN_FIVE = re.compile(r"\bin (?:\w+)(?=[.,;!?]|$)")
"""The number is a time: "we start in five"."""
_EVERY = re.compile(
    r"\b(every|each|that many|everywhere|all (?:the |of the |my |our |your |other )?\w+s"
    r"|which of them|which ones|how many of them|search for)\b(?! time\b)"
)
_REPORTED = re.compile(
    r"\b(?:check|look|find out|know|verify|determine|examine|report|see|asks?|tell)"
    r"(?: [\w'-]+(?:\.\w+)?){0,8}?(?<!\band)(?<!\bthen)(?<!\bbut),? if\b"
)
_CONDITION = re.compile(
    r"(?:^|[.;] |\b(?:and|then|but|only|except|not),? )(if|unless|otherwise|or else)\b"
    r"(?! (?:possible|you (?:can|could|don'?t mind)|it's not)\b)"
    r"|\b(if)(?= (?:there (?:is|are)|you (?:see|find)|so)\b)"
)
_AND_IF = re.compile(r"\bwhether\b[^.;]*\b(?:and|or|then),? if$")
_OTHERWISE = re.compile(r"\b(?:otherwise|else|but if|in (?:that|which) case|instead)\b")
_ANY_IF = re.compile(r"\b(?:if|unless)\b")
_ENSURE = re.compile(r"\b(?:ensure|make sure)\b.*\b(?:otherwise|if not)\b")
_LACKING = re.compile(
    r"\b(?:out of|short of|lacks?|lacking|not if|free|empty|unless there'?s? (?:is )?nobody)\b"
)
_POSITIVE = re.compile(
    r"\bif (?:so\b|yes\b|there (?:is|are) (?:an?|some|any|the)\b|you (?:see|find|spot|notice)\b"
    r"|the answer is yes|[\w'-]+ (?:says? yes|agrees?|accepts?|answers? yes)\b"
    r"|[\w'-]+ (?:is|are|has|have|does|do|wants?|needs?)\b"
    r"(?! (?:not|no|none|nobody|nothing|missing|gone|absent|away|empty)\b))"
)
_NEGATIVE = re.compile(
    r"\b(?:unless|if (?:(?:not|no|none|nobody)\b|there (?:is|are) (?:no|none|not|nobody)\b"
    r"|there (?:isn't|aren't)|you (?:do not|don't|cannot|can't) (?:see|find)\b"
    r"|[\w'-]+ (?:says? no\b|refuses?|declines?|answers? no\b|isn't|aren't|doesn't|don't)"
    r"|[\w'-]+ (?:is|are) (?:not|missing|gone|absent|away)\b|[\w'-]+ (?:has|have) (?:none|no)\b"
    r"|the answer is no\b))"
)
_EXCEPT = re.compile(
    r"\b(?:except|but|not|other|others|without|apart|outside|no|skip|besides)\b|n't\b"
)
_BACK = re.compile(
    r"\b(come back|return|go back(?! and\b)|get back)"
    r"(?= to (?:me|where|here)\b| here\b| and\b| then\b|[.,;]|$)"
)
_TO_ME = re.compile(
    r"\bi(?:'d like| would like| want| need)(?: then)? to (?:know|hear|be told)\b"
    r"|\bgive me (?:the|a|his|her|their)\b|\bcome and (?:say|tell me)\b|\bstraight back\b"
    r"|\b(?:tell|inform) me\b(?! (?:in|at|that i)\b)|\blet me know\b(?! (?:in|at)\b)"
    r"|\breport back\b"
    r"|\b(?:bring|bringing|fetch|get|hand) me\b"
    r"|\b(?:bring|fetch|get) (?:one|some)(?: back| over)?(?=[.,;!?]|$| and\b)"
    r"|\bto me\b(?! (?:in|at)\b)|\breport (?:who|how many|what|which|it)\b"
    r"|\b(?:bring|fetch|carry|deliver)\b[^.;,]*(?<!from)(?<!'s)(?<! is)(?<! are) (?:here|for me)\b"
)
_WITH_ME = (
    r"(?:\b(?:i'm|i am|i'll be|i will be|we're|we are)(?: (?!not\b)\w+)? (?:in|at)"
    r"|(?:^|[.;:,!?] |\b(?:and|then|please|now|just|you|you to) )come (?:in)?to"
    r"|\b(?:bring|fetch|get|hand) me\b(?:(?!\b(?:go|drive|head|ask|tell|then|take|put|carry"
    r"|deliver)\b)[^.;:?!])* (?:in)?to) (?:the )?"
)
_QUESTION = re.compile(
    r"^(?:is|are(?! you\b)|which|where|who|do we have|have we got|has)\b"
    r"(?! it (?:ok|possible))[^?.;:]*\?$"
)
"""All of it is one question: whoever asks it wants to be told."""
_SPOKEN = re.compile(
    r"\b(?:(?<!\bto )(?<!'d )say(?! (?:nothing|so)\b)|tell|inform|remind|announce|greet|report"
    r"|let (?:me|him|her|them) know|(?<!i )ask(?! you\b))\b"
    r"|^(?:is|are(?! you\b)|how many|where|who|what)\b(?! it (?:ok|possible))[^?]*\?$"
)
_ASKED = re.compile(
    r"(?<!i )(?<!you )\b(ask(?=(?: (?!you\b|me\b|to\b)[\w'-]+){0,4},? "
    r"(?:if|whether|what|which|when|who|where|how)\b)|poll|vote)\b"
)
_REPLIED = re.compile(
    r"\b(if (?!it\b|you\b|i\b|that\b|this\b|so\b|not\b)[\w'-]+ "
    r"(?:says?|answers?|repl(?:y|ies)|agrees?|refuses?|declines?|accepts?))\b"
)
_IN_VAIN = re.compile(r"\b(?:otherwise|else|not|cannot|no|none|neither|nowhere|nobody)\b|n't\b")
_BROUGHT = re.compile(r"\b(?:bring|carry|deliver|fetch|put|move|take\b[^.;,]* to)\b")
_STAYS = re.compile(
    r"\b(?:stay (?:here|put|still|where you are)"
    r"|(?:don't|do not) (?:move(?! (?:it|them|any\w*)\b)|go anywhere))\b"
    r"(?![^.;,]* (?:seconds?|minutes?|hours?|afterwards?|until|till)\b)"
)
_SUPPOSED = re.compile(r"\b(?:if|unless|otherwise|else)\b[^.;?!]*$")
_KEEP_OUT = (
    r"\b(?:don't|do not|never) (?:go|drive|enter|visit|stop)(?: in| into| to| at)?(?: the)? "
)


def _says(key: str, word: str, **more: str) -> str:
    """A note on a word of the instruction."""
    return str(phrase(key, word=word, **more))
