"""The state of a running program, to tell whether a loop has come back to where it was."""

from __future__ import annotations

from types import FrameType
from typing import Any

from roboinstruct_ros.sandbox.namespace import FILENAME

_MOST_PARTS = 2000
"""Values with more parts are not looked at: they count as always new."""


class _TooLarge(Exception):
    pass


def program_state(frame: FrameType | None) -> object:
    """All variables of the program's frames, and where each stands; equal states go on equally."""
    parts: list[object] = []
    left = [_MOST_PARTS]
    try:
        while frame is not None:
            if frame.f_code.co_filename == FILENAME:
                values = _frozen(dict(frame.f_locals), left)
                parts.append((frame.f_code.co_name, frame.f_lasti, values))
            frame = frame.f_back
    except _TooLarge:
        return object()
    return tuple(parts)


def _frozen(value: Any, left: list[int]) -> object:
    left[0] -= 1
    if left[0] < 0:
        raise _TooLarge
    if value is None or isinstance(value, (bool, int, float, complex)):
        return type(value).__name__, value
    if isinstance(value, str):
        return "str", str(value)
    if isinstance(value, (list, tuple)):
        return type(value).__name__, tuple(_frozen(item, left) for item in value)
    if isinstance(value, (set, frozenset)):
        return "set", frozenset(_frozen(item, left) for item in value)
    if isinstance(value, dict):
        items = (
            (_frozen(k, left), _frozen(v, left)) for k, v in value.items() if k != "__builtins__"
        )
        return "dict", tuple(items)
    return "other", id(value)
