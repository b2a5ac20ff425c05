"""The question or note to a person when the model's texts do not agree."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence, Set
from difflib import SequenceMatcher
from itertools import pairwise, takewhile

from roboinstruct_ros.domain.answer import Answer, AnswerKind, with_choice
from roboinstruct_ros.domain.instruction import MAX_CHARACTERS, one_line
from roboinstruct_ros.domain.phrase import Phrase, phrase
from roboinstruct_ros.generate.choice import Accepted
from roboinstruct_ros.generate.words.program_shape import ADDRESS
from roboinstruct_ros.program.narrate import PlanStep

QUESTION = str(phrase("told.which_one"))
OTHER_WORDS = str(phrase("told.other_words"))
NOTE = str(phrase("note.unsure"))

_PlanWords = Sequence[Sequence[str]]
"""The words of each step, by which plans are compared."""

_ENDS = ("plan.end", "plan.break", "plan.continue", "plan.unless_stopped", "plan.when_done")
_GOES_ON = (
    "plan.else", "plan.else_if", "plan.if_fails", "plan.if_worked", "plan.in_any_case",
    "plan.when_done", "plan.unless_stopped",
)  # fmt: skip
"""Steps that tell themselves how they follow upon a block."""
LONGEST = 160
"""Most characters of a choice."""
LIKELY = 0.4
"""Confidence from which a program is shown rather than asked about in general; of 28 below it, 4
were right, of 21 up to 0.5, 9 (`asked_fourth.yaml`)."""


def question_between(
    instruction: str, one: Accepted, other: Accepted, confidence: float
) -> Answer | None:
    """A question which of two programs is meant, or, if they cannot be told apart in a line each
    and `one` is unlikely, for other words.

    Args:
        confidence: in `one`, from 0 to 1.

    Returns:
        None if the plans differ in nothing that a person would choose, at most in their wording, or
        if `one` may be shown without a question.
    """
    if _without_words(one.source) == _without_words(other.source):
        return None
    choices = told_apart(one.plan, other.plan)
    if choices == ("", ""):
        return None
    longest = max(len(with_choice(instruction, choice)) for choice in choices)
    if longest <= MAX_CHARACTERS and not other.notes and not all(map(_is_cut, choices)):
        return Answer(AnswerKind.QUESTION, QUESTION, choices)
    return Answer(AnswerKind.QUESTION, OTHER_WORDS) if confidence < LIKELY else None


def _without_words(source: str) -> str:
    """A program without the wording of its messages and questions; whom they address stays."""
    tree = ast.parse(source)
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        skill = getattr(call.func, "id", "")
        spoken = {"say": call.args[:1], "ask": call.args[1:2]}.get(skill, [])
        for text in (node for part in spoken for node in ast.walk(part)):
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                address = re.match(ADDRESS, text.value) if skill == "say" else None
                text.value = address[0] if address else ""
    return ast.dump(tree)


def told_apart(one: Sequence[PlanStep], other: Sequence[PlanStep]) -> tuple[str, str]:
    """For each of two plans, what it does differently, in a line of at most `LONGEST` characters.

    The two lines differ; both are empty if a person would see no difference.
    """
    told = [[step for step in plan if not step.aside and not _ends(step)] for plan in (one, other)]
    words = [[_words(step.text) for step in plan] for plan in told]
    choices = _choices(told, words)
    if choices == ("", ""):  # the same steps, of which one plan may repeat more
        deep = [[str(step.number.count("."))] for plan in told for step in plan]
        words = [[deep.pop(0) + of_step for of_step in plan] for plan in words]
        choices = _choices(told, words)
    return choices


def _choices(told: Sequence[Sequence[PlanStep]], words: Sequence[_PlanWords]) -> tuple[str, str]:
    """The lines of two plans by which of their steps have other words."""
    nested = ((step, inner) for plan in told for step, inner in pairwise(plan))
    opening = {step.text for step, inner in nested if _is_in(inner, step)}
    lines = _middles(told, words, opening)
    if max(map(len, lines)) > LONGEST:
        apart = _differences(told, words)
        lines = apart if apart[0] != apart[1] else lines
    ours, theirs = lines
    choices = _cut(_choice(ours, theirs, told[0])), _cut(_choice(theirs, ours, told[1]))
    return ("", "") if choices[0] == choices[1] else choices


def _is_in(inner: PlanStep, step: PlanStep) -> bool:
    return inner.number.startswith(f"{step.number}.")


def _ends(step: PlanStep) -> bool:
    """Whether the step only ends something, which tells a person nothing to choose."""
    return isinstance(step.said, Phrase) and step.said.key in _ENDS


def _choice(line: str, other: str, plan: Sequence[PlanStep]) -> str:
    """The line of a plan; a short plan that only lacks steps is told as a whole."""
    if line or not other:
        return _from_difference(line, other)
    last = max(
        (index for index, step in enumerate(plan) if not step.text.endswith(":")), default=-1
    )
    whole = _line(plan, 0, last + 1)
    return whole if 0 < len(whole) <= LONGEST // 2 else f"Without: {other}"


def _middles(
    told: Sequence[Sequence[PlanStep]], words: Sequence[_PlanWords], opening: Set[str]
) -> tuple[str, str]:
    """Each without the steps that both begin with, and those that both end with.

    Args:
        opening: steps that say nothing without the one that follows, such as "If Bob is here:".
    """
    one, other = told
    head = _shared(*words)
    tail = _shared(words[0][head:][::-1], words[1][head:][::-1])
    ends = [steps[head : len(steps) - tail][-1:] for steps in told]
    tail -= bool(tail) and any(end[0].text in opening for end in ends if end)
    return _line(one, head, len(one) - tail), _line(other, head, len(other) - tail)


def _differences(
    told: Sequence[Sequence[PlanStep]], words: Sequence[_PlanWords]
) -> tuple[str, str]:
    """Only the steps of each that the other does not have in this place."""
    first, second = ([" ".join(step) for step in steps] for steps in words)
    matcher = SequenceMatcher(a=first, b=second, autojunk=False)
    changes = [change for change in matcher.get_opcodes() if change[0] != "equal"]
    ours = (_line(told[0], begin, end) for _, begin, end, _, _ in changes)
    theirs = (_line(told[1], begin, end) for _, _, _, begin, end in changes)
    return " ... ".join(filter(None, ours)), " ... ".join(filter(None, theirs))


def _shared(one: Sequence[Sequence[str]], other: Sequence[Sequence[str]]) -> int:
    """Length of the common beginning."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _words(step: str) -> list[str]:
    """The words of a step to compare, without punctuation and the program's own list names."""
    return re.findall(r"\w+", re.sub("“[^”]*”", "", step).casefold())


