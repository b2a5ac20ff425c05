"""`roboinstruct eval report`: prints the figures of an evaluation again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from roboinstruct_ros.commands.arguments import Json
from roboinstruct_ros.evaluate.reports.tables import markdown
from roboinstruct_ros.evaluate.reports.write import HTML, JSON, write_reports


def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of an evaluation.")],
    as_json: Json = False,
) -> None:
    """Print the tables of an evaluation again and rewrite its reports."""
    figures = write_reports(folder)
    if as_json:
        print((folder / JSON).read_text(encoding="utf-8"), end="")
    else:
        print(f"{markdown(figures)}\n\n{folder / HTML}")
