"""`roboinstruct trace export`: writes a recorded run as a page, a table or one JSON object."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Annotated, Any

import typer

from roboinstruct_ros.commands.arguments import Bag
from roboinstruct_ros.commands.ending import save
from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.trace.document import document_of
from roboinstruct_ros.trace.run_trace import bag_named

_COLUMNS = "index line began ended skill arguments result error error_msg tries".split()


def export_trace(
    bag: Bag,
    html: Annotated[str, typer.Option(help="Write one HTML page that opens in any browser.")] = "",
    table: Annotated[
        str, typer.Option("--csv", help="Write a CSV file with a line for each call.")
    ] = "",
    document: Annotated[
        str, typer.Option("--json", help="Write everything as one JSON object.")
    ] = "",
) -> None:
    """Write a run to a file: map, drive, program, plan, and every call with its time."""
    if not (html or table or document):
        raise InputError("name a file: --html FILE, --csv FILE or --json FILE")
    run = document_of(bag_named(bag))
    for name, text in ((html, _page), (table, _table), (document, json.dumps)):
        if name:
            path = Path(name).expanduser()
            save(path, text(run))
            print(f"{path}: {path.stat().st_size / 1000:.0f} KB")


def _page(run: dict[str, Any]) -> str:
    from roboinstruct_ros.web.kept.run_page import run_page

    return run_page(run)


def _table(run: dict[str, Any]) -> str:
    """One line per call; lists are JSON."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(_COLUMNS)
    for call in run["calls"]:
        values = (call[column] for column in _COLUMNS)
        writer.writerow([json.dumps(one) if isinstance(one, list) else one for one in values])
    return out.getvalue()
