"""How often a right program is noted, and how often a wrong one."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from functools import cache

import mutated_programs
import pytest
from asked_rows import ASKED, REFUSED, reference
from drawn_pairs import drawn_programs

from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.domain.semantic_map import Pose, Room, SemanticMap, load_semantic_map
from roboinstruct_ros.generate.words.alignment import alignment_notes
from roboinstruct_ros.learn.draw import Split
from roboinstruct_ros.learn.pairs.scene import Scene

pytestmark = pytest.mark.computes

Case = tuple[str, str, SemanticMap | None, str]
"""Instruction, right program, map, and what is held."""

Mutation = Callable[[str], Iterator[str]]

MOST_FALSE_ALARMS = 0.02


@cache
def asked() -> list[Case]:
    """The held-out instructions with the programs that stand with them."""
    maps = {
        world: load_semantic_map(shared_file(f"config/worlds/{world}.yaml"))
        for world in ("home", "office", "lab")
    }
    rows = (*ASKED, *(row for row in REFUSED if row["answer"] == "program"))
    return [(row["text"], reference(row), maps[row["world"]], "") for row in rows]


@cache
def drawn(source: str, split: Split = Split.TRAIN) -> list[Case]:
    return [
        (pair.instruction, pair.program, _map_of(pair.scene), pair.scene.holding)
        for pair in drawn_programs(400, source, split)
    ]


def _map_of(scene: Scene) -> SemanticMap | None:
    if not scene.told:
        return None
    rooms = tuple(Room(name, (), Pose(0, 0, 0)) for name in scene.rooms)
    return SemanticMap(rooms, scene.things or None, scene.people or None)


def noted_share(cases: list[Case]) -> float:
    return sum(bool(alignment_notes(*case)) for case in cases) / len(cases)


def test_right_programs_for_held_out_instructions_are_seldom_noted() -> None:
    assert len(asked()) == 240
    assert noted_share(asked()) <= MOST_FALSE_ALARMS


@pytest.mark.parametrize(
    ("source", "split"),
    [
        ("composed", Split.TRAIN),
        ("composed", Split.UNSEEN_SHAPES),
        ("composed", Split.UNSEEN_NAMES),
    ],
)
def test_right_programs_of_pairs_are_seldom_noted(source: str, split: Split) -> None:
    assert noted_share(drawn(source, split)) <= MOST_FALSE_ALARMS


@pytest.mark.parametrize("said", ["from the freezer", "out of the cooking area", "near the cooker"])
def test_a_room_may_be_told_by_another_name_or_by_its_furniture(said: str) -> None:
    program = 'def task_program():\n    go_to("{}")\n    pick("kiwi")\n'
    assert not alignment_notes(f"take a kiwi {said}", program.format("kitchen"))
    assert alignment_notes(f"take a kiwi {said}", program.format("bathroom"))


def test_a_thing_that_lies_in_a_room_where_the_program_never_drives_is_noted() -> None:
    home = load_semantic_map(shared_file("config/worlds/home.yaml"))
    words = "Bring Alice her coat. She's in the kitchen, and the coat is right here in the hallway."
    program = 'def task_program():\n    go_to("kitchen")\n    pick("coat")\n    place("coat")\n'
    [note] = alignment_notes(words, program, home)
    assert "'coat is right here in the hallway'" in note and "picks nothing up in hallway" in note


def test_a_pasted_list_of_numbers_is_read_soon() -> None:
    begun = time.process_time()
    assert alignment_notes("7 " * 150, 'def task_program():\n    go_to("lab")\n', None, "")
    assert time.process_time() - begun < 3.0


def test_the_numbers_of_a_list_are_no_numbers_of_things() -> None:
    program = 'def task_program():\n    go_to("kitchen")\n    go_to("hall")\n    go_to("attic")\n'
    for text in ("1. kitchen 2. hall 3. attic", "(1) kitchen; (2) hall; (3) attic"):
        assert not alignment_notes(text, program)


def other_thing(source: str) -> Iterator[str]:
    for name in mutated_programs.handled(source)[:1]:
        yield source.replace(f'"{name}"', '"hammock"')


@pytest.mark.parametrize(
    ("mutation", "noted"),
    [
        (mutated_programs.room_changed, 0.92),
        (other_thing, 0.95),
        (mutated_programs.loop_removed, 0.20),
        (mutated_programs.number_changed, 0.45),
        (mutated_programs.branch_negated, 0.25),
        (mutated_programs.branch_removed, 0.12),
        (mutated_programs.way_back_removed, 0.45),
        (mutated_programs.rooms_swapped, 0.40),
        (mutated_programs.last_call_removed, 0.30),
    ],
)
def test_programs_with_one_thing_wrong_are_noted(mutation: Mutation, noted: float) -> None:
    cases = [*asked(), *drawn("composed")]
    wrong = [(text, bad, rooms, "") for text, good, rooms, _ in cases for bad in mutation(good)]
    assert wrong
    assert noted_share(wrong) >= noted


def test_programs_of_other_instructions_are_noted() -> None:
    cases = [*asked(), *drawn("composed")]
    programs = [source for _, source, _, _ in cases]
    random.Random(3).shuffle(programs)
    wrong = [(case[0], source, *case[2:]) for case, source in zip(cases, programs, strict=True)]
    assert noted_share(wrong) >= 0.9
