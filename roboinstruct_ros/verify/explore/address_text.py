"""Detects programs that may observe memory addresses, which differ between processes.

The text of a function or an iterator contains its address. The order of a set depends on it if a
member is a function or an exception, or None or NaN, whose hashes are addresses too. Methods of two
equal texts are equal only if these are one object. A program that branches on any of this can
behave in a run as it did in no verified world.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.program.language import BUILTINS, EXCEPTIONS, MODULES
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
_VIEWS = frozenset("keys items".split())
_GIVES_NONE = frozenset(
    "print append clear extend insert remove reverse sort update add discard sleep shuffle".split()
)
_MAY_GIVE_NONE = frozenset("get setdefault".split())  # without a second argument
_TELLS = frozenset("str repr isinstance print say".split())
_SET_OPERATORS = (ast.BitOr, ast.BitAnd, ast.BitXor, ast.Sub)
_MAKES_NAN = (ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)


def sees_addresses(nodes: list[ast.AST], domain: Domain) -> bool:
    """Whether the program keeps functions or iterators as values and also turns values into texts
    or keeps them in sets, or makes sets that may contain None, NaN or an exception, or keeps a
    method of a text.

    Judged by the text alone; errs on the side of True.
    """
    used_up = {id(value) for node in nodes for value in _used_up(node)}
    kept = [node for node in nodes if id(node) not in used_up]
    if any(isinstance(node, ast.Attribute) and hasattr(str, node.attr) for node in kept):
        return True
    texts = any(map(_makes_text, nodes))
    if not texts and not _makes_sets(nodes, nodes):
        return False
    sets = _makes_sets(nodes, kept)
    own = {node.name: node for node in nodes if isinstance(node, ast.FunctionDef)}
    fixed = domain.skill_names if sets else ()  # the texts of skills are the same in every process
    builtin = BUILTINS - _VALUES if sets else _LAZY
    names = {*own, *builtin, *fixed}
    if any(_has_address(node, names) for node in kept):
        return True
    silent = {skill.name for skill in domain.skills if skill.returns == "nothing"}
    silent |= {name for name, function in own.items() if not _ends_with_value(function.body)}
    return sets and (
        any(_may_be_none(node, silent | _GIVES_NONE) for node in kept)
        or _keeps_exceptions(nodes, kept)
        or _computes_nan(nodes)
    )


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
        case ast.Compare(left=left, ops=operators, comparators=others):
            pairs = zip(operators, others, strict=True)
            yield from (right for op, right in pairs if isinstance(op, (ast.In, ast.NotIn)))
            yield from (side for side in (left, *others) if _is_none_or_call(side))
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            yield from [test] if _is_none_or_call(test) else []
        case ast.ExceptHandler(type=ast.AST() as kinds):
            yield from ast.walk(kinds)
        case ast.Expr(value=value) | ast.Raise(exc=ast.Call() as value):
            yield from [value] if _is_none_or_call(value) else []


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


def _is_none_or_call(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) or (isinstance(node, ast.Constant) and node.value is None)


def _makes_sets(nodes: list[ast.AST], kept: list[ast.AST]) -> bool:
    """By a set's own syntax, or by an operator between views of a dictionary."""
    if any(isinstance(one, (ast.Set, ast.SetComp)) for one in nodes):
        return True
    if any(name_of(one) in ("set", "frozenset") for one in nodes):
        return True
    return _has_operator(nodes, _SET_OPERATORS) and any(
        getattr(getattr(one, "func", one), "attr", "") in _VIEWS for one in kept
    )


def _has_operator(nodes: list[ast.AST], operators: tuple[type[ast.operator], ...]) -> bool:
    arithmetic = (node for node in nodes if isinstance(node, (ast.BinOp, ast.AugAssign)))
    return any(isinstance(node.op, operators) for node in arithmetic)


def _ends_with_value(body: list[ast.stmt]) -> bool:
    """Whether a function with this body returns a value on every way that reaches its end."""
    last = body[-1]
    if isinstance(last, ast.If):
        return bool(last.orelse) and _ends_with_value(last.body) and _ends_with_value(last.orelse)
    bare = any(isinstance(n, ast.Return) and not n.value for s in body for n in ast.walk(s))
    return isinstance(last, (ast.Return, ast.Raise)) and not bare


def _may_be_none(node: ast.AST, silent: set[str]) -> bool:
    """Whether the value may be None (or Ellipsis).

    Args:
        silent: functions and methods that return nothing.
    """
    match node:
        case ast.Constant(value=value):
            return value is None or value is ...
        case ast.Call(func=ast.Attribute(attr=name), args=given):
            return name in silent or (name in _MAY_GIVE_NONE and len(given) < 2)
    return called(node) in silent


def _keeps_exceptions(nodes: list[ast.AST], kept: list[ast.AST]) -> bool:
    caught = {node.name for node in nodes if isinstance(node, ast.ExceptHandler)} - {None}
    told = {id(one) for node in nodes for one in _told_of(node)}
    return any(
        called(node) in EXCEPTIONS or (name_of(node) in caught and id(node) not in told)
        for node in kept
    )


def _told_of(node: ast.AST) -> Iterator[ast.AST]:
    """Values of which only the text, a field or the class is read."""
    match node:
        case ast.Attribute(value=value) | ast.FormattedValue(value=value) | ast.Raise(exc=value):
            yield from [value] if value else []
        case ast.Call(
            func=ast.Name(id="str" | "repr" | "isinstance" | "print" | "say"), args=given
        ):
            yield from given


def _computes_nan(nodes: list[ast.AST]) -> bool:
    """Whether arithmetic with floating-point numbers may end in NaN."""
    if any(name_of(node) == "float" for node in nodes):
        return True
    floats = any(
        (isinstance(node, ast.Constant) and isinstance(node.value, (float, complex)))
        or name_of(node) in MODULES
        or (isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.Div))
        for node in nodes
    )
    negates = any(
        isinstance(node, ast.UnaryOp)
        and isinstance(node.op, ast.USub)
        and not isinstance(node.operand, ast.Constant)
        for node in nodes
    )
    return floats and (negates or _has_operator(nodes, _MAKES_NAN))
