"""Texts for XML files."""

from __future__ import annotations

import re

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def in_xml(text: str) -> str:
    """The text without characters that XML forbids and a model or a person may write."""
    return _NOT_IN_XML.sub("\ufffd", text)
