"""What the executor says of its health, from what really is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from roboinstruct_ros.domain.diagnosis import Diagnosis, Level
from roboinstruct_ros.execute import executor_diagnosis
from roboinstruct_ros.execute.executor_diagnosis import (
    TaskNow,
    executor_diagnoses,
    policies_diagnosis,
)
from roboinstruct_ros.execute.journal_folder import interrupted_runs
from roboinstruct_ros.execute.task_state import TaskState
from roboinstruct_ros.sandbox.confinement import LAYERS, Limits
from roboinstruct_ros.sandbox.program_process import ProgramProcess

Health = dict[str, Any]


def well(tmp_path: Path) -> Health:
    return {
        "task": TaskNow(), "layers": LAYERS, "journals": tmp_path / "later",
        "rules": policies_diagnosis(("quiet",), "5af1"), "nodes": {"sim_robot": "up"},
    }  # fmt: skip


def but(health: Health, **changed: Any) -> Health:
    return {**health, **changed}


def part(health: Health, name: str) -> Diagnosis:
    return next(one for one in executor_diagnoses(**health) if one.part == name)


def test_all_is_well(tmp_path: Path) -> None:
    told = executor_diagnoses(**well(tmp_path))
    assert [one.part for one in told] == ["task", "confinement", "journal", "policies", "nodes"]
    assert {one.level for one in told} == {Level.OK}
    assert all(isinstance(text, str) for one in told for text in one.values.values())


def test_a_layer_that_this_system_lacks_is_named(tmp_path: Path) -> None:
    held = tuple(name for name in LAYERS if name != "landlock")
    told = part(but(well(tmp_path), layers=held), "confinement")
    assert told.level is Level.WARN and "landlock" in told.message
    assert (told.values["landlock"], told.values["seccomp"]) == ("missing", "holds")


def test_the_names_of_the_layers_are_those_that_a_child_tells() -> None:
    process = ProgramProcess("def task_program():\n    pass\n", ("say",), Limits(), 1)
    try:
        assert set(process.layers) <= set(LAYERS)
        assert process.layers
    finally:
        process.kill()


def test_a_folder_that_cannot_be_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    told = part(but(well(tmp_path), journals=file / "journal"), "journal")
    assert told.level is Level.ERROR and told.values["writable"] == "no"
    assert part(but(well(tmp_path), journals=None), "journal").level is Level.WARN


def test_little_space_is_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert part(well(tmp_path), "journal").values["free"].endswith(" MiB")
    monkeypatch.setattr(executor_diagnosis, "LITTLE_SPACE", 1e12)
    assert part(well(tmp_path), "journal").level is Level.WARN


def test_a_watched_node_that_is_lost_counts_more_than_others(tmp_path: Path) -> None:
    nodes = {"sim_robot": "not heard", "kiosk": "up"}
    health = but(well(tmp_path), nodes=nodes, watched=("sim_robot",))
    assert part(health, "nodes").level is Level.WARN
    told = part(but(health, nodes={**nodes, "kiosk": "lost"}), "nodes")
    assert (told.level, told.message) == (Level.WARN, "lost: kiosk")
    told = part(but(health, nodes={**nodes, "sim_robot": "lost"}), "nodes")
    assert (told.level, told.message) == (Level.ERROR, "lost: sim_robot")


def test_what_it_does_is_in_the_values(tmp_path: Path) -> None:
    now = TaskNow(TaskState.RECOVERING, "t1", 4, 2, 1)
    told = part(but(well(tmp_path), task=now), "task")
    assert told.level is Level.WARN
    assert dict(told.values) == {
        "state": "recovering", "task": "t1", "line": "4", "waiting": "2", "interrupted": "1",
    }  # fmt: skip


def test_a_journal_folder_behind_a_closed_one_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stat = os.stat

    def closed(path: Any, **options: Any) -> os.stat_result:
        if str(path).startswith(str(tmp_path / "closed")):
            raise PermissionError(13, "Permission denied")
        return stat(path, **options)

    monkeypatch.setattr(os, "stat", closed)
    monkeypatch.setattr(os, "access", lambda path, mode: path != tmp_path)
    folder = tmp_path / "closed" / "journal"
    told = part(but(well(tmp_path), journals=folder), "journal")
    assert told.level is Level.ERROR and told.values["writable"] == "no"
    assert interrupted_runs(folder) == ([], [])
