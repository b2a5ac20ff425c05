"""Lone surrogates, which Python strings may contain but messages and files may not."""

from __future__ import annotations

import re

_HALF = re.compile("[\ud800-\udfff]")


def has_half_characters(text: object) -> bool:
    """Whether this is a string that contains a lone surrogate."""
    return isinstance(text, str) and _HALF.search(text) is not None


def whole_text(text: str) -> str:
    """The text with `?` for each lone surrogate."""
    return _HALF.sub("?", text)
