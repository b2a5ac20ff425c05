"""Writes the reports of an evaluation next to its records."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from roboinstruct_ros.evaluate.families.lineage import Lineage
from roboinstruct_ros.evaluate.figures.figures import Figures, figures_of
from roboinstruct_ros.evaluate.reports.junit import junit
from roboinstruct_ros.evaluate.reports.page import report_page
from roboinstruct_ros.evaluate.runs.folder import (
    RECORDS,
    FolderError,
    Manifest,
    read_manifest,
    read_records,
)
from roboinstruct_ros.evaluate.runs.record import Record

JSON, HTML, JUNIT = "report.json", "report.html", "junit.xml"


def read(folder: Path) -> tuple[Manifest, list[Record]]:
    """The manifest and the records. Raises FolderError, also if there are none yet."""
    records = list(read_records(folder))
    if not records:
        raise FolderError(f"{folder / RECORDS}: no item has been evaluated yet")
    return read_manifest(folder), records


def write_reports(folder: Path) -> Figures:
    """Write the figures as JSON and as a page, and the items as JUnit XML. Return the figures.

    Raises:
        FolderError: the folder cannot be read or written.
    """
    manifest, records = read(folder)
    figures = figures_of(records, Lineage.read(manifest.lineage))
    texts = {
        JSON: f"{json.dumps(as_values(manifest, figures, records), indent=2)}\n",
        HTML: report_page(manifest, figures, records),
        JUNIT: junit(manifest.suite, records),
    }
    for name, text in texts.items():
        write(folder / name, text)
    return figures


def write(path: Path, text: str) -> None:
    """Raises FolderError if the file cannot be written."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise FolderError(f"{path}: cannot be written: {error.strerror}") from None


def as_values(manifest: Manifest, figures: Figures, records: Sequence[Record]) -> dict[str, Any]:
    """The manifest and every figure, for JSON."""
    missing = manifest.items - len(records)
    return {**manifest.model_dump(), "missing": missing, "figures": asdict(figures)}
