"""How a command ends: an exit code, and one line for what was wrong with its input."""

from __future__ import annotations

import sys
from collections.abc import Callable

import typer

from roboinstruct_ros.commands.exit_code import ExitCode
from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.instruction import InstructionError


def end(action: Callable[[], ExitCode]) -> None:
    """Run a command; bad input ends in one line and exit code 2."""
    try:
        code = action()
    except ConfigError as error:
        code = bad_input(str(error))
    except InstructionError as error:
        code = bad_input(f"{error.code.name.lower()}: {error.message}")
    except FileNotFoundError as error:
        code = bad_input(str(error))
    except KeyboardInterrupt:
        code = ExitCode.INTERRUPTED
    raise typer.Exit(int(code))


def bad_input(message: str) -> ExitCode:
    """Say what was wrong. The exit code for it."""
    print(message, file=sys.stderr)
    return ExitCode.BAD_INPUT
