"""The held-out instructions are sound: right programs pass the judge, and wrong ones do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from asked_rows import ASKED, FIFTH, FOURTH, LATER, REFUSED, THIRD, Row, reference
from mutated_programs import (
    branch_negated,
    branch_removed,
    last_call_removed,
    loop_removed,
    room_changed,
    waiting_removed,
    way_back_removed,
)

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.domain.semantic_map import SemanticMap, load_semantic_map
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.evaluate.readers.written_rows import case_of
from roboinstruct_ros.evaluate.suite.judge import program_fault
from roboinstruct_ros.evaluate.worlds.trials import Trials
from roboinstruct_ros.verify.verifier import verify

MAPS = {
    world: load_semantic_map(shared_file(f"config/worlds/{world}.yaml"))
    for world in ("home", "office", "lab")
}
POSSIBLE = [row for row in REFUSED if row["answer"] == "program"]
PROGRAMS = [*ASKED, *LATER, *THIRD, *FOURTH, *FIFTH, *POSSIBLE]
Fault = Callable[[Row, str], str]


@pytest.fixture(scope="module")
def fault() -> Iterator[Fault]:
    trials = Trials()
    yield lambda row, source: program_fault(case_of(row), source, trials)
    trials.close()


@pytest.mark.parametrize("row", PROGRAMS, ids=lambda row: row["text"][:40])
def test_the_right_program_is_right_in_every_world_of_its_row(row: Row, fault: Fault) -> None:
    source = reference(row)
    assert not fault(row, source)
    assert verify(source, load_domain(), MAPS[row["world"]]).accepted


@pytest.mark.parametrize(
    ("mutation", "caught"),
    [
        (room_changed, 0.95),
        (last_call_removed, 0.95),
        (loop_removed, 1.0),
        (branch_negated, 1.0),
        (branch_removed, 1.0),
        (way_back_removed, 0.95),
        (waiting_removed, 1.0),
    ],
)
def test_a_program_with_one_thing_wrong_is_not_right(
    mutation: Callable[[str], Iterator[str]], caught: float, fault: Fault
) -> None:
    mutants = [(row, mutant) for row in PROGRAMS for mutant in mutation(reference(row))]
    missed = [f"{row['text']}\n{mutant}" for row, mutant in mutants if not fault(row, mutant)]
    assert len(missed) <= (1 - caught) * len(mutants), f"{len(mutants)}:\n" + "\n".join(missed)


def test_a_program_that_does_nothing_is_right_for_nothing(fault: Fault) -> None:
    assert [row["text"] for row in PROGRAMS if not fault(row, "def task_program(): pass")] == []


def test_the_instructions_are_many_and_different() -> None:
    sets = [ASKED, LATER, THIRD, FOURTH, FIFTH]
    texts = [row["text"].lower() for rows in (*sets, REFUSED) for row in rows]
    assert len(set(texts)) == len(texts) == 680
    assert [*map(len, sets)] == [200, 80, 120, 100, 60]
    assert all(60 <= count <= 90 or parts == 3 for parts, count in _counted(ASKED, "parts").items())
    assert _counted(REFUSED, "answer") == {"cannot": 40, "question": 18, "reply": 22, "program": 40}


def _counted(rows: list[Row], key: str) -> Counter[str]:
    return Counter(row[key] for row in rows)


def test_every_row_says_what_its_readers_look_for() -> None:
    fields = {"text", "world", "here", "answers", "ways", "also", "slept", "program"}
    for row in PROGRAMS:
        assert {"text", "world", "ways", "program"} <= set(row)
        assert set(row) <= fields | {"kind", "parts", "answer"}
        for case in (row, *row.get("also", [])):
            _check_case(case, MAPS[row["world"]])
    for row in REFUSED:
        assert AnswerKind(row["answer"]) and row["world"] in MAPS
        assert set(row.get("choices", [])) <= set(MAPS[row["world"]].room_names)


def _check_case(case: Row, rooms: SemanticMap) -> None:
    assert set(case.get("here", {})) <= set(rooms.room_names)
    for way in case["ways"]:
        for call in way:
            skill, _, rest = call.strip("()").partition(" ")
            assert skill in {"go_to", "pick", "place", "say", "says", "ask"}, call
            assert skill != "go_to" or rest in (*rooms.room_names, "*"), call
            assert skill not in {"say", "says"} or rest.startswith("~"), call
