"""The phrases that a person may say for each option of a question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from roboinstruct_ros.domain.semantic_map import folded

YES = ("yes", "yeah", "yep", "sure", "okay", "yes please", "of course")
NO = ("no", "nope", "no thanks", "no thank you", "not really")
STOP = ("stop",)
_ARTICLES = frozenset(("a", "an", "the", "some", "my", "your"))
_WORD = re.compile(r"[^\W_]+(?:['.:][^\W_]+)*", re.UNICODE)


@dataclass(frozen=True)
class Phrase:
    """Words that choose an option.

    Attributes:
        words: as spoken, lower case.
        option: index of the option; None means stop.
    """

    words: tuple[str, ...]
    option: int | None

    @property
    def text(self) -> str:
        return " ".join(self.words)


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text as spoken: lower case, no punctuation."""
    return tuple(_WORD.findall(folded(text.replace("’", "'"))))


def phrases(options: Sequence[str], stop_words: Sequence[str] = STOP) -> list[Phrase]:
    """All phrases that may be said, each once; ambiguous ones are left out.

    An option may be said as written, without its article, with the words unique to it, and, if
    exactly one option begins with yes (or no), with a synonym of that.
    """
    spoken = [words_of(option) for option in options]
    found: dict[tuple[str, ...], set[int]] = {}
    for index, words in enumerate(spoken):
        others = [other for at, other in enumerate(spoken) if at != index]
        for way in (words, _without_article(words)):
            found.setdefault(way, set()).add(index)
        # a short form never uses another option's own words
        for way in (*_own_words(words, others), *_synonyms(words, others)):
            if way not in spoken:
                found.setdefault(way, set()).add(index)
    stops = [words_of(word) for word in stop_words]
    clear = [
        Phrase(words, next(iter(indices)))
        for words, indices in found.items()
        if words and len(indices) == 1 and words not in stops
    ]
    return [*clear, *(Phrase(words, None) for words in dict.fromkeys(stops) if words)]


def _without_article(words: tuple[str, ...]) -> tuple[str, ...]:
    return words[1:] if len(words) > 1 and words[0] in _ARTICLES else words


def _own_words(words: tuple[str, ...], others: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """The words unique to the option, if there is only one: 'kitchen'."""
    shared = {word for other in others for word in other} | _ARTICLES
    own = [word for word in words if word not in shared and len(word) > 2]
    return [(own[0],)] if len(own) == 1 and len(words) > 1 else []


def _synonyms(words: tuple[str, ...], others: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    for meaning in (YES, NO):
        if words[:1] == (meaning[0],) and not any(other[:1] == words[:1] for other in others):
            return [words_of(word) for word in meaning]
    return []
