"""Appends one program to another, for models that cannot change a program."""

from __future__ import annotations

import ast

from roboinstruct_ros.generate.program_text import HEAD


def appended(before: str, more: str) -> str:
    """A program that does what `before` does and then what `more` does; "" if that is impossible.

    Whether the two fit together, for example what the hand holds between them, is for the verifier
    to decide.

    Args:
        before: Text of one function `task_program`.
        more: Text of another one.
    """
    if not (before.startswith(HEAD) and more.startswith(HEAD)) or _returns(before):
        return ""
    return before.rstrip() + "\n" + more.removeprefix(HEAD).rstrip() + "\n"


def _returns(source: str) -> bool:
    """Whether the program may end before its last line."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return True
    return any(isinstance(node, ast.Return) for node in ast.walk(tree))
