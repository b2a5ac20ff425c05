"""Pairs are a function of their number, name what they say, and are right in every world."""

from __future__ import annotations

import ast
import re

import pytest
from drawn_pairs import drawn_pairs, drawn_programs

from roboinstruct_ros.learn.draw import Split
from roboinstruct_ros.learn.pairs.check import fault
from roboinstruct_ros.learn.pairs.compose import PARTS, is_held_out
from roboinstruct_ros.learn.pairs.draw_pair import SOURCES, make_pair

pytestmark = pytest.mark.computes


def test_a_pair_is_a_function_of_its_number() -> None:
    pairs = [make_pair(1, number) for number in range(200)]
    assert pairs == [make_pair(1, number) for number in range(200)]
    assert pairs != [make_pair(2, number) for number in range(200)]


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("split", [Split.TRAIN, Split.UNSEEN_NAMES])
def test_the_verifier_accepts_the_pairs(source: str, split: Split) -> None:
    for pair in drawn_pairs(40, source, split):
        assert not fault(pair), (pair.instruction, pair.program, fault(pair))


@pytest.mark.parametrize("split", Split)
def test_a_program_is_one_function_and_no_slot_is_left_in_the_words(split: Split) -> None:
    for pair in drawn_programs(400, "composed", split):
        tree = ast.parse(pair.program)
        assert [type(node) for node in tree.body] == [ast.FunctionDef], pair.program
        assert not [n for n in ast.walk(tree) if isinstance(n, ast.Import | ast.ImportFrom)]
        assert not re.search(r"[\[\]{}|]|  ", pair.instruction), pair.instruction


def test_a_told_scene_stands_in_the_prompt() -> None:
    pairs = drawn_pairs(200, "composed")
    told = [pair for pair in pairs if pair.scene.told]
    assert 0.6 < len(told) / len(pairs) < 0.8
    for pair in pairs:
        assert ("# Rooms: " in pair.prompt) == pair.scene.told
        assert pair.prompt.endswith(f"# Instruction: {pair.instruction}\ndef task_program():\n")
        assert pair.completion.startswith("    ")


def test_what_is_held_is_put_down_before_the_hand_is_needed() -> None:
    pairs = drawn_pairs(400, "composed")
    held = [pair for pair in pairs if pair.scene.told and pair.scene.holding]
    needed = [pair for pair in held if "pick(" in pair.program]
    assert needed and len(needed) < len(held)
    for pair in needed:
        before = pair.program.partition("pick(")[0].partition("go_to(")[0]
        assert f'place("{pair.scene.holding}")' in before


def test_some_of_the_told_maps_leave_open_who_and_what_is_there() -> None:
    told = [pair for pair in drawn_pairs(200) if pair.scene.told]
    open_ = [pair for pair in told if not pair.scene.people and not pair.scene.things]
    assert 0.25 < len(open_) / len(told) < 0.65


def test_a_third_of_the_tasks_are_as_brief_as_people_type_them() -> None:
    pairs = drawn_pairs(200, "composed")
    assert sum(len(pair.instruction.split()) < 12 for pair in pairs) > len(pairs) / 3


def test_conditions_and_questions_are_as_frequent_as_their_shares_say() -> None:
    """They fit fewer scenes and are longer than "go to the lab", and are not crowded out by it."""
    asked_for = {"if_yes", "if_there", "if_not_there", "only_if", "pass_answer", "decide", "has_it"}
    drawn = [pair.family for pair in drawn_pairs(600, "composed")]
    shares = sum(PARTS[name].share for name in asked_for)
    expected = 600 * 0.4 * shares / sum(one.share for one in PARTS.values() if not one.order)
    assert sum(bool(asked_for.intersection(family.split("+"))) for family in drawn) > expected


def test_some_joins_of_three_parts_are_never_trained_on() -> None:
    trained = drawn_pairs(400, "composed")
    assert not any(is_held_out(tuple(pair.family.split("+"))) for pair in trained)
    measured = drawn_pairs(20, "composed", Split.UNSEEN_SHAPES)
    assert all(is_held_out(tuple(pair.family.split("+"))) for pair in measured)


def test_most_pairs_are_short() -> None:
    words = sorted(len(pair.instruction.split()) for pair in drawn_pairs(200))
    assert words[len(words) // 2] < 20
    assert words[len(words) * 9 // 10] < 45
