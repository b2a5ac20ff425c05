"""Compares what two programs do in a few made-up worlds."""

from __future__ import annotations

import ast
from functools import cache

from roboinstruct_ros.evaluate.worlds.trials import ChanceFacts, Run, Trials

Calls = tuple[tuple[object, ...], ...]


def same_behaviour(source: str, reference: str, worlds: int = 8) -> bool:
    """Whether both programs make the same skill calls in the first few worlds."""
    kinds = _kinds(reference)
    facts = [ChanceFacts(number, kinds) for number in range(worlds)]
    runs, wanted = (_trials().run(text, facts) for text in (source, reference))
    return all(_same(run, other) for run, other in zip(runs, wanted, strict=True))


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


def _same(run: Run, wanted: Run) -> bool:
    return not run.fault and not wanted.fault and run.calls == wanted.calls


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
