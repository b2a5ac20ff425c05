"""The command `roboinstruct`: each command is imported when it is called, and ended in one way."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from pkgutil import resolve_name
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from roboinstruct_ros.bringup.fork_server import fork_server
from roboinstruct_ros.commands.ending import UsageError, end, refuse

COMMANDS: dict[str, tuple[str | dict[str, str], str]] = {
    "replay": (
        "traces.replaying:replay",
        "Run recorded runs again, and tell what goes another way. No real robot moves.\n\n"
        "Without a depth, --calls and --verdict. Exit 0 as expected, 1 different, 2 unusable "
        "input.",
    ),
    "up": ("up:up", "Bring everything up; for one task with --once."),
    "run": ("run:run", "Do one task on the running stack."),
    "verify": (
        "verify:verify",
        "Try a program in every world. Exit 0 accepted, 1 rejected, 2 unusable input.",
    ),
    "generate": ("generate:generate", "Write verified programs; nothing moves."),
    "stop": ("stopping:stop", "Stop the robot now."),
    "resume": (
        "run:resume",
        "Go on with a run that a crash or a loss of power has interrupted.",
    ),
    "pause": (
        "stopping:pause",
        "Hold the running task, a drive at once, anything else at its next step.",
    ),
    "status": (
        "status:status",
        "What the running stack does: nodes, task, line, interrupted runs, queue.",
    ),
    "doctor": ("doctor.doctor:doctor", "What is installed, what is missing, and how to mend it."),
    "models": (
        {
            "list": "models.models:list_models",
            "check": "models.check:check_model",
            "get": "models.get:get_model",
            "import": "models.models:import_file",
            "quantize": "models.quantize:quantize_model",
        },
        "Models: which there are, what fits, bring one in, make one smaller.",
    ),
    "tasks": (
        {
            "list": "tasks:list_tasks",
            "versions": "tasks:list_versions",
            "show": "tasks:show_task",
            "forget": "tasks:forget_task",
        },
        "Tasks that were written, with their versions; TASK is an id, its beginning, or last.",
    ),
    "eval": (
        "evaluations.app:eval_app",
        "How well a model does on a suite of tasks, with an interval to each figure.",
    ),
    "learn": (
        "learn:learn_app",
        "A model for your own robot: tasks, programs that verify, training. "
        "`roboinstruct learn CONFIG.yaml` does all of it.",
    ),
    "trace": (
        {
            "list": "traces.listing:list_traces",
            "keep": "traces.runs:keep_bag",
            "show": "traces.runs:show_trace",
            "diff": "traces.runs:diff_traces",
            "export": "traces.runs:export_trace",
            "promote": "traces.runs:promote_bag",
            "repair": "traces.runs:repair_bag",
            "import": "traces.importing:import_bag",
        },
        "Recorded runs, a bag each.",
    ),
    "security": (
        {
            "init": "security:make_keystore",
            "rotate": "security:rotate_keystore",
            "show": "security:show_keystore",
        },
        "The keystore that closes the stack to strangers; see docs/security.md.",
    ),
    "devices": (
        {
            "pair": "devices:show_pin",
            "list": "devices:list_devices",
            "withdraw": "devices:withdraw_device",
            "certificate": "devices:new_certificate",
        },
        "Devices on the network that may use the kiosk; see docs/security.md.",
    ),
}
"""Where in `commands/` each command is, or each of a group of commands; and its help."""


class Commands(TyperGroup):
    """Imports a command when it is called, and ends it: a fault of its input is one line."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = {
            name: TyperCommand(name, help=told) for name, (_, told) in COMMANDS.items()
        }

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except UsageError as error:
            refuse(error)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The command itself, in the place of its line in the list."""
        name, listed, rest = super().resolve_command(ctx, args)
        if name == "up":
            fork_server()  # loads what the nodes share while this process loads the command
        return name, listed and command(str(name)), rest

    def invoke(self, ctx: Any) -> None:
        """Ends with the exit code that the command returns."""
        end(lambda: super(Commands, self).invoke(ctx))


def command(name: str) -> Any:
    """A command or group of `COMMANDS` as typer has it."""
    place, told = COMMANDS[name]
    if isinstance(place, dict):
        found = typer.Typer(no_args_is_help=True)
        for one, where in place.items():
            found.command(one)(_found(where))
    else:
        found = _found(place)
    if isinstance(found, typer.Typer):
        group = typer.main.get_group(found)
        group.help = told
        return group
    alone = typer.Typer(add_completion=False)
    alone.command(name, help=told)(found)
    return typer.main.get_command(alone)


def _found(place: str) -> Any:
    return resolve_name(f"roboinstruct_ros.commands.{place}")


app = typer.Typer(
    cls=Commands, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False
)


@app.callback()
def roboinstruct() -> None:
    """Plain words to verified robot programs."""


def main() -> None:
    """Entry point of the console script. What the encoding of a terminal lacks becomes a number."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    app()


if __name__ == "__main__":
    main()
