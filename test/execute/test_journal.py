"""A journal keeps what a run has done, whatever happens to the machine."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stage import Stage, order

from roboinstruct_ros.domain.robot_name import RobotName
from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.execute import journal as journal_module
from roboinstruct_ros.execute import journal_folder
from roboinstruct_ros.execute.approval import Refused
from roboinstruct_ros.execute.journal import (
    JournalError,
    RecordedRun,
    RunJournal,
    read_journal,
)
from roboinstruct_ros.execute.journal_folder import (
    JournalFolder,
    forget_old,
    interrupted_runs,
    new_journal_path,
)
from roboinstruct_ros.execute.task_run import TaskOrder

ORDER = order('go_to("kitchen")\nsay("done")')
GO = SkillCall(0, "go_to", ("kitchen",), 2, start=1.0)
GONE = replace(GO, end=2.0)
ASK = SkillCall(1, "ask", ("", "Tea?", ["yes", "no"]), 3, start=3.0)
ASKED = replace(ASK, result="yes", end=4.0)


def new_run(order: TaskOrder, seed: int) -> RecordedRun:
    return RecordedRun(Path(), order, seed, 0.0)


def begun(folder: Path, order: TaskOrder, seed: int, now: float) -> RunJournal:
    return RunJournal.begin(new_journal_path(folder, order.task_id), order, seed, now)


def written(folder: Path, task_id: str = "t1") -> RunJournal:
    journal = begun(folder, replace(ORDER, task_id=task_id), 7, 100.0)
    journal.call_begun(GO)
    journal.call_ended(GONE)
    journal.clock_read(12.5)
    journal.call_begun(ASK)
    return journal


def test_what_is_written_is_read(tmp_path: Path) -> None:
    journal = written(tmp_path)
    run = read_journal(journal.path)
    assert (run.order, run.seed, run.begun) == (ORDER, 7, 100.0)
    assert run.calls == (GONE,) and run.in_flight == ASK and run.clock == (12.5,)
    assert not run.ended and not run.damaged
    journal.call_ended(ASKED)
    journal.end("succeeded")
    run = read_journal(journal.path)
    assert run.calls == (GONE, ASKED) and run.in_flight is None and run.ended


def test_only_runs_without_an_end_are_interrupted_and_the_latest_is_last(tmp_path: Path) -> None:
    written(tmp_path, "open").close()
    written(tmp_path, "done").end("failed")
    late = begun(tmp_path, replace(ORDER, task_id="a later one"), 1, 200.0)
    late.close()
    (tmp_path / "foreign.journal").write_text("not a journal\n")
    runs, faults = interrupted_runs(tmp_path)
    assert [run.order.task_id for run in runs] == ["open", "a later one"]
    assert len(faults) == 1 and "foreign.journal: not a journal of a run" in faults[0]
    assert interrupted_runs(tmp_path / "nowhere") == ([], [])


@given(cut=st.integers(min_value=0, max_value=2000), noise=st.binary(max_size=40))
def test_a_torn_end_costs_no_whole_record(
    tmp_path_factory: pytest.TempPathFactory, cut: int, noise: bytes
) -> None:
    journal = written(tmp_path_factory.mktemp("torn"))
    journal.close()
    whole = journal.path.read_bytes()
    lines = whole.splitlines(keepends=True)
    cut = max(len(lines[0]), min(cut, len(whole)))
    journal.path.write_bytes(whole[:cut] + noise.replace(b"\n", b""))
    run = read_journal(journal.path)
    kept = sum(1 for count in range(1, len(lines) + 1) if len(b"".join(lines[:count])) <= cut)
    assert len(run.calls) == (kept >= 3)
    assert len(run.clock) == (kept >= 4)
    assert (run.in_flight is not None) == (kept in (2, 5))


def test_a_torn_journal_is_gone_on_with_behind_its_last_whole_record(tmp_path: Path) -> None:
    journal = written(tmp_path)
    journal.close()
    with journal.path.open("ab") as file:
        file.write(b'0badc0de {"answer": {"ind')
    torn = read_journal(journal.path)
    assert torn.damaged
    again = RunJournal.go_on(torn, ORDER, 200.0)
    again.call_ended(ASKED)
    again.end("succeeded")
    run = read_journal(journal.path)
    assert run.calls == (GONE, ASKED) and run.ended and not run.damaged


def test_a_changed_byte_ends_what_is_believed(tmp_path: Path) -> None:
    journal = written(tmp_path)
    journal.close()
    content = bytearray(journal.path.read_bytes())
    third = sum(map(len, bytes(content).splitlines(keepends=True)[:2])) + 30
    content[third] ^= 1
    journal.path.write_bytes(content)
    run = read_journal(journal.path)
    assert run.damaged and run.calls == () and run.in_flight == GO


def test_a_disk_that_is_full_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = written(tmp_path)

    def full(descriptor: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(journal_module.os, "write", full)
    with pytest.raises(JournalError, match=r"t1\.journal: .* No space left on device"):
        journal.call_ended(ASKED)


def test_a_folder_that_is_none_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="cannot be written"):
        begun(tmp_path / "file" / "journals", ORDER, 1, 0.0)


def test_old_journals_of_ended_runs_go_first(tmp_path: Path) -> None:
    written(tmp_path, "interrupted").close()
    for number in range(5):
        written(tmp_path, f"done{number}").end("succeeded")
    forget_old(tmp_path, 3)
    left = {path.stem for path in tmp_path.glob("*.journal")}
    assert "interrupted" in left and len(left) == 4


def test_an_old_journal_that_cannot_be_deleted_keeps_no_run_from_its_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_only(path: Path, missing_ok: bool = False) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(journal_folder, "MOST_JOURNALS", 0)
    monkeypatch.setattr(Path, "unlink", read_only)
    written(tmp_path, "done").end("succeeded")
    stage = Stage(journals=tmp_path)
    assert [stage.run('say("done")').outcome.value for _ in range(2)] == ["succeeded"] * 2


@pytest.mark.parametrize("task_id", ["../../etc/x", "\U00010400" * 200])
def test_the_name_of_a_task_cannot_leave_the_folder(tmp_path: Path, task_id: str) -> None:
    journal = begun(tmp_path / "j", replace(ORDER, task_id=task_id), 1, 0.0)
    journal.close()
    assert journal.path.parent == tmp_path / "j"


def test_a_run_that_goes_on_is_never_offered_as_an_interrupted_one(tmp_path: Path) -> None:
    journals = JournalFolder(tmp_path)
    found: list[object] = []
    over = threading.Event()

    def ask() -> None:
        while not over.is_set():
            runs, faults = journals.interrupted()
            found.extend([*runs, *faults])

    asking = [threading.Thread(target=ask) for _ in range(3)]
    for thread in asking:
        thread.start()
    for number in range(150):
        run = replace(ORDER, task_id=f"t{number % 3}")
        with journals.opened(run, new_run(run, number), "") as journal:
            assert journal is not None
            journal.call_begun(GO)
            journal.end("succeeded")
    over.set()
    for thread in asking:
        thread.join()
    assert found == []


def test_a_run_whose_end_is_not_recorded_is_offered(tmp_path: Path) -> None:
    journals = JournalFolder(tmp_path)
    with journals.opened(ORDER, new_run(ORDER, 1), "") as journal:
        assert journal is not None and journals.interrupted() == ([], [])
    assert [run.order for run in journals.interrupted()[0]] == [ORDER]


@pytest.mark.parametrize("taken", [0, 40])
def test_a_journal_that_cannot_be_begun_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, taken: int
) -> None:
    def full(descriptor: int, data: bytes) -> int:
        if taken:
            return write(descriptor, data[:taken])
        raise OSError(28, "No space left on device")

    write = journal_module.os.write
    monkeypatch.setattr(journal_module.os, "write", full)
    with pytest.raises(JournalError, match=r"t1\.journal: the journal cannot be written"):
        begun(tmp_path, ORDER, 1, 1.0)
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_a_full_disk_keeps_from_going_on_is_offered_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    written(tmp_path).close()
    journals = JournalFolder(tmp_path)
    with monkeypatch.context() as patch, pytest.raises(JournalError, match="No space left"):
        patch.setattr(journal_module.os, "write", full)
        journals.forget("t1")
    assert [run.order.task_id for run in journals.interrupted()[0]] == ["t1"]
    assert journals.forget("t1")


def test_an_unreadable_journal_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "empty.journal").touch()
    journals = JournalFolder(tmp_path)
    assert not journals.forget("t1")
    runs, faults = journals.interrupted()
    assert runs == [] and faults == [f"{tmp_path / 'empty.journal'}: not a journal of a run"]
    (tmp_path / "foreign.journal").write_text("not a journal\n")
    assert [fault.count("foreign") for fault in journals.interrupted()[1]] == [1]
    assert journals.interrupted() == ([], [])


def test_a_robot_sees_its_own_runs_only_and_the_one_in_no_namespace_those_of_before(
    tmp_path: Path,
) -> None:
    first = RobotName(3, "", "service_robot")
    others = [replace(first, namespace="r2"), replace(first, ros_domain=4)]
    robots = [first, *others, replace(first, skills="a crane")]
    for number, robot in enumerate(robots):
        run = replace(ORDER, task_id=f"of {number}")
        with JournalFolder(tmp_path, robot).opened(run, new_run(run, 1), ""):
            pass  # interrupted
    begun(tmp_path, replace(ORDER, task_id="of before"), 1, 1.0).close()

    def offered(robot: RobotName) -> list[str]:
        return [run.order.task_id for run in JournalFolder(tmp_path, robot).interrupted()[0]]

    assert offered(first) == ["of before", "of 0"] and offered(others[0]) == ["of 1"]
    second, task = JournalFolder(tmp_path, others[0]), replace(ORDER, task_id="of 0", resume=True)
    assert not second.forget("of 0") and second.forget("of 1")
    with pytest.raises(Refused, match="no interrupted run of the task 'of 0'"):
        second.resumable(task)
    assert JournalFolder(tmp_path, first).resumable(task) is not None


def test_a_journal_that_is_written_is_nobody_elses(tmp_path: Path) -> None:
    interrupted = written(tmp_path)
    assert JournalFolder(tmp_path).interrupted() == ([], [])
    recorded = read_journal(interrupted.path)
    with pytest.raises(JournalError, match=r"t1\.journal: another executor is writing"):
        RunJournal.go_on(recorded, ORDER, 200.0)
    interrupted.call_ended(ASKED)
    interrupted.end("succeeded")
    run = read_journal(interrupted.path)
    assert run.ended and run.calls == (GONE, ASKED)


def test_of_two_interrupted_runs_of_a_task_the_one_to_be_resumed_is_forgotten(
    tmp_path: Path,
) -> None:
    for moment in (1.0, 2.0):
        begun(tmp_path, ORDER, 1, moment).close()
    journals = JournalFolder(tmp_path)
    again = replace(ORDER, resume=True)
    latest = journals.resumable(again)
    assert latest is not None and latest.begun == 2.0
    assert journals.forget(ORDER.task_id)
    before = journals.resumable(again)
    assert before is not None and before.begun == 1.0
