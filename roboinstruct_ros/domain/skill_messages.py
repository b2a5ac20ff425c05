"""Message templates of domain files, with parameter names in braces."""

from __future__ import annotations

from collections.abc import Sequence
from string import Formatter
from typing import Any

_SPECIAL = {
    "Precondition": ("here", "held"),
    "Addition": ("now", "low", "high"),
    "Booking": ("other", "other_start", "other_end"),
}


def placeholder_fault(part: Any, parameters: Sequence[str]) -> str:
    """What is wrong with the placeholders of a part's message; empty if all can be filled."""
    known = (*parameters, *_SPECIAL[type(part).__name__])
    try:
        fields = [field for _, field, _, _ in Formatter().parse(part.message) if field is not None]
    except ValueError as error:
        return f"the braces do not match: {error}"
    for field in fields:
        if field not in known:
            return f"nothing fills {{{field}}}; known are {', '.join(known)}"
    return ""
