"""Has a model describe a program without seeing the instruction, and compares the two.

Source: ROBO-INSTRUCT, 2.3 and A.5.4: the program is put into words again, and these are compared
with the instruction. In the paper a model compares them. Here the comparison looks for words that
change a task: conditions, negations, quantities. Sentences that differ in other wording count as
alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from roboinstruct_ros.generate.backends.backend import Backend, StopSignal
from roboinstruct_ros.generate.plain_answer import plain_answer
from roboinstruct_ros.generate.prompts.examples import (
    AS_MANY_AS_ASKED,
    LOOK_THEN_BRING,
    ONE_FOR_EACH_ROOM,
)
from roboinstruct_ros.generate.words.stems import SEVERAL, content_stems, unified

MOST_TOKENS = 96
MOST_CHARACTERS = 400  # longest sentence
BEGINS = "Request:"

MOST_NOTES = 3

LEAST_IN_COMMON = 0.5
"""Least share of the instruction's content words in a sentence about the same task."""

NOTHING_SAID = "The model did not say what the program does; only the words were compared."

_ASKED = (
    "Each of these programs was written for a request to a robot. Say the request, in one English\n"
    "sentence, as exactly as the program: every condition, every number, every repetition.\n"
)


def back_translation_notes(
    instruction: str, source: str, backend: Backend, cancel: StopSignal
) -> tuple[str, ...]:
    """Notes on the differences between the instruction and the model's sentence about the program.

    Args:
        instruction: The words.
        source: Text of an accepted program.
        backend: A model that can read; it does not see the instruction.
        cancel: Ends it within 100 ms.
    """
    said = plain_answer(backend, back_translation_prompt(source), BEGINS, MOST_TOKENS, cancel)
    sentence = read_sentence(said)
    if not sentence:
        return () if cancel.is_set() else (NOTHING_SAID,)
    return differences(instruction, sentence)


def back_translation_prompt(source: str) -> str:
    """The prompt; the model continues it after `BEGINS`."""
    shown = []
    for example in (LOOK_THEN_BRING, ONE_FOR_EACH_ROOM, AS_MANY_AS_ASKED):
        words, _, program = example.partition("\n")
        shown.append(f"{program}{BEGINS} {words.removeprefix('# Instruction: ')}\n")
    return "\n".join((_ASKED, *shown, source.rstrip()))


def read_sentence(said: str) -> str:
    """The first line of the model's text if it is a sentence and not code; else empty."""
    lines = (re.sub(r"[*`#]+", "", line).strip() for line in said.splitlines())
    line = next((line for line in lines if line), "")
    line = line.removeprefix(BEGINS).strip().strip('"')
    if (
        len(line) > MOST_CHARACTERS
        or line.startswith(("def ", "import ", "python"))
        or len(line.split()) < 2
    ):
        return ""
    return line


def differences(instruction: str, sentence: str) -> tuple[str, ...]:
    """What only one of two sentences about a task says, one sentence each."""
    said = set(content_stems(instruction))
    if said and len(said & set(content_stems(sentence))) < LEAST_IN_COMMON * len(said):
        return (f'Read back, the program is about something else: "{sentence}"',)
    words, told = _unquoted(instruction), _unquoted(sentence)
    asked, answered = _numbers(instruction), _numbers(sentence)
    found = [
        *(f"the instruction says '{word}'" for word in _missing(words, told)),
        *(f"it says '{word}', the instruction does not" for word in _missing(told, words)),
        *(f"the instruction says {n}" for n in sorted(asked - answered)),
        *(f"it says {n}, the instruction does not" for n in sorted(answered - asked)),
    ]
    return tuple(f'Read back, the program is "{sentence}": {what}.' for what in found[:MOST_NOTES])


def _unquoted(text: str) -> str:
    """The instruction without the words to be spoken."""
    return re.sub(r"[\"\u201c][^\"\u201d]*[\"\u201d]|(?<!\w)'[^']*'(?!\w)", " ", unified(text))


def _missing(one: str, other: str) -> Iterator[str]:
    for kind in _KINDS:
        match = kind.says.search(one)
        if match and not kind.fits.search(other):
            yield match[0]


def _numbers(text: str) -> set[int]:
    found = re.findall(rf"\b(?:{'|'.join(SEVERAL)}|\d{{1,2}})\b", unified(text))
    return {number for word in found if (number := SEVERAL.get(word) or int(word)) > 1}


@dataclass(frozen=True)
class _Kind:
    """Words that change a task, and their counterparts, one of which the other sentence needs."""

    says: re.Pattern[str]
    fits: re.Pattern[str]


_DECIDES = (
    r"if|whether|unless|otherwise|else|in case|depend\w*|check\w*|see|look\w*|find\w*|search\w*"
    r"|which|how many|when\w*|where\w*|until|tell|report|know|ask\w*|count\w*|who|others?"
    r"|ensure|make sure|that (?:has|have|is|are)|(?:is|are) \w[^.]*\?"
)
_NEGATES = (
    r"no|not|none|never|nobody|nothing|without|unless|missing|lack\w*|otherwise|else|empty|only|all"
)
_MANY = (
    r"every\w*|each|all|any|both|which|how many|that many|whole|look\w* for|search\w*|find"
    r"|(?!this|says|always)\w\w+[^s\W]s|\w+, [^.]+ and"
)
_WAITS = r"wait\w*|until|till|as soon as|when\w*|arriv\w*|shows? up|once|found|if"


def _kind(says: str, fits: str) -> _Kind:
    return _Kind(re.compile(rf"\b(?:{says})\b"), re.compile(rf"\b(?:{fits})(?!\w)|n't\b"))


_KINDS = (
    _kind(r"every(?!body|one)\w*|each|all", _MANY),
    _kind(r"if|unless|otherwise|in case", _DECIDES),
    _kind(r"no|not|none|never|nobody|nothing|without|unless", f"{_NEGATES}|{_DECIDES}"),
    _kind(r"only", r"only|just|alone|exactly|single|if|not"),
    _kind(r"wait|until|as soon as", _WAITS),
)
