"""Hand-written cases for the shipped worlds: `test/generate/instructions.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.evaluate.suite.case import Case, Place, Suite, Trial


def read(path: Path) -> Suite:
    """All rows of the file; none of them is kept for learning."""
    return Suite(tuple(map(case_of, yaml.safe_load(path.read_text()))))


def case_of(row: Mapping[str, Any]) -> Case:
    """The case of a row; the headers of the files explain its fields."""
    answer = AnswerKind(row.get("answer", AnswerKind.PROGRAM))
    trials = tuple(_trial(part) for part in (row, *row.get("also", ())) if "ways" in part)
    return Case(
        row["text"],
        row.get("kind", answer.value),
        shipped_place(row["world"]),
        trials,
        frozenset([answer]),
        frozenset(row.get("choices", ())),
        row.get("parts", 0),
    )


def _trial(part: Mapping[str, Any]) -> Trial:
    return Trial(part["ways"], part.get("here", {}), part.get("answers", {}), part.get("slept"))


@cache
def shipped_place(world: str) -> Place:
    """The place of a shipped world."""
    path = find_world(world)
    told = yaml.safe_load(path.read_text())
    people, things = (
        tuple(dict.fromkeys(one["name"] for one in told.get(kind, ())))
        for kind in ("people", "objects")
    )
    return Place(load_semantic_map(path), told["start"], people, things)
