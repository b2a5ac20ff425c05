"""Finds loops over all rooms that skip some of them, so that the order of these does not matter."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from types import CodeType

from roboinstruct_ros.program.syntax import Parents, called, name_of, walk

_PURE = (
    ast.BoolOp, ast.UnaryOp, ast.Compare, ast.Constant, ast.Attribute, ast.Subscript, ast.Slice,
    ast.Tuple, ast.List, ast.Set, ast.Call, ast.Name,
)  # fmt: skip
_ORDERLESS = ("len", "set", "any", "all")


@dataclass(frozen=True)
class RoomFilter:
    """A condition on a room's name alone.

    Attributes:
        variable: the name that stands for the room.
        negated: rooms that fulfil the condition are skipped.
    """

    code: CodeType
    variable: str
    negated: bool

    def takes(self, room: str) -> bool:
        """Whether the loop does anything with this room."""
        try:
            holds = bool(eval(self.code, {"__builtins__": {}, self.variable: room}))
        except Exception:
            return True
        return holds != self.negated


def room_filters(
    listing: Iterable[ast.Call], parents: Parents
) -> tuple[tuple[RoomFilter, ...] | None, bool]:
    """The filters of all uses of the room list, or None if its order may matter; and whether there
    is no other use.

    If there is no other use, the number of rooms that no filter takes does not matter either.

    Args:
        listing: the calls that return the list.
    """
    filters: list[RoomFilter] = []
    uses = _uses(listing, parents)
    for use in uses:
        parent = parents[use]
        if isinstance(parent, ast.Compare) and use is not parent.left:
            continue
        # for a comprehension, the consumer of its result counts
        taker = parents[parents[parent]] if isinstance(parent, ast.comprehension) else parent
        if _is_orderless(parent) or _is_orderless(taker):
            continue
        found = _filter(parents, parent, use)
        if found is None:
            return None, False
        filters.append(found)
    return tuple(filters), len(filters) == len(uses)


def _uses(listing: Iterable[ast.Call], parents: Parents) -> list[ast.expr]:
    """Uses of the list, directly or through a variable that stands for nothing else."""
    kept: set[str] = set()
    uses: list[ast.expr] = []
    for call in listing:
        match parents[call]:
            case ast.Assign(targets=[ast.Name(id=name)]):
                kept.add(name)
            case _:
                uses.append(call)
    names = (node for node in parents if isinstance(node, ast.Name) and node.id in kept)
    return uses + [name for name in names if isinstance(name.ctx, ast.Load)]


def _is_orderless(use: ast.AST) -> bool:
    """Whether only membership in the list matters here, not its order."""
    match use:
        case ast.If() | ast.While() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
            return True
    return called(use) in _ORDERLESS


def _is_read_after(parents: Parents, loop: ast.For) -> bool:
    inside, name = set(walk(loop)), name_of(loop.target)
    return any(name_of(node) == name and node not in inside for node in parents if name)


def _filter(parents: Parents, parent: ast.AST, use: ast.expr) -> RoomFilter | None:
    if isinstance(parent, ast.comprehension) and use is parent.iter and parent.ifs:
        return _compiled(parent.ifs[0], parent.target, negated=False)
    if not isinstance(parent, ast.For) or use is not parent.iter:
        return None
    first = parent.body[0]
    if not isinstance(first, ast.If) or _is_read_after(parents, parent):
        return None
    if len(parent.body) == 1:
        return _compiled(_any_of(first), parent.target, negated=False)
    if len(first.body) == 1 and isinstance(first.body[0], ast.Continue) and not first.orelse:
        return _compiled(first.test, parent.target, negated=True)
    return None


def _any_of(branch: ast.If) -> ast.expr:
    """A condition for entering an `if` or one of its `elif`s; always true with an `else`."""
    if not branch.orelse:
        return branch.test
    (other, *more) = branch.orelse
    if more or not isinstance(other, ast.If):
        return ast.copy_location(ast.Constant(True), branch.test)
    return ast.copy_location(ast.BoolOp(ast.Or(), [branch.test, _any_of(other)]), branch.test)


def _compiled(test: ast.expr, target: ast.expr, negated: bool) -> RoomFilter | None:
    variable = name_of(target)
    parts = [part for part in walk(test) if isinstance(part, ast.expr)]
    pure = all(
        isinstance(part, _PURE)
        and (not isinstance(part, ast.Name) or part.id == variable)
        and (not isinstance(part, ast.Call) or isinstance(part.func, ast.Attribute))
        for part in parts
    )
    if not variable or not pure:
        return None
    return RoomFilter(compile(ast.Expression(test), "<filter>", "eval"), variable, negated)
