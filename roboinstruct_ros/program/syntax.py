"""Walks a program's syntax tree; every program is walked many times, and `ast.walk` is slow."""

from __future__ import annotations

import ast


def children(node: ast.AST) -> list[ast.AST]:
    """The parts of a node, in the order of the text."""
    found: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            found.append(value)
        elif isinstance(value, list):
            found += [part for part in value if isinstance(part, ast.AST)]
    return found


def walk(node: ast.AST) -> list[ast.AST]:
    """The node and everything in it, what is less deep first."""
    found = [node]
    for part in found:  # grows as it is gone through
        found += children(part)
    return found
