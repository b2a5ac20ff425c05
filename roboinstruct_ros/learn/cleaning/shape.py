"""The structure of a program, which several programs may share, and the names in it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from roboinstruct_ros.generate.words.alignment import entities_of
from roboinstruct_ros.program.syntax import called, walk


def parts_of(program: str, skills: frozenset[str]) -> tuple[str, ...]:
    """Skills and control structures without duplicates, in alphabetical order."""
    return tuple(sorted(set(_parts(ast.parse(program), skills))))


def names_in(program: str) -> frozenset[str]:
    """Rooms, things and people, in lower case."""
    return frozenset(name.lower() for name in entities_of(program))


def _parts(tree: ast.AST, skills: frozenset[str]) -> Iterator[str]:
    for node in walk(tree):
        if called(node) in skills:
            yield called(node)
        elif isinstance(node, ast.For | ast.comprehension):
            yield "for"
        elif isinstance(node, ast.While):
            yield "while"
        elif isinstance(node, ast.If | ast.IfExp):
            yield "if_else" if node.orelse else "if"
        elif isinstance(node, ast.AugAssign):
            yield "count"
        elif isinstance(node, ast.BoolOp):
            yield "and_or"
        elif isinstance(node, ast.Attribute) and node.attr == "sleep":
            yield "sleep"
