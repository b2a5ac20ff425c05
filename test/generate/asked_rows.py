"""What `asked.yaml` and its like ask for, with the right programs."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

Row = Mapping[str, Any]
_HERE = Path(__file__).parent
ASKED: list[Row] = yaml.safe_load((_HERE / "asked.yaml").read_text())
LATER: list[Row] = yaml.safe_load((_HERE / "asked_later.yaml").read_text())
THIRD: list[Row] = yaml.safe_load((_HERE / "asked_third.yaml").read_text())
FOURTH: list[Row] = yaml.safe_load((_HERE / "asked_fourth.yaml").read_text())
FIFTH: list[Row] = yaml.safe_load((_HERE / "asked_fifth.yaml").read_text())
REFUSED: list[Row] = yaml.safe_load((_HERE / "refused.yaml").read_text())


def reference(row: Row) -> str:
    """The right program that stands with the row."""
    return "def task_program():\n" + textwrap.indent(row["program"], "    ")
