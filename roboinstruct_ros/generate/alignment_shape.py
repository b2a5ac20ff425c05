"""Notes on conditions, repetitions and numbers that the instruction has and the program has not.

Names are held together in `alignment.py`. Here it is the shape: a loop for "every", a branch for
"if", the way back for "come back". No model is asked, so every rule is narrow: words that the
program speaks are somebody's message and no order, and where a right program may look different
nothing is said.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from roboinstruct_ros.generate.stems import unified

NUMBERS = {
    word: number
    for number, word in enumerate(
        ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), start=2
    )
}


def shape_notes(instruction: str, tree: ast.AST) -> tuple[str, ...]:
    """One plain English sentence for each.

    Args:
        instruction: The words.
        tree: A program that parses.
    """
    shape = ProgramShape(tree)
    words = ordered(instruction, shape)
    notes = (
        *_numbers(words, shape),
        *_every(words, shape),
        *_conditions(words, shape),
        *_way_back(words, shape),
        *_waiting(words, shape),
    )
    return tuple(dict.fromkeys(notes))


class ProgramShape:
    """What a program repeats, decides and counts."""

    def __init__(self, tree: ast.AST) -> None:
        nodes = list(ast.walk(tree))
        self.loops = [node for node in nodes if isinstance(node, ast.For | ast.While)]
        self.loops += [node for node in nodes if isinstance(node, ast.comprehension)]  # type: ignore[misc]
        self.waits = any(isinstance(node, ast.While) for node in nodes) or any(
            isinstance(node, ast.Attribute) and node.attr == "sleep" for node in nodes
        )
        self.ifs = [node for node in nodes if isinstance(node, ast.If)]
        self.decides = bool(self.ifs) or any(_decides(node) for node in nodes)
        self.calls = [node for node in nodes if isinstance(node, ast.Call)]
        constants = [node.value for node in nodes if isinstance(node, ast.Constant)]
        self.literals = [value for value in constants if isinstance(value, str)]
        self.numbers = {value for value in constants if type(value) is int}
        self.answers = _answers(nodes)
        self.starts = _assigned_from(nodes, "get_current_location")
        self.counts = self._counts(nodes)

    def called(self, skill: str) -> list[ast.Call]:
        """The calls of a skill, in the order of the text."""
        calls = [call for call in self.calls if getattr(call.func, "id", "") == skill]
        return sorted(calls, key=lambda call: (call.lineno, call.col_offset))

    def _counts(self, nodes: list[ast.AST]) -> set[int]:
        same = Counter(ast.dump(call) for call in self.calls)
        skills = Counter(getattr(call.func, "id", "") for call in self.calls)
        listed = {len(node.elts) for node in nodes if isinstance(node, ast.List | ast.Tuple)}
        return {*same.values(), *skills.values(), *listed}


def ordered(instruction: str, shape: ProgramShape) -> str:
    """The instruction in small letters without what is quoted or what the program speaks."""
    text = re.sub(r'"[^"]*"|(?<!\w)\'[^\']*\'(?!\w)', " ", unified(instruction))
    spoken = sorted((_folded(text_) for text_ in shape.literals), key=len, reverse=True)
    for literal in spoken:
        if literal and len(literal.split()) > 1:
            text = re.sub(rf"\b{re.escape(literal)}\b", " ", text)
    return " ".join(text.split())


def _folded(literal: str) -> str:
    return unified(literal).strip(" .!?,:")


def _said(shape: ProgramShape, word: str) -> bool:
    """Whether the program speaks a word: then it belongs to a message or to a name."""
    return any(re.search(rf"\b{word}\b", unified(literal)) for literal in shape.literals)


def _numbers(words: str, shape: ProgramShape) -> Iterator[str]:
    for match in _NUMBER.finditer(words):
        word = match[0]
        number = NUMBERS.get(word) or int(word)
        known = shape.numbers | shape.counts
        if not 2 <= number <= 20 or number in known or number - 1 in shape.numbers:
            continue
        if not any(_said(shape, form) for form in _forms(number)):
            yield f"The instruction says '{word}', and nothing in the program is done {word} times."


def _forms(number: int) -> list[str]:
    return [str(number), *(word for word, value in NUMBERS.items() if value == number)]


def _every(words: str, shape: ProgramShape) -> Iterator[str]:
    match = _EVERY.search(words)
    several = len({ast.dump(call) for call in shape.called("go_to")}) > 1
    if match and not shape.loops and not several and not _said(shape, match[1]):
        yield f"The instruction says '{match[1]}', and the program repeats nothing."


def _conditions(words: str, shape: ProgramShape) -> Iterator[str]:
    match = _CONDITION.search(words)
    if match and _REPORTED.search(words[: match.end()]):
        match = None  # "ask her if she has time and if she is hungry"
    if match and not shape.decides and not _said(shape, match[1]):
        yield f"The instruction says '{match[1]}', and the program never decides anything."
        return
    yield from _negated(words, shape)


def _negated(words: str, shape: ProgramShape) -> Iterator[str]:
    """A condition that the program turns round; only where both have one and no second way."""
    wanted = {True for _ in _POSITIVE.finditer(words)} | {False for _ in _NEGATIVE.finditer(words)}
    if len(wanted) != 1 or _OTHERWISE.search(words) or len(shape.ifs) != 1 or shape.loops:
        return
    (branch,) = shape.ifs
    holds = _polarity(branch.test, shape.answers)
    if branch.orelse or holds is None:
        return
    if isinstance(branch.body[-1], ast.Return | ast.Continue | ast.Break):
        return
    if holds not in wanted:
        acts = "when it is so" if holds else "when it is not so"
        yield f"The program acts {acts}, and the instruction says the opposite."


def _polarity(test: ast.expr, answers: dict[str, ast.Call]) -> bool | None:
    """Whether a test holds when something is there, or somebody says yes; None for other tests."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _polarity(test.operand, answers)
        return None if inner is None else not inner
    if isinstance(test, ast.Name):
        return _polarity(answers[test.id], {}) if test.id in answers else None
    if isinstance(test, ast.Call):
        return True if getattr(test.func, "id", "") == "is_in_room" else None
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        right = test.comparators[0]
        said = str(right.value).lower() if isinstance(right, ast.Constant) else ""
        if said in ("yes", "no", "true", "false") and isinstance(test.ops[0], ast.Eq | ast.NotEq):
            return (said in ("yes", "true")) == isinstance(test.ops[0], ast.Eq)
    return None


