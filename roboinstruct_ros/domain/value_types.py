"""Skill arguments that are not entities: texts, numbers, times of day, durations."""

from __future__ import annotations

import re
import sys
from typing import Literal, get_args

ValueType = Literal["text", "options", "number", "time", "duration"]
VALUE_TYPES: tuple[str, ...] = get_args(ValueType)

_DAY = 24 * 60.0  # min
_TIME = re.compile(r"(\d{1,2})(?:[:.](\d{2}))?\s*(am|pm|a\.m\.|p\.m\.|h)?", re.IGNORECASE)
_PART = re.compile(
    r"(\d+(?:\.\d+)?)\s*(hours?|hrs?|h|minutes?|mins?|min|m|seconds?|secs?|s)\b[\s,]*(?:and\s+)?",
    re.IGNORECASE | re.ASCII,  # else the s may also be a long one, which has no length
)
_MINUTES = {"h": 60.0, "m": 1.0, "s": 1 / 60}


def time_of_day(text: str) -> float | None:
    """Minutes since midnight of a text such as `9:30 am`, `14:00` or `noon`; else None."""
    words = text.strip().lower()
    if words in ("noon", "midnight"):
        return 720.0 if words == "noon" else 0.0
    match = _TIME.fullmatch(words)
    if match is None or not (match[2] or match[3]):
        return None
    hour, minute, half = int(match[1]), int(match[2] or 0), (match[3] or "")[:1]
    if half in ("a", "p"):
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "p" else 0)
    return hour * 60.0 + minute if hour < 24 and minute < 60 else None


def duration(text: str) -> float | None:
    """Minutes of a text such as `1 hr`, `90 min` or `1 hour 30 minutes`; else None."""
    words = text.strip().lower()
    total, end = 0.0, 0
    while match := _PART.match(words, end):
        total += float(match[1]) * _MINUTES[match[2][0]]
        end = match.end()
    return total if words and end == len(words) and 0 < total <= _DAY else None


def value_type_fault(value: object, kind: str) -> str:
    """Why a value is not of this value type; empty if it is."""
    if kind == "options":
        return _options_fault(value)
    if kind == "number":
        numeric = isinstance(value, (int, float)) and not isinstance(value, bool)
        fits = numeric and abs(value) <= sys.float_info.max  # type: ignore[arg-type]
        return "" if fits else f"must be a number, not {shown(value)}"
    if not isinstance(value, str):
        return f"must be a text, not {_kind(value)}"
    if kind == "time" and time_of_day(value) is None:
        return f"must be a time of day such as '9:30 am' or '14:00', not {shown(value)}"
    if kind == "duration" and duration(value) is None:
        return f"must be a duration such as '1 hr' or '90 min', not {shown(value)}"
    return ""


def shown(value: object) -> str:
    """A value for display in a message, truncated if it is long."""
    if not isinstance(value, (str, int, float)):
        return _kind(value)
    if isinstance(value, int) and value.bit_length() > 200:
        return "a huge number"
    text = repr(value[:60] if isinstance(value, str) else value)
    return text if len(text) <= 40 else text[:37] + "..."


def _options_fault(value: object) -> str:
    if not isinstance(value, (list, tuple)) or not value:
        return "must be a list of at least one option"
    if not all(isinstance(option, str) and option.strip() for option in value):
        return "must hold texts that are not empty"
    return ""


def _kind(value: object) -> str:
    """The type of a value, in words."""
    names = {"bool": "True or False", "NoneType": "nothing (None)", "int": "a number",
             "float": "a number", "list": "a list", "dict": "a dict", "str": "a text"}  # fmt: skip
    return names.get(type(value).__name__, type(value).__name__)
