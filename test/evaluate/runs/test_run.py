"""An evaluation comes to the same, in whatever pieces and by however many processes it is done."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from small_suite import write_programs, write_suite

from roboinstruct_ros.evaluate.runs.asked import Asked
from roboinstruct_ros.evaluate.runs.evaluator import Work
from roboinstruct_ros.evaluate.runs.folder import MANIFEST, RECORDS, Folder, FolderError
from roboinstruct_ros.evaluate.runs.prepared import prepare, resumed
from roboinstruct_ros.evaluate.runs.record import Record
from roboinstruct_ros.evaluate.runs.run import run, spread_over
from roboinstruct_ros.evaluate.suite.outcome import Outcome
from roboinstruct_ros.generate.writing_options import WritingOptions
from roboinstruct_ros.spread.work import Done

KILLER = Path(__file__).parents[1] / "kill_and_resume.py"


def evaluated(asked: Asked, path: Path, jobs: int = 1) -> list[Record]:
    """All of it, into a folder."""
    prepared = prepare(asked.settled())
    with closing(Folder.make(path, prepared.manifest)) as folder:
        return list(run(prepared, folder, spread_over(jobs)))


def contents(path: Path) -> tuple[bytes, bytes]:
    assert sorted(file.name for file in path.iterdir()) == [MANIFEST, RECORDS]
    return (path / MANIFEST).read_bytes(), (path / RECORDS).read_bytes()


def test_killed_at_twenty_points_and_gone_on_with_it_is_the_same_folder(tmp_path: Path) -> None:
    suite, programs = write_suite(tmp_path), write_programs(tmp_path, 60)
    evaluated(Asked(str(suite), programs=str(programs)), tmp_path / "whole")
    command = [sys.executable, str(KILLER), str(suite), str(programs), str(tmp_path / "torn"), "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=500)
    points = list(map(int, done.stdout.split()))
    assert len(points) == 20 and points == sorted(points)
    assert len(set(points)) >= 10 and points[-1] < 180  # it was killed at its work
    assert contents(tmp_path / "torn") == contents(tmp_path / "whole")


def test_a_model_writes_the_same_in_any_number_of_processes_and_from_the_middle_on(
    tmp_path: Path,
) -> None:
    suite, writing = write_suite(tmp_path), WritingOptions(temperature=1.0)
    with suite.open("a") as rows:
        rows.write('- {text: "Sort the whatsit out around the study, sort of.", world: home}\n')
    asked = Asked(str(suite), "roboinstruct-small", samples=4, writing=writing)
    evaluated(asked, tmp_path / "one")
    evaluated(asked, tmp_path / "two", jobs=2)
    # as if it had been stopped after the last three
    lines = (tmp_path / "one" / RECORDS).read_text().splitlines(keepends=True)
    manifest = prepare(asked.settled()).manifest
    Folder.make(tmp_path / "three", manifest).close()
    (tmp_path / "three" / RECORDS).write_text("".join(lines[-3:]))
    with closing(Folder(tmp_path / "three")) as folder:
        list(run(resumed(folder.path, asked.settled(), frozenset()), folder, spread_over(1)))
    first, *others = (untimed(tmp_path / name) for name in ("one", "two", "three"))
    assert others == [first, first] and len(first) == 16
    assert len({(record.program, record.said) for record in first[12:]}) > 1  # samples differ
    assert [record.key.sample for record in first[:4]] == [0, 1, 2, 3]


def untimed(path: Path) -> list[Record]:
    """The records, less what a clock told."""
    lines = contents(path)[1].splitlines()
    return [Record.model_validate_json(line).model_copy(update={"seconds": 0.0}) for line in lines]


def dying(do: Callable[[Work], Record], work: Sequence[Work]) -> Iterator[Done[Record]]:
    """Somebody dies over the first item once, and over the second one twice."""
    yield Done(0, do(work[0]), 1)
    yield Done(1, None, 2)
    yield Done(2, do(work[2]))


def test_a_record_says_how_many_processes_died_over_it(tmp_path: Path) -> None:
    suite, programs = write_suite(tmp_path), write_programs(tmp_path, 1)
    prepared = prepare(Asked(str(suite), programs=str(programs)).settled())
    with closing(Folder.make(tmp_path / "found", prepared.manifest)) as folder:
        first, second, third = run(prepared, folder, dying)
    assert (first.lost, first.outcome, third.lost) == (1, Outcome.RIGHT, 0)
    assert (second.lost, second.outcome, second.answer) == (2, Outcome.NOTHING, None)
    assert second.why == "2 processes died over it" and second.key == prepared.items[1].key


@pytest.fixture
def begun(tmp_path: Path) -> Asked:
    asked = Asked(
        str(write_suite(tmp_path)), "roboinstruct-small", writing=WritingOptions(max_attempts=2)
    )
    Folder.make(tmp_path / "begun", prepare(asked.settled()).manifest).close()
    return asked


def refusal(folder: Path, asked: Asked, *chosen: str) -> str:
    with pytest.raises(FolderError) as raised:
        resumed(folder, asked, frozenset(chosen))
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_going_on_takes_what_was_asked_and_refuses_another_evaluation(
    tmp_path: Path, begun: Asked
) -> None:
    folder = tmp_path / "begun"
    same = resumed(folder, Asked(""), frozenset())
    assert same.asked.writing.max_attempts == 2 and len(same.items) == 3
    other = Asked("gpsr:x", "tiny", samples=5, writing=WritingOptions(candidates=4))
    for name, told in (
        ("suite", "not 'gpsr:x'"),
        ("model", "with model 'roboinstruct-small', not 'tiny'"),
        ("samples", "with samples 1, not 5"),
        ("candidates", "with candidates 1, not 4"),
        ("max_attempts", "with max_attempts 2, not 6"),
    ):
        assert told in refusal(folder, other, name)


def test_going_on_refuses_a_suite_or_programs_that_have_changed(
    tmp_path: Path, begun: Asked
) -> None:
    suite = Path(begun.suite)
    programs = write_programs(tmp_path)
    asked = Asked(begun.suite, programs=str(programs)).settled()
    Folder.make(tmp_path / "given", prepare(asked).manifest).close()
    programs.write_text(programs.read_text().replace("study", "garage"))
    told = refusal(tmp_path / "given", asked)
    assert f"the programs {programs} is not what it was" in told
    suite.write_text(suite.read_text().replace("kitchen", "garage"))
    assert f"the suite {suite} is not what it was" in refusal(tmp_path / "begun", begun)
