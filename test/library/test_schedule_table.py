"""What is beside the tasks of a library: favourites, approvals in advance, what was refused."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

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


def test_a_library_of_the_version_before_is_read_and_keeps_its_tasks(tmp_path: Path) -> None:
    place = tmp_path / "library.sqlite"
    old = sqlite3.connect(place)
    old.executescript(library_file._SCHEMA + "PRAGMA user_version = 1;")
    old.execute("INSERT INTO tasks (task_id, created, asked_by) VALUES ('old', 1.0, 'Anna')")
    old.execute(
        "INSERT INTO versions (task_id, number, parent, said, words, steering, source, sha256,"
        " summary, deferred, worlds, exhaustive, created) VALUES"
        " ('old', 1, 0, 'x', 'x', '', 'y', 'z', '', '', 1, 1, 1.0)"
    )
    old.execute("INSERT INTO requests VALUES ('old', 1)")
    old.commit()
    old.close()
    for _ in range(2):
        library = TaskLibrary.open(str(place))
        assert [(one.task_id, one.favourite) for one in library.tasks()] == [("old", 0)]
        library.mark("old", False)
        assert ScheduleTable(library).all() == ()
        library.close()
