"""Walks a program's syntax tree; every program is walked many times, and `ast.walk` is slow."""

from __future__ import annotations

import ast

Parents = dict[ast.AST, ast.AST]
"""The node around each part of a tree, which comes after what is less deep."""

_LEAVES = frozenset("id attr arg name asname kind type_comment ctx conversion level".split())
"""Fields that hold no part of the program; of `ctx`, a name knows its own."""

_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {}
"""The others, of each kind of node that was met."""


def children(node: ast.AST) -> list[ast.AST]:
    """The parts of a node, in the order of the text."""
    kind = type(node)
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(name for name in node._fields if name not in _LEAVES)
    found: list[ast.AST] = []
    for name in _FIELDS[kind]:
        value = getattr(node, name, None)
        if isinstance(value, list):
            found += [part for part in value if isinstance(part, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def name_of(node: ast.AST | None) -> str:
    """The name that stands there alone; "" for all else."""
    return node.id if isinstance(node, ast.Name) else ""


def called(node: ast.AST | None) -> str:
    """The name of what is called there; "" for all else."""
    return name_of(node.func) if isinstance(node, ast.Call) else ""


def text_of(node: ast.AST | None) -> str | None:
    """The text that stands there in quotes; None for all else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def walk(node: ast.AST) -> list[ast.AST]:
    """The node and everything in it, what is less deep first."""
    found = [node]
    for part in found:  # grows as it is gone through
        found += children(part)
    return found


def parents_in(node: ast.AST) -> Parents:
    """All parts of a node, what is less deep first, each with the node around it."""
    found: Parents = {}
    level = [node]
    for part in level:  # grows as it is gone through
        inside = children(part)
        found.update(dict.fromkeys(inside, part))
        level += inside
    return found
