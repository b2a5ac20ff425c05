"""No verdict that says "no world was left out" is contradicted by a world of the oracle.

The oracle (`named_world`, `plain_execution`, `brute_force`, `plain_rules`) shares no code with the
verifier. `--long` tries many more programs, of a seed that is told.
"""

from __future__ import annotations

import ast
import random
from itertools import count, islice

import pytest
from breakable_programs import BREAKABLE, Breakable
from mutants import mutants
from oracle import OPEN, difference, drawn, smallest
from program_strategies import LARGE, program_of
from sound_programs import HOME, suite, tasks

from roboinstruct_ros.program.language import BUILTINS, EXPRESSIONS, METHODS, MODULES, STATEMENTS

UNSEEN = ("a room by two spellings",)
"""To the oracle, the rooms of the open world are as they are spelt."""
SEEN = [p for p in BREAKABLE if not p.never and p.name not in UNSEEN]
SHORT, LONG = 1_000, 50_000
SHORT_MUTANTS, LONG_MUTANTS = 150, 20_000

pytestmark = [
    pytest.mark.computes,
    pytest.mark.timeout(6 * 3600),  # of the long versions, on a busy machine
]


def test_no_world_breaks_a_program_that_is_accepted_as_exhausted(long: bool, seed: int) -> None:
    for number in range(LONG if long else SHORT):
        case, worlds = drawn(seed, number), f"{seed} {number}"
        told = difference(case, worlds)
        assert not told, f"{told}\nthe same, shorter, {smallest(case, worlds)}"


def test_no_change_of_an_accepted_program_is_wrongly_accepted(long: bool, seed: int) -> None:
    bases = [*suite(), *tasks(seed, 200)]
    chance = random.Random(seed)
    for number in range(LONG_MUTANTS if long else SHORT_MUTANTS):
        case = next(mutants(chance.choice(bases), chance))
        told = difference(case, f"{seed} {number}")
        assert not told, f"{told}\nthe same, shorter, {smallest(case, f'{seed} {number}')}"


@pytest.mark.parametrize("program", SEEN, ids=lambda program: program.name)
def test_the_oracle_sees_what_breaks_a_program(program: Breakable) -> None:
    case = (HOME if program.closed else OPEN).with_program(program.source)
    seen = (case.worlds(seed, worlds=300).ending.code for seed in range(20))
    assert any(seen), program.breaks


def test_programs_are_drawn_of_the_whole_language() -> None:
    lacking = {*STATEMENTS, *EXPRESSIONS, *BUILTINS, *METHODS}
    lacking |= {f"{module}.{part}" for module, parts in MODULES.items() for part in parts}
    for number in islice(count(), 4_000):
        for node in ast.walk(ast.parse(program_of(random.Random(number), LARGE))):
            lacking -= {type(node)}
            if isinstance(node, ast.Name):
                lacking -= {node.id}
            if isinstance(node, ast.Attribute):
                lacking -= {node.attr, f"{ast.unparse(node.value)}.{node.attr}"}
            if isinstance(node, ast.Constant):
                lacking -= {repr(node.value)}
        if not lacking:
            return
    raise AssertionError(lacking)
