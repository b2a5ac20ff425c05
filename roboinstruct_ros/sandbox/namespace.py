"""The names that a task program sees; the same for the verifier and for a real run.

Standard library only: it is imported inside the confined child process.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Mapping
from types import CodeType, SimpleNamespace
from typing import Any

from roboinstruct_ros.program.language import BUILTINS, MODULES

FILENAME = "<task_program>"
"""File name of compiled task programs; frames are recognised by it."""

_ALLOWED = {name: getattr(builtins, name) for name in BUILTINS if hasattr(builtins, name)}


class SkillError(Exception):
    """A skill failed; the program may catch it.

    Attributes:
        code: name of the error, e.g. "navigation_blocked".
        message: plain English.
    """

    def __init__(self, code: str = "unknown", message: str = "") -> None:
        super().__init__(message or code)
        self.code = code
        self.message = message


def compile_program(source: str) -> CodeType:
    """Compile exactly the text that was verified.

    Raises:
        SyntaxError: the text is not Python.
    """
    return compile(source, FILENAME, "exec", dont_inherit=True)


def program_namespace(
    skills: Mapping[str, Callable[..., Any]],
    sleep: Callable[[float], None],
    print_: Callable[..., None],
    clock: Callable[[], float],
    rng: object,
) -> dict[str, Any]:
    """Globals of a task program: allow-listed builtins, three small modules, the skills.

    Args:
        sleep: serves `time.sleep`, s.
        print_: serves `print`.
        clock: serves `time.time`, s since the epoch.
        rng: serves `random`: it has the functions that the task language names.
    """
    allowed = {**_ALLOWED, "print": print_, "SkillError": SkillError}
    sources: dict[str, Any] = {
        "time": SimpleNamespace(sleep=sleep, time=clock),
        "math": math,
        "random": rng,
    }
    modules = {
        name: SimpleNamespace(**{part: getattr(sources[name], part) for part in parts})
        for name, parts in MODULES.items()
    }
    return {"__builtins__": allowed, "__name__": "task_program", **modules, **skills}
