"""How many of some calls one run of a program can make at most, as far as its text tells."""

from __future__ import annotations

import ast
import math
from collections.abc import Collection, Iterable

from roboinstruct_ros.program.syntax import walk

_Ways = dict[str, float]
"""The most calls on a way through statements, by what ends it; no key where none ends so."""

_ON = "on"  # to the statement after them


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
        before = ways.pop(_ON)
        _add(ways, {end: before + more for end, more in _of(statement, calls).items()})
    return ways


def _of(statement: ast.stmt, calls: Collection[ast.AST]) -> _Ways:
    if isinstance(statement, ast.If):
        return _add(_through(statement.body, calls), _through(statement.orelse, calls))
    if isinstance(statement, ast.For | ast.While) and not statement.orelse:
        inside = _through(statement.body, calls)
        again = max(inside.pop(_ON, 0), inside.pop("Continue", 0))
        ended = {_ON: inside.pop("Break", 0), **inside}
        return {end: math.inf if again else most for end, most in ended.items()}
    ends = isinstance(statement, ast.Return | ast.Raise | ast.Break | ast.Continue)
    found = sum(one in calls for one in walk(statement))
    # of other blocks every part may be done, and a loop in them again and again
    many = isinstance(statement, ast.Try | ast.For | ast.While | ast.FunctionDef) and found
    return {type(statement).__name__ if ends else _ON: math.inf if many else found}


def _add(ways: _Ways, more: _Ways) -> _Ways:
    for end, most in more.items():
        ways[end] = max(ways.get(end, 0), most)
    return ways
