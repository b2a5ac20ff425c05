"""Where a run can be compared with another: calls at which variables and loops tell all of it.

Python keeps more than variables while a program runs: half of a sum, an error that is being
handled, the place in a list that a `for` goes through. A call stands clear if nothing of that is
pending but `for` loops, whose iterators the verifier takes note of.
"""

from __future__ import annotations

import ast
import dis
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType, FrameType
from typing import Any

from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.sandbox.namespace import FILENAME

LoopPlace = tuple[int, int]
"""Line and column of a `for`."""

CallPlace = tuple[int | None, int | None, int | None, int | None]
"""Line, end line, column and end column of a call, as Python's code knows them."""

_NOTE = "__loop__"
_ENDS = frozenset({"RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE", "JUMP_FORWARD",
                   "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT"})  # fmt: skip


@dataclass(frozen=True)
class Standing:
    """A call that stands clear.

    Attributes:
        name: what is called.
        loops: the `for` loops of its function that are under way, outermost first.
        taken: a variable of which the statement already holds the value; empty for none.
    """

    name: str
    loops: tuple[LoopPlace, ...]
    taken: str


def standings(tree: ast.Module, domain: Domain) -> dict[CallPlace, Standing]:
    """All calls of a program that stand clear."""
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    found: dict[CallPlace, Standing] = {}
    for node in parents:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            standing = _standing(node, node.func.id, parents, domain)
            if standing is not None:
                found[node.lineno, node.end_lineno, node.col_offset, node.end_col_offset] = standing
    return found


def _standing(
    call: ast.Call, name: str, parents: Mapping[ast.AST, ast.AST], domain: Domain
) -> Standing | None:
    child: ast.AST = call
    while not isinstance(child, ast.stmt):
        parent = parents[child]
        if not _comes_first(parent, child, domain):
            return None
        child = parent
    taken = child.target.id if isinstance(child, ast.AugAssign) else ""  # type: ignore[union-attr]
    loops: list[LoopPlace] = []
    while not isinstance(parent := parents[child], ast.FunctionDef):
        if not isinstance(parent, (ast.For, ast.While, ast.If, ast.Try)):
            return None
        if isinstance(parent, ast.Try) and child not in (*parent.body, *parent.orelse):
            return None
        if isinstance(parent, ast.For) and child in parent.body:
            loops.insert(0, (parent.lineno, parent.col_offset))
        child = parent
    return Standing(name, tuple(loops), taken)


def _comes_first(parent: ast.AST, child: ast.AST, domain: Domain) -> bool:
    """Whether nothing of the parent is pending while this part of it is evaluated."""
    if isinstance(parent, ast.Call):
        func = parent.func
        said = isinstance(func, ast.Name) and func.id in domain.skill_names
        return child is func or (said and parent.args[:1] == [child])
    if isinstance(parent, ast.AugAssign):
        return child is parent.value and isinstance(parent.target, ast.Name)
    if isinstance(parent, ast.Compare):
        return child is parent.left
    if isinstance(parent, ast.BinOp):
        return child is parent.left
    if isinstance(parent, (ast.Attribute, ast.Subscript, ast.Assign, ast.AnnAssign, ast.NamedExpr)):
        return child is parent.value
    if isinstance(parent, ast.For):
        return child is parent.iter
    return isinstance(
        parent, (ast.Expr, ast.Return, ast.If, ast.While, ast.UnaryOp, ast.BoolOp, ast.IfExp)
    )


class _NotingLoops(ast.NodeTransformer):
    """`for x in __loop__(xs, line, column)`, which gives an iterator of xs as Python would."""

    def visit_For(self, node: ast.For) -> ast.For:
        self.generic_visit(node)
        place = [ast.Constant(node.lineno), ast.Constant(node.col_offset)]
        call = ast.Call(ast.Name(_NOTE, ast.Load()), [node.iter, *place], [])
        for part in (call, call.func, *place):
            ast.copy_location(part, node)
        node.iter = call
        return node


def noting_loops(tree: ast.Module) -> ast.Module:
    """The program with its `for` loops noted; the tree itself is changed."""
    changed: ast.Module = _NotingLoops().visit(tree)
    return changed


class Loops:
    """The iterators of the `for` loops of one run, by frame and place; the last one counts."""

    def __init__(self) -> None:
        self._of: dict[tuple[int, LoopPlace], Iterator[Any]] = {}

    def names(self) -> dict[str, Any]:
        """What the noted program calls."""
        return {_NOTE: self._entered}

    def iterator(self, frame: FrameType, place: LoopPlace) -> Iterator[Any]:
        return self._of[id(frame), place]

    def _entered(self, values: Any, line: int, column: int) -> Iterator[Any]:
        iterator: Iterator[Any] = iter(values)
        # a frame that is gone may leave its number to another, whose loops begin after that
        self._of[id(sys._getframe(1)), (line, column)] = iterator
        return iterator


def program_frames(frame: FrameType | None) -> list[FrameType]:
    """The program's frames under way, the innermost one first."""
    while frame is not None and frame.f_code.co_filename != FILENAME:
        frame = frame.f_back
    frames = []
    while frame is not None and frame.f_code.co_filename == FILENAME:
        frames.append(frame)
        frame = frame.f_back
    return frames


def call_place(frame: FrameType) -> CallPlace | None:
    """The call that a frame has under way."""
    places = _places(frame.f_code)
    return places[frame.f_lasti // 2] if frame.f_lasti >= 0 else None


@lru_cache(maxsize=256)
def _places(code: CodeType) -> tuple[CallPlace, ...]:
    positions = getattr(code, "co_positions", None)  # before Python 3.11 nothing stands clear
    return (
        tuple(positions())
        if positions is not None
        else ((None, None, None, None),) * len(code.co_code)
    )


@lru_cache(maxsize=256)
def read_later(code: CodeType) -> dict[int, frozenset[str]]:
    """Local variables that may be read after each instruction, by its offset, before they are set.

    What functions within it use counts as read.
    """
    steps = list(dis.get_instructions(code))
    place = {step.offset: number for number, step in enumerate(steps)}
    always = frozenset((*code.co_cellvars, *code.co_freevars))
    every = always.union(code.co_varnames)
    before = [always] * (len(steps) + 1)
    after = [always] * len(steps)
    handlers = [n for n, step in enumerate(steps) if step.opname == "PUSH_EXC_INFO"]
    grew = True
    while grew:
        grew = False
        caught = always.union(*(before[n] for n in handlers))
        for number in reversed(range(len(steps))):
            step = steps[number]
            goals = [before[number + 1]] if step.opname not in _ENDS else []
            if step.opcode in dis.hasjrel or step.opcode in dis.hasjabs:
                goals.append(before[place[step.argval]] if step.argval in place else every)
            after[number] = caught.union(*goals)
            names = _locals_of(step)
            set_here = names if step.opname == "STORE_FAST" else frozenset()
            now = (after[number] - set_here) | (names - set_here) | caught
            grew |= now != before[number]
            before[number] = now
    offsets = [*place, len(code.co_code)]
    return {
        offset: after[number]  # an instruction is followed by its caches
        for number, step in enumerate(steps)
        for offset in range(step.offset, offsets[number + 1], 2)
    }


def _locals_of(step: dis.Instruction) -> frozenset[str]:
    if "_FAST" not in step.opname:
        return frozenset()
    return frozenset(step.argval if isinstance(step.argval, tuple) else (step.argval,))
