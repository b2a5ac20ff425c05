"""`roboinstruct tasks`: lists, shows and deletes stored tasks."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.markup import escape

from roboinstruct_ros.commands.arguments import Json
from roboinstruct_ros.commands.listing import console, local_time, table
from roboinstruct_ros.commands.stack_arguments import Library
from roboinstruct_ros.domain.task_version import TaskVersion
from roboinstruct_ros.library.task_library import TaskLibrary
from roboinstruct_ros.program.task_program import lines_of
from roboinstruct_ros.program.version_diff import ADDED, REMOVED, changed_lines

Task = Annotated[str, typer.Argument(help="TASK.")]

_ID = 12  # characters of an id shown in a table


def list_tasks(library: Library = "", as_json: Json = False) -> None:
    """List the tasks, most recently changed first."""
    with closing(TaskLibrary.open(library)) as opened:
        tasks = opened.tasks()
        where = opened.place
    if as_json:
        print(json.dumps({"library": where, "tasks": [asdict(task) for task in tasks]}))
        return
    if not tasks:
        print(f"No task is kept in {where} yet.")
        return
    rows = table("task", "changed", ">versions", ">done", "words")
    for task in tasks:
        rows.add_row(
            task.task_id[:_ID],
            local_time(task.changed),
            str(task.versions),
            str(task.succeeded),
            escape(task.words),
        )
    console().print(rows)


def list_versions(task: Task, library: Library = "", as_json: Json = False) -> None:
    """List all versions of a task and what each was made from."""
    with closing(TaskLibrary.open(library)) as opened:
        versions = opened.versions(opened.find(task).task_id)
    if as_json:
        print(json.dumps({"versions": [_document(version) for version in versions]}))
        return
    rows = table(">version", ">from", "read as", "said", "plan", ">done")
    for version in versions:
        rows.add_row(
            str(version.number),
            str(version.parent or ""),
            version.steering.value if version.steering else "",
            escape(version.said),
            escape(version.summary),
            str(version.succeeded),
        )
    console().print(rows)


def show_task(
    task: Annotated[str, typer.Argument(help="TASK or TASK/NUMBER.")],
    library: Library = "",
    as_json: Json = False,
) -> None:
    """Show one version: words, program and changes; without a number the last one used."""
    with closing(TaskLibrary.open(library)) as opened:
        version = opened.find(task)
        versions = opened.versions(version.task_id)
    parent = next((one for one in versions if one.number == version.parent), None)
    lines = changed_lines(parent.source, version.source) if parent else ()
    if as_json:
        print(json.dumps({**_document(version), "diff": [mark + text for mark, text in lines]}))
        return
    shown = console()
    made = f", {version.steering.value} of {version.parent}" if parent and version.steering else ""
    shown.print(f"[bold]{version.task_id}[/], version {version.number} of {len(versions)}{made}")
    shown.print(f"said:  {version.said}", markup=False, soft_wrap=True)
    shown.print(f"words: {version.words}", markup=False, soft_wrap=True)
    shown.print(f"plan:  {version.summary}", markup=False, soft_wrap=True)
    worlds = f"{version.worlds} worlds tried, " + ("none" if version.exhaustive else "some")
    runs = f"approved {version.approved}, succeeded {version.succeeded}"
    shown.print(f"{worlds} left out; {runs}; {local_time(version.created)}", style="dim")
    colours = {ADDED: "green", REMOVED: "red"}
    for mark, text in lines or ((" ", line) for line in lines_of(version.source)):
        shown.print(f"{mark} {text}", style=colours.get(mark), markup=False, soft_wrap=True)


def forget_task(task: Task, library: Library = "") -> None:
    """Delete a task with all its versions."""
    with closing(TaskLibrary.open(library)) as opened:
        print(f"task {opened.forget(task)} is forgotten")


def _document(version: TaskVersion) -> dict[str, Any]:
    return {**asdict(version), "steering": version.steering.value if version.steering else ""}
