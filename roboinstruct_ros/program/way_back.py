"""Whether a program ends where the robot began it, as far as its text tells."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping

from roboinstruct_ros.program.syntax import called, children, name_of, walk

_Ways = dict[str, frozenset[bool]]
"""Whether the robot may be where it began, by what ends a way through statements."""

_ON = "on"  # to the statement after them
_NOWHERE = frozenset[bool]()
_ANYWHERE = frozenset({True, False})
_AWAY = frozenset({False})


class WayBack:
    """Follows each way through a program.

    Args:
        functions: of the program, by name.
        back: calls of `go_to` that go to where it began.
    """

    def __init__(
        self, functions: Mapping[str, ast.FunctionDef], back: Collection[ast.Call]
    ) -> None:
        self._functions, self._back = functions, back
        self._driving = {"go_to"}  # the skill and each function that uses it
        used = {name: set(map(name_of, walk(one))) for name, one in functions.items()}
        while more := {name for name in used if used[name] & self._driving} - self._driving:
            self._driving |= more
        self._followed: list[str] = []
        self._known: dict[tuple[ast.stmt, frozenset[bool]], _Ways] = {}

    def ends_there(self, entry: str) -> bool:
        """Whether the function leaves the robot where it began, on each way that does not fail."""
        if entry not in self._functions or self._hides_drives():
            return False
        return self._after_function(entry, frozenset({True})) == {True}

    def _drives(self, node: ast.AST) -> bool:
        return any(name_of(one) in self._driving for one in walk(node))

    def _hides_drives(self) -> bool:
        """Whether it drives in ways that are not followed: by another name or in a lambda."""
        for function in self._functions.values():
            nodes = walk(function)[1:]
            inner = (n for n in nodes if isinstance(n, ast.FunctionDef | ast.Lambda))
            named = sum(name_of(one) in self._driving for one in nodes)
            if named > sum(called(one) in self._driving for one in nodes):
                return True
            if any(map(self._drives, inner)):
                return True
        return False

    def _after_function(self, name: str, here: frozenset[bool]) -> frozenset[bool]:
        if name in self._followed:
            return _ANYWHERE
        self._followed.append(name)
        ways = self._through(self._functions[name].body, here)
        self._followed.pop()
        return ways.get(_ON, _NOWHERE) | ways.get("Return", _NOWHERE)

    def _through(self, body: Iterable[ast.stmt], here: frozenset[bool]) -> _Ways:
        ways: _Ways = {_ON: here}
        for statement in body:
            if before := ways.pop(_ON, _NOWHERE):
                if (statement, before) not in self._known:
                    self._known[statement, before] = self._of(statement, before)
                _add(ways, self._known[statement, before])
        return ways

    def _of(self, statement: ast.stmt, here: frozenset[bool]) -> _Ways:
        if isinstance(statement, ast.If):
            here = self._evaluated(statement.test, here)
            then = self._through(statement.body, here)
            return _add(then, self._through(statement.orelse, here))
        if isinstance(statement, ast.For | ast.While):
            return self._loop(statement, here)
        if isinstance(statement, ast.Try):
            return self._attempt(statement, here)
        if isinstance(statement, ast.Raise):
            return {}
        if isinstance(statement, ast.Return | ast.Break | ast.Continue):
            return {type(statement).__name__: self._evaluated(statement, here)}
        parts = [part for part in children(statement) if self._drives(part)]
        return {_ON: self._evaluated(parts[0] if len(parts) == 1 else statement, here)}

    def _evaluated(self, part: ast.AST, here: frozenset[bool]) -> frozenset[bool]:
        if not self._drives(part):
            return here
        if part in self._back:
            return frozenset({True})
        name = called(part)
        if name == "go_to":
            return _AWAY
        if not isinstance(part, ast.Call) or any(map(self._drives, [*part.args, *part.keywords])):
            return _ANYWHERE
        return self._after_function(name, here) if name in self._functions else _ANYWHERE

    def _loop(self, loop: ast.For | ast.While, here: frozenset[bool]) -> _Ways:
        head = loop.iter if isinstance(loop, ast.For) else loop.test
        begun = self._evaluated(head, here)
        once = self._through(loop.body, begun)
        more = begun | once.get(_ON, _NOWHERE) | once.get("Continue", _NOWHERE)
        begun = _ANYWHERE if more != begun else begun
        ways = self._through(loop.body, begun)
        ended = begun | ways.pop(_ON, _NOWHERE) | ways.pop("Continue", _NOWHERE)
        broken = ways.pop("Break", _NOWHERE)
        _add(ways, self._through(loop.orelse, ended))
        return _add(ways, {_ON: broken})

    def _attempt(self, attempt: ast.Try, here: frozenset[bool]) -> _Ways:
        """Any statement may fail, also a drive on its way."""
        ways = self._through(attempt.body, here)
        driven = any(map(self._drives, attempt.body))
        _add(ways, self._through(attempt.orelse, ways.pop(_ON, _NOWHERE)))
        for handler in attempt.handlers:
            _add(ways, self._through(handler.body, _ANYWHERE if driven else here))
        after: _Ways = {}
        for end, there in ways.items():
            closed = self._through(attempt.finalbody, there)
            _add(after, {end: closed.pop(_ON, _NOWHERE)} | closed)
        return after


def _add(ways: _Ways, more: _Ways) -> _Ways:
    for end, there in more.items():
        ways[end] = ways.get(end, _NOWHERE) | there
    return ways
