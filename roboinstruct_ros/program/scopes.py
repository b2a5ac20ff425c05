"""Finds the names that a program has redefined, by Python's scoping rules."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

from roboinstruct_ros.program.language import BUILTINS, MODULES
from roboinstruct_ros.program.syntax import children

_GIVEN = BUILTINS | MODULES.keys()
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass
class _Scope:
    """The module, a function, a lambda or a comprehension."""

    parent: _Scope | None = None
    is_comprehension: bool = False
    bound: set[str] = field(default_factory=set)
    outer: set[str] = field(default_factory=set)
    """Names declared `global`."""

    @property
    def module(self) -> _Scope:
        return self if self.parent is None else self.parent.module

    def bind(self, name: str) -> None:
        (self.module if name in self.outer else self).bound.add(name)

    def binds(self, name: str) -> bool:
        """Whether the name, read in this scope, is bound by the program."""
        if self.parent is None or name in self.outer:
            return name in self.module.bound
        return name in self.bound or self.parent.binds(name)


def own_names(tree: ast.Module, nodes: Iterable[ast.AST]) -> frozenset[int]:
    """Ids of the nodes that read a name of the task language which the program has rebound.

    An example is a variable called `time`. Every other name has the meaning that the language gives
    it.

    Args:
        nodes: all nodes of the tree.
    """
    if not any(map(_binds_given, nodes)):
        return frozenset()
    reader = _Reader()
    reader.read(tree, _Scope())
    return frozenset(id(node) for node, scope in reader.reads if scope.binds(node.id))


def _binds_given(node: ast.AST) -> bool:
    if isinstance(node, ast.Name):
        return node.id in _GIVEN and not isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.arg):
        return node.arg in _GIVEN
    return isinstance(node, (ast.FunctionDef, ast.ExceptHandler)) and node.name in _GIVEN


class _Reader:
    def __init__(self) -> None:
        self.reads: list[tuple[ast.Name, _Scope]] = []

    def read(self, node: ast.AST, scope: _Scope) -> None:
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            self._function(node, scope)
        elif isinstance(node, _COMPREHENSIONS):
            inside = _Scope(scope, is_comprehension=True)
            first = node.generators[0].iter
            self.read(first, scope)
            self._all((n for n in _parts(node) if n is not first), inside)
        elif isinstance(node, ast.NamedExpr):
            keeper = scope
            while keeper.is_comprehension and keeper.parent is not None:
                keeper = keeper.parent
            self.read(node.target, keeper)
            self.read(node.value, scope)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            self.reads.append((node, scope))
        else:
            self._note(node, scope)
            self._all(children(node), scope)

    def _note(self, node: ast.AST, scope: _Scope) -> None:
        if isinstance(node, ast.Name):
            scope.bind(node.id)
        elif isinstance(node, ast.arg):
            scope.bind(node.arg)
        elif isinstance(node, ast.ExceptHandler) and node.name is not None:
            scope.bind(node.name)
        elif isinstance(node, ast.Global):
            scope.outer.update(node.names)

    def _function(self, node: ast.FunctionDef | ast.Lambda, scope: _Scope) -> None:
        inside, arguments = _Scope(scope), node.args
        defaults = [*arguments.defaults, *(d for d in arguments.kw_defaults if d is not None)]
        self._all(defaults, scope)
        self._all((n for n in children(arguments) if isinstance(n, ast.arg)), inside)
        if isinstance(node, ast.Lambda):
            self.read(node.body, inside)
            return
        scope.bind(node.name)
        if node.returns is not None:
            self.read(node.returns, scope)
        self._all(node.body, inside)

    def _all(self, nodes: Iterable[ast.AST], scope: _Scope) -> None:
        for node in nodes:
            self.read(node, scope)


def _parts(node: ast.AST) -> list[ast.AST]:
    """The parts of a comprehension, with each of its `for` clauses taken apart."""
    parts: list[ast.AST] = []
    for child in children(node):
        is_for = isinstance(child, ast.comprehension)
        parts += children(child) if is_for else [child]
    return parts
