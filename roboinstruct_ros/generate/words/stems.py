"""Reduces the words of an instruction or a program to the form in which they are compared."""

from __future__ import annotations

import re

from roboinstruct_ros.generate.words.command_words import COMMAND_WORDS

PRONOUNS = frozenset("he him she her they them it me i you us we".split())

NUMBERS = {
    word: number
    for number, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve".split(), start=1
    )
}
"""The values of number words."""
SEVERAL = {word: number for word, number in NUMBERS.items() if number > 1}
"""Those that always count: "one" may stand for a thing."""

WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")


def stems(text: str) -> tuple[str, ...]:
    """The stems of all words."""
    return tuple(stem(word) for word in WORD.findall(unified(text)))


def content_stems(text: str) -> tuple[str, ...]:
    """The stems that a program must contain to follow the instruction."""
    return tuple(word for word in stems(text) if word not in COMMANDS)


def unified(text: str) -> str:
    """Lower case, with one kind of apostrophe, and blanks for the underscores of names."""
    return text.lower().replace("\u2019", "'").replace("_", " ")


def in_digits(word: str) -> str:
    """The word in lower case, a number word as digits."""
    word = word.lower()
    return str(NUMBERS.get(word, word))


def stem(word: str) -> str:
    """The word without possessive, plural and the spelling changes that these cause."""
    word = word.removesuffix("'s").removesuffix("'")
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    if len(word) > 3:
        word = word.removesuffix("e")
    return word[:-1] + "i" if word.endswith("y") else word


COMMANDS = frozenset(map(stem, COMMAND_WORDS))
"""Stems that a correct program need not repeat."""

_PRONOUNS = frozenset(map(stem, PRONOUNS))


def content_words(text: str) -> frozenset[str]:
    """Stems of content words: no commands, no pronouns."""
    return frozenset(stems(text)) - COMMANDS - _PRONOUNS
