"""Sentences as a key and values; the message file of a language puts them into words."""

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
BROWSERS = "browser"
"""In the place of a language: the one that the browser is set to."""
"""ISO 639-1 codes of the message files."""

PLACEHOLDER = re.compile(r"\{(\w+)\}")

_ARTICLE = re.compile(r"^(the|an?) ", re.IGNORECASE)
_CLAUSES = ("told.", "clause.")
"""Key prefixes of what the placeholder `why` may hold."""
_DEFERRED = ("told.when_next", "told.when_seen", "told.when_known")
_OTHERS_WORDS = frozenset({"rest", "what", "text", "question", "reason", "code", "names"})
"""Placeholders for words of a person, the model or a file, which are not changed."""
_SENTENCES = _OTHERS_WORDS | {"why", "words"}
"""Placeholders whose value may contain a colon; a name never includes a prefix as `line 3: `."""

Message: TypeAlias = "str | Mapping[str, str]"
"""A text with `{placeholders}`, or one such text per plural category (CLDR) of the value `n`."""


@dataclass(frozen=True)
class Phrase:
    """A message key and the values of its placeholders; `str()` is its English.

    Attributes:
        key: of the message files.
        values: texts, numbers, phrases, or tuples of these, which are concatenated without a blank.
    """

    key: str
    values: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        return text_of(self)


Said: TypeAlias = "str | int | Phrase | tuple[Said, ...]"
"""A possible value of a placeholder; a plain text is the same in every language."""


def phrase(key: str, **values: Any) -> Phrase:
    """The message of that key with these values."""
    return Phrase(key, values)


def text_of(said: Any, language: str = ENGLISH) -> str:
    """Put a phrase into the words of a language.

    Raises:
        KeyError: the message file lacks the key, or the phrase lacks the value of a placeholder.
    """
    if isinstance(said, tuple):
        return "".join(text_of(part, language) for part in said)
    if not isinstance(said, Phrase):
        return str(said)
    message = messages(language)[said.key]
    if not isinstance(message, str):
        # This rule holds for all available languages; test_messages.py checks it.
        message = message["one" if said.values["n"] == 1 else "other"]
    return PLACEHOLDER.sub(lambda found: text_of(said.values[found[1]], language), message)


@lru_cache(maxsize=4096)
def recognised(text: str, *prefixes: str) -> Phrase | None:
    """Recover the phrase of a sentence that arrived as English text, over ROS or from a file.

    A capital at the beginning and a full stop at the end do not matter.

    Args:
        prefixes: the keys to try begin with one of them.

    Returns:
        None if no message matches. Among its values, `n` is a number, `why` a phrase, and names
        lose their article.
    """
    for key, pattern in _patterns(prefixes):
        if not (found := pattern.fullmatch(text)):
            continue
        values = {name: _value(name, given) for name, given in found.groupdict().items()}
        if None not in values.values():
            return Phrase(key, values)
    return None


def _value(name: str, text: str) -> Said | None:
    """The value of a placeholder; None for a sentence that no message matches."""
    if name == "n":
        return int(text)
    if name == "why":
        return recognised(text, *_CLAUSES)
    if name == "rest":  # of a task: words of a person, maybe with what has to be known first
        return recognised(text, *_DEFERRED) or text
    return text if name in _OTHERS_WORDS else _ARTICLE.sub("", text)


@cache
def _patterns(prefixes: tuple[str, ...]) -> list[tuple[str, re.Pattern[str]]]:
    """Key and pattern of each message, the one with the most text of its own first."""
    forms = [
        (key, form)
        for key, message in messages(ENGLISH).items()
        if key.startswith(prefixes)
        for form in ([message] if isinstance(message, str) else message.values())
    ]
    forms.sort(key=lambda one: -len(PLACEHOLDER.sub("", one[1])))
    return [(key, _pattern(form)) for key, form in forms]


def _pattern(message: str) -> re.Pattern[str]:
    """A regular expression that matches the message with any values."""
    text, *rest = PLACEHOLDER.split(message.removesuffix("."))
    pattern, seen = f"(?i:{re.escape(text[:1])}){re.escape(text[1:])}", set()
    for name, more in zip(rest[::2], rest[1::2], strict=True):
        any_value = {"n": r"\d+"}.get(name, ".+?" if name in _SENTENCES else "[^:]+?")
        pattern += f"(?P={name})" if name in seen else f"(?P<{name}>{any_value})"
        pattern += re.escape(more)
        seen.add(name)
    return re.compile(rf"{pattern}\.?", re.DOTALL)


def listed(parts: Iterable[Said], between: str = ", ") -> tuple[Said, ...]:
    """The parts as one value, with `between` between them."""
    joined = [one for part in parts for one in (between, part)]
    return tuple(joined[1:])


def joined(key: str, parts: Sequence[Said]) -> Said:
    """Fold the parts into one phrase, pair by pair, with the message `key`."""
    first, *rest = parts
    for part in rest:
        first = phrase(key, first=first, second=part)
    return first


@cache
def messages(language: str) -> dict[str, Message]:
    """Read the message file of a language, by key."""
    path = MESSAGES / f"{language}.json"
    read: dict[str, Message] = json.loads(path.read_text(encoding="utf-8"))
    return read


messages(ENGLISH)  # loaded at import: a confined process cannot open a file later
