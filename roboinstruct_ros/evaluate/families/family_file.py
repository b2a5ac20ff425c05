"""Grows families from a suite in YAML, and writes them as a suite with the lineage of its tasks."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import yaml

from roboinstruct_ros.evaluate.families.grow import Families, grow
from roboinstruct_ros.evaluate.families.task import Task
from roboinstruct_ros.evaluate.families.task_check import TaskCheck
from roboinstruct_ros.evaluate.runs.items import fits
from roboinstruct_ros.evaluate.suite import suite_file
from roboinstruct_ros.evaluate.suite.case import Place

_WIDTH = 110


def families_of(suite: Path, each: int, depth: int, seed: int, tasks: str = "") -> Families:
    """Families of all tasks of a suite whose answer is a program.

    Args:
        each, depth, seed: as for `grow`.
        tasks: pattern that selects tasks, see `fits`.

    Raises:
        ConfigError: the file is not a suite.
    """
    cases = suite_file.read(suite).cases
    places = {case.name: case.place for case in cases if case.reference and fits(case, tasks)}
    told = yaml.safe_load(suite.read_text(encoding="utf-8"))
    grown = {step["task"] for step in told.get("lineage", ())}
    roots: dict[str, tuple[Task, Place]] = {
        task["name"]: (task, places[task["name"]])
        for task in told["tasks"]
        if task["name"] in places and task["name"] not in grown
    }
    with closing(TaskCheck(told.get("places", {}))) as admit:
        return grow(roots, admit, each, depth, seed)


def write(families: Families, suite: Path, to: Path) -> None:
    """Write the families as a suite, with a drawing of the lineage next to it (`.mmd`).

    Raises:
        OSError: they cannot be written.
    """
    told = yaml.safe_load(suite.read_text(encoding="utf-8"))
    named = {task["place"] for task in families.tasks}
    own = {name: told["places"][name] for name in told.get("places", {}) if name in named}
    lineage = [step.as_dict() for step in families.lineage.steps]
    values: dict[str, Any] = {"suite": f"families of {told['suite']}"}
    values |= {"places": own} if own else {}
    values |= {"lineage": lineage, "tasks": [dict(task) for task in families.tasks]}
    text = yaml.dump(values, Dumper=_Readable, sort_keys=False, allow_unicode=True, width=_WIDTH)
    to.write_text(text, encoding="utf-8")
    drawing(to).write_text(families.lineage.mermaid(), encoding="utf-8")


def drawing(to: Path) -> Path:
    """The path of the drawing for a file of families."""
    return to.with_suffix(".mmd")


class _Readable(yaml.SafeDumper):
    """Writes programs as blocks of lines, and repeats equal values instead of using aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Readable.add_representer(str, _text)
