"""Reads the programs stored in a RoboEval checkout, to score them again.

Completions are JSON or JSON lines: objects with `name`, which is task and phrasing (`NAME_2`), and
`completions`, a list of texts. Evaluations are Python, of which only literals are read and nothing
is run, or CSV: texts under `program_...`, with `is_sat` and `error_message` next to them. The rest
of that key names the task and phrasing, `program_NAME_2` or `program_NAME_2_7`; a bare number there
extends the field `name`, else the file's own name.
"""

from __future__ import annotations

import ast
import csv
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_ENDINGS = (".json", ".jsonl", ".csv", ".py")
_NAMED = re.compile(r"(?P<task>[^\W\d].*?)_(?P<phrasing>\d+)(?:_(?P<sample>\d+))?")
_KEY = "program_"
_TRUE, _FALSE = {"true", "1", "1.0"}, {"false", "0", "0.0"}


@dataclass(frozen=True)
class Stored:
    """A stored program.

    Attributes:
        is_sat: whether it passed when it was stored; None if unknown.
        error: its error then; "" for none.
    """

    task: str
    phrasing: int
    sample: int
    program: str
    is_sat: bool | None = None
    error: str = ""


def read_stored(path: Path) -> Iterator[Stored]:
    """Every program in a file, or in all files of a folder.

    Raises:
        OSError: there is no such file.
        ValueError: it has another form, or has no programs; the text names the file.
    """
    files = sorted(one for one in path.rglob("*") if one.suffix in _ENDINGS)
    taken: Counter[tuple[str, int]] = Counter()
    for file in files if path.is_dir() else [path]:
        for task, phrasing, sample, text, entry in _programs(file):
            number = taken[task, phrasing] if sample is None else sample
            taken[task, phrasing] = max(taken[task, phrasing], number + 1)
            passed, error = _is_sat(entry.get("is_sat")), entry.get("error_message") or ""
            yield Stored(task, phrasing, number, text, passed, str(error))
    if not taken:
        raise ValueError(f"{path}: it has no `completions` and no `{_KEY}...` texts")


_Found = tuple[str, int, int | None, str, Mapping[str, Any]]


def _programs(file: Path) -> Iterator[_Found]:
    try:
        for value in _values(file):
            yield from _in(value, file.name.partition(".")[0])
    except (ValueError, SyntaxError, csv.Error) as error:
        raise ValueError(f"{file}: {' '.join(str(error).split())}") from None


def _values(file: Path) -> Iterator[Any]:
    """The plain data of the file."""
    text = file.read_text("utf-8")
    if file.suffix == ".csv":
        yield from csv.DictReader(text.splitlines(keepends=True))
    elif file.suffix == ".py":
        yield dict(_literals(text))
    elif file.suffix == ".jsonl":
        yield from (json.loads(line) for line in text.split("\n") if line.strip())
    elif file.suffix == ".json":
        yield json.loads(text)
    else:
        raise ValueError(f"give a file that ends in one of {', '.join(_ENDINGS)}, or a folder")


def _literals(text: str) -> Iterator[tuple[str, Any]]:
    """The module's top-level names whose values are literals."""
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            try:
                yield statement.targets[0].id, ast.literal_eval(statement.value)
            except ValueError:  # computed: not the text of a program
                continue


def _in(value: Any, of: str) -> Iterator[_Found]:
    """The programs in nested data; `of` names the task and phrasing of those that do not say."""
    if isinstance(value, list):
        for one in value:
            yield from _in(one, of)
    if not isinstance(value, dict):
        return
    of = str(value.get("name", of))
    for text in value.get("completions", ()):
        task, phrasing, sample = _whose("", of)
        yield task, phrasing, sample, str(text), value
    for key, one in value.items():
        if isinstance(one, str) and str(key).startswith(_KEY):
            yield (*_whose(key.removeprefix(_KEY), of), one, value)
        elif isinstance(one, (dict, list)) and key != "completions":
            yield from _in(one, str(key).removeprefix(_KEY) if _NAMED.fullmatch(str(key)) else of)


def _whose(rest: str, of: str) -> tuple[str, int, int | None]:
    """Raises ValueError if neither text names a task and a phrasing."""
    found = (_NAMED.fullmatch(name) for name in (rest, f"{of}_{rest}", of))
    named = next((one for one in found if one), None)
    if named is None:
        raise ValueError(f"{_KEY}{rest} of {of!r} names no task and phrasing, as TASK_0 does")
    sample = named["sample"]
    return named["task"], int(named["phrasing"]), int(sample) if sample else None


def _is_sat(told: object) -> bool | None:
    text = str(told).strip().lower()
    return True if text in _TRUE else False if text in _FALSE else None
