"""Detects programs that may observe memory addresses, which differ between processes.

The text of a function or an iterator contains its address, and the order of a set of functions
depends on it. A program that branches on either can behave in a run as it did in no verified world.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.program.language import BUILTINS, MODULES
from roboinstruct_ros.program.syntax import called, name_of

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
    """Whether the program keeps functions or iterators as values and also turns values into texts
    or keeps them in sets.

    Judged by the text alone; errs on the side of True.
    """
    texts, sets = any(map(_makes_text, nodes)), any(map(_makes_set, nodes))
    if not (texts or sets):
        return False
    used_up = {id(value) for node in nodes for value in _used_up(node)}
    kept = [node for node in nodes if id(node) not in used_up]
    own = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    fixed = domain.skill_names if sets else ()  # the texts of skills are the same in every process
    builtin = BUILTINS - _VALUES if sets else _LAZY
    return any(_has_address(node, own | builtin | set(fixed)) for node in kept)


def _has_address(node: ast.AST, names: set[str]) -> bool:
    match node:
        case ast.Name(id=name, ctx=context):
            return isinstance(context, ast.Load) and name in names
        case ast.Attribute(attr=part, value=owner):
            return part not in MODULES.get(name_of(owner), ()) and part not in ("code", "message")
    return isinstance(node, (ast.Lambda, ast.GeneratorExp)) or called(node) in _LAZY


def _used_up(node: ast.AST) -> Iterator[ast.AST]:
    """Parts of a node whose value is called or iterated there, and not kept."""
    match node:
        case ast.Call(func=function):
            yield function
            yield from _used_up_arguments(node)
        case ast.For(iter=values) | ast.comprehension(iter=values) | ast.Starred(value=values):
            yield values
        case ast.Compare(ops=operators, comparators=others):
            pairs = zip(operators, others, strict=True)
            yield from (right for op, right in pairs if isinstance(op, (ast.In, ast.NotIn)))


def _used_up_arguments(call: ast.Call) -> Iterator[ast.AST]:
    name = called(call)
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if name in _CALL_FIRST:
        yield from call.args[:1]
    if name in _TAKE_ALL or method in _TAKE_ALL_METHODS:  # consuming all of a callable keeps it
        callables = (ast.Name, ast.Attribute, ast.Lambda)
        yield from (value for value in call.args if not isinstance(value, callables))
    if name in _CALL_KEY or method == "sort":
        yield from (keyword.value for keyword in call.keywords if keyword.arg == "key")
    if name == "isinstance":
        yield from (part for value in call.args[1:] for part in ast.walk(value))


def _makes_text(node: ast.AST) -> bool:
    match node:
        case ast.BinOp(op=ast.Mod(), right=given) | ast.AugAssign(op=ast.Mod(), value=given):
            return not (isinstance(given, ast.Constant) and isinstance(given.value, (int, float)))
    return isinstance(node, ast.FormattedValue) or name_of(node) in ("str", "repr")


def _makes_set(node: ast.AST) -> bool:
    return isinstance(node, (ast.Set, ast.SetComp)) or name_of(node) in ("set", "frozenset")
