"""How sure one may be of a program, in words for a person."""

from __future__ import annotations

from collections.abc import Sequence


def confidence_text(confidence: float | None, agreed: Sequence[int] | None) -> str:
    """A few words; empty where nothing tells.

    Args:
        confidence, agreed: as of a `Generation`.

    Raises:
        TypeError, ValueError: they are something else.
    """
    if agreed is not None:
        some, of_all = (int(count) for count in agreed)
        return f"{some} of {of_all} drafts agree"
    if confidence is None or not 0 <= confidence <= 1:
        return ""
    return f"confidence {100 * confidence:.0f} %"
