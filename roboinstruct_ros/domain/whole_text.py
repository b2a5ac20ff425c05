"""Half characters (lone surrogates), which Python texts may hold and no message or file can."""

from __future__ import annotations

import re

_HALF = re.compile("[\ud800-\udfff]")


def has_half_characters(text: object) -> bool:
    """Whether this is a text with a lone surrogate in it."""
    return isinstance(text, str) and _HALF.search(text) is not None


def whole_text(text: str) -> str:
    """The text with `?` for each half of a character."""
    return _HALF.sub("?", text)
