"""The namespace of a task program, the same for the verifier and for a real run.

Standard library only: it is imported in the confined child process.
"""

from __future__ import annotations

import ast
import builtins
import math
import sys
import unicodedata  # noqa: F401 - for names such as größe: once confined, Python cannot load it
from collections.abc import Callable, Mapping
from types import CodeType, SimpleNamespace
from typing import Any

from roboinstruct_ros.program.imports import without_imports
from roboinstruct_ros.program.language import BUILTINS, MODULES
from roboinstruct_ros.sandbox.chance import Chance

FILENAME = "<task_program>"
"""File name of compiled task programs, by which their frames are recognised."""

LONGEST_SLEEP = 7 * 86_400.0
"""Longest wait (s) of a task; an endless wait would look like a stuck program."""


class SkillError(Exception):
    """A failed skill; the program may catch it.

    Attributes:
        code: name of the error, e.g. "navigation_blocked".
        message: plain English.
    """

    def __init__(self, code: str = "unknown", message: str = "") -> None:
        super().__init__(message or code)
        self.code = code
        self.message = message


class Offered:
    """A function as a program sees it. Its repr is the same in a trial and in a real run, so that
    no program can distinguish the two by it."""

    __slots__ = ("_function", "_name")

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        self._name, self._function = name, function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._function(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<function {self._name}>"


def compile_program(
    source: str, noting: Callable[[ast.Module], ast.Module] | None = None
) -> CodeType:
    """Compile exactly the text that was verified; imports of modules that are already present do
    nothing.

    Args:
        noting: instruments the program for a monitor without changing its behaviour.

    Raises:
        SyntaxError: the text is not Python.
    """
    tree: str | ast.Module = source
    if noting is not None or "import" in source:
        tree = ast.parse(source, FILENAME)
        tree = without_imports(tree) if "import" in source else tree
        tree = noting(tree) if noting is not None else tree
    return compile(tree, FILENAME, "exec", dont_inherit=True)


def program_namespace(
    skills: Mapping[str, Callable[..., Any]],
    sleep: Callable[[float], object],
    print_: Callable[[str], None],
    clock: Callable[[], float],
    chance: Chance,
) -> dict[str, Any]:
    """Globals of a task program: allow-listed builtins, three small modules, the skills.

    Args:
        sleep: implements `time.sleep`, s.
        print_: implements `print`, with the complete text.
        clock: implements `time.time`, s since the epoch.
        chance: implements `random`.
    """
    return {
        "__builtins__": {**_BUILTINS, "print": Offered("print", _printing(print_))},
        "__name__": "task_program",
        "time": _module("time", SimpleNamespace(sleep=_sleeping(sleep), time=_reading(clock))),
        "math": _MATH,
        "random": _module("random", chance),
        **_offered(skills),
    }


def program_line() -> int:
    """1-based line of the task program that is being executed; 0 outside of one."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename == FILENAME:
            return frame.f_lineno
        frame = frame.f_back  # type: ignore[assignment]
    return 0


_PARTS = {name: sorted(parts) for name, parts in MODULES.items()}


def _module(name: str, source: object) -> SimpleNamespace:
    """The parts of a module that are in the task language."""
    return SimpleNamespace(**_offered({part: getattr(source, part) for part in _PARTS[name]}))


def _offered(functions: Mapping[str, Any]) -> dict[str, Any]:
    """Wrap the callables as `Offered`; constants stay as they are."""
    return {
        name: Offered(name, value) if callable(value) else value
        for name, value in functions.items()
    }


_MATH = _module("math", math)


def _printing(print_: Callable[[str], None]) -> Callable[..., None]:
    """Python's `print` without `file`."""

    def print_text(
        *values: object, sep: str | None = " ", end: str | None = "\n", flush: bool = False
    ) -> None:
        for option in (sep, end):
            if option is not None and not isinstance(option, str):
                raise TypeError(f"sep and end must be None or a string, not {option!r}")
        text = (" " if sep is None else sep).join(map(str, values))
        print_(text + ("\n" if end is None else end))

    print_text.__qualname__ = "print"  # the name in error messages
    return print_text


def _sleeping(sleep: Callable[[float], object]) -> Callable[[float], None]:
    def sleep_for(seconds: float) -> None:
        if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or seconds < 0:
            raise ValueError("time.sleep takes a number of seconds that is not negative")
        if not seconds <= LONGEST_SLEEP:  # also rejects NaN
            raise ValueError(f"time.sleep takes at most {LONGEST_SLEEP:.0f} seconds")
        sleep(float(seconds))

    sleep_for.__qualname__ = "sleep"  # the name in error messages
    return sleep_for


def _reading(clock: Callable[[], float]) -> Callable[[], float]:
    def read() -> float:
        return clock()

    read.__qualname__ = "time"
    return read


def _whole_character(code: int) -> str:
    """`chr` without lone surrogates, which no message can carry."""
    if isinstance(code, int) and 0xD800 <= code <= 0xDFFF:
        raise ValueError("chr() arg is half a character")
    return chr(code)


_BUILTINS = {
    **{name: getattr(builtins, name) for name in BUILTINS if hasattr(builtins, name)},
    "chr": Offered("chr", _whole_character),
    "SkillError": SkillError,
}