def _line(plan: Sequence[PlanStep], begin: int, end: int) -> str:
    """The steps from `begin` to `end` with the condition or loop that the first of them stands in,
    and a word where they leave one."""
    steps = plan[begin:end]
    alone = steps and not steps[0].text.endswith(":")
    around = [step for step in plan[:begin] if alone and _is_in(steps[0], step)][-1:]
    told = [*around, *steps]
    texts = [one_line(step.text).rstrip(".") for step in told]
    for index, (before, step) in enumerate(pairwise(told), 1):
        on = isinstance(step.said, Phrase) and step.said.key in _GOES_ON
        if step.number.count(".") < before.number.count(".") and not on:
            texts[index] = f"afterwards: {texts[index]}"
    return re.sub("[⟨⟩]", "", "; ".join(texts).replace(":;", ":").rstrip(":"))


def _from_difference(line: str, other: str) -> str:
    """The line; after a long common beginning, only the part from the first different word."""
    words = line.split(" ")
    alike = _shared([_words(word) for word in words], [_words(word) for word in other.split(" ")])
    if len(" ".join(words[:alike])) <= LONGEST // 2:
        return line
    return "... " + " ".join(words[min(alike, len(words) - 1) :])


def _is_cut(line: str) -> bool:
    return line.endswith(" ...")


def _cut(line: str) -> str:
    if len(line) <= LONGEST:
        return line
    return line[: LONGEST - 3].rsplit(" ", 1)[0].removesuffix(" ...") + " ..."
