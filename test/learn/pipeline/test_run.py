"""A run does each step once: nothing twice, nothing lost."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from roboinstruct_ros.domain.configuration import ConfigError, InputError
from roboinstruct_ros.learn.pipeline.config import LearnConfig, read_config
from roboinstruct_ros.learn.pipeline.folder import RunFolder
from roboinstruct_ros.learn.pipeline.manifest import State, read_manifest
from roboinstruct_ros.learn.pipeline.plan import plan
from roboinstruct_ros.learn.pipeline.run import Workers, run_steps
from roboinstruct_ros.learn.pipeline.step import Step
from roboinstruct_ros.learn.pipeline.work import LearnError
from roboinstruct_ros.spread.processes import in_processes

DATA = "name: mine\nsteps: [tasks, programs, cleaning]\n"
TRAINED = "name: mine\nsteps: [tasks, training]\nbase: someones/model\n"


class Quiet:
    def total(self, count: int) -> None: ...
    def advance(self, count: int = 1) -> None: ...
    def note(self, text: str) -> None: ...


@contextmanager
def quiet(_: Step) -> Iterator[Quiet]:
    yield Quiet()


def nobody(_: str) -> bool:
    return False


def config(tmp_path: Path, text: str) -> LearnConfig:
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    return read_config(path)


def run(tmp_path: Path, text: str = DATA, **how: Any) -> Path:
    accepts = how.pop("accepts", nobody)
    found, folder = config(tmp_path, text), tmp_path / "run"
    steps: Sequence[Step] = how.pop("steps", found.steps)
    run_steps(found, folder, Workers(_one, quiet, accepts), tuple(steps), **how)
    return folder


def _one(do: Any, work: Any) -> Any:
    return in_processes(do, work, 1)


def texts(folder: Path, step: str) -> list[str]:
    return (folder / step / "records.jsonl").read_text().splitlines()


def test_a_step_is_not_done_again_as_long_as_nothing_changes(
    tmp_path: Path, counting_steps: list[str]
) -> None:
    run(tmp_path)
    assert len(counting_steps) == 9
    run(tmp_path)
    assert len(counting_steps) == 9


def test_a_step_that_failed_goes_on_where_it_was(tmp_path: Path, counting_steps: list[str]) -> None:
    failing = DATA + "programs: {count: 5, fails_at: 3}\n"
    with pytest.raises(LearnError, match="server has gone"):
        run(tmp_path, failing)
    folder = tmp_path / "run"
    begun = read_manifest(folder).steps[Step.PROGRAMS]
    assert begun.state is State.BEGUN and begun.kept == 3
    with pytest.raises(LearnError, match="cleaning needs programs, which is not finished; 'robo"):
        run(tmp_path, failing, steps=[Step.CLEANING])
    assert not (folder / "cleaning").exists()
    (folder / "mended").touch()
    run(tmp_path, failing)
    assert counting_steps.count("programs/2") == 1 and len(texts(folder, "programs")) == 5
    entry = read_manifest(folder).steps[Step.PROGRAMS]
    assert entry.tokens_written == 50 and entry.kept == 5  # of both times


def test_what_ends_a_later_step_is_told_before_the_first_begins(
    tmp_path: Path, counting_steps: list[str]
) -> None:
    with pytest.raises(LearnError, match="there is no server"):
        run(tmp_path, DATA + "cleaning: {fails_at: -1}\n")
    assert not counting_steps
    run(tmp_path)
    folder = run(tmp_path, DATA, steps=[Step.TASKS])
    assert read_manifest(folder).steps[Step.CLEANING].state is State.DONE


def test_what_was_made_otherwise_is_told_and_neither_lost_nor_mixed(
    tmp_path: Path, counting_steps: list[str]
) -> None:
    folder = run(tmp_path)
    more = DATA + "programs: {count: 4}\n"
    with pytest.raises(LearnError, match=r"programs.count 3, now 4; --redo .* --to DIR"):
        run(tmp_path, more)
    assert len(texts(folder, "programs")) == 3
    run(tmp_path, more, redo=True)
    assert len(texts(folder, "programs")) == 4
    assert len((folder / "before/programs-1/records.jsonl").read_text().splitlines()) == 3
    assert counting_steps.count("tasks/0") == 1  # comes before it
    assert counting_steps.count("cleaning/0") == 2  # comes after it


def test_a_refused_change_leaves_the_run_as_it_was(tmp_path: Path) -> None:
    folder = run(tmp_path)
    before = (folder / "manifest.json").read_text()
    with pytest.raises(LearnError):
        run(tmp_path, DATA + "seed: 7\n")
    assert (folder / "manifest.json").read_text() == before


def test_records_that_a_person_has_changed_are_another_input(tmp_path: Path) -> None:
    folder = run(tmp_path)
    lines = texts(folder, "tasks")
    (folder / "tasks/records.jsonl").write_text("\n".join(lines[:2]) + "\n")
    with pytest.raises(LearnError, match=r"programs was made otherwise: tasks/records.jsonl"):
        run(tmp_path)


def test_what_would_be_done_is_told_before_it_is(tmp_path: Path) -> None:
    run(tmp_path, steps=[Step.TASKS])
    told = [one.told for one in plan(config(tmp_path, DATA), tmp_path / "run")]
    assert told == ["reused, 3 kept and 0 dropped", "to do", "to do"]
    other = list(plan(config(tmp_path, DATA + "seed: 7\n"), tmp_path / "run"))
    assert "seed 0, now 7" in other[0].told


def test_one_run_at_a_time_is_in_a_folder(tmp_path: Path) -> None:
    with (
        RunFolder(tmp_path / "run"),
        pytest.raises(LearnError, match=f"process {os.getpid()} is at it"),
    ):
        run(tmp_path)
    run(tmp_path)


def test_a_base_without_a_known_licence_is_asked_for_once(tmp_path: Path) -> None:
    asked: list[str] = []

    def accepts(name: str) -> bool:
        asked.append(name)
        return True

    with pytest.raises(LearnError, match="give --accept-licence someones/model"):
        run(tmp_path, TRAINED)
    folder = run(tmp_path, TRAINED, accepts=accepts)
    run(tmp_path, TRAINED)
    assert asked == ["someones/model"]
    assert "accepted" in read_manifest(folder).licences["someones/model"]


def test_a_base_of_the_registry_has_its_licence_recorded(tmp_path: Path) -> None:
    folder = run(tmp_path, TRAINED.replace("someones/model", "roboinstruct-small"))
    assert read_manifest(folder).licences == {"roboinstruct-small": "Apache-2.0"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name: a\nstesp: [tasks]\n", "mine.yaml:2: stesp: unknown field; did you mean 'steps'?"),
        ("name: a\nsteps: [taks]\n", "did you mean 'tasks'?"),
        ("name: a\nsteps: [programs, tasks]\n", "in this order: tasks, programs, "),
        ("name: a\ntasks: {cuont: 3}\n", "mine.yaml:2: tasks.cuont: unknown field; did you mean"),
        ("name: a\ntasks: {count: many}\n", "expected a whole number, got 'many'"),
        ("name: a\ndomain: arms\n", "did you mean 'arm'?"),
        ("name: a\nmap: hoem\n", "did you mean 'home'?"),
    ],
)
def test_a_file_that_says_what_cannot_be_is_one_line(
    tmp_path: Path, text: str, told: str, counting_steps: list[str]
) -> None:
    with pytest.raises(ConfigError) as error:
        run(tmp_path, text)
    assert told in str(error.value) and "\n" not in str(error.value)
    assert not counting_steps and not (tmp_path / "run").exists()


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run/manifest.json").write_text('{"asked": {}}')
    with pytest.raises(InputError, match="is not that of a run"):
        run(tmp_path)
    assert (tmp_path / "run/manifest.json").read_text() == '{"asked": {}}'
