"""A task as a suite's YAML has it, and how it is varied."""

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
    """A changed task that nobody has admitted yet.

    Attributes:
        arguments: what the operator was given, as lineage tells it.
    """

    task: Task
    arguments: Mapping[str, Any]


Operator = Callable[[Task, Place, random.Random], Iterator[Variant]]
"""Variations of a task at a place, the likely ones first; what is wrong is not admitted later."""


def changed(task: Task, **fields: Any) -> dict[str, Any]:
    """A copy with other fields; one that is None goes."""
    new = {**deepcopy(dict(task)), **fields}
    return {name: value for name, value in new.items() if value is not None}


def texts(value: Any) -> Iterator[str]:
    """All text in nested data, keys too."""
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
    """The same nested data with every text changed, keys too."""
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
    """A function of statements and of lines of text."""
    lines = [one if isinstance(one, str) else ast.unparse(one) for one in statements]
    return HEAD + textwrap.indent("\n".join(lines), "    ") + "\n"


def errand_of(task: Task) -> list[ast.stmt | str]:
    """The reference's statements as a part of a longer program, which goes on where they return."""
    body = body_of(task)
    if not any(isinstance(node, ast.Return) for one in body for node in ast.walk(one)):
        return list(body)
    text = "\n".join(ast.unparse(one) for one in body)
    return ["def errand():\n" + textwrap.indent(text, "    "), "errand()"]
