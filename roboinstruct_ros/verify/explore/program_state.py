"""The comparable state of a running program, to detect repeated loop states and equal runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import (
    BuiltinFunctionType,
    CellType,
    FrameType,
    FunctionType,
    ModuleType,
    SimpleNamespace,
)
from typing import Any

from roboinstruct_ros.program.task_program import ENTRY_POINT
from roboinstruct_ros.sandbox.namespace import FILENAME, Offered
from roboinstruct_ros.verify.explore.loops import Loops
from roboinstruct_ros.verify.explore.said_lists import SaidNow
from roboinstruct_ros.verify.explore.standing import ClearCalls, Standing

_MOST_PARTS = 2000
"""Values with more parts are not compared and always count as new."""

_LASTING = (type, SimpleNamespace, Offered)
"""Types that never change while a program runs; the task language cannot assign to attributes."""

_MUTABLE = (list, dict, set)


class _Unknowable(Exception):
    """A value that is too large, or has hidden progress of its own (an iterator)."""


def program_state(frame: FrameType | None, read: frozenset[str] | None = None) -> object:
    """All variables of the program and the position of each frame.

    States that compare equal have equal futures, as long as the world gives equal answers.

    Returns a new object, equal to nothing, if the state cannot be determined.

    Args:
        read: the variables of this frame that count; None for all.
    """
    parts: list[object] = []
    seen = _Seen()
    try:
        while frame is not None and frame.f_code.co_filename == FILENAME:
            variables = {k: v for k, v in frame.f_locals.items() if read is None or k in read}
            parts.append((frame.f_code.co_name, frame.f_lasti, seen.frozen(variables)))
            read = None
            if frame.f_back is None or frame.f_back.f_code.co_filename != FILENAME:
                parts.append(seen.frozen(_module_variables(frame)))
            frame = frame.f_back
    except _Unknowable:
        return object()
    return tuple(parts)


def state_at_call(
    frames: list[FrameType], clear: ClearCalls, loops: Loops, called: str, texts_are_free: bool
) -> tuple[object, tuple[SaidNow, ...]] | None:
    """The variables that the rest of the program may read, and the lists that it only fills and
    says; None if they cannot be determined.

    States of two runs that compare equal have equal futures, as long as the world gives equal
    answers, except for what they say of these lists.

    Args:
        frames: of the program, innermost first; the innermost one calls a skill.
        clear: the calls that stand clear.
        loops: those of this run.
        called: the skill's name.
        texts_are_free: no policy looks at what is said.
    """
    seen, lists = _SeenByAnother(), list[SaidNow]()
    try:
        parts = [seen.frozen_all(_module_variables(frames[0]))]
        standing = list(_standings(frames, clear, called))
        for frame, at in zip(frames, standing, strict=True):
            variables = {name: v for name, v in frame.f_locals.items() if name in at.read}
            said = _taken_out(variables, at) if texts_are_free else {}
            lists += said.values()
            known = tuple((name, now.seen) for name, now in said.items())
            parts.append((id(frame.f_code), frame.f_lasti, seen.frozen_all(variables), known))
        for frame, at in zip(frames, standing, strict=True):
            for loop in (loops.loop(frame, place) for place in at.loops):
                parts += [seen.place_of(loop.iterator), loop.entered]
        seen.check()
    except (_Unknowable, KeyError, RuntimeError):
        return None
    return tuple(parts), tuple(lists)


def _taken_out(variables: dict[str, Any], at: Standing) -> dict[str, SaidNow]:
    """Remove the lists that are only filled and said, and return their states."""
    found: dict[str, SaidNow] = {}
    for name, of in sorted(at.said.items()):
        now = SaidNow.read(of, variables.get(name))
        if now is not None:
            found[name] = now
            del variables[name]
    return found


def _standings(frames: list[FrameType], clear: ClearCalls, called: str) -> Iterator[Standing]:
    """The position of each frame; all but the innermost wait for a call of the next."""
    inner: FrameType | None = None
    for frame in frames:
        at = clear.at(frame)
        if inner is None:
            fits = at.name == called
        else:
            function = frame.f_locals.get(at.name, frame.f_globals.get(at.name))
            fits = getattr(function, "__code__", None) is inner.f_code and not at.adds
        if not fits:
            raise _Unknowable
        inner = frame
        yield at
    if frames[-1].f_code.co_name != ENTRY_POINT:
        raise _Unknowable


def _module_variables(frame: FrameType) -> dict[str, Any]:
    """Variables outside of functions that a function may change in place or name `global`."""
    values = frame.f_globals.items()
    return {k: v for k, v in values if k[:2] != "__" and not _lasts(v)}


def _lasts(value: object) -> bool:
    """Whether a value never changes while a program runs; a method of a list changes with it."""
    if isinstance(value, BuiltinFunctionType):
        return isinstance(value.__self__, ModuleType)
    return isinstance(value, _LASTING)


class _Seen:
    def __init__(self) -> None:
        self._left = _MOST_PARTS
        self._open: set[int] = set()
        self._met: dict[int, tuple[int, object]] = {}

    def frozen(self, value: Any) -> object:
        """An immutable, comparable copy of the value."""
        self._left -= 1
        if self._left < 0 or id(value) in self._open:
            raise _Unknowable
        if value is None or isinstance(value, (bool, int)):
            return type(value).__name__, value
        if isinstance(value, (float, complex)):
            if value != value:
                raise _Unknowable  # NaN: `in` tells two of them apart
            return type(value).__name__, repr(value)  # 0.0 is not -0.0
        if isinstance(value, str):
            return type(value).__qualname__, str.__str__(value)  # the name is the same for all
        if _lasts(value):
            return "lasting", id(value), repr(value)  # another path may use the address again
        if isinstance(value, (*_MUTABLE, FunctionType)):  # aliasing matters for these
            if id(value) in self._met:
                return "same", self._met[id(value)][0]
            self._met[id(value)] = len(self._met), value  # stored, so that its id is not reused
        self._open.add(id(value))
        try:
            return type(value).__name__, self._parts(value)
        finally:
            self._open.discard(id(value))

    def _parts(self, value: Any) -> object:
        if isinstance(value, (list, tuple)):
            return tuple(self.frozen(item) for item in value)
        if isinstance(value, (set, frozenset)):
            return tuple(self.frozen(item) for item in value)  # in its observable order
        if isinstance(value, dict):
            return tuple((self.frozen(key), self.frozen(item)) for key, item in value.items())
        if isinstance(value, FunctionType):
            cells = [cell for cell in value.__closure__ or () if _is_full(cell)]
            defaults = (*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values())
            kept = (*defaults, *(cell.cell_contents for cell in cells))
            inner = [part for part in kept if part is not value]
            return id(value.__code__), tuple(self.frozen(part) for part in inner)
        if isinstance(value, BuiltinFunctionType) and isinstance(value.__self__, _MUTABLE):
            return value.__name__, self.frozen(value.__self__)
        raise _Unknowable


class _SeenByAnother(_Seen):
    """Values to be compared with those of another run, which shares no objects with this one.

    Aliasing must be the same in both runs. A value with more state than its parts (the order of a
    set, variables that functions share) is unknowable.
    """

    def __init__(self) -> None:
        super().__init__()
        self._numbers: dict[int, tuple[int, object]] = {}
        self._passed: list[object] = []
        self._any_dict = self._rest_of_dict = False

    def frozen_all(self, variables: Mapping[str, Any]) -> object:
        """Variables by name."""
        return tuple((name, self.frozen(value)) for name, value in sorted(variables.items()))

    def frozen(self, value: Any) -> object:
        if isinstance(value, (BuiltinFunctionType, *_LASTING)) and not isinstance(value, type):
            return self._function(value)
        if type(value) in (list, dict):
            if id(value) in self._numbers:
                return "same", self._numbers[id(value)][0]
            self._numbers[id(value)] = (len(self._numbers), value)
        return super().frozen(value)

    def _parts(self, value: Any) -> object:
        if isinstance(value, (set, frozenset)):
            raise _Unknowable
        self._any_dict |= isinstance(value, dict)
        if isinstance(value, FunctionType) and (value.__closure__ or value.__kwdefaults__):
            raise _Unknowable
        if isinstance(value, range):
            return repr(value)
        return super()._parts(value)

    def _function(self, value: Any) -> object:
        """A function that each run creates anew is identified by its name; a method cannot be."""
        if isinstance(value, Offered):
            return "offered", repr(value)
        if isinstance(value, BuiltinFunctionType) and isinstance(value.__self__, ModuleType):
            return "builtin", value.__name__
        raise _Unknowable

    def place_of(self, iterator: Any) -> object:
        """The position of an iterator; for an otherwise unreferenced list, only its remainder."""
        kind = type(iterator).__name__
        if kind not in _ITERATORS:
            raise _Unknowable
        _, given, *more = iterator.__reduce__()
        if kind in ("enumerate", "zip"):
            numbers = (part for part in (*given, *more) if isinstance(part, int))
            inner = (self.place_of(part) for part in given if not isinstance(part, int))
            return kind, tuple(inner), tuple(numbers)
        (values,) = given
        at = more[0] if more and more[0] is not None else 0
        if kind == "reversed" or "reverse" in kind or id(values) in self._numbers:
            return kind, self.frozen(values), at
        self._passed.append(values)
        self._rest_of_dict |= "dict" in kind
        if isinstance(values, range):
            return kind, repr(values[at:])
        return kind, tuple(self.frozen(value) for value in values[at:])

    def check(self) -> None:
        """Check that the elements that iterators have passed are out of the program's reach."""
        if any(id(values) in self._numbers for values in self._passed):
            raise _Unknowable
        if self._rest_of_dict and self._any_dict:
            raise _Unknowable  # it may be the list being iterated


_ITERATORS = frozenset(
    "list_iterator tuple_iterator range_iterator str_iterator str_ascii_iterator enumerate zip "
    "reversed list_reverseiterator dict_keyiterator dict_valueiterator dict_itemiterator".split()
)


def _is_full(cell: CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True
