"""What a newcomer is shown to try can be done in the world where it is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import pytest
import yaml
from asked_rows import ASKED, REFUSED, Row, reference

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.domain.files.world_file import World, load_world
from roboinstruct_ros.domain.files.world_names import find_world, shipped_worlds
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.evaluate.readers.written_rows import case_of
from roboinstruct_ros.evaluate.runs.writer import Writer
from roboinstruct_ros.evaluate.suite.judge import Written, judged
from roboinstruct_ros.evaluate.suite.outcome import Outcome
from roboinstruct_ros.evaluate.worlds.trials import Trials
from roboinstruct_ros.generate.backends.open_backend import backend_for
from roboinstruct_ros.generate.choice import Choice
from roboinstruct_ros.generate.writing_options import WritingOptions
from roboinstruct_ros.verify.verifier import verify

LIKELIEST = WritingOptions(max_attempts=1, choice=Choice.FIRST)
ROWS: list[Row] = yaml.safe_load((Path(__file__).parent / "world_examples.yaml").read_text())
WORLDS = {name: load_world(find_world(name)) for name in shipped_worlds()}


@pytest.fixture(scope="module", params=["", "roboinstruct-small"])
def write(request: pytest.FixtureRequest) -> Iterator[Callable[[Row], Written]]:
    """The model that serves where nobody names one, and the one that does where it is not there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("ROBOINSTRUCT_MODEL")
        backend = backend_for(request.param)
    backend.load()
    writer = Writer(backend, LIKELIEST)
    yield lambda row: writer(case_of(row)).written
    writer.close()
    backend.unload()


def in_its_world(row: Row) -> dict[str, Any]:
    """The row with what is there in the world's file, and what people answer to these words."""
    world = WORLDS[row["world"]]
    here: dict[str, list[str]] = {}
    for one in (*world.objects, *world.people):
        here.setdefault(one.room, []).append(one.name)
    return {"here": here, "answers": scripted_answers(world, row["text"]), **row}


def scripted_answers(world: World, words: str) -> dict[str, list[str]]:
    return {
        person.name: [entry.answer]
        for person in world.people
        for entry in reversed(person.answers)
        if entry.question in words.lower()
    }


def test_every_shipped_world_shows_four_and_each_has_a_right_program_here() -> None:
    for name in WORLDS:
        shown = load_semantic_map(find_world(name)).examples
        assert list(shown) == [row["text"] for row in ROWS if row["world"] == name]
        assert len(shown) == 4


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["text"][:40])
def test_its_right_program_goes_well_in_its_world(row: Row, trials: Trials) -> None:
    verdict = verify(reference(row), load_domain(), load_semantic_map(find_world(row["world"])))
    assert verdict.accepted
    written = Written(AnswerKind.PROGRAM, reference(row))
    judgement = judged(case_of(in_its_world(row)), written, trials)
    assert (judgement.outcome, judgement.why) == (Outcome.RIGHT, "")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["text"][:40])
def test_somebody_who_is_asked_is_there_and_has_an_answer(row: Row) -> None:
    world = WORLDS[row["world"]]
    places = {person.name: person.room for person in world.people}
    for before, call in zip(row["ways"][0], row["ways"][0][1:], strict=False):
        if call.startswith("ask "):
            person = call.split()[1]
            assert before == f"go_to {places[person]}"
            assert scripted_answers(world, row["text"])[person]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["text"][:40])
def test_what_is_written_for_it_is_right_and_has_no_note(
    row: Row, write: Callable[[Row], Written], trials: Trials
) -> None:
    written = write(row)
    assert judged(case_of(in_its_world(row)), written, trials).outcome is Outcome.RIGHT, written
    assert not written.notes


def test_no_held_out_instruction_is_shown_in_other_words() -> None:
    held_out = [row["text"].lower() for row in (*ASKED, *REFUSED)]
    for row in ROWS:
        alike = [t for t in held_out if SequenceMatcher(None, row["text"].lower(), t).ratio() > 0.8]
        assert not alike, row["text"]
