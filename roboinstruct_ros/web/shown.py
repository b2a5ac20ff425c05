"""What comes from elsewhere, in the size in which a page shows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MAX_TEXT = 1000
"""Characters of one text; the longest instruction is not longer."""
MAX_ITEMS = 50
"""Entries of one list."""


def shown_text(value: Any, most: int = MAX_TEXT) -> str:
    """A text, cut off with an ellipsis."""
    text = "" if value is None else str(value)
    return text if len(text) <= most else text[: most - 1] + "…"


def shown_texts(values: Any, most: int = MAX_ITEMS) -> tuple[str, ...]:
    """The first texts of a list; none of what is no list."""
    return tuple(map(shown_text, values[:most])) if isinstance(values, list | tuple) else ()


def shown(value: Any) -> Any:
    """A value of a skill call: a long text is cut, a long list or a deep one counted."""
    if isinstance(value, str):
        return shown_text(value)
    if isinstance(value, list | tuple):
        flat = all(isinstance(one, str | float | int | None) for one in value)
        short = flat and len(value) <= MAX_ITEMS
        return [shown(one) for one in value] if short else f"{len(value)} entries"
    return value if isinstance(value, bool | int | float | None) else shown_text(value)


def shown_verdict(verdict: Any) -> dict[str, Any] | None:
    """A verdict with the keys that a page reads, whoever has written it.

    Raises:
        KeyError, TypeError, ValueError: it is none.
    """
    if not verdict:
        return None
    return {
        "status": shown_text(verdict["status"]),
        "program_sha256": shown_text(verdict.get("program_sha256")),
        "paths": int(verdict.get("paths", 0)),
        "exhaustive": bool(verdict.get("exhaustive", False)),
        "duration": float(verdict.get("duration", 0.0)),
        "violations": [_violation(one) for one in verdict.get("violations", ())[:MAX_ITEMS]],
        "warnings": [_message(one) for one in verdict.get("warnings", ())[:MAX_ITEMS]],
        "assumptions": [_message(one) for one in verdict.get("assumptions", ())[:MAX_ITEMS]],
    }


def _violation(violation: Mapping[str, Any]) -> dict[str, Any]:
    story = violation.get("counterexample") or {}
    return {
        "code": shown_text(violation.get("code")),
        "line": int(violation.get("line", 0)),
        "column": int(violation.get("column", 0)),
        "message": shown_text(violation.get("message")),
        "counterexample": {
            "steps": shown_texts(story.get("steps", ())),
            "calls": [_call(one) for one in story.get("calls", ())[-MAX_ITEMS:]],
        },
    }


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "skill": shown_text(call["skill"], 60),
        "arguments": shown(list(call.get("arguments", ()))),
        "result": shown(call.get("result")),
        "failed": shown_text(call.get("failed")),
    }


def _message(told: Any) -> str:
    """In an event it has a message beside its line and more; in a message of ROS it is one text."""
    return shown_text(told.get("message") if isinstance(told, Mapping) else told)
