"""Records the iterators of a program's `for` loops: Python keeps their position in no variable."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType
from typing import Any, NamedTuple

from roboinstruct_ros.program.syntax import called, name_of, walk
from roboinstruct_ros.verify.explore.choices import Spent
from roboinstruct_ros.verify.explore.standing import LoopPlace

_LOOP, _ROUND = "__loop__", "__round__"


class Round(NamedTuple):
    """The beginning of a round.

    Attributes:
        state: of program and world.
        acted: the program's lines up to its latest skill call or wait.
        spent: of the limits of a run.
    """

    state: object
    acted: int
    spent: Spent


@dataclass(eq=False)
class Loop:
    """A `for` loop in progress.

    Attributes:
        entered: the choices made before it, if its rounds may be skipped, see `BoundedWaits`.
        latest: the round before, if so.
    """

    iterator: Iterator[Any]
    entered: tuple[int, ...] | None = None
    latest: Round | None = None


RoundBegins = Callable[[FrameType, LoopPlace, Loop], None]
"""Takes the frame, the position and the loop."""


def noting_loops(tree: ast.Module) -> ast.Module:
    """Insert a recorded iterator into each `for`, as `for x in __loop__(xs, line, column)`, and a
    call of `__round__(line, column)` at the beginning of rounds that could all be alike; modifies
    the tree in place and returns it."""
    nodes = walk(tree)
    read = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    for node in nodes:
        if isinstance(node, ast.For):
            if called(node.iter) == "range" and name_of(node.target) not in {"", *read}:
                node.body.insert(0, ast.Expr(_noted(_ROUND, node, node.body[0])))
                ast.copy_location(node.body[0], node.body[1])
            node.iter = _noted(_LOOP, node, node, node.iter)
    return tree


def _noted(name: str, loop: ast.For, at: ast.stmt, *given: ast.expr) -> ast.Call:
    place = [ast.Constant(loop.lineno), ast.Constant(loop.col_offset)]
    call = ast.Call(ast.Name(name, ast.Load()), [*given, *place], [])
    for part in (call, call.func, *place):
        ast.copy_location(part, at)
    return call


class Loops:
    """The `for` loops of one run, by frame and position; the latest one counts.

    Args:
        round_begins: called at the beginning of each round that could be like the others.
    """

    def __init__(self, round_begins: RoundBegins | None = None) -> None:
        self._of: dict[tuple[int, LoopPlace], Loop] = {}
        self._round_begins = round_begins

    def names(self) -> dict[str, Any]:
        """The functions that the instrumented program calls."""
        return {_LOOP: self._entered, _ROUND: self._round}

    def loop(self, frame: FrameType, place: LoopPlace) -> Loop:
        return self._of[id(frame), place]

    def _entered(self, values: Any, line: int, column: int) -> Iterator[Any]:
        iterator: Iterator[Any] = iter(values)
        # A new frame may get the id of a deleted one; it overwrites the old entries when its loops
        # begin.
        self._of[id(sys._getframe(1)), (line, column)] = Loop(iterator)
        return iterator

    def _round(self, line: int, column: int) -> None:
        if self._round_begins is not None:
            frame, place = sys._getframe(1), (line, column)
            self._round_begins(frame, place, self.loop(frame, place))
