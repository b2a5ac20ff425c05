"""`roboinstruct learn show`: writes the page of a run."""

from __future__ import annotations

from pathlib import Path

from roboinstruct_ros.commands.ending import save
from roboinstruct_ros.commands.exit_code import ExitCode
from roboinstruct_ros.learn.report.page import run_page

PAGE = "learned.html"


def show(folder: Path, html: Path | None) -> ExitCode:
    """Write the page and print its path."""
    page = run_page(folder)
    to = html or folder / PAGE
    save(to, page)
    print(to)
    return ExitCode.SUCCESS
