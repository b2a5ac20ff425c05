"""Rounds of waiting loops: one that begins as an earlier one began can bring nothing new."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import FrameType

from roboinstruct_ros.verify.explore.program_state import program_state

FEW_ROUNDS, LEAST_ROUNDS, MOST_ROUNDS = 2, 4, 14
"""Rounds without a state that comes back, after which a loop is no longer tried in every way; as
many as the program counts to, within these."""


def round_lines(nodes: Iterable[ast.AST]) -> dict[int, bool]:
    """Lines at which the state of a `while` loop is looked at (True), and lines of `for` loops
    around it (False): where those stand is in no variable, so what was seen counts no more.

    A condition on several lines, and a loop within `except` or `finally`, are not looked at: there
    is more to the state than variables.
    """
    lines: dict[int, bool] = {}
    nodes = list(nodes)
    if not any(isinstance(node, ast.While) for node in nodes):
        return lines
    for function in nodes:
        if isinstance(function, ast.FunctionDef):
            for statement in function.body:
                lines.update(_lines(statement, ()))
    return lines


def _lines(node: ast.AST, around: tuple[int, ...]) -> Iterator[tuple[int, bool]]:
    if isinstance(node, (ast.FunctionDef, ast.expr)):
        return
    if isinstance(node, ast.While) and node.test.end_lineno == node.lineno:
        yield node.lineno, True
        yield from ((line, False) for line in around)
    inner = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.For):
        around = (*around, *range(node.lineno, max(node.body[0].lineno, node.lineno + 1)))
    elif isinstance(node, ast.Try):
        inner = [*node.body, *node.orelse]
    for child in inner:
        yield from _lines(child, around)


def rounds_tried(nodes: Iterable[ast.AST]) -> int:
    """How many rounds a loop that never comes back to a state is tried in every way."""
    nodes = list(nodes)
    if not any(isinstance(node, ast.While) for node in nodes):
        return LEAST_ROUNDS
    slept = {
        id(part)
        for node in nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if node.func.attr == "sleep"
        for part in ast.walk(node)
    }
    numbers = [
        node.value
        for node in nodes
        if isinstance(node, ast.Constant) and type(node.value) is int and id(node) not in slept
    ]
    return max(LEAST_ROUNDS, *(n + 2 for n in numbers if n + 2 <= MOST_ROUNDS), LEAST_ROUNDS)


class Rounds:
    """The states at the beginning of each round, on one path.

    Args:
        most, few: rounds that a loop is tried in every way; `few` where worlds are left out anyway.
    """

    def __init__(self, lines: Mapping[int, bool], most: int, few: int) -> None:
        self._lines = lines
        self._most, self._few = most, few
        self._frames: dict[FrameType, dict[int, dict[object, int]]] = {}
        self.tired = False

    def came_back(
        self, frame: FrameType, world: Callable[[], object], chosen: int, thrifty: bool
    ) -> int | None:
        """How many choices had been made when this state was seen first; None for a new one.

        Call it at the lines that are looked at, before they run.

        Args:
            world: gives the state of the world.
            chosen: choices that have been made.
            thrifty: worlds are left out anyway, as of a clock; few rounds will do.
        """
        line = frame.f_lineno
        if not self._lines[line]:
            self._frames.pop(frame, None)
            return None
        seen = self._frames.setdefault(frame, {}).setdefault(line, {})
        if chosen in seen.values():
            return None  # nothing was asked since
        state = program_state(frame), world()
        before = seen.setdefault(state, chosen)
        self.tired = self.tired or len(seen) > (self._few if thrifty else self._most)
        return before if before < chosen else None
