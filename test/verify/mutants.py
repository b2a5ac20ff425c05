"""Programs near to others: a statement more or less, another name, a trap where something holds.

Most of them are rejected, and rightly. Those that a verdict accepts and says are exhausted are the
ones in which a mistake of the verifier's would show.
"""

from __future__ import annotations

import ast
import copy
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from types import FrameType

from brute_force import Search
from oracle import Case
from plain_execution import Watch
from program_expressions import TRAP

_COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.GtE)


def mutants(case: Case, chance: random.Random) -> Iterator[Case]:
    """Without end: a few changes each, and mostly a trap for what some world shows there."""
    while True:
        other = case
        for _ in range(chance.randint(0, 2)):
            other = replace(other, source=_changed(other.source, chance))
        if chance.randint(0, 4):
            other = trapped(other, chance)
        yield other


# traps for what holds ----------------------------------------------------------------------------


@dataclass
class Values(Watch):
    """Keeps the values of variables at one statement, of one of the worlds."""

    chance: random.Random = field(default_factory=random.Random)
    seen: list[tuple[int, str]] = field(default_factory=list)

    def at(self, line: int) -> None:
        super().at(line)
        if len(self.seen) < 400:
            told = [f"{name} == {value}" for name, value in _simple(sys._getframe(1))]
            count = min(len(told), self.chance.randint(1, 2))
            self.seen += [(line, " and ".join(self.chance.sample(told, count)))] if told else []


def _simple(frame: FrameType) -> Iterator[tuple[str, str]]:
    """Variables that hold texts, numbers, or lists of them."""
    for name, value in frame.f_locals.items():
        parts = value if isinstance(value, list) else [value]
        if name.isidentifier() and all(type(p) in (str, int, bool, type(None)) for p in parts):
            yield name, repr(value)


def trapped(case: Case, chance: random.Random) -> Case:
    """The program, impossible where its variables are as they are in some world."""
    watch = Values(chance=chance)
    Search(case.source, case.house, case.rule, chance.random(), 12, watch).run()
    if not watch.seen:
        return case
    line, condition = chance.choice(watch.seen)
    lines = case.source.splitlines()
    at = lines[line - 1]
    indent = at[: len(at) - len(at.lstrip())]
    lines.insert(line - 1, f"{indent}if {condition}:\n{indent}    {TRAP}")
    source = "\n".join(lines) + "\n"
    return replace(case, source=source) if _is_python(source) else case


# changes -----------------------------------------------------------------------------------------


def _changed(source: str, chance: random.Random) -> str:
    tree = ast.parse(source)
    chance.choice(_CHANGES)(tree, chance)
    source = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    return source if _is_python(source) else ast.unparse(ast.parse(source)) + "\n"


def _is_python(source: str) -> bool:
    try:
        compile(source, "<mutant>", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def _blocks(tree: ast.Module) -> list[list[ast.stmt]]:
    """Blocks of functions."""
    return [
        block
        for node in ast.walk(tree)
        for name in ("body", "orelse")
        if isinstance(block := getattr(node, name, None), list)
        and block
        and not isinstance(node, ast.Module)
    ]


def _drop(tree: ast.Module, chance: random.Random) -> None:
    block = chance.choice(_blocks(tree))
    block[chance.randrange(len(block))] = ast.Pass()


def _copy(tree: ast.Module, chance: random.Random) -> None:
    """A statement stands in another place, too."""
    blocks = _blocks(tree)
    statement = copy.deepcopy(chance.choice(chance.choice(blocks)))
    block = chance.choice(blocks)
    block.insert(chance.randint(0, len(block)), statement)


def _swap(tree: ast.Module, chance: random.Random) -> None:
    block = chance.choice(_blocks(tree))
    one, other = chance.randrange(len(block)), chance.randrange(len(block))
    block[one], block[other] = block[other], block[one]


def _wrap(tree: ast.Module, chance: random.Random) -> None:
    """A statement is repeated, or its failure is caught."""
    block = chance.choice(_blocks(tree))
    at = chance.randrange(len(block))
    shape = chance.choice([
        "for _ in range(2):\n    pass",
        "try:\n    pass\nexcept SkillError:\n    pass",
        "if is_in_room('person'):\n    pass",
        "for r in get_all_rooms():\n    pass",
        "while not is_in_room('apple'):\n    pass",
    ])  # fmt: skip
    around = ast.parse(shape).body[0]
    around.body = [block[at]]  # type: ignore[attr-defined]
    block[at] = around


def _constant(tree: ast.Module, chance: random.Random) -> None:
    """A text or number becomes another one of the program."""
    parts = [
        part
        for part in ast.walk(tree)
        if isinstance(part, ast.Constant) and type(part.value) in (str, int)
    ]
    if parts:
        one = chance.choice(parts)
        one.value = chance.choice([p.value for p in parts if type(p.value) is type(one.value)])


def _condition(tree: ast.Module, chance: random.Random) -> None:
    """A condition is turned round, or compares in another way."""
    tests = [node for node in ast.walk(tree) if isinstance(node, (ast.If, ast.While))]
    compared = [node for node in ast.walk(tree) if isinstance(node, ast.Compare)]
    if compared and chance.randint(0, 1):
        one = chance.choice(compared)
        if not isinstance(one.ops[0], (ast.In, ast.NotIn, ast.Is, ast.IsNot)):
            one.ops[0] = chance.choice(_COMPARISONS)()
    elif tests:
        turned = chance.choice(tests)
        turned.test = ast.UnaryOp(ast.Not(), turned.test)


_CHANGES: tuple[Callable[[ast.Module, random.Random], None], ...] = (
    _drop, _copy, _swap, _wrap, _constant, _constant, _condition,
)  # fmt: skip
