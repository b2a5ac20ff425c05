"""Where the robot is when a program remembers its place, as far as the text alone tells."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping, Sequence

from roboinstruct_ros.program.syntax import called, children, name_of, text_of, walk

BEGINNING = ""
"""The place in which the program begins. Other places are names of rooms; None is unknown."""

_AT_ONCE = frozenset("all any dict list max min next set sorted sum tuple".split())
"""Functions after which a generator that they are given does nothing more."""

_DEEPEST = 3  # calls of the program's own functions that are followed


class RememberedPlaces:
    """The place that each `get_current_location()` returns whose result is stored.

    Args:
        functions: of the program, by name.
        entry: the name of the one that runs.
    """

    def __init__(self, functions: Mapping[str, ast.FunctionDef], entry: str) -> None:
        self._functions = functions
        self._places: dict[ast.AST, str | None] = {}
        self._stored: dict[str, str | None] = {}
        nodes = [node for one in functions.values() for node in walk(one)]
        uses, calls = (Counter(map(of, nodes)) for of in (name_of, called))
        values = (getattr(one, "value", None) for one in nodes if isinstance(one, ast.stmt))
        followed = Counter(map(called, values))
        self._loose = {name for name in functions if uses[name] > followed[name]}
        hidden = any(uses[name] > calls[name] for name in ("go_to", *functions))
        at_once = {one for node in nodes if called(node) in _AT_ONCE for one in children(node)}
        late = (one for one in nodes if isinstance(one, ast.Lambda | ast.GeneratorExp))
        later = (one for one in late if one not in at_once)
        if entry in functions and not hidden and not any(map(self._drives, later)):
            self._follow(functions[entry].body, BEGINNING, 0)
        for name in [*self._loose]:  # called where the robot may be anywhere
            self._forget_places(name)

    def of(self, call: ast.AST) -> str | None:
        return self._places.get(call)

    def _forget_places(self, function: str) -> None:
        for node in walk(self._functions[function]):
            self._places.pop(node, None)
            if called(node) in self._functions.keys() - self._loose:
                self._loose.add(called(node))
                self._forget_places(called(node))

    def _follow(self, body: Sequence[ast.stmt], here: str | None, depth: int) -> str | None:
        """Where the robot is after these statements if it is `here` before them."""
        for statement in body:
            here = self._after(statement, here, depth)
        return here

    def _after(self, statement: ast.stmt, here: str | None, depth: int) -> str | None:
        value: ast.AST = getattr(statement, "value", None) or statement
        if isinstance(statement, ast.FunctionDef):
            return here
        if isinstance(statement, ast.If) and not self._drives(statement.test):
            return self._after_branches(statement, here, depth)
        if isinstance(statement, ast.Expr) and called(value) == "go_to":
            return self._place(value)
        self._forget(statement)
        if called(value) == "get_current_location":
            again = value in self._places and self._places[value] != here
            self._places[value] = None if again else here  # reached in several places
            self._stored |= dict.fromkeys(_assigned(statement), here)
            return here
        inside = None if self._drives(statement) else here
        if called(value) in self._functions:
            given = children(value)
            before = None if any(map(self._drives, given)) else here
            self._follow_call(self._functions[called(value)], before, depth)
        for part in (statement, *getattr(statement, "handlers", ())):
            for block in ("body", "orelse", "finalbody"):
                self._follow(getattr(part, block, ()), inside, depth)
        self._forget(statement)  # the blocks may be left out
        return inside

    def _after_branches(self, statement: ast.If, here: str | None, depth: int) -> str | None:
        before = dict(self._stored)
        then = self._follow(statement.body, here, depth)
        stored_then, self._stored = self._stored, before
        otherwise = self._follow(statement.orelse, here, depth)
        for name, place in self._stored.items():
            if stored_then.get(name) != place:
                self._stored[name] = None
        return then if then == otherwise else None

    def _follow_call(self, function: ast.FunctionDef, here: str | None, depth: int) -> None:
        if depth == _DEEPEST:
            self._loose.add(function.name)
            return
        stored, self._stored = self._stored, {}
        self._follow(function.body, here, depth + 1)
        shared = any(isinstance(one, ast.Nonlocal | ast.Global) for one in walk(function))
        self._stored = {} if shared else stored

    def _place(self, go_to: ast.AST) -> str | None:
        arguments = getattr(go_to, "args", None) or [None]
        said = text_of(arguments[0])
        return said if said is not None else self._stored.get(name_of(arguments[0]))

    def _forget(self, statement: ast.stmt) -> None:
        for name in _assigned(statement):
            self._stored.pop(name, None)

    def _drives(self, node: ast.AST) -> bool:
        return any(called(one) == "go_to" or called(one) in self._functions for one in walk(node))


def _assigned(statement: ast.stmt) -> set[str]:
    return {
        one.id
        for one in walk(statement)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    }
