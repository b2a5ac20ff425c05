"""`roboinstruct tasks ...`: reads arguments."""

from __future__ import annotations

from typing import Annotated

import typer

from roboinstruct_ros.commands.arguments import like
from roboinstruct_ros.commands.ending import end
from roboinstruct_ros.nodes.generator.parameters import GeneratorOptions

tasks_app = typer.Typer(
    help="Tasks that were written, with their versions; TASK is an id, its beginning, or last.",
    no_args_is_help=True,
)

Library = Annotated[str, like(GeneratorOptions(), "library")]
OneObject = Annotated[bool, typer.Option("--json", help="One JSON object.")]


@tasks_app.command("list")
def tasks_list(library: Library = "", as_json: OneObject = False) -> None:
    """The tasks, the one that changed last first."""
    from roboinstruct_ros.commands.tasks import list_tasks

    end(lambda: list_tasks(library, as_json))


@tasks_app.command("show")
def tasks_show(
    task: Annotated[str, typer.Argument(help="TASK or TASK/NUMBER.")],
    library: Library = "",
    as_json: OneObject = False,
) -> None:
    """One version: words, program, and what it changed; without a number the last in use."""
    from roboinstruct_ros.commands.tasks import show_task

    end(lambda: show_task(task, library, as_json))


@tasks_app.command("versions")
def tasks_versions(
    task: Annotated[str, typer.Argument(help="TASK.")],
    library: Library = "",
    as_json: OneObject = False,
) -> None:
    """All versions of a task, and what each was made from."""
    from roboinstruct_ros.commands.tasks import list_versions

    end(lambda: list_versions(task, library, as_json))


@tasks_app.command("forget")
def tasks_forget(task: Annotated[str, typer.Argument(help="TASK.")], library: Library = "") -> None:
    """Delete a task with all its versions."""
    from roboinstruct_ros.commands.tasks import forget_task

    end(lambda: forget_task(task, library))
