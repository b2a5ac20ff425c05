"""Tasks in the form of a suite's YAML, and helpers for varying them."""

from __future__ import annotations

import ast
import random
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from roboinstruct_ros.evaluate.suite.case import Place
from roboinstruct_ros.evaluate.suite.schema import program_text

Task = Mapping[str, Any]
"""One entry of `tasks` in a suite's YAML."""

HEAD = "def task_program():\n"


@dataclass(frozen=True)
class Variant:
    """A changed task before it is checked.

    Attributes:
        arguments: the operator's arguments, for the lineage.
    """

    task: Task
    arguments: Mapping[str, Any]


Operator = Callable[[Task, Place, random.Random], Iterator[Variant]]
"""Yields variations of a task at a place, likely ones first; a check filters invalid ones."""


def changed(task: Task, **fields: Any) -> dict[str, Any]:
    """A copy with other fields; a field set to None is removed."""
    new = {**deepcopy(dict(task)), **fields}
    return {name: value for name, value in new.items() if value is not None}


def texts(value: Any) -> Iterator[str]:
    """All texts in nested data, including keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield from texts(key)
            yield from texts(one)
    elif isinstance(value, Sequence):
        for one in value:
            yield from texts(one)


def each_text(value: Any, change: Callable[[str], str]) -> Any:
    """A copy of nested data with every text changed, including keys."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {each_text(key, change): each_text(one, change) for key, one in value.items()}
    if isinstance(value, Sequence):
        return [each_text(one, change) for one in value]
    return value


def body_of(task: Task) -> list[ast.stmt]:
    """The statements of the reference."""
    function = ast.parse(program_text(str(task["program"]))).body[-1]
    assert isinstance(function, ast.FunctionDef)
    return function.body


def program_of(*statements: ast.stmt | str) -> str:
    """A function made of statements and lines of text."""
    lines = [one if isinstance(one, str) else ast.unparse(one) for one in statements]
    return HEAD + textwrap.indent("\n".join(lines), "    ") + "\n"


def errand_of(task: Task) -> list[ast.stmt | str]:
    """The reference's statements as part of a longer program, which continues where they return."""
    body = body_of(task)
    if not any(isinstance(node, ast.Return) for one in body for node in ast.walk(one)):
        return list(body)
    text = "\n".join(ast.unparse(one) for one in body)
    return ["def errand():\n" + textwrap.indent(text, "    "), "errand()"]
