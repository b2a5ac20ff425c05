"""Sentences as a key and values, put into words by the message file of a language."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeAlias

MESSAGES = Path(__file__).parent / "messages"
ENGLISH = "en"
LANGUAGES = tuple(sorted(path.stem for path in MESSAGES.glob("*.json")))
"""ISO 639-1 codes of the message files."""

PLACEHOLDER = re.compile(r"\{(\w+)\}")

_ARTICLE = re.compile(r"^(the|an?) ", re.IGNORECASE)
_CLAUSES = ("told.", "clause.")
"""Prefixes of what may stand at a placeholder `why`."""
_DEFERRED = ("told.when_next", "told.when_seen", "told.when_known")
_OTHERS_WORDS = frozenset({"rest", "what", "text", "question", "reason", "code", "names"})
"""Placeholders for what people, the model or a file have said, which stays as it is."""
_SENTENCES = _OTHERS_WORDS | {"why", "words"}
"""Placeholders at which a colon may stand; names have none, so that `line 3: ` is part of none."""

Message: TypeAlias = "str | Mapping[str, str]"
"""A text with `{placeholders}`; or one for each plural category (CLDR) of the value `n`."""


@dataclass(frozen=True)
class Phrase:
    """A message and what stands at its placeholders; `str()` is its English.

    Attributes:
        key: of the message files.
        values: text, numbers, phrases, or tuples of these that are joined without a blank.
    """

    key: str
    values: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        return text_of(self)


Said: TypeAlias = "str | int | Phrase | tuple[Said, ...]"
"""What may stand at a placeholder; a text is the same in every language."""


def phrase(key: str, **values: Any) -> Phrase:
    """The message of that key with these values."""
    return Phrase(key, values)


def text_of(said: Any, language: str = ENGLISH) -> str:
    """In the words of a language.

    Raises:
        KeyError: the message file has no such key, or the phrase no value for a placeholder.
    """
    if isinstance(said, tuple):
        return "".join(text_of(part, language) for part in said)
    if not isinstance(said, Phrase):
        return str(said)
    message = messages(language)[said.key]
    if not isinstance(message, str):
        # The same in all languages that there are; test_messages.py holds it to that.
        message = message["one" if said.values["n"] == 1 else "other"]
    return PLACEHOLDER.sub(lambda found: text_of(said.values[found[1]], language), message)


@lru_cache(maxsize=4096)
def recognised(text: str, *prefixes: str) -> Phrase | None:
    """The phrase of a sentence that has come as English text, by ROS or out of a file.

    Whether it begins with a capital and ends with a full stop does not matter.

    Args:
        prefixes: of the keys whose English it may be.

    Returns:
        None where it is none of them. Among its values `n` is a number, `why` a phrase, `room`,
        `thing` and other names are without their article.
    """
    for key, pattern in _patterns(prefixes):
        if not (found := pattern.fullmatch(text)):
            continue
        values = {name: _value(name, given) for name, given in found.groupdict().items()}
        if None not in values.values():
            return Phrase(key, values)
    return None


def _value(name: str, text: str) -> Said | None:
    """What stands at a placeholder; None where it is a sentence that nobody knows."""
    if name == "n":
        return int(text)
    if name == "why":
        return recognised(text, *_CLAUSES)
    if name == "rest":  # of a task: words of a person, maybe with what has to be known first
        return recognised(text, *_DEFERRED) or text
    return text if name in _OTHERS_WORDS else _ARTICLE.sub("", text)


@cache
def _patterns(prefixes: tuple[str, ...]) -> list[tuple[str, re.Pattern[str]]]:
    """By key; what has more words of its own comes first."""
    forms = [
        (key, form)
        for key, message in messages(ENGLISH).items()
        if key.startswith(prefixes)
        for form in ([message] if isinstance(message, str) else message.values())
    ]
    forms.sort(key=lambda one: -len(PLACEHOLDER.sub("", one[1])))
    return [(key, _pattern(form)) for key, form in forms]


def _pattern(message: str) -> re.Pattern[str]:
    """What such a message looks like with any values."""
    text, *rest = PLACEHOLDER.split(message.removesuffix("."))
    pattern, seen = f"(?i:{re.escape(text[:1])}){re.escape(text[1:])}", set()
    for name, more in zip(rest[::2], rest[1::2], strict=True):
        any_value = {"n": r"\d+"}.get(name, ".+?" if name in _SENTENCES else "[^:]+?")
        pattern += f"(?P={name})" if name in seen else f"(?P<{name}>{any_value})"
        pattern += re.escape(more)
        seen.add(name)
    return re.compile(rf"{pattern}\.?", re.DOTALL)


def listed(parts: Iterable[Said], between: str = ", ") -> tuple[Said, ...]:
    """The parts as one value, with something between them."""
    joined = [one for part in parts for one in (between, part)]
    return tuple(joined[1:])


def joined(key: str, parts: Sequence[Said]) -> Said:
    """The parts, two by two, as that message says them."""
    first, *rest = parts
    for part in rest:
        first = phrase(key, first=first, second=part)
    return first


@cache
def messages(language: str) -> dict[str, Message]:
    """The message file of a language, by key."""
    path = MESSAGES / f"{language}.json"
    read: dict[str, Message] = json.loads(path.read_text(encoding="utf-8"))
    return read


messages(ENGLISH)  # now: a confined process may open no file when it has something to say
