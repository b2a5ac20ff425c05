"""Computes where a value in a program's text may come from, on any path."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from roboinstruct_ros.program.syntax import walk

_GROWING = ("append", "extend", "insert", "add", "update", "setdefault")


class ValueFlow:
    """Assignments, loops, parameters, returns and methods that change a collection.

    Attributes:
        unknown: names whose value may come from elsewhere too: parameters of lambdas and of
            functions used as values, and errors.
    """

    def __init__(self, nodes: Iterable[ast.AST]) -> None:
        self._into: dict[str, list[ast.expr]] = {}
        self.unknown: set[str] = set()
        nodes = list(nodes)
        functions = {node.name: node for node in nodes if isinstance(node, ast.FunctionDef)}
        calls = [node for node in nodes if isinstance(node, ast.Call)]
        self._grown = {
            part.id
            for call in calls
            if isinstance(call.func, ast.Attribute) and call.func.attr in _GROWING
            for part in walk(call.func.value)
            if isinstance(part, ast.Name)
        }
        called = {id(call.func) for call in calls}
        for node in nodes:
            for target, value in _bindings(node):
                self._add(target, value)
            if isinstance(node, ast.Name) and node.id in functions and id(node) not in called:
                self.unknown.update(_parameters(functions[node.id]))
            elif isinstance(node, ast.Lambda):
                self.unknown.update(_parameters(node))
            elif isinstance(node, ast.ExceptHandler) and node.name:
                self.unknown.add(node.name)
        for call in calls:
            self._add_call(call, functions)
        for function in functions.values():
            self._add_returns(function)

    def sources(self, values: Iterable[ast.expr]) -> list[ast.expr]:
        """These expressions, and all expressions that may have given a name in them its value."""
        found: list[ast.expr] = []
        names: set[str] = set()
        left = list(values)
        while left:
            value = left.pop(0)
            found.append(value)
            for part in walk(value):
                if isinstance(part, ast.Name) and part.id not in names:
                    names.add(part.id)
                    left += self._into.get(part.id, [])
        return found

    def direct(self, name: str) -> list[ast.expr]:
        """The expressions bound to a name."""
        return self._into.get(name, [])

    def is_known(self, name: str) -> bool:
        """Whether all possible sources of the name's value are in the text."""
        return name in self._into and name not in self.unknown

    def _add(self, target: ast.expr, value: ast.expr) -> None:
        for part in walk(target):
            if isinstance(part, ast.Name):
                self._into.setdefault(part.id, []).append(value)
                if part.id in self._grown and isinstance(value, ast.Name):
                    self._into.setdefault(value.id, []).append(part)  # aliases of one list

    def _add_call(self, call: ast.Call, functions: dict[str, ast.FunctionDef]) -> None:
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if isinstance(call.func, ast.Attribute):
            if call.func.attr in _GROWING:
                for value in given:
                    self._add(call.func.value, value)
        elif isinstance(call.func, ast.Name) and call.func.id in functions:
            for parameter in _parameters(functions[call.func.id]):
                for value in given:
                    self._add(ast.Name(parameter, ast.Load()), value)

    def _add_returns(self, function: ast.FunctionDef) -> None:
        for node in walk(function):
            if isinstance(node, ast.Return) and node.value is not None:
                self._into.setdefault(function.name, []).append(node.value)
        defaults = (*function.args.defaults, *function.args.kw_defaults)
        for parameter in (*function.args.args, *function.args.kwonlyargs):
            self._into.setdefault(parameter.arg, []).extend(d for d in defaults if d is not None)


def _parameters(function: ast.FunctionDef | ast.Lambda) -> list[str]:
    arguments = function.args
    plain = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    return [a.arg for a in (*plain, arguments.vararg, arguments.kwarg) if a is not None]


def _bindings(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    match node:
        case ast.Assign(targets=targets, value=value):
            yield from ((target, value) for target in targets)
        case ast.AugAssign(target=target, op=operator, value=value):
            yield target, ast.BinOp(target, operator, value)
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            yield target, value
        case ast.NamedExpr(target=target, value=value):
            yield target, value
        case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
            yield target, value
