"""The dataset grammar: repeatable, well formed, and without held-out words in training."""

from __future__ import annotations

import ast
import re
from collections import Counter
from itertools import islice

import pytest

from roboinstruct_ros.learn import vocabulary
from roboinstruct_ros.learn.dataset import FAMILIES, Pair, make_pair, pairs
from roboinstruct_ros.learn.draw import Split

SAMPLE = 1500


@pytest.fixture(scope="module")
def sample() -> list[Pair]:
    return list(islice(pairs(11), SAMPLE))


def test_the_same_number_gives_the_same_pair() -> None:
    assert [make_pair(3, i) for i in range(50)] == [make_pair(3, i) for i in range(50)]
    assert make_pair(3, 1) != make_pair(4, 1)


def test_every_program_is_one_function_without_imports(sample: list[Pair]) -> None:
    for pair in sample:
        tree = ast.parse(pair.program)
        assert [type(node) for node in tree.body] == [ast.FunctionDef], pair.program
        assert not [n for n in ast.walk(tree) if isinstance(n, ast.Import | ast.ImportFrom)]


@pytest.mark.parametrize("split", list(Split))
def test_no_phrasing_leaves_a_slot_or_bracket_behind(split: Split) -> None:
    for pair in islice(pairs(5, split), SAMPLE):
        assert not re.search(r"[\[\]{}|]|  ", pair.instruction), pair.instruction


def test_instructions_do_not_repeat(sample: list[Pair]) -> None:
    assert len({pair.instruction for pair in sample}) == len(sample)


def test_every_family_occurs(sample: list[Pair]) -> None:
    assert set(Counter(pair.family for pair in sample)) == set(FAMILIES)


def test_names_are_in_the_instruction_they_came_from(sample: list[Pair]) -> None:
    """What a model cannot read in the instruction it cannot write: rooms must be copyable."""
    for pair in sample:
        for room in re.findall(r'go_to\("([^"]+)"\)', pair.program):
            owner = room.removesuffix("'s office")
            assert owner.lower() in pair.instruction.lower(), (room, pair.instruction)


def test_held_out_words_do_not_occur_in_training(sample: list[Pair]) -> None:
    held = {
        word
        for name, words in vars(vocabulary).items()
        if name.startswith("HELD_") and name != "HELD_CHOICES"
        for word in words
    }
    text = "\n".join(pair.instruction.lower() for pair in sample)
    assert not [word for word in held if re.search(rf"\b{re.escape(word.lower())}\b", text)]


def test_completion_is_the_body_of_the_program(sample: list[Pair]) -> None:
    pair = sample[0]
    assert pair.prompt == f"# Instruction: {pair.instruction}\ndef task_program():\n"
    assert pair.completion.startswith("    ")
    assert "def task_program():\n" + pair.completion == pair.program
