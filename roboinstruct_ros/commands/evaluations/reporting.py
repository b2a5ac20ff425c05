"""`roboinstruct eval report`: the figures of an evaluation again."""

from __future__ import annotations

from pathlib import Path

from roboinstruct_ros.commands.ending import bad_input
from roboinstruct_ros.commands.exit_code import ExitCode
from roboinstruct_ros.evaluate.reports.table import told
from roboinstruct_ros.evaluate.reports.write import HTML, JSON, write_reports
from roboinstruct_ros.evaluate.runs.folder import FolderError


def report(folder: Path, as_json: bool) -> ExitCode:
    """Write the reports into the folder, and print the tables, or report.json."""
    try:
        figures = write_reports(folder)
    except FolderError as error:
        return bad_input(str(error))
    if as_json:
        print((folder / JSON).read_text(encoding="utf-8"), end="")
    else:
        print(f"{told(figures)}\n\n{folder / HTML}")
    return ExitCode.SUCCESS
