"""Traversal of syntax trees. Every program is traversed many times, and `ast.walk` is slow."""

from __future__ import annotations

import ast

Parents = dict[ast.AST, ast.AST]
"""The parent of each node, in breadth-first order."""

_LEAVES = frozenset("id attr arg name asname kind type_comment ctx conversion level".split())
"""Fields that hold no part of the program; a name's own `ctx` is still available."""

_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {}
"""The remaining fields of each node type seen so far."""


def children(node: ast.AST) -> list[ast.AST]:
    """The child nodes, in the order of the text."""
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
    """The name, if the node is one; else ""."""
    return node.id if isinstance(node, ast.Name) else ""


def called(node: ast.AST | None) -> str:
    """The name of the called function, if the node is a call of a name; else ""."""
    return name_of(node.func) if isinstance(node, ast.Call) else ""


def numbers_of(call: ast.expr) -> range | None:
    """The numbers of a `range`, if its text tells them."""
    try:
        numbers = range(*map(ast.literal_eval, call.args if isinstance(call, ast.Call) else ()))
        return numbers if len(numbers) >= 0 else None  # that of too many is an error
    except (TypeError, ValueError, OverflowError):
        return None


_PARAMETERS = {"ask": ("person", "question", "options")}
"""Of the skills with words of their own and several parameters."""


def arguments_of(call: ast.Call) -> list[ast.expr]:
    """The arguments in the order of the parameters, however they are given."""
    order = _PARAMETERS.get(called(call), ())
    given = [
        (keyword.arg in order and order.index(str(keyword.arg)), keyword)
        for keyword in call.keywords
    ]
    return [*call.args, *(one.value for _, one in sorted(given, key=lambda pair: pair[0]))]


def text_of(node: ast.AST | None) -> str | None:
    """The string, if the node is a string literal; else None."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def walk(node: ast.AST) -> list[ast.AST]:
    """The node and all its descendants, breadth first."""
    found = [node]
    for part in found:  # grows during the iteration
        found += children(part)
    return found


def parents_in(node: ast.AST) -> Parents:
    """All descendants of a node, breadth first, each with its parent."""
    found: Parents = {}
    level = [node]
    for part in level:  # grows during the iteration
        inside = children(part)
        found.update(dict.fromkeys(inside, part))
        level += inside
    return found
