"""The confidence in a program, in words for a person."""

from __future__ import annotations

from collections.abc import Sequence

from roboinstruct_ros.domain.phrase import Phrase, phrase


def confidence_text(confidence: float | None, agreed: Sequence[int] | None) -> str:
    """As `confidence_told`, in English; empty if unknown."""
    return str(confidence_told(confidence, agreed) or "")


def confidence_told(confidence: float | None, agreed: Sequence[int] | None) -> Phrase | None:
    """A few words; None if unknown.

    Args:
        confidence, agreed: as in `Generation`.

    Raises:
        TypeError, ValueError: they have another form.
    """
    if agreed is not None:
        some, of_all = (int(count) for count in agreed)
        return phrase("plan.agree", some=some, all=of_all)
    if confidence is None or not 0 <= confidence <= 1:
        return None
    return phrase("plan.sure", percent=round(100 * confidence))
