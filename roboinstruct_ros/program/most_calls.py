"""How many of some calls one run of a program can make at most, as far as its text tells."""

from __future__ import annotations

import ast
import math
from collections.abc import Collection, Iterable

from roboinstruct_ros.program.syntax import walk

_Ways = dict[str, float]
"""The most calls on a way through statements, by what ends it; no key where none ends so."""

_ON = "on"  # to the statement after them
_REPEATED = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)


def most_calls(entry: ast.FunctionDef, calls: Collection[ast.AST]) -> float:
    """The most of these calls that one run of the function makes; infinite where some may be
    repeated or are not in it."""
    here = set(walk(entry))
    return max(_through(entry.body, calls).values()) if here.issuperset(calls) else math.inf


def _through(body: Iterable[ast.stmt], calls: Collection[ast.AST]) -> _Ways:
    ways: _Ways = {_ON: 0}
    for statement in body:
        if _ON not in ways:
            break
        _add(ways, _after(ways.pop(_ON), _of(statement, calls)))
    return ways


def _of(statement: ast.stmt, calls: Collection[ast.AST]) -> _Ways:
    if isinstance(statement, ast.If):
        ways = _add(_through(statement.body, calls), _through(statement.orelse, calls))
        return _after(_found(statement.test, calls), ways)
    if isinstance(statement, ast.For | ast.While) and not statement.orelse:
        inside = _through(statement.body, calls)
        again = max(inside.pop(_ON, 0), inside.pop("Continue", 0))
        if isinstance(statement, ast.While):
            again += _found(statement.test, calls)
        ended = {_ON: inside.pop("Break", 0), **inside}
        ways = {end: math.inf if again else most for end, most in ended.items()}
        return _after(_found(getattr(statement, "iter", None), calls), ways)
    ends = isinstance(statement, ast.Return | ast.Raise | ast.Break | ast.Continue)
    found = _found(statement, calls)
    # of other blocks every part may be done, and a loop in them again and again
    many = isinstance(statement, ast.Try | ast.For | ast.While | ast.FunctionDef) and found
    return {type(statement).__name__ if ends else _ON: math.inf if many else found}


def _found(node: ast.AST | None, calls: Collection[ast.AST]) -> float:
    nodes = walk(node) if node is not None else []
    repeated = (part for one in nodes if isinstance(one, _REPEATED) for part in walk(one))
    return math.inf if any(one in calls for one in repeated) else sum(n in calls for n in nodes)


def _after(first: float, ways: _Ways) -> _Ways:
    return {end: first + most for end, most in ways.items()}


def _add(ways: _Ways, more: _Ways) -> _Ways:
    for end, most in more.items():
        ways[end] = max(ways.get(end, 0), most)
    return ways
