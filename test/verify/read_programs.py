"""What the text of a program says of its worlds: where skills may fail, and where it waits."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from named_world import House


def as_the_program_says(house: House, source: str) -> House:
    """The house, with what a program expects of it."""
    tree = ast.parse(source)
    caught: set[int] = set()
    noticed: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Try):
            if any(map(_catches_skills, node.handlers)):
                caught.update(*map(_lines, node.body))
            if node.finalbody:
                noticed.update(*map(_lines, (*node.body, *node.handlers, *node.orelse)))
    blocks: list[ast.AST] = [node for node in ast.walk(tree) if isinstance(node, ast.While)]
    waiting: set[int] = set()
    called = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.Lambda))]
    while blocks:
        block = blocks.pop()
        waiting |= set(range(block.lineno, block.end_lineno + 1))
        names = {node.id for node in ast.walk(block) if isinstance(node, ast.Name)}
        for function in list(called):
            if isinstance(function, ast.Lambda) or function.name in names:
                called.remove(function)
                blocks.append(function)
    return replace(
        house,
        said=rooms_said(source),
        caught=frozenset(caught),
        noticed=frozenset(caught | noticed),
        waiting=frozenset(waiting),
    )


def _catches_skills(handler: ast.ExceptHandler) -> bool:
    return bool({"SkillError", "Exception"} & set(re.findall(r"\w+", ast.unparse(handler.type))))


def _lines(node: ast.AST) -> set[int]:
    """Lines that run where a block runs, not those of functions that are defined there."""
    if isinstance(node, ast.FunctionDef):
        return set()
    lines = {node.lineno} if hasattr(node, "lineno") else set()
    return lines.union(*map(_lines, ast.iter_child_nodes(node)))


def rooms_said(source: str) -> tuple[str, ...]:
    """Texts that stand in the arguments of `go_to`."""
    calls = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "go_to"
    ]
    parts = [
        part
        for call in calls
        for given in (call.args, [k.value for k in call.keywords])
        for argument in given
        for part in ast.walk(argument)
    ]
    return tuple(p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str))


def texts_said(tree: ast.AST) -> tuple[str, ...]:
    """All texts of a program, each once."""
    parts = (part.value for part in ast.walk(tree) if isinstance(part, ast.Constant))
    return tuple(dict.fromkeys(part for part in parts if isinstance(part, str)))
