"""Alignment: the program stays, and the instruction asks for what it does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from model_server import ModelServer
from scripted_server import says
from steps import SMALL, Killed, config_of, files_of, killed_after, processes, run_step

from roboinstruct_ros.learn.alignment.judging import Judgement, read_judgement
from roboinstruct_ros.learn.pipeline.record_file import RecordFile
from roboinstruct_ros.learn.pipeline.step import Step
from roboinstruct_ros.learn.question import Said
from roboinstruct_ros.learn.records import Aligned, Dropped, Pair, Sample, Source, Task, Why

BETTER = "Go to the den and say hello."
FITS = " It goes there.\nFits: yes\nRequest: As it was.\n\n"
DOES_NOT = f" It goes there.\nFits: no\nRequest: {BETTER}\n\n"


def given(run: Path, count: int = 1) -> None:
    """Tasks with a program each."""
    for number in range(count):
        task = Task(f"seed-{number:06}", f"Go to den {number} and sing.", Source.SEED)
        program = f'def task_program():\n    go_to("den {number}")\n    say("hello")\n'
        for step, kind, record in (
            ("tasks", Task, task),
            ("programs", Sample, Sample(task.id, 0, program, True, behaviour="x")),
        ):
            (run / step).mkdir(parents=True, exist_ok=True)
            RecordFile(run / step / "records.jsonl", kind).add(record)


def asking(server: ModelServer, answer: Callable[[dict[str, Any]], str], **more: Any) -> Any:
    says(server, answer)
    alignment = {"writer": {"at_once": 1, "tries": 1}, "score": False, **more}
    return config_of(writer=server.address, alignment=alignment)


def pairs_of(run: Path) -> list[Pair]:
    return list(RecordFile(run / "alignment" / "records.jsonl", Pair))


def dropped_of(run: Path) -> list[Dropped]:
    return list(RecordFile(run / "alignment" / "dropped.jsonl", Dropped))


def last_question(asked: dict[str, Any]) -> str:
    return str(asked["prompt"]).rpartition("The request:")[2]


def test_what_fits_is_kept_as_it_is(tmp_path: Path, server: ModelServer) -> None:
    given(tmp_path)
    run_step(tmp_path, Step.ALIGNMENT, asking(server, lambda asked: FITS))
    (pair,) = pairs_of(tmp_path)
    assert pair.aligned is Aligned.KEPT and pair.instruction == pair.task
    assert pair.scores == {"agreement": 1.0, "judge": 1.0}


def test_what_does_not_fit_is_rewritten_and_looked_at_again(
    tmp_path: Path, server: ModelServer
) -> None:
    given(tmp_path)
    config = asking(server, lambda asked: FITS if BETTER in last_question(asked) else DOES_NOT)
    run_step(tmp_path, Step.ALIGNMENT, config)
    (pair,) = pairs_of(tmp_path)
    assert pair.aligned is Aligned.REWRITTEN
    assert (pair.instruction, pair.task) == (BETTER, "Go to den 0 and sing.")


def test_what_still_does_not_fit_is_dropped_with_both_texts(
    tmp_path: Path, server: ModelServer
) -> None:
    given(tmp_path)
    run_step(tmp_path, Step.ALIGNMENT, asking(server, lambda asked: DOES_NOT))
    assert not pairs_of(tmp_path)
    (dropped,) = dropped_of(tmp_path)
    assert dropped.why is Why.MISALIGNED
    assert "sing" in dropped.text and BETTER in dropped.text and "go_to" in dropped.text


def test_a_judgement_that_is_none_is_told(tmp_path: Path, server: ModelServer) -> None:
    given(tmp_path)
    run_step(tmp_path, Step.ALIGNMENT, asking(server, lambda asked: " Nice program!\n\n"))
    assert [one.why for one in dropped_of(tmp_path)] == [Why.UNREADABLE]


def test_most_votes_count(tmp_path: Path, server: ModelServer) -> None:
    given(tmp_path)
    answers = iter([FITS, DOES_NOT, FITS])
    run_step(tmp_path, Step.ALIGNMENT, asking(server, lambda asked: next(answers), votes=3))
    assert pairs_of(tmp_path)[0].scores["judge"] == pytest.approx(2 / 3, abs=1e-3)


def test_without_a_judge_all_is_kept_and_scored(tmp_path: Path) -> None:
    given(tmp_path)
    alignment = {"judge": False, "scorer": {"model": SMALL}}
    run_step(tmp_path, Step.ALIGNMENT, config_of(alignment=alignment))
    (pair,) = pairs_of(tmp_path)
    assert pair.aligned is Aligned.KEPT and pair.scores["back"] < 0


def test_an_unlikely_instruction_is_dropped(tmp_path: Path) -> None:
    given(tmp_path)
    alignment = {"judge": False, "scorer": {"model": SMALL}, "least_back": -0.001}
    run_step(tmp_path, Step.ALIGNMENT, config_of(alignment=alignment))
    assert [one.why for one in dropped_of(tmp_path)] == [Why.UNLIKELY]


def test_the_same_pairs_come_of_processes_and_of_one_that_is_killed(
    tmp_path: Path, server: ModelServer
) -> None:
    config = asking(server, lambda asked: FITS if asked["seed"] % 3 else DOES_NOT)
    for name in ("one", "two", "killed"):
        given(tmp_path / name, 6)
    run_step(tmp_path / "one", Step.ALIGNMENT, config)
    run_step(tmp_path / "two", Step.ALIGNMENT, config, processes(2))
    for pieces in (1, 2):
        with pytest.raises(Killed):
            run_step(tmp_path / "killed", Step.ALIGNMENT, config, killed_after(pieces))
    run_step(tmp_path / "killed", Step.ALIGNMENT, config)
    made = files_of(tmp_path / "one", Step.ALIGNMENT)
    assert files_of(tmp_path / "two", Step.ALIGNMENT) == made
    assert files_of(tmp_path / "killed", Step.ALIGNMENT) == made


@pytest.mark.parametrize(
    ("said", "judgement"),
    [
        ("It goes.\nFits: yes\nRequest: Go to the den.", Judgement(True, "Go to the den.")),
        ("It goes.\n**Fits:** No.\n**Request:** Go to the den", Judgement(False, "Go to the den.")),
        ("It goes.\nFits: no", Judgement(False, "")),
        ("It goes.\nFits: no\nRequest: `go_to('den')`", Judgement(False, "")),
        ("It goes.", None),
        ("", None),
    ],
)
def test_judgements_are_read_as_models_write_them(said: str, judgement: Judgement | None) -> None:
    assert read_judgement(Said(said)) == judgement
