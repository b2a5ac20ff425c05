"""Whether a program may see where in memory its values lie, which is elsewhere in each process.

The text of a function or an iterator names its address, and the order of a set of functions follows
it. A program that branches on either does in a run what it has done in no trial.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.program.language import BUILTINS, MODULES

_LAZY = frozenset("map filter zip enumerate reversed iter".split())
"""Builtins that make iterators."""

_TAKE_ALL = _LAZY | frozenset(
    "list tuple set frozenset sorted min max sum any all dict next".split()
)
_TAKE_ALL_METHODS = frozenset("join extend update".split())
_CALL_FIRST = frozenset("map filter iter".split())
_CALL_KEY = frozenset("sorted min max".split())
_VALUES = frozenset("True False None".split())


def sees_addresses(nodes: list[ast.AST], domain: Domain) -> bool:
    """Whether functions or iterators are kept as values, in a program that turns values into texts
    or keeps them in sets; as far as its text shows, and rather once too often."""
    texts, sets = any(map(_makes_text, nodes)), any(map(_makes_set, nodes))
    if not (texts or sets):
        return False
    used_up = {id(value) for node in nodes for value in _used_up(node)}
    kept = [node for node in nodes if id(node) not in used_up]
    own = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    fixed = domain.skill_names if sets else ()  # their texts are the same everywhere
    builtin = BUILTINS - _VALUES if sets else _LAZY
    return any(_has_address(node, own | builtin | set(fixed)) for node in kept)


def _has_address(node: ast.AST, names: set[str]) -> bool:
    if isinstance(node, ast.Name):
        return isinstance(node.ctx, ast.Load) and node.id in names
    if isinstance(node, ast.Attribute):
        name = node.value.id if isinstance(node.value, ast.Name) else ""
        return node.attr not in MODULES.get(name, ()) and node.attr not in ("code", "message")
    return isinstance(node, (ast.Lambda, ast.GeneratorExp)) or _called(node) in _LAZY


def _used_up(node: ast.AST) -> Iterator[ast.AST]:
    """Parts of a node whose value is called or run through there, and not kept."""
    if isinstance(node, ast.Call):
        yield node.func
        yield from _used_up_arguments(node)
    elif isinstance(node, (ast.For, ast.comprehension)):
        yield node.iter
    elif isinstance(node, ast.Compare):
        pairs = zip(node.ops, node.comparators, strict=True)
        yield from (right for op, right in pairs if isinstance(op, (ast.In, ast.NotIn)))
    elif isinstance(node, ast.Starred):
        yield node.value


def _used_up_arguments(call: ast.Call) -> Iterator[ast.AST]:
    name = _called(call)
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if name in _CALL_FIRST:
        yield from call.args[:1]
    if name in _TAKE_ALL or method in _TAKE_ALL_METHODS:
        yield from (value for value in call.args if not _is_callable(value))
    if name in _CALL_KEY or method == "sort":
        yield from (keyword.value for keyword in call.keywords if keyword.arg == "key")
    if name == "isinstance":
        yield from (part for value in call.args[1:] for part in ast.walk(value))


def _is_callable(node: ast.AST) -> bool:
    """Of what has an address, that which is no iterator: to take it all is to keep it."""
    return isinstance(node, (ast.Name, ast.Attribute, ast.Lambda))


def _called(node: ast.AST) -> str:
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


def _makes_text(node: ast.AST) -> bool:
    if isinstance(node, ast.Name):
        return node.id in ("str", "repr")
    if isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.Mod):
        right = node.right if isinstance(node, ast.BinOp) else node.value
        return not (isinstance(right, ast.Constant) and isinstance(right.value, (int, float)))
    return isinstance(node, ast.FormattedValue)


def _makes_set(node: ast.AST) -> bool:
    named = isinstance(node, ast.Name) and node.id in ("set", "frozenset")
    return named or isinstance(node, (ast.Set, ast.SetComp))
