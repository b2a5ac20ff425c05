"""Message templates of domain files, with the names of parameters or the places of arguments in
braces."""

from __future__ import annotations

from collections.abc import Sequence
from string import Formatter

ALSO_FILLED = {
    "preconditions": ("here", "held"),
    "advice": (),
    "adds": ("now", "low", "high"),
    "books": ("other", "other_start", "other_end"),
}
"""What a message may contain besides the parameters, by the part of a skill."""


def placeholder_fault(template: str, known: Sequence[str]) -> str:
    """What is wrong with the placeholders of a template; empty if all can be filled.

    Args:
        known: what is filled: names, or the places `0`, `1`, ...
    """
    try:
        fields = [field for _, field, _, _ in Formatter().parse(template) if field is not None]
        for field in fields:
            if field not in known:
                return f"nothing fills {{{field}}}; known are {', '.join(known) or 'none'}"
        template.format(*known, **dict.fromkeys(known, "x"))
    except ValueError as error:
        return f"the braces do not match: {error}"
    return ""
