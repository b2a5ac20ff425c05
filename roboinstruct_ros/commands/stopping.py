"""`roboinstruct stop` and `roboinstruct pause`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from roboinstruct_ros.commands.ending import ExitCode
from roboinstruct_ros.commands.joining import Namespace, Security, joined

_STOP_LIMIT = 5.0  # s


def stop(namespace: Namespace = "", security: Security = "") -> ExitCode:
    """Stop the robot, whichever nodes of the stack are still running."""
    from roboinstruct_ros.nodes.task_client import StackError

    with joined(namespace) as client:
        try:
            print(client.stop_whoever_is_there("cli", "roboinstruct stop", _STOP_LIMIT))
        except StackError as error:
            print(str(error), file=sys.stderr)
            return ExitCode.FAILED
    return ExitCode.SUCCESS


def pause(
    off: Annotated[
        bool, typer.Option("--off", help="End the pause and continue the task.")
    ] = False,
    namespace: Namespace = "",
    security: Security = "",
) -> ExitCode:
    """Pause or continue the running task."""
    with joined(namespace) as client:
        said = client.pause(not off)
    print(said)
    return ExitCode.SUCCESS if said.startswith("the task") else ExitCode.FAILED
