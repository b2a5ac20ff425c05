"""Decides when two names mean the same thing, for the verifier and the robot alike."""

from __future__ import annotations

from collections.abc import Collection

from roboinstruct_ros.domain.semantic_map import folded

ARTICLES = frozenset({"a", "an", "the", "some"})
ANYBODY = frozenset({"", "person", "people", "human", "someone", "somebody", "anyone", "anybody"})
"""Words that address whoever is there; an empty one does (`Ask.action`)."""


def plain_words(name: str) -> list[str]:
    """The words of a name in the form in which names are compared: no case, article or plural."""
    words = folded(name).split()
    return [_singular(word) for word in words if word not in ARTICLES or len(words) == 1]


def plain_name(name: str) -> str:
    """The canonical name: equal for all names of one thing."""
    if name.isalpha() and name.islower() and (len(name) < 4 or name[-1] != "s"):
        return _IRREGULAR.get(name, name)  # the common case
    return " ".join(plain_words(name))


def same_thing(asked: str, name: str) -> bool:
    """Whether two names mean the same thing; case, articles and the plural are ignored."""
    return plain_name(asked) == plain_name(name)


def means_anybody(asked: str, words: Collection[str] = ANYBODY) -> bool:
    """Whether a name addresses anyone who is there; case and an article are ignored."""
    first, *rest = folded(asked).split() or [""]
    return " ".join(rest if rest and first in ARTICLES else (first, *rest)) in words


_IRREGULAR = {
    "children": "child", "men": "man", "women": "woman", "mice": "mouse", "feet": "foot",
    "teeth": "tooth", "knives": "knife", "wives": "wife", "shelves": "shelf", "loaves": "loaf",
    "leaves": "leaf", "halves": "half", "scarves": "scarf", "potatoes": "potato",
    "tomatoes": "tomato",
}  # fmt: skip
"""The singular of plurals that no rule gives."""


def _singular(word: str) -> str:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("xes", "ches", "shes", "sses")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word
