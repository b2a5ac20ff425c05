"""Appends one program to another, for models that cannot change a program."""

from __future__ import annotations

import ast
import re

from roboinstruct_ros.generate.program_text import HEAD

COME_BACK = f"{HEAD}    start_loc = get_current_location()\n    go_to(start_loc)\n"
"""A program that comes back to where it began, once it is appended to another one."""

_REMEMBERS = re.compile(r"    (?P<name>\w+) = get_current_location\(\)\n")


def appended(before: str, more: str) -> str:
    """A program that does what `before` does and then what `more` does; "" if that is impossible.

    A place that `more` remembers first is the one where the whole begins: there the person is.
    Whether the two fit together, for example what the hand holds between them, is for the verifier
    to decide.

    Args:
        before: Text of one function `task_program`.
        more: Text of another one.
    """
    if not (before.startswith(HEAD) and more.startswith(HEAD)) or _returns(before):
        return ""
    first, then = before.removeprefix(HEAD), more.removeprefix(HEAD)
    if (remembers := _REMEMBERS.match(then)) is not None:
        name, begun = remembers["name"], _REMEMBERS.match(first)
        if begun is not None and begun["name"] == name and _assigned(first).count(name) == 1:
            then = then[remembers.end() :]
        elif not re.search(rf"\b{name}\b", first):
            first, then = remembers[0] + first, then[remembers.end() :]
    return HEAD + first.rstrip() + "\n" + then.rstrip() + "\n"


def _assigned(body: str) -> list[str]:
    nodes = ast.walk(ast.parse(HEAD + body))
    return [n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]


def _returns(source: str) -> bool:
    """Whether the program may end before its last line."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return True
    return any(isinstance(node, ast.Return) for node in ast.walk(tree))
