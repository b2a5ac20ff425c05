"""Edit similarity of instructions, and the filter for instructions too similar to a kept one.

Pairs that differ in names only have the same pattern, so names are excluded from the comparison:
every quoted text of the program that also occurs in the instruction counts as one placeholder.
Source: ROBO-INSTRUCT, section 4: token sequences of instructions, dropped above 0.6 (Lee et al.,
2022).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

MOST_SIMILAR = 0.6
"""An instruction this similar to a kept one of its family is dropped."""

# The cutoff makes the search fast; slightly lower, because it is not exact at its edge.
_WORTH_A_LOOK = MOST_SIMILAR - 0.01
_TOKEN = re.compile(r"\w+|[^\w\s]")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_NAME = "_"

Pattern = tuple[str, ...]


def pattern_of(instruction: str, program: str) -> Pattern:
    """An instruction's words and punctuation in lower case, names as placeholders."""
    text = instruction.lower()
    names = {name.lower() for name in _QUOTED.findall(program)}
    names |= {name.removesuffix("'s office") for name in names}
    for name in sorted(names, key=len, reverse=True):
        if len(name) > 1:
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", _NAME, text)
    return tuple(_TOKEN.findall(text))


def similarity(one: Pattern, other: Pattern) -> float:
    """1 minus the edit distance in tokens over the longer length: 0 (nothing alike) to 1."""
    return float(Levenshtein.normalized_similarity(one, other))


class Kept:
    """The kept patterns, by family."""

    def __init__(self) -> None:
        self._patterns: dict[str, list[Pattern]] = defaultdict(list)

    def is_near(self, family: str, pattern: Pattern) -> bool:
        """Whether a kept pattern of the family is too similar."""
        return any(
            Levenshtein.normalized_similarity(pattern, other, score_cutoff=_WORTH_A_LOOK)
            >= MOST_SIMILAR
            for other in self._patterns[family]
        )

    def add(self, family: str, pattern: Pattern) -> None:
        """Add a kept pattern."""
        self._patterns[family].append(pattern)


class Known:
    """Patterns, searchable for the nearest one."""

    def __init__(self, patterns: Iterable[Pattern] = ()) -> None:
        self._patterns = list(patterns)

    def add(self, pattern: Pattern) -> None:
        """Add a pattern."""
        self._patterns.append(pattern)

    def nearest(self, pattern: Pattern) -> tuple[float, int]:
        """The similarity to the nearest pattern, and its index; 0 and -1 if there is none."""
        found = process.extractOne(
            pattern, self._patterns, scorer=Levenshtein.normalized_similarity, processor=None
        )
        return (float(found[1]), int(found[2])) if found else (0.0, -1)
