"""The functions that a program defines, and what it calls them with."""

from __future__ import annotations

import ast
from itertools import chain

from roboinstruct_ros.program.meanings import assignments
from roboinstruct_ros.program.syntax import walk


def own_names_of(function: ast.FunctionDef) -> set[str]:
    """The variables of a function."""
    given = {one.arg for one in walk(function.args) if isinstance(one, ast.arg)}
    inner = [one.names for one in walk(function) if isinstance(one, ast.Nonlocal | ast.Global)]
    return given | {name for name, _ in assignments(function.body)} - set(chain(*inner))


def last_of(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements after which these end."""
    last = body[-1:]
    for one in last:
        if isinstance(one, ast.If):
            return last_of(one.body) + last_of(one.orelse)
    return last


def given_to(call: ast.Call) -> list[ast.expr]:
    """The arguments as they stand."""
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def paired(function: ast.FunctionDef, call: ast.Call) -> dict[str, ast.expr] | None:
    """The value of each parameter; None where the text does not pair them."""
    signature = function.args
    places = [one.arg for one in (*signature.posonlyargs, *signature.args)]
    only = zip(signature.kwonlyargs, signature.kw_defaults, strict=True)
    defaults = [*zip(places[::-1], signature.defaults[::-1], strict=False)]
    defaults += [(one.arg, value) for one, value in only if value is not None]
    given: dict[str, ast.expr] = {n: one for n, one in defaults if isinstance(one, ast.Constant)}
    given |= dict(zip(places, call.args, strict=False))
    given |= {str(keyword.arg): keyword.value for keyword in call.keywords}
    names = [*places, *(one.arg for one in signature.kwonlyargs)]
    loose = signature.vararg or signature.kwarg or len(call.args) > len(places)
    if loose or {*given} != {*names} or any(isinstance(one, ast.Starred) for one in call.args):
        return None
    return {name: given[name] for name in names}
