"""The state of a running program, to tell whether a loop has come back to where it was."""

from __future__ import annotations

from types import BuiltinFunctionType, CellType, FrameType, FunctionType, SimpleNamespace
from typing import Any

from roboinstruct_ros.sandbox.namespace import FILENAME, Offered

_MOST_PARTS = 2000
"""Values with more parts are not looked at: they count as always new."""

_LASTING = (type, BuiltinFunctionType, SimpleNamespace, Offered)
"""What never changes while a program runs; the task language cannot assign to attributes."""


class _Unknowable(Exception):
    """Too large, or with a progress of its own that cannot be seen (an iterator)."""


def program_state(frame: FrameType | None) -> object:
    """All variables of the program, and where each frame stands; equal states go on equally.

    Gives a new object, equal to nothing, when that cannot be told.
    """
    parts: list[object] = []
    seen = _Seen()
    try:
        while frame is not None and frame.f_code.co_filename == FILENAME:
            parts.append((frame.f_code.co_name, frame.f_lasti, seen.frozen(dict(frame.f_locals))))
            if frame.f_back is None or frame.f_back.f_code.co_filename != FILENAME:
                parts.append(seen.frozen(_module_variables(frame)))
            frame = frame.f_back
    except _Unknowable:
        return object()
    return tuple(parts)


def _module_variables(frame: FrameType) -> dict[str, Any]:
    """Variables outside of functions: one may change them in place, or name them `global`."""
    values = frame.f_globals.items()
    return {k: v for k, v in values if k[:2] != "__" and not isinstance(v, _LASTING)}


class _Seen:
    def __init__(self) -> None:
        self._left = _MOST_PARTS
        self._open: set[int] = set()
        self._met: dict[int, tuple[int, object]] = {}

    def frozen(self, value: Any) -> object:
        """The value as one that can be compared, whatever becomes of the original."""
        self._left -= 1
        if self._left < 0 or id(value) in self._open:
            raise _Unknowable
        if value is None or isinstance(value, (bool, int, float, complex)):
            return type(value).__name__, value
        if isinstance(value, str):
            return "str", str.__str__(value)
        if isinstance(value, _LASTING):
            return "lasting", id(value)
        if isinstance(value, (list, dict, set)):  # what is in two places is one thing, or is not
            if id(value) in self._met:
                return "same", self._met[id(value)][0]
            self._met[id(value)] = len(self._met), value  # kept, so that no other has its place
        self._open.add(id(value))
        try:
            return type(value).__name__, self._parts(value)
        finally:
            self._open.discard(id(value))

    def _parts(self, value: Any) -> object:
        if isinstance(value, (list, tuple)):
            return tuple(self.frozen(item) for item in value)
        if isinstance(value, (set, frozenset)):
            return tuple(self.frozen(item) for item in value)  # in its order, which is seen too
        if isinstance(value, dict):
            return tuple((self.frozen(key), self.frozen(item)) for key, item in value.items())
        if isinstance(value, FunctionType):
            cells = [cell for cell in value.__closure__ or () if _is_full(cell)]
            kept = (*(value.__defaults__ or ()), *(cell.cell_contents for cell in cells))
            inner = [part for part in kept if part is not value]
            return id(value.__code__), tuple(self.frozen(part) for part in inner)
        raise _Unknowable


def _is_full(cell: CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True
