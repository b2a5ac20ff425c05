"""Finds the calls at which two runs can be compared by their variables and loops alone.

Besides variables, Python keeps temporary state while a program runs: half of a sum, an exception
being handled, the position of a `for` in its list. A call stands clear if none of this is pending
except `for` loops, whose iterators the verifier records.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import CodeType, FrameType

from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.program.language import BUILTINS
from roboinstruct_ros.program.syntax import Parents, called, name_of, walk
from roboinstruct_ros.sandbox.namespace import FILENAME
from roboinstruct_ros.verify.explore.said_lists import SaidList, said_lists

LoopPlace = tuple[int, int]
"""Line and column of a `for`."""

_CallPlace = tuple[int | None, int | None, int | None, int | None]
"""Line, end line, column and end column of a call, as stored in Python's code objects."""


@dataclass(frozen=True)
class Standing:
    """A call that stands clear.

    Attributes:
        name: of the called function.
        loops: the `for` loops of its function that are in progress, outermost first.
        read: variables that may be read after it before they are assigned.
        said: lists of the function that it only fills and says.
        adds: the statement already holds the value of a variable, to add to it.
    """

    name: str
    loops: tuple[LoopPlace, ...]
    read: frozenset[str]
    said: Mapping[str, SaidList]
    adds: bool


