"""Characters that Python strings may contain but messages, files or people may not."""

from __future__ import annotations

import re
import unicodedata

_HALF = re.compile("[\ud800-\udfff]")
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def has_half_characters(text: object) -> bool:
    """Whether this is a string that contains a lone surrogate."""
    return isinstance(text, str) and _HALF.search(text) is not None


def whole_text(text: str) -> str:
    """The text with `?` for each lone surrogate."""
    return _HALF.sub("?", text)


def in_xml(text: str) -> str:
    """The text without characters that XML forbids and a model or a person may write."""
    return _NOT_IN_XML.sub("\ufffd", text)


def is_unseen(character: str) -> bool:
    """Whether nobody sees a character that may steer a terminal, turn a text or tell two names
    apart: those of control and format, halves, and separators of lines."""
    return not character.isprintable() and unicodedata.category(character) != "Zs"
