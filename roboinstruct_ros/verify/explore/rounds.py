"""Iterations (rounds) of waiting loops, to end a path that returns to an earlier state."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from types import FrameType

from roboinstruct_ros.program.syntax import children
from roboinstruct_ros.verify.explore.program_state import program_state

FEW_ROUNDS, LEAST_ROUNDS, MOST_ROUNDS = 2, 4, 14
"""Iterations without a recurring state after which a loop is no longer tried exhaustively: as
many as the program counts to, within these bounds."""


def waiting_loops(tree: ast.Module, nodes: Iterable[ast.AST]) -> frozenset[ast.AST]:
    """Loops whose progress is entirely in variables: `while`, and `for x in iter(f, "no")` with
    a function of the module or a lambda without parameters as `f`."""
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    return frozenset(n for n in nodes if isinstance(n, ast.While) or _polls(n, functions))


def _polls(node: ast.AST, functions: Collection[str]) -> bool:
    if not isinstance(node, ast.For) or not isinstance(node.iter, ast.Call):
        return False
    called, given = node.iter.func, node.iter.args
    if not (isinstance(called, ast.Name) and called.id == "iter" and len(given) == 2):
        return False
    asked, end = given
    named = isinstance(asked, ast.Name) and asked.id in functions
    plain = isinstance(asked, ast.Lambda) and not children(asked.args)
    return (named or plain) and isinstance(end, ast.Constant)


def round_lines(nodes: Iterable[ast.AST], loops: Collection[ast.AST]) -> dict[int, bool]:
    """Lines at which the state of a waiting loop is recorded (True), and lines of other loops
    around it (False). The position of the outer loops is in no variable, so reaching one discards
    the states recorded so far.

    Conditions on several lines and loops within `except` or `finally` are left out: their state is
    not in variables alone.
    """
    lines: dict[int, bool] = {}
    for function in nodes if loops else ():
        if isinstance(function, ast.FunctionDef):
            for statement in function.body:
                lines.update(_lines(statement, loops, ()))
    return lines


def _lines(
    node: ast.AST, loops: Collection[ast.AST], around: tuple[int, ...]
) -> Iterator[tuple[int, bool]]:
    if isinstance(node, (ast.FunctionDef, ast.expr)):
        return
    inner = list(ast.iter_child_nodes(node))
    if isinstance(node, (ast.While, ast.For)) and node in loops:
        header = node.test if isinstance(node, ast.While) else node.iter
        if header.end_lineno == node.lineno:
            yield node.lineno, True
            yield from ((line, False) for line in around)
    elif isinstance(node, ast.For):
        around = (*around, *range(node.lineno, max(node.body[0].lineno, node.lineno + 1)))
    elif isinstance(node, ast.Try):
        inner = [*node.body, *node.orelse]
    for child in inner:
        yield from _lines(child, loops, around)


def rounds_tried(nodes: Iterable[ast.AST], loops: Collection[ast.AST]) -> int:
    """How many iterations of a loop whose state never recurs are tried exhaustively."""
    if not loops:
        return LEAST_ROUNDS
    nodes = list(nodes)
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
    """The states at the beginning of each iteration, on one path.

    Args:
        most, few: iterations of a loop that are tried exhaustively; `few` if worlds are left out
            anyway.
    """

    def __init__(self, lines: Mapping[int, bool], most: int, few: int) -> None:
        self._lines = lines
        self._most, self._few = most, few
        self._frames: dict[FrameType, dict[int, dict[object, int]]] = {}
        self.tired = False

    def tried(self) -> object:
        """How many iterations of the current loops were tried."""
        frames = self._frames.values()
        return tuple(tuple((line, len(seen)) for line, seen in of.items()) for of in frames)

    def came_back(
        self, frame: FrameType, world: Callable[[], object], chosen: int, thrifty: bool
    ) -> int | None:
        """The number of choices made when this state first occurred; None for a new state.

        Call it at the recorded lines, before they run.

        Args:
            world: returns the state of the world.
            chosen: number of choices made so far.
            thrifty: worlds are left out anyway, as with a clock, so that few iterations suffice.
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
