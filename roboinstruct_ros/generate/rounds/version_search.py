"""Finds the version of a task that a person means: by number, order, or content."""

from __future__ import annotations

import re
from collections.abc import Sequence
from sqlite3 import OperationalError

from roboinstruct_ros.domain.task_version import TaskVersion
from roboinstruct_ros.generate.prompts.nearest_text import nearest
from roboinstruct_ros.generate.words.stems import in_digits

_NUMBER = re.compile(r"\bversion (?:number )?(\w+)\b", re.IGNORECASE)
_LACKING = re.compile(r"\b(?P<how>before|without) (?P<what>.+)$", re.IGNORECASE)
_ORDER = {"first": 1, "original": 1, "originally": 1, "initial": 1, "second": 2, "third": 3,
          "fourth": 4, "fifth": 5}  # fmt: skip
_BEFORE = frozenset("previous earlier last old older before prior was were had did said".split())
_FILLING = frozenset(
    """
    the a an version versions one program plan task try state with where that which in for without
    from it was were had did said how what way as we you i back to is only just at very my your
    change step better best more nicer again please added put came any some
    """.split()
)


def find_version(
    target: str,
    versions: Sequence[TaskVersion],
    current: TaskVersion,
) -> TaskVersion | None:
    """The version that `target` names; None if it names none.

    Args:
        target: Words such as "version 2", "the first one", "the version with two boxes".
        versions: All versions of the task in order; at least one.
        current: The version of the follow-up; a search by content prefers other ones.
    """
    words = re.findall(r"[^\W_]+", target.lower())
    if (number := _NUMBER.search(target)) and (digits := _digits(number[1])):
        return _numbered(int(digits), versions)
    excluded = _LACKING.search(target)
    if excluded and (lacking := _content(excluded["what"]))[:1]:
        versions = _without(lacking[0], versions, excluded["how"].lower() == "before")
        words = [word for word in words if word != lacking[0]]
        if versions and not _content(" ".join(words)):
            return versions[-1]
    content = _content(" ".join(words))
    if content:
        return _by_content(content, versions, current)
    for word in words:
        if word in _ORDER:
            return versions[0] if _ORDER[word] == 1 else _numbered(_ORDER[word], versions)
    if _BEFORE & set(words):
        older = [version for version in versions if version.number < current.number]
        return _numbered(current.parent, versions) or (older[-1] if older else None)
    return None


def _content(text: str) -> list[str]:
    """Words about the content of a version; "one" only if it counts something."""
    words = re.findall(r"[^\W_]+", text.lower())
    empty = {*_FILLING, *_ORDER, *_BEFORE, "without"}
    following = [*words[1:], ""]
    return [
        word
        for word, after in zip(words, following, strict=True)
        if word not in empty or (word == "one" and after and after not in empty)
    ]


def _without(word: str, versions: Sequence[TaskVersion], before: bool) -> Sequence[TaskVersion]:
    """The versions without what the word names; or those before the first that has it."""
    having = [one for one in versions if _ranked(word, [f"{one.words}\n{one.summary}"])]
    if before and having:
        return [one for one in versions if one.number < having[0].number]
    return [one for one in versions if one not in having]


def _digits(word: str) -> str:
    word = in_digits(word)
    return word if word.isdecimal() else ""


def _numbered(number: int, versions: Sequence[TaskVersion]) -> TaskVersion | None:
    return next((version for version in versions if version.number == number), None)


def _by_content(
    content: Sequence[str], versions: Sequence[TaskVersion], current: TaskVersion
) -> TaskVersion | None:
    others = [version for version in versions if version != current]
    for candidates in (others, [current]):
        # "The version with one box" is the one with a box.
        texts = [
            re.sub(r"\ban?\b", "one", f"{one.said}\n{one.words}\n{one.summary}")
            for one in candidates
        ]
        # The version with most of the words; of equals, the best rank.
        found: list[tuple[int, int, TaskVersion]] = []
        for rank, place in enumerate(_ranked(" ".join(content), texts)):
            shared = sum(bool(_ranked(word, [texts[place]])) for word in content)
            found.append((-shared, rank, candidates[place]))
        if found:
            return min(found, key=lambda one: one[:2])[2]
    return None


def _ranked(words: str, texts: Sequence[str]) -> list[int]:
    try:
        return nearest(words, texts, len(texts))
    except OperationalError:  # no full-text search: numbers and order still work
        return []
