"""Runs one task program in the confined child; every skill call is a message to the parent.

Standard library only.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from traceback import walk_tb
from typing import Any

from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.domain.skill_call import LONGEST_ERROR
from roboinstruct_ros.sandbox.chance import seeded
from roboinstruct_ros.sandbox.confined_child import serve
from roboinstruct_ros.sandbox.confinement import Limits
from roboinstruct_ros.sandbox.namespace import (
    FILENAME,
    SkillError,
    compile_program,
    program_line,
    program_namespace,
)
from roboinstruct_ros.sandbox.wire import TooLong, Wire, WireClosed

_DEEPEST = 1500
"""Frames that a program may use: more than in a trial, which ends at Python's own limit, so that an
accepted program never meets this one; beyond it, an ordinary error."""

_ROOM = 200
"""Further frames for the code that serves the program, so that depth never interrupts a message."""


class OutputLimit(BaseException):
    """The program printed more than it may."""


def main() -> None:
    serve(_run)


def _run(wire: Wire, limits: Limits) -> None:
    request = wire.receive()
    wire.send(_end_of(request, wire, limits))


def _end_of(request: dict[str, Any], wire: Wire, limits: Limits) -> dict[str, Any]:
    try:
        sys.setrecursionlimit(_DEEPEST)
        code = compile_program(request["source"])
        namespace = program_namespace(
            {name: _skill(wire, name) for name in request["skills"]},
            sleep=lambda seconds: _served(wire, {"sleep": seconds}),
            print_=_printer(wire, limits.output_bytes),
            clock=lambda: float(_served(wire, {"clock": True})["value"]),
            chance=seeded(request["seed"]),
        )
        exec(code, namespace)
        namespace["task_program"]()
    except WireClosed:
        raise
    except OutputLimit:
        message = str(phrase("told.much_printed", n=limits.output_bytes // 1024))
        return {"end": "limit", "line": 0, "message": message}
    except MemoryError:
        return {"end": "limit", "line": 0, "message": "the program used more memory than it may"}
    except SkillError as error:
        end = {"end": "skill_error", "code": _text(error.code), "message": _text(error.message)}
        return {**end, "line": _line_of(error)}
    except Exception as error:
        text = f"{type(error).__name__}: {_text(error)}"[:500]
        return {"end": "error", "line": _line_of(error), "message": text}
    return {"end": "finished", "line": 0, "message": ""}


def _skill(wire: Wire, name: str) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        reply = _served(wire, {"call": name, "args": args, "kwargs": kwargs})
        if "error" in reply:
            raise SkillError(reply["error"], reply["message"])
        return reply["value"]

    call.__name__ = name
    return call


def _served(wire: Wire, message: dict[str, Any]) -> dict[str, Any]:
    """Send a message with the program's line. Returns the parent's reply; `{}` if it sends none."""
    sys.setrecursionlimit(_DEEPEST + _ROOM)
    try:
        wire.send({**message, "line": program_line()})
        return {} if "print" in message else wire.receive()
    except TooLong as error:
        raise ValueError(str(error)) from None
    finally:
        sys.setrecursionlimit(_DEEPEST)


def _printer(wire: Wire, limit: int) -> Callable[[str], None]:
    used = 0

    def print_(text: str) -> None:
        nonlocal used
        used += len(text)
        if used > limit:
            raise OutputLimit
        _served(wire, {"print": text})

    return print_


def _text(value: object) -> str:
    """A value as text; that of an error may be anything that the program makes."""
    try:
        return str(value)[:LONGEST_ERROR]
    except Exception:
        return "it cannot be written"


def _line_of(error: BaseException) -> int:
    frames = walk_tb(error.__traceback__)
    lines = [line for frame, line in frames if frame.f_code.co_filename == FILENAME]
    return lines[-1] if lines else 0