def _way_back(words: str, shape: ProgramShape) -> Iterator[str]:
    match = _BACK.search(words)
    if match is None or _said(shape, match[1].split()[0]):
        return
    drives = shape.called("go_to")
    back = any(
        isinstance(argument, ast.Name) and argument.id in shape.starts
        for drive in drives
        for argument in drive.args[:1]
    )
    places = [ast.dump(drive.args[0]) for drive in drives if drive.args]
    if drives and not back and len(places) == len(set(places)) and not shape.loops:
        yield f"The instruction says '{match[1]}', and the program does not drive back."


def _waiting(words: str, shape: ProgramShape) -> Iterator[str]:
    match = _WAIT.search(words)
    if match and not shape.waits and not shape.called("ask") and not _said(shape, "wait"):
        yield f"The instruction says '{match[0]}', and the program does not wait."


def _decides(node: ast.AST) -> bool:
    if isinstance(node, ast.While):
        return not isinstance(node.test, ast.Constant)
    if isinstance(node, ast.comprehension):
        return bool(node.ifs)
    return isinstance(node, ast.IfExp | ast.BoolOp | ast.Match | ast.Try)


def _answers(nodes: list[ast.AST]) -> dict[str, ast.Call]:
    """Variables that hold the answer of one call of is_in_room, and nothing else."""
    found: dict[str, list[ast.expr]] = {}
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, []).append(node.value)
    return {
        name: value
        for name, values in found.items()
        if len(values) == 1 and isinstance(value := values[0], ast.Call)
    }


def _assigned_from(nodes: list[ast.AST], skill: str) -> set[str]:
    return {
        target.id
        for node in nodes
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and getattr(node.value.func, "id", "") == skill
        for target in node.targets
        if isinstance(target, ast.Name)
    }


_NUMBER = re.compile(
    rf"\b(?:{'|'.join(NUMBERS)}|[2-9]|1\d|20)\b(?!\s*(?:st|nd|rd|th|%|am|pm|a\.m|p\.m|o'clock|seconds?|"
    r"secs?|minutes?|mins?|hours?|days?|weeks?|or\b|to\b|and\b|,)|[:.]\d)"
)
_EVERY = re.compile(r"\b(every|each)\b(?! (?:other$|time))")
_CONDITION = re.compile(
    r"(?:^|[.;] |\b(?:and|then|but),? )(if|unless|otherwise|or else)\b(?! (?:possible|you can)\b)"
)
_REPORTED = re.compile(
    r"\b(?:asks?|know|find out|check|see|tell|say|wonder)\b[^.;]*\b(?:and|or|then),? if$"
)
_OTHERWISE = re.compile(r"\b(?:otherwise|else|if not|but if|in that case|instead)\b")
_POSITIVE = re.compile(
    r"\bif (?:so\b|yes\b|there (?:is|are) (?:an?|some|any|the)\b|you (?:see|find|spot|notice)\b"
    r"|(?:he|she|they|\w+) (?:says? yes|agrees?|accepts?)\b|the answer is yes)"
)
_NEGATIVE = re.compile(
    r"\b(?:unless|if (?:(?:not|no|none)\b|there (?:is|are) (?:no|none|not)\b|there (?:isn't|aren't)"
    r"|you (?:do not|don't|cannot|can't) (?:see|find)\b|(?:he|she|they|\w+) (?:says? no\b|refuses?"
    r"|declines?)|the answer is no\b))"
)
_BACK = re.compile(
    r"\b(come back|return|go back|get back)"
    r"(?= to (?:me|where|here)\b| here\b| and\b| then\b|[.,;]|$)"
)
_WAIT = re.compile(r"\bwait (?:for|until|till)\b")
