"""Arguments and options that several commands take."""

from __future__ import annotations

from typing import Annotated

import typer

from roboinstruct_ros.bringup.node_set import Options
from roboinstruct_ros.commands.option_arguments import like

STACK = Options(log_level="warn")  # a user at a terminal gets less than the log

World = Annotated[str, like(STACK, "world")]
Open = Annotated[
    bool, typer.Option("--open", help="Any room may exist, not only those of the map.")
]
Domain = Annotated[str, like(STACK, "domain")]
Model = Annotated[str, like(STACK, "model")]
Library = Annotated[str, like(STACK, "library")]
Yes = Annotated[bool, typer.Option("--yes", help="Approve the program in advance.")]
Follow = Annotated[str, typer.Option(help="Change this task: its id, ID/NUMBER, or last.")]
Tasks = Annotated[str, typer.Option(help="Only tasks whose name or kind matches this pattern.")]
Bag = Annotated[str, typer.Argument(help="A bag: its folder, the start of its name, or last.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
JsonEvents = Annotated[
    bool, typer.Option("--json", help="Print one JSON object per event and nothing else.")
]
