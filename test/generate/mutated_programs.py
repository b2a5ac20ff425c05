"""Right programs with one thing wrong, as a model gets them wrong."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator


def loop_removed(source: str) -> Iterator[str]:
    """What a loop does is done once: for the first of a list, or for a room by name."""

    class Once(ast.NodeTransformer):
        done = False

        def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
            self.done = True
            body = [line for line in node.body if not isinstance(line, ast.If)] or [ast.Pass()]
            first = ast.Assign([node.target], ast.Constant("room 1"), lineno=0)
            return [first, *body]

    yield from _changed(Once, source)


def number_changed(source: str) -> Iterator[str]:
    """One more."""

    class More(ast.NodeTransformer):
        done = False

        def visit_Call(self, node: ast.Call) -> ast.AST:
            if getattr(node.func, "id", "") == "range" and isinstance(node.args[0], ast.Constant):
                self.done = True
                node.args[0] = ast.Constant(node.args[0].value + 1)
            return node

    yield from _changed(More, source)


def branch_negated(source: str) -> Iterator[str]:
    class Negated(ast.NodeTransformer):
        done = False

        def visit_If(self, node: ast.If) -> ast.AST:
            if not self.done:
                self.done = True
                node.test = ast.UnaryOp(ast.Not(), node.test)
            return node

    yield from _changed(Negated, source)


def branch_removed(source: str) -> Iterator[str]:
    class Always(ast.NodeTransformer):
        done = False

        def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
            self.done = True
            return node.body

    yield from _changed(Always, source)


def way_back_removed(source: str) -> Iterator[str]:
    class Away(ast.NodeTransformer):
        done = False

        def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
            call = node.value
            if isinstance(call, ast.Call) and ast.unparse(call) == "go_to(start_loc)":
                self.done = True
                return None
            return node

    yield from _changed(Away, source)


def waiting_removed(source: str) -> Iterator[str]:
    class Hasty(ast.NodeTransformer):
        done = False

        def visit_While(self, node: ast.While) -> ast.AST | list[ast.stmt]:
            self.done = True
            return [line for line in node.body if not _sleeps(line)] or [ast.Pass()]

        def visit_Break(self, node: ast.Break) -> ast.AST:
            return ast.Pass()

        def visit_Continue(self, node: ast.Continue) -> ast.AST:
            return ast.Pass()

    yield from _changed(Hasty, source)


def room_changed(source: str) -> Iterator[str]:
    """The first room that is named is another one."""

    class Elsewhere(ast.NodeTransformer):
        done = False

        def visit_Call(self, node: ast.Call) -> ast.AST:
            if ast.unparse(node.func) == "go_to" and isinstance(node.args[0], ast.Constant):
                node.args[0] = self._other(node.args[0])
            return self.generic_visit(node)

        def visit_Compare(self, node: ast.Compare) -> ast.AST:
            if "room" in ast.unparse(node.comparators[0]) and isinstance(node.left, ast.Constant):
                node.left = self._other(node.left)
            return self.generic_visit(node)

        def visit_List(self, node: ast.List) -> ast.AST:
            for index, item in enumerate(node.elts):
                text = ast.unparse(item)
                if isinstance(item, ast.Constant) and ("room" in text or " lab" in text):
                    node.elts[index] = self._other(item)
            return self.generic_visit(node)

        def _other(self, room: ast.expr) -> ast.expr:
            if self.done:
                return room
            self.done = True
            hall = ast.unparse(room) in ("'hallway'", "'corridor'")
            return ast.Constant("chemistry lab" if hall else "hallway")

    yield from _changed(Elsewhere, source)


def rooms_swapped(source: str) -> Iterator[str]:
    """The first two rooms that a program with a thing in its hand drives to, each for the other."""
    rooms = list(dict.fromkeys(re.findall(r'go_to\("([^"]+)"\)', source)))[:2]
    if len(rooms) == 2 and "pick(" in source:
        other = dict(zip(rooms, reversed(rooms), strict=True))
        yield re.sub(
            r'go_to\("([^"]+)"\)',
            lambda drive: f'go_to("{other.get(drive[1], drive[1])}")',
            source,
        )


def last_call_removed(source: str) -> Iterator[str]:
    """The last acting call of the text is left out."""
    acting = {"go_to", "pick", "place", "say", "ask"}
    calls = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and ast.unparse(node.value.func) in acting
    ]
    last = max((node.lineno for node in calls), default=0)

    class Shorter(ast.NodeTransformer):
        done = False

        def visit_Expr(self, node: ast.Expr) -> ast.AST:
            if node.lineno != last:
                return node
            self.done = True
            return ast.copy_location(ast.Pass(), node)

    yield from _changed(Shorter, source)


def handled(source: str) -> list[str]:
    """Names of the things that are picked or put down, in the order of the text."""
    return re.findall(r'(?:pick|place)\("([^"]+)"\)', source)


def _sleeps(line: ast.stmt) -> bool:
    return "sleep" in ast.unparse(line)


def _changed(transformer: Callable[[], ast.NodeTransformer], source: str) -> Iterator[str]:
    visitor = transformer()
    tree = visitor.visit(ast.parse(source))
    if not visitor.done:  # type: ignore[attr-defined]
        return
    function = tree.body[0]
    function.body = function.body or [ast.Pass()]
    text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    try:
        compile(text, "mutant", "exec")
    except SyntaxError:
        return
    yield text
