"""The dataset grammar: repeatable, well formed, and without held-out words in training."""

from __future__ import annotations

import ast
import re
from collections import Counter
from itertools import islice

import pytest

from roboinstruct_ros.learn import vocabulary
from roboinstruct_ros.learn.draw import Split
from roboinstruct_ros.learn.families.families import FAMILIES, Pair, make_pair, pairs

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


def test_held_out_shapes_do_not_occur_in_training(sample: list[Pair]) -> None:
    assert not [name for name in FAMILIES if name.startswith("unseen_")]
    shapes = {_shape(pair.program) for pair in sample}
    held = [pair for pair in islice(pairs(12, Split.UNSEEN_SHAPES), 400)]
    whole = [pair for pair in held if pair.family.startswith("unseen_")]
    assert len(whole) > 150
    assert not [pair for pair in whole if _shape(pair.program) in shapes]


def _shape(program: str) -> str:
    """A program without its names: which names are the same is part of the shape."""
    names: dict[str, str] = {}
    return re.sub(
        r'"(?:[^"\\]|\\.)*"', lambda m: names.setdefault(m[0], f"<{len(names)}>"), program
    )


def test_a_joint_of_the_test_is_no_joint_of_training() -> None:
    """Speaking first and carrying then is held out: "say ... in ..., then bring ... to ..."."""
    said_then_carried = re.compile(r'say\("[^,]*"\)\n    go_to\(.*\n    pick\(')
    trained = [make_pair(4, index, Split.TRAIN, "joined").program for index in range(300)]
    tested = [make_pair(4, index, Split.UNSEEN_SHAPES, "joined").program for index in range(300)]
    assert not [program for program in trained if said_then_carried.search(program)]
    assert [program for program in tested if said_then_carried.search(program)]
