"""The handlers and `finally:` blocks of a program: where the verifier lets a skill fail.

Elsewhere a failure ends the program, and nothing is done after it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from roboinstruct_ros.domain.skill_call import SKILL_ERRORS
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.program.syntax import Parents
from roboinstruct_ros.verify.rooms.name_uses import Form, NameUses

MOST_FAILURES = 3
"""Most failures in one world; a program that handles more of them is not exhausted."""

_CATCHING = ("SkillError", "Exception")


@dataclass(frozen=True)
class Handlers:
    """Facts read from the syntax tree.

    Attributes:
        lines: where the failure of a skill is tried: it is caught, or a `finally:` follows.
        caught: where it is caught.
        codes: one failure code for each kind that the program distinguishes, the most common first.
        examined: a line that examines the error more closely than can be tried; 0 for none.
    """

    lines: frozenset[int] = frozenset()
    caught: frozenset[int] = frozenset()
    codes: tuple[str, ...] = ("unknown",)
    examined: int = 0


def handlers_of(parents: Parents, domain: Domain) -> Handlers:
    """Read the handlers of a program."""
    nodes = list(parents)
    tries = [node for node in nodes if isinstance(node, ast.Try)]
    caught = {line for node in tries if _catches(node) for line in _lines(*node.body)}
    passed = {
        line
        for node in tries
        if node.finalbody
        for line in _lines(*node.body, *node.handlers, *node.orelse)
    }
    if not caught and not passed:
        return Handlers()
    strange = _examined(parents, NameUses(parents, domain))
    examined = 0 if strange is None else strange.lineno
    return Handlers(frozenset(caught | passed), frozenset(caught), _codes(nodes), examined)


def _codes(nodes: list[ast.AST]) -> tuple[str, ...]:
    """Codes grouped by comparison with the program's texts: equal to one, or containing one."""
    values = {node.value for node in nodes if isinstance(node, ast.Constant)}
    texts = [value for value in values if isinstance(value, str)]
    if not any(isinstance(node, ast.Attribute) and node.attr == "code" for node in nodes):
        texts = []
    kinds: dict[tuple[tuple[bool, bool], ...], str] = {}
    for name in ("unknown", *SKILL_ERRORS):
        kinds.setdefault(tuple((text == name, text in name) for text in texts), name)
    return tuple(kinds.values())


def _catches(node: ast.Try) -> bool:
    caught = [part for handler in node.handlers if handler.type for part in ast.walk(handler.type)]
    return any(isinstance(part, ast.Name) and part.id in _CATCHING for part in caught)


def _lines(*block: ast.AST) -> Iterator[int]:
    """Lines of a block that execute within it, without the bodies of functions defined there."""
    for node in block:
        if isinstance(node, ast.FunctionDef):
            continue
        if isinstance(node, (ast.stmt, ast.expr)):
            inner = [each for each in ast.walk(node) if isinstance(each, ast.stmt)][1:]
            last = inner[0].lineno - 1 if inner else node.end_lineno or node.lineno
            yield from range(node.lineno, max(last, node.lineno) + 1)
        children = ast.iter_child_nodes(node)
        yield from _lines(*(c for c in children if isinstance(c, (ast.stmt, ast.ExceptHandler))))


def _examined(parents: Parents, uses: NameUses) -> ast.expr | None:
    """The first use of an error other than saying it or comparing its code with texts."""
    errors = {node.name for node in parents if isinstance(node, ast.ExceptHandler) and node.name}
    told: list[ast.expr] = []
    for node in parents:
        if isinstance(node, ast.Name) and node.id in errors and isinstance(node.ctx, ast.Load):
            parent = parents[node]
            told.append(parent if isinstance(parent, ast.Attribute) else node)
    codes = [part for part in told if isinstance(part, ast.Attribute) and part.attr == "code"]
    rest = [part for part in told if part not in codes]
    return uses.strange(codes) or uses.strange(rest, Form.TEXT)
