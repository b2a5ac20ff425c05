"""Decides whether words name something, even misspelt or run together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from roboinstruct_ros.generate.words.stems import WORD, in_digits, unified

ALIKE = 0.8
"""Least similarity of two spellings of one name."""

NAMELESS = frozenset("person people somebody someone anybody anyone human".split())
"""Names that need not be said: whoever is there."""

_OWNED = re.compile(r"^(.+?)['\u2019]s? \w+$")


class SaidNames:
    """The names in a text.

    Args:
        text: An instruction, with further known words.
    """

    def __init__(self, text: str) -> None:
        self._words = words_of(text)

    def __contains__(self, name: str) -> bool:
        """Whether the text has the name (see `spells`), or of a person's room the person."""
        owned = _OWNED.match(name)
        return self.spells(name) or (owned is not None and owned[1] in self)

    def spells(self, name: str) -> bool:
        """Whether the text has the name, or words that are spelt similarly.

        Numbers and single letters must match exactly.
        """
        parts = words_of(name)
        if not set(parts) - NAMELESS:
            return True
        exact = {part for part in parts if len(part) == 1 or part.isdigit()}
        if not exact <= set(self._words):
            return False
        joined = "".join(parts)
        longest = len(parts) + 1
        return any(_alike(joined, window) for window in self._windows(longest))

    def shares_a_word(self, name: str) -> bool:
        """Whether the text has one word of the name that is longer than a number."""
        return any(len(part) > 2 and part in self for part in words_of(name))

    def _windows(self, longest: int) -> list[str]:
        words = self._words
        return [
            "".join(words[at : at + size])
            for size in range(1, longest + 1)
            for at in range(len(words) - size + 1)
        ]


def words_of(text: str) -> Sequence[str]:
    """The words in lower case, numbers as digits, without the possessive."""
    words = (_stem(word.removesuffix("'s")) for word in WORD.findall(unified(text)))
    return [in_digits(word) for word in words]


def _stem(word: str) -> str:
    """Equal for singular and plural: box and boxes, balcony and balconies, cookie and cookies."""
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    return word[:-1] + "ie" if word.endswith("y") else word


@lru_cache(maxsize=4096)
def _alike(one: str, other: str) -> bool:
    if one == other:
        return True
    shorter, longer = sorted((len(one), len(other)))
    if 2 * shorter < ALIKE * (shorter + longer) or shorter < 3:
        return False
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return matcher.quick_ratio() >= ALIKE and matcher.ratio() >= ALIKE
