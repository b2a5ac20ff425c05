"""The page of a run tells what was made, kept and thrown away."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.learn.pipeline.manifest import (
    Manifest,
    State,
    StepEntry,
    read_manifest,
    write_manifest,
)
from roboinstruct_ros.learn.pipeline.record_file import Record, RecordFile
from roboinstruct_ros.learn.pipeline.step import Step
from roboinstruct_ros.learn.records import (
    Aligned,
    Dropped,
    Pair,
    Sample,
    Source,
    Task,
    Why,
)
from roboinstruct_ros.learn.report.page import run_page

GOOD = "def task_program():\n    for room in get_all_rooms():\n        go_to(room)\n"
BAD = 'def task_program():\n    pick("cup")\n    pick("<mug>")\n'


def add(run: Path, step: Step, *records: Record, name: str = "records.jsonl") -> None:
    (run / step.value).mkdir(exist_ok=True)
    RecordFile(run / step.value / name, type(records[0])).add(*records)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Four tasks; one has a program at once, one at the third attempt, two have none."""
    entry = StepEntry(asked={"seed": 3}, state=State.DONE, wall_seconds=1800, tokens_written=1234)
    config = {"name": "mine", "domain": "service_robot", "steps": ["tasks", "programs"],
              "programs": {"resamplings": 3}}  # fmt: skip
    write_manifest(tmp_path, Manifest(config=config, steps={Step.TASKS: entry}))
    tasks = [Task(str(n), f"Go to all {n} rooms.", Source.WRITTEN, "", 0.5) for n in range(4)]
    add(tmp_path, Step.TASKS, *tasks)
    add(tmp_path, Step.TASKS, Dropped("9", "tasks", Why.TOO_SIMILAR, "Go to <all> rooms."),
        name="dropped.jsonl")  # fmt: skip
    samples = [
        Sample("0", 0, GOOD, True),
        *(Sample("1", n, BAD, False, ("two_at_once",), "holds a cup already") for n in (0, 1)),
        Sample("1", 2, GOOD, True),
        *(Sample(task, n, BAD, False, ("two_at_once",), "") for task in "23" for n in range(4)),
    ]
    add(tmp_path, Step.PROGRAMS, *samples)
    add(tmp_path, Step.CLEANING,
        Pair("0", "Visit all rooms.", GOOD, "Go to all 0 rooms.", Aligned.REWRITTEN))  # fmt: skip
    (tmp_path / "training").mkdir()
    (tmp_path / "training/curve.jsonl").write_text(
        '{"step": 10, "loss": 2.5}\n{"step": 20, "loss": 1.25}\n{"step": 20, "eval_loss": 1.5}\n'
    )
    return tmp_path


def test_it_shows_what_was_kept_and_thrown_away_and_why(run: Path) -> None:
    page = run_page(run)
    assert "1 of 2 steps are done." in page and "0.50" in page and "1,234" in page
    assert re.search(r"too similar <span class=\"quiet\">\(1\)", page)
    assert "Go to &lt;all&gt; rooms." in page and "<all>" not in page
    assert "two_at_once" in page and "holds a cup already" in page
    assert "Visit all rooms." in page and "Before: Go to all 0 rooms." in page


def test_it_draws_the_share_thrown_away_against_the_limit(run: Path) -> None:
    shares = re.findall(r"<title>at most (\d): (\d+) %", run_page(run))
    assert shares == [("0", "75"), ("1", "75"), ("2", "50"), ("3", "50")]


def test_it_draws_the_losses(run: Path) -> None:
    page = run_page(run)
    assert "training 1.250" in page and "held out 1.500" in page


def test_it_tells_what_each_step_took(run: Path) -> None:
    manifest = read_manifest(run)
    manifest.steps[Step.TRAINING] = StepEntry(
        asked={}, wall_seconds=660.2, tokens_read=31_000, counts={"steps": 23, "too long": 0}
    )
    write_manifest(run, manifest)
    page = re.sub(r"<[^>]*>", " ", run_page(run))
    assert re.search(r"training \(begun\) +0 +0 +660 +0 +31,000 +0 +23 steps *\n", page)


def test_it_draws_the_reward_of_programs_that_were_drawn(run: Path) -> None:
    (run / "training/curve.jsonl").write_text('{"step": 10, "loss": 0.1, "reward": 0.75}\n')
    assert "drawn 0.750" in run_page(run)


def test_it_counts_skills_and_structures(run: Path) -> None:
    page = run_page(run)
    assert re.search(r"go_to: 100 %", page) and re.search(r"pick: 0 %", page)


def test_it_needs_nothing_from_elsewhere(run: Path) -> None:
    assert not re.search(r"(src|href)=|url\(|<script", run_page(run))


def test_a_folder_without_a_run_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no run"):
        run_page(tmp_path)
