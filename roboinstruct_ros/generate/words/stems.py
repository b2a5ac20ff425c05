"""Words of an instruction or a program in the form in which they are compared."""

from __future__ import annotations

import re

from roboinstruct_ros.generate.words.command_words import COMMAND_WORDS

PRONOUNS = frozenset("he him she her they them it me i you us we".split())

WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")


def stems(text: str) -> tuple[str, ...]:
    """All words, each without possessive, plural and what spelling does to them."""
    return tuple(stem(word) for word in WORD.findall(unified(text)))


def content_stems(text: str) -> tuple[str, ...]:
    """Those that a program which does as it is told has to contain."""
    return tuple(word for word in stems(text) if word not in COMMANDS)


def unified(text: str) -> str:
    """Small letters and one kind of apostrophe."""
    return text.lower().replace("\u2019", "'")


def stem(word: str) -> str:
    """The word without possessive, plural and what spelling does to them, alike for both sides."""
    word = word.removesuffix("'s").removesuffix("'")
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    if len(word) > 3:
        word = word.removesuffix("e")
    return word[:-1] + "i" if word.endswith("y") else word


COMMANDS = frozenset(map(stem, COMMAND_WORDS))
"""Stems that a right program need not repeat."""

_PRONOUNS = frozenset(map(stem, PRONOUNS))


def content_words(text: str) -> frozenset[str]:
    """Stems of the words that carry content: no commands, no pronouns."""
    return frozenset(stems(text)) - COMMANDS - _PRONOUNS
