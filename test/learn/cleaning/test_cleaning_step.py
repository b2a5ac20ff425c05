"""Cleaning: what is left is like no test and like nothing else, and some of it is kept apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from steps import config_of, files_of, run_step

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.generate.prompts.prompt import RobotTask
from roboinstruct_ros.learn.cleaning.split import HeldOut, held_out
from roboinstruct_ros.learn.pipeline.record_file import RecordFile
from roboinstruct_ros.learn.pipeline.step import Step
from roboinstruct_ros.learn.records import Aligned, Dropped, Pair, Why

WORDS = "lamp hall pen den cup attic fork barn coat tower hat kiosk ball yard tray gym".split()


def pair(number: int, instruction: str, body: str) -> Pair:
    program = f"def task_program():\n{body}"
    return Pair(f"p/{number}", instruction, program, instruction, Aligned.KEPT)


def goes(number: int, room: str, instruction: str = "") -> Pair:
    words = instruction or f"{WORDS[number]} {number} {WORDS[-number]} {room} {number * 7} please"
    return pair(number, words, f'    go_to("{room}")\n')


def cleaned(run: Path, *pairs: Pair, **options: Any) -> dict[Why, list[str]]:
    """The ids of what was dropped, by the reason."""
    (run / "alignment").mkdir(parents=True, exist_ok=True)
    RecordFile(run / "alignment" / "records.jsonl", Pair).add(*pairs)
    run_step(run, Step.CLEANING, config_of(cleaning={"held_out": 0.0, **options}))
    found: dict[Why, list[str]] = {}
    for one in RecordFile(run / "cleaning" / "dropped.jsonl", Dropped):
        found.setdefault(one.why, []).append(one.id)
    return found


def rows(run: Path, name: str = "train.jsonl") -> list[dict[str, str]]:
    lines = (run / "cleaning" / name).read_text().splitlines()
    return [json.loads(line) for line in lines]


def test_what_is_trained_on_is_what_will_be_asked(tmp_path: Path) -> None:
    cleaned(tmp_path, goes(1, "hall", "Go to the hall."))
    (row,) = rows(tmp_path)
    assert row["prompt"] == RobotTask().first(Instruction("Go to the hall."))
    assert row["prompt"] + row["completion"] == (
        '# Instruction: Go to the hall.\ndef task_program():\n    go_to("hall")\n'
    )


def test_a_near_duplicate_is_dropped_and_names_the_one_that_is_kept(tmp_path: Path) -> None:
    first = goes(1, "hall", "Please drive to the big hall now.")
    second = goes(2, "hall", "Please drive to the small hall now.")
    assert cleaned(tmp_path, first, second) == {Why.NEAR_DUPLICATE: ["p/2"]}
    (dropped,) = RecordFile(tmp_path / "cleaning" / "dropped.jsonl", Dropped)
    assert first.instruction in dropped.text


@pytest.mark.parametrize("form", ["lines.txt", "objects.jsonl", "suite.yaml"])
def test_nothing_is_learned_from_a_test_set(tmp_path: Path, form: str) -> None:
    test = "Count the trays in the gym and tell Ola."
    file = tmp_path / form
    if form == "lines.txt":
        file.write_text(f"{test}\n")
    elif form == "objects.jsonl":
        file.write_text(json.dumps({"instruction": test}) + "\n")
    else:
        file.write_text(
            "suite: mine\nplaces: {here: {start: gym, rooms: {gym: []}}}\ntasks:\n"
            f"  - {{name: a, kind: count, place: here, phrasings: ['{test}'], answer: cannot}}\n"
        )
    pairs = goes(1, "gym", "Count the hats in the yard and tell Ola."), goes(2, "hall")
    assert cleaned(tmp_path, *pairs, test_sets=[str(file)]) == {Why.IN_TEST_SET: ["p/1"]}


def test_a_test_set_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.jsonl"):
        cleaned(tmp_path, goes(1, "hall"), test_sets=[str(tmp_path / "none.jsonl")])


def test_no_shape_has_more_than_its_share(tmp_path: Path) -> None:
    others = [
        pair(n, f"{n} {WORDS[n]}", f'    say("{n}")\n    ask("", "x", ["y"])\n') for n in (8, 9)
    ]
    same = [goes(number, WORDS[number]) for number in range(1, 8)]
    dropped = cleaned(tmp_path, *same, *others, most_of_a_shape=0.4, least_of_a_shape=1)
    assert dropped == {Why.UNBALANCED: ["p/4", "p/5", "p/6", "p/7"]}


def test_what_is_held_out_is_not_trained_on(tmp_path: Path) -> None:
    body = (
        '    go_to("{0}")\n',
        '    say("{0}")\n',
        '    if is_in_room("{0}"):\n        say("x")\n',
    )
    pairs = [
        pair(n, f"{WORDS[n]} {n} {WORDS[-n]} {n * 3}", body[n % 3].format(WORDS[n]))
        for n in range(15)
    ]
    cleaned(tmp_path, *pairs, held_out=0.4, most_of_a_shape=1.0)
    apart, learned = rows(tmp_path, "held_out.jsonl"), rows(tmp_path)
    assert len(apart) + len(learned) == 15 and apart
    assert {one["id"] for one in apart}.isdisjoint(one["id"] for one in learned)


@given(
    st.lists(
        st.tuples(st.sampled_from("abcdef"), st.frozensets(st.sampled_from(WORDS), max_size=2)),
        max_size=40,
    ),
    st.floats(0, 0.5),
)
def test_held_out_combinations_and_names_are_nowhere_else(
    pairs: list[tuple[str, frozenset[str]]], share: float
) -> None:
    parts = [(shape,) for shape, _ in pairs]
    names = [name for _, name in pairs]
    split = held_out(parts, names, share, 1)
    assert sum(why is not None for why in split) <= share * len(pairs)
    shapes = {why: set() for why in (None, *HeldOut)}  # type: ignore[var-annotated]
    for shape, why in zip(parts, split, strict=True):
        shapes[why].add(shape)
    assert shapes[HeldOut.COMBINATION].isdisjoint(shapes[None] | shapes[HeldOut.VOCABULARY])
    by_name = [set(n) for n, why in zip(names, split, strict=True) if why is HeldOut.VOCABULARY]
    learned = {name for n, why in zip(names, split, strict=True) if why is None for name in n}
    assert all(one - learned for one in by_name)
    order = list(reversed(range(len(pairs))))
    turned = held_out([parts[at] for at in order], [names[at] for at in order], share, 1)
    assert turned[::-1] == split


def test_done_again_it_makes_the_same_files(tmp_path: Path) -> None:
    pairs = [goes(number, WORDS[number]) for number in range(1, 12)]
    cleaned(tmp_path, *pairs, least_of_a_shape=5)
    made = files_of(tmp_path, Step.CLEANING)
    records = tmp_path / "cleaning" / "records.jsonl"
    records.write_bytes(records.read_bytes()[:-40])
    (tmp_path / "cleaning" / "train.jsonl").unlink()
    cleaned(tmp_path, *pairs, least_of_a_shape=5)
    assert files_of(tmp_path, Step.CLEANING) == made


def test_a_prompt_in_turns_is_none_to_continue(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="robot_task"):
        cleaned(tmp_path, goes(1, "hall"), prompt_format="chat")
