"""Corrects slips of the keyboard in an instruction: "plase bring me a towl".

A model copies a misspelt word into its program, and the robot would look for a "towl". Corrected
is only a word that neither the dictionary nor the robot's place knows, and only to a word one slip
away; and a few prepositions that are spelt as another word. Quoted words, words with a capital
letter, and what could be several words stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import cache
from string import ascii_lowercase
from typing import TYPE_CHECKING

from roboinstruct_ros.domain.instruction import Instruction

if TYPE_CHECKING:
    from spellchecker import SpellChecker

SHORTEST, LONG = 3, 6  # letters of a word that is corrected; of one that may have a wrong letter
LONG_NAME = 5  # letters of a word that may be a name of the place with a wrong letter
CLEARLY = 2.5  # times as likely as any other is the correction that is made
SLIP = 15  # times as likely are exchanged or doubled letters as one that was left out

RARE, COMMON, VERY_COMMON = 400, 5_000, 100_000
"""Least frequency of a correction of a long word, of a short one, and of one of three letters or
with another first letter. The dictionary counts words of film subtitles ("the" 22 million, "towel"
10,000)."""

MOST_UNKNOWN = 0.5
"""A text of which a larger share stays unknown is not English, and stays as it is."""

_QUOTED = r"\"[^\"]*\"|\u201c[^\u201d]*\u201d|(?<!\w)'[^']*'(?!\w)"
_PIECES = re.compile(rf"{_QUOTED}|\w+(?:['\u2019-]\w+)*")

_NO_NOUN = "".join(
    rf"(?<!\b{word} )"
    for word in "the a an my his her our your their this that each any no and or leave".split()
)

_AMERICAN = {
    "our": "or", "tre": "ter", "is": "iz", "ys": "yz", "lle": "le", "lli": "li", "mme": "m"
}  # fmt: skip
_BRITISH = re.compile("|".join(_AMERICAN))  # the dictionary is American


def without_slips(
    instruction: Instruction, place: Collection[str]
) -> tuple[Instruction, Mapping[str, str]]:
    """The instruction without its slips, and the corrected words with their corrections.

    Args:
        place: As of `corrected`.
    """
    if not instruction.language.startswith("en"):
        return instruction, {}
    text, slips = corrected(instruction.text, place)
    old = instruction.reference
    if old is not None:
        merged, wanted = (corrected(words, place)[0] for words in (old.merged, old.wanted))
        old = replace(old, merged=merged, wanted=wanted)
    return replace(instruction, text=text, reference=old), slips


def corrected(text: str, place: Collection[str] = ()) -> tuple[str, Mapping[str, str]]:
    """`text` without its slips, and the corrected words with their corrections.

    Args:
        text: One line.
        place: Names of rooms, people and things; their words are right.
    """
    text = _with_prepositions(text, place)
    names = {word for name in place for word in _words(name.casefold())}
    lower = text[:1].lower() + text[1:]
    words = _words(lower)
    unknown = [word for word in words if not _is_known(word.casefold(), names)]
    meant = {word: right for word in unknown if (right := _correction(word, names))}
    if sum(word not in meant for word in unknown) > MOST_UNKNOWN * len(words):
        return text, {}
    right = _PIECES.sub(lambda piece: meant.get(piece[0], piece[0]), lower)
    return (right[:1].upper() + right[1:] if text[:1].isupper() else right), meant


def _with_prepositions(text: str, place: Collection[str]) -> str:
    """`text` with "form the lab" and "too Bob" as "from" and "to", and "int he" as "in the"."""
    goal = "|".join(["the", "my", "his", "her", "our", "your", "their", *map(re.escape, place)])
    text = _outside_quotes(rf"(?<=\w ){_NO_NOUN}\bform(?= (?:{goal})\b)", "from", text)
    text = _outside_quotes(rf"\btoo(?= (?:{goal})\b)", "to", text)
    return _outside_quotes(r"\b(to|in|on|at|of|for|from|and|with)t he\b", r"\2 the", text)


def _outside_quotes(wrong: str, right: str, text: str) -> str:
    both = re.compile(f"({_QUOTED})|{wrong}", re.IGNORECASE)
    return both.sub(lambda found: found[1] or found.expand(right), text)


def _words(text: str) -> list[str]:
    return [piece for piece in _PIECES.findall(text) if piece[0].isalpha()]


def _is_known(word: str, names: Collection[str]) -> bool:
    american = _BRITISH.sub(lambda part: _AMERICAN[part[0]], word)
    return not {word, american}.isdisjoint(names) or bool(dictionary().known([word, american]))


def _correction(word: str, names: Collection[str]) -> str:
    """The word that is meant; "" if that is not clear."""
    if len(word) < SHORTEST or not (word.isascii() and word.isalpha() and word.islower()):
        return ""
    near = dictionary().edit_distance_1(word)
    count = dictionary().word_frequency
    slips = set(_slips(word))
    ways = slips if len(word) == SHORTEST else slips.union(_left_out(word))
    # "kaya" may be somebody else than the map's Kara
    alike = near if len(word) >= LONG_NAME else ways
    if named := [name for name in names if name in alike and name[0] == word[0]]:
        return named[0] if len(named) == 1 else ""
    likely = {
        right: count[right] * (SLIP if right in slips else 1)
        for right in ways
        if count[right] >= _least(word, right)
    }
    if likely:
        first, *others = sorted(likely, key=lambda right: -likely[right])
        return "" if others and likely[first] < CLEARLY * likely[others[0]] else first
    changed = [right for right in near if right[0] == word[0] and count[right] >= COMMON]
    return changed[0] if len(changed) == 1 and len(word) >= LONG else ""


def _least(word: str, right: str) -> int:
    if len(word) == SHORTEST or right[0] != word[0]:
        return VERY_COMMON
    return RARE if len(word) >= LONG else COMMON


def _slips(word: str) -> Iterator[str]:
    """With two neighbours exchanged, a letter doubled or no longer doubled, or an apostrophe."""
    for place, letter in enumerate(word):
        before, after = word[:place], word[place + 1 :]
        yield before + after[:1] + letter + after[1:]
        yield before + 2 * letter + after
        yield f"{before}'{letter}{after}"
        if after.startswith(letter):
            yield before + after


def _left_out(word: str) -> Iterator[str]:
    """With one letter more, but not the first."""
    for place in range(1, len(word) + 1):
        yield from (word[:place] + letter + word[place:] for letter in ascii_lowercase)


@cache
def dictionary() -> SpellChecker:
    """English, read once, which takes 0.1 s."""
    from spellchecker import SpellChecker

    return SpellChecker(language="en", distance=1)
