"""The first and the last moment of a run: what goes wrong there is told, and told truly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from stage import LIMIT, FakeSkills, Stage, order

from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute import journal as journal_module
from roboinstruct_ros.execute.journal_folder import interrupted_runs
from roboinstruct_ros.execute.task_runner import TaskRunner
from roboinstruct_ros.execute.task_state import TaskState
from roboinstruct_ros.sandbox import program_process
from roboinstruct_ros.sandbox.wire import WireClosed


def test_a_process_that_cannot_be_started_costs_one_task(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(*given: Any) -> None:
        raise WireClosed("the other side ended")

    stage = Stage(journals=tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(program_process, "ConfinedChild", dies)
        run = stage.run('say("x")')
    assert run.error_code is TaskErrorCode.PROGRAM_LOST and "could not be started" in run.message
    assert stage.states[-1] is TaskState.FAILED and stage.skills.calls == []
    assert interrupted_runs(tmp_path) == ([], [])
    assert stage.run('say("x")').outcome is TaskState.SUCCEEDED


def test_success_is_told_only_when_it_is_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = journal_module.os.write

    def full(descriptor: int, data: bytes) -> int:
        if b'{"end"' in bytes(data[:20]):
            raise OSError(28, "No space left on device")
        return write(descriptor, data)

    monkeypatch.setattr(journal_module.os, "write", full)
    stage = Stage(journals=tmp_path)
    run = stage.run('say("x")')
    assert run.error_code is TaskErrorCode.JOURNAL_FAILED
    assert TaskState.SUCCEEDED not in stage.states and stage.states[-1] is TaskState.FAILED


def test_a_stop_as_a_task_takes_the_robot_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    stage = Stage()
    assert stage.run('say("x")').outcome is TaskState.SUCCEEDED
    run = TaskRunner._run

    def stopped(runner: TaskRunner, *given: Any) -> Any:
        assert runner.stop("test", "enough")
        return run(runner, *given)

    with monkeypatch.context() as patch:
        patch.setattr(TaskRunner, "_run", stopped)
        ended = stage.run('say("y")')
    assert (ended.outcome, ended.error_code) == (TaskState.CANCELLED, TaskErrorCode.STOPPED)
    assert len(stage.skills.calls) == 1
    assert stage.run('say("z")').outcome is TaskState.SUCCEEDED


def test_an_order_that_was_given_up_before_its_turn_is_not_begun() -> None:
    stage = Stage()
    admission = stage.stops.admit()
    stage.runner.cancel(admission, "test", "it is not wanted any more")
    run = stage.runner.run(order('say("x")'), admission)
    assert (run.outcome, run.error_code) == (TaskState.CANCELLED, TaskErrorCode.CANCELED)
    assert stage.skills.calls == []


def test_a_running_task_is_not_one_that_was_interrupted(tmp_path: Path) -> None:
    skills = FakeSkills(holds="say")
    stage = Stage(skills, journals=tmp_path)
    thread, _ = stage.start('say("x")')
    assert skills.entered.wait(LIMIT)
    assert stage.runner.journals.interrupted() == ([], [])
    assert interrupted_runs(tmp_path) == ([], []), "for another executor with this folder"
    stage.runner.stop("test", "enough")
    thread.join(LIMIT)


def test_a_program_that_reads_the_clock_without_end_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("roboinstruct_ros.execute.program_run._MOST_READINGS", 50)
    stage = Stage(journals=tmp_path)
    run = stage.run("begun = time.time()\nwhile time.time() < begun + 1e6:\n    pass")
    assert run.error_code is TaskErrorCode.PROGRAM_LIMIT
    assert "read the clock more than 50 times" in run.message