class ClearCalls:
    """All calls of a program that stand clear; determined at the first use."""

    def __init__(self, parents: Parents, domain: Domain) -> None:
        self._parents = parents
        self._domain = domain
        quiet = (skill.name for skill in domain.skills if not skill.asks)
        self._quiet = BUILTINS.union(quiet)  # runs are not compared within these
        self._later: dict[ast.AST, ReadLater] = {}
        self._places: dict[int, tuple[CodeType, list[_CallPlace]]] = {}

    def at(self, frame: FrameType) -> Standing:
        """The call that a frame is executing. Raises KeyError if it does not stand clear."""
        code = frame.f_code
        if id(code) not in self._places:
            positions = getattr(code, "co_positions", list)  # none before Python 3.11
            self._places[id(code)] = code, list(positions())
        places = self._places[id(code)][1]
        return self._standings[places[frame.f_lasti // 2] if places else (None,) * 4]

    def read_in_round(self, place: LoopPlace) -> frozenset[str]:
        """Variables that may be read after a round of this `for` begins before they are
        assigned."""
        loop = self._loops[place]
        function: ast.AST = loop
        while not isinstance(function, ast.FunctionDef):
            function = self._parents[function]
        return self._read_later(function).in_round(loop)

    @cached_property
    def _loops(self) -> dict[LoopPlace, ast.For]:
        loops = (node for node in self._parents if isinstance(node, ast.For))
        return {(loop.lineno, loop.col_offset): loop for loop in loops}

    @cached_property
    def _said(self) -> dict[ast.AST, dict[str, SaidList]]:
        return said_lists(self._parents, self._domain)

    def _read_later(self, function: ast.FunctionDef) -> ReadLater:
        if function not in self._later:
            self._later[function] = ReadLater(function)
        return self._later[function]

    @cached_property
    def _standings(self) -> dict[_CallPlace, Standing]:
        found: dict[_CallPlace, Standing] = {}
        for node in self._parents:
            name = called(node)
            if isinstance(node, ast.Call) and name and name not in self._quiet:
                at = self._standing(node, name)
                if at is not None:
                    found[node.lineno, node.end_lineno, node.col_offset, node.end_col_offset] = at
        return found

    def _standing(self, call: ast.Call, name: str) -> Standing | None:
        child: ast.AST = call
        while not isinstance(child, ast.stmt):
            parent = self._parents[child]
            if not _comes_first(parent, child, self._domain):
                return None
            child = parent
        statement = child
        loops: list[LoopPlace] = []
        while not isinstance(parent := self._parents[child], ast.FunctionDef):
            if not isinstance(parent, (ast.For, ast.While, ast.If, ast.Try)):
                return None
            if isinstance(parent, ast.Try) and child not in (*parent.body, *parent.orelse):
                return None
            if isinstance(parent, ast.For) and child in parent.body:
                loops.insert(0, (parent.lineno, parent.col_offset))
            child = parent
        read = self._read_later(parent).after(statement, call)
        said = self._said.get(parent, {})
        return Standing(name, tuple(loops), read, said, isinstance(statement, ast.AugAssign))


def _comes_first(parent: ast.AST, child: ast.AST, domain: Domain) -> bool:
    """Whether no part of the parent is pending while this part of it is evaluated."""
    match parent:
        case ast.Call(func=function, args=given):
            first = name_of(function) in domain.skill_names and given[:1] == [child]
            return child is function or first
        case ast.AugAssign(target=target, value=value):
            return child is value and isinstance(target, ast.Name)
        case ast.Compare(left=first) | ast.BinOp(left=first) | ast.For(iter=first):
            return child is first
        case ast.Attribute() | ast.Subscript() | ast.Assign() | ast.AnnAssign() | ast.NamedExpr():
            return child is parent.value
    return isinstance(
        parent, (ast.Expr, ast.Return, ast.If, ast.While, ast.UnaryOp, ast.BoolOp, ast.IfExp)
    )


def program_frames(frame: FrameType | None) -> list[FrameType]:
    """The program's active frames, innermost first. Our code never calls the program back, so no
    other frames lie between them."""
    while frame is not None and frame.f_code.co_filename != FILENAME:
        frame = frame.f_back
    frames = []
    while frame is not None and frame.f_code.co_filename == FILENAME:
        frames.append(frame)
        frame = frame.f_back
    return frames


class ReadLater:
    """The variables of a function that may be read after each of its statements before they are
    assigned.

    Variables that nested functions use count as read.
    """

    def __init__(self, function: ast.FunctionDef) -> None:
        parts = walk(function)[1:]
        inner = [n for n in parts if isinstance(n, (ast.FunctionDef, ast.Lambda))]
        shared = (n.names for n in parts if isinstance(n, ast.Nonlocal))
        self._always = frozenset[str]().union(*map(_read_in, inner), *shared)
        self._after: dict[ast.AST, frozenset[str]] = {}
        self._reads: dict[ast.AST, frozenset[str]] = {}
        self._heads: dict[ast.AST, frozenset[str]] = {}
        self._rounds: dict[ast.AST, frozenset[str]] = {}
        self._caught = self._broken = self._continued = frozenset[str]()
        known = None
        while known != self._heads:  # for variables read in a loop's next iteration
            known = dict(self._heads)
            self._block(function.body, frozenset())

    def after(self, statement: ast.stmt, call: ast.Call) -> frozenset[str]:
        """The variables that may be read after a call that is evaluated first in a statement."""
        done = set(walk(call))
        rest = [n for part in _header(statement) for n in walk(part) if n not in done]
        return self._after[statement] | self._always | _read(rest)

    def in_round(self, loop: ast.For) -> frozenset[str]:
        """The variables that may be read after a round of a loop begins."""
        return self._rounds[loop] | self._always

    def _block(self, statements: list[ast.stmt], after: frozenset[str]) -> frozenset[str]:
        for statement in reversed(statements):
            after = self._statement(statement, after | self._caught)
        return after

    def _statement(self, node: ast.stmt, after: frozenset[str]) -> frozenset[str]:
        match node:
            case ast.For() | ast.While():
                after = self._loop(node, after)
            case ast.If(body=body, orelse=orelse):
                after = self._block(body, after) | self._block(orelse, after)
            case ast.Try():
                after = self._try(node, after)
            case ast.Return() | ast.Raise():
                after = self._caught
            case ast.Break():
                after = self._broken | self._caught
            case ast.Continue():
                after = self._continued | self._caught
            case ast.Assign(targets=targets):
                after -= _set_in(*targets)
            case ast.AnnAssign(target=target, value=ast.expr()):
                after -= _set_in(target)
        self._after[node] = after | self._caught
        if node not in self._reads:
            self._reads[node] = frozenset[str]().union(*map(_read_in, _header(node)))
        return self._after[node] | self._reads[node]

    def _loop(self, node: ast.For | ast.While, after: frozenset[str]) -> frozenset[str]:
        outer = self._broken, self._continued
        head = self._block(node.orelse, after) | self._heads.get(node, frozenset())
        if isinstance(node, ast.While):
            head |= _read_in(node.test)
        self._broken, self._continued = after, head
        inside = self._rounds[node] = self._block(node.body, head)
        if isinstance(node, ast.For):
            inside = (inside - _set_in(node.target)) | _read_in(node.target)
        self._broken, self._continued = outer
        self._heads[node] = head | inside
        return head | inside

    def _try(self, node: ast.Try, after: frozenset[str]) -> frozenset[str]:
        outer = self._caught
        last = self._block(node.finalbody, after)
        self._caught |= last
        handled = self._caught.union(
            *(self._block(handler.body, last) - {handler.name} for handler in node.handlers),
            *(_read_in(handler.type) for handler in node.handlers if handler.type),
        )
        goes_on = self._block(node.orelse, last)
        self._caught = handled
        inside = self._block(node.body, goes_on)
        self._caught = outer
        return inside | handled


def _header(node: ast.stmt) -> list[ast.AST]:
    """The parts of a statement that are evaluated before the statements nested in it."""
    if isinstance(node, (ast.If, ast.While)):
        return [node.test]
    if isinstance(node, ast.For):
        return [node.iter, node.target]
    return [] if isinstance(node, ast.Try) else [node]


def _read_in(node: ast.AST) -> frozenset[str]:
    return _read(walk(node))


def _read(nodes: list[ast.AST]) -> frozenset[str]:
    added = [node.target for node in nodes if isinstance(node, ast.AugAssign)]
    return frozenset(
        node.id
        for node in (*nodes, *added)
        if isinstance(node, ast.Name) and (node in added or not isinstance(node.ctx, ast.Store))
    )


def _set_in(*targets: ast.expr) -> frozenset[str]:
    parts = (part for target in targets for part in walk(target))
    return frozenset(
        part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    )
