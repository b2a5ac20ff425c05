"""What is beside the tasks of a library: favourites, approvals in advance, what was refused."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from roboinstruct_ros.domain.robot_name import RobotName
from roboinstruct_ros.library import attempts, library_file
from roboinstruct_ros.library.attempts import Attempt, AttemptOutcome, Attempts
from roboinstruct_ros.library.schedule_table import ScheduledTask, ScheduleTable
from roboinstruct_ros.library.task_library import NewVersion, NoSuchTask, TaskLibrary
from roboinstruct_ros.program.task_program import sha256_of


def source(room: str) -> str:
    return f'def task_program():\n    go_to("{room}")\n'


def keep(library: TaskLibrary, name: str) -> None:
    library.record(NewVersion(name, name, name, name, source(name)), 1.0)


def scheduled(name: str, due: float = 10.0) -> ScheduledTask:
    return ScheduledTask(
        f"s-{name}", name, 1, name, sha256_of(source(name)), "Anna", "a1", 2.0,
        "2026-11-24T18:00", True, due,
    )  # fmt: skip


@pytest.fixture
def library(tmp_path: Path) -> Iterator[TaskLibrary]:
    library = TaskLibrary.open(str(tmp_path / "library.sqlite"), most=3)
    keep(library, "kitchen")
    yield library
    library.close()


def test_an_approval_in_advance_is_of_one_program_and_goes_with_it(library: TaskLibrary) -> None:
    table = ScheduleTable(library)
    one = scheduled("kitchen")
    table.add(one)
    assert table.all() == (one,)
    with pytest.raises(NoSuchTask):
        table.add(replace(one, id="other", sha256="f" * 64))
    assert table.move(one.id, 20.0) and table.all()[0].due == 20.0
    table.hold(True)
    assert table.all()[0].held
    library.forget("kitchen")
    assert table.all() == () and not table.move(one.id, None)


def test_an_approval_its_hold_its_attempts_and_successes_are_of_one_robot(tmp_path: Path) -> None:
    names = [RobotName(3, "", "house"), RobotName(4, "", "house"), RobotName(3, "r3", "house")]
    first, *others = (TaskLibrary.open(str(tmp_path / "library"), robot=one) for one in names)
    keep(first, "kitchen")
    one = scheduled("kitchen")
    for _ in range(2):
        first.succeeded("kitchen", one.sha256)
    ScheduleTable(first).add(one)
    Attempts(first).add(Attempt(1.0, "x", "Anna", AttemptOutcome.NOT_RUN, "busy"))
    for other in others:
        table = ScheduleTable(other)
        table.hold(True)
        assert not table.move(one.id, 20.0) and not table.move(one.id, None)
        assert table.all() == () and Attempts(other).all() == ()
        assert [task.succeeded for task in other.tasks()] == [0]
        assert other.find("kitchen").succeeded == 0, "the task itself is of all robots"
    assert ScheduleTable(first).all() == (one,) and len(Attempts(first).all()) == 1
    assert [task.succeeded for task in first.tasks()] == [2]
    assert first.find("kitchen").succeeded == 2
    for library in (first, *others):
        library.close()


def test_what_an_older_version_kept_is_of_the_first_robot_without_a_namespace(
    tmp_path: Path,
) -> None:
    place = tmp_path / "library.sqlite"
    old_library(
        place,
        2,
        "INSERT INTO schedule (id, version, approved_by, device, approved, at, daily, due)"
        " VALUES ('s', 1, 'Anna', 'a1', 2.0, '2026-11-24T18:00', 1, 10.0)",
        "INSERT INTO attempts (created, words, asked_by, outcome, why)"
        " VALUES (1.0, 'x', 'Anna', 'not_run', 'busy')",
    )

    def own(robot: RobotName) -> tuple[int, int, int]:
        with closing(TaskLibrary.open(str(place), robot=robot)) as library:
            beside = len(ScheduleTable(library).all()), len(Attempts(library).all())
            return (*beside, library.find("old").succeeded)

    assert own(RobotName(3, "r1", "house")) == (0, 0, 0)
    assert own(RobotName(3, "", "house")) == (1, 1, 3)
    assert own(RobotName(4, "", "house")) == (0, 0, 0), "no two robots follow one approval"


def test_favourites_and_what_is_scheduled_are_the_last_to_go(library: TaskLibrary) -> None:
    keep(library, "hall")
    library.mark("kitchen", True)
    ScheduleTable(library).add(scheduled("hall"))
    for number in range(5):
        keep(library, f"room {number}")
    assert {one.task_id for one in library.tasks()} == {"kitchen", "hall", "room 4"}
    assert [one.favourite for one in library.tasks() if one.task_id == "kitchen"] == [1]


def test_the_last_refused_attempts_are_kept(
    library: TaskLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempts, "MOST_ATTEMPTS", 3)
    for number in range(5):
        why = f"reason {number}"
        Attempts(library).add(Attempt(float(number), "x", "Anna", AttemptOutcome.REFUSED, why))
    assert [one.why for one in Attempts(library).all()] == ["reason 4", "reason 3", "reason 2"]


def old_library(place: Path, version: int, *more: str) -> None:
    """A library as that version wrote it, with one task that has succeeded three times."""
    old = sqlite3.connect(place)
    schema = ";".join((library_file._SCHEMA, library_file._SECOND)[:version])
    old.executescript(f"{schema}; PRAGMA user_version = {version};")
    old.execute("INSERT INTO tasks (task_id, created, asked_by) VALUES ('old', 1.0, 'Anna')")
    old.execute(
        "INSERT INTO versions (task_id, number, parent, said, words, steering, source, sha256,"
        " summary, deferred, worlds, exhaustive, created, succeeded) VALUES"
        " ('old', 1, 0, 'x', 'x', '', 'y', 'z', '', '', 1, 1, 1.0, 3)"
    )
    old.execute("INSERT INTO requests VALUES ('old', 1)")
    for statement in more:
        old.execute(statement)
    old.commit()
    old.close()


def test_a_library_of_an_older_version_is_read_and_keeps_its_tasks(tmp_path: Path) -> None:
    place = tmp_path / "library.sqlite"
    old_library(place, 1)
    for _ in range(2):
        library = TaskLibrary.open(str(place))
        assert [(one.task_id, one.favourite) for one in library.tasks()] == [("old", 0)]
        library.mark("old", False)
        assert ScheduleTable(library).all() == ()
        library.close()


def test_what_one_robot_refuses_pushes_out_no_attempt_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempts, "MOST_ATTEMPTS", 2)
    place, names = str(tmp_path / "library"), (RobotName(3), RobotName(4))
    quiet, busy = (TaskLibrary.open(place, robot=one) for one in names)
    missed = Attempt(1.0, "x", "Anna", AttemptOutcome.NOT_RUN, "busy")
    with closing(quiet), closing(busy):
        Attempts(quiet).add(missed)
        for number in range(9):
            Attempts(busy).add(Attempt(float(number), "x", "Ben", AttemptOutcome.REFUSED, "no"))
        assert Attempts(quiet).all() == (missed,)
        assert [one.created for one in Attempts(busy).all()] == [8.0, 7.0]
