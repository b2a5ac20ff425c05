"""What a program does in made-up worlds."""

from __future__ import annotations

import ast
from functools import cache

from roboinstruct_ros.evaluate.worlds.trials import ChanceFacts, Trials

Calls = tuple[tuple[object, ...], ...]


def calls_of(source: str, number: int) -> Calls | None:
    """The skill calls in made-up world `number`; None if the program fails or does not end."""
    run = _trials().run(source, [ChanceFacts(number, _kinds(source))])[0]
    if run.fault:
        return None
    return tuple(tuple(tuple(a) if isinstance(a, list) else a for a in call) for call in run.calls)


@cache
def _trials() -> Trials:
    """One child for all comparisons; it ends with this process."""
    return Trials()


def _kinds(source: str) -> tuple[str, ...]:
    """The kinds of rooms that a program looks for: the literals of `"bedroom" in room`."""
    return tuple(
        node.left.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Compare)
        and isinstance(node.left, ast.Constant)
        and isinstance(node.left.value, str)
        and isinstance(node.ops[0], (ast.In, ast.NotIn))
    )
