"""How a command ends: an exit code, and one line for bad input."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from enum import IntEnum
from os.path import expanduser
from pathlib import Path
from typing import Any, NoReturn

import typer

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.domain.instruction import InstructionError
from roboinstruct_ros.domain.task_error import TaskError
from roboinstruct_ros.spread.work import SpreadError

FAULTS = (InputError, TaskError, SpreadError)
"""Faults that the user can fix; each is one line."""
UsageError: Any = typer.BadParameter.__base__
"""A command line that does not parse. Its class is click's, which typer no longer names."""


class ExitCode(IntEnum):
    SUCCESS = 0
    FAILED = 1
    BAD_INPUT = 2
    INTERRUPTED = 130


def end(action: Callable[[], ExitCode | None]) -> None:
    """Run a command. No return value means success; bad input, or a file or an output that cannot
    be used, gives one line and exit code 2."""
    try:
        code = action() or ExitCode.SUCCESS
        print(end="", flush=True)
    except (*FAULTS, FileNotFoundError) as error:
        about = f"{error.code.name.lower()}: " if isinstance(error, InstructionError) else ""
        print(f"{about}{error}", file=sys.stderr)
        code = ExitCode.BAD_INPUT
    except OSError as error:
        if error.errno == errno.EPIPE:  # the reader has closed the pipe: click ends quietly
            raise
        print(f"{error.filename or 'cannot go on'}: {error.strerror or error}", file=sys.stderr)
        drop_unwritable()
        code = ExitCode.BAD_INPUT
    except UsageError as error:
        refuse(error)
    except (KeyboardInterrupt, typer.Abort):  # the latter at a prompt
        code = ExitCode.INTERRUPTED
    raise typer.Exit(int(code))


def drop_unwritable() -> None:
    """If standard output cannot be written, drop what is left and what comes; Python would try it
    once more at its exit."""
    try:
        print(end="", flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def refuse(error: Any) -> NoReturn:
    """End for a `UsageError` with one line: the command, what is wrong, and where its help is."""
    if type(error).__name__ == "NoArgsIsHelpError":
        raise error
    command = error.ctx.command_path
    told = error.format_message().rstrip(".")
    print(f"{command}: {told[0].lower()}{told[1:]}; see '{command} --help'", file=sys.stderr)
    raise typer.Exit(int(ExitCode.BAD_INPUT))


def in_home(path: Path) -> Path:
    """The path with the home folder for `~`; as it is where that has no user of this name."""
    return Path(expanduser(path))


def save(path: Path, text: str) -> None:
    """Write a file that the user asked for. Raises InputError: it cannot be written."""
    try:
        in_home(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None
