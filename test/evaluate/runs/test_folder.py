"""What was recorded stays recorded, whatever ends the evaluation."""

from __future__ import annotations

import errno
import fcntl
import os
import resource
from contextlib import closing
from pathlib import Path

import pytest

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.evaluate.runs.folder import (
    RECORDS,
    Folder,
    FolderError,
    Manifest,
    read_manifest,
    read_records,
)
from roboinstruct_ros.evaluate.runs.record import Key, Record
from roboinstruct_ros.evaluate.suite.outcome import Outcome

MANIFEST = Manifest(asked={"suite": "small"}, sha256={}, items=3)


def record(task: str) -> Record:
    return Record(
        key=Key(task=task),
        kind="driving",
        text=task,
        wanted=(AnswerKind.PROGRAM,),
        outcome=Outcome.RIGHT,
        answer=AnswerKind.PROGRAM,
    )


def tasks(path: Path) -> list[str]:
    return [one.key.task for one in read_records(path)]


def test_records_are_put_into_the_order_of_the_items(tmp_path: Path) -> None:
    with closing(Folder.make(tmp_path / "f", MANIFEST)) as folder:
        for task in "cab":
            folder.add(record(task))
        folder.finish([Key(task=task) for task in "abc"])
    assert tasks(tmp_path / "f") == ["a", "b", "c"]
    assert read_manifest(tmp_path / "f") == MANIFEST


@pytest.mark.parametrize("torn", [b"{", b'{"key": {"task": "c"', b"\0\0\0"])
def test_half_a_line_is_taken_off(tmp_path: Path, torn: bytes) -> None:
    path = tmp_path / "f"
    with closing(Folder.make(path, MANIFEST)) as folder:
        folder.add(record("a"))
    with (path / RECORDS).open("ab") as file:
        file.write(torn)
    assert tasks(path) == ["a"]
    with closing(Folder(path)) as folder:
        assert folder.done == {Key(task="a")}
        folder.add(record("b"))
    assert tasks(path) == ["a", "b"]


def test_a_line_that_is_no_record_is_named(tmp_path: Path) -> None:
    Folder.make(tmp_path, MANIFEST).close()
    (tmp_path / RECORDS).write_text("a diary\n")
    with pytest.raises(FolderError, match=r"records.jsonl: line 1 is no record"):
        Folder(tmp_path)


def test_no_folder_is_written_over_and_none_by_two(tmp_path: Path) -> None:
    with (
        closing(Folder.make(tmp_path, MANIFEST)),
        pytest.raises(FolderError, match="another process is at it"),
    ):
        Folder(tmp_path)
    with pytest.raises(FolderError, match=r"holds an evaluation already; go on with --resume"):
        Folder.make(tmp_path, MANIFEST)
    with pytest.raises(FolderError, match=r"nowhere: holds no evaluation"):
        Folder(tmp_path / "nowhere")


def test_a_folder_on_nfs_is_locked_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There an exclusive lock takes a file that is open for writing, see flock(2)."""

    def flock(descriptor: int, operation: int) -> None:
        if fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))

    monkeypatch.setattr(fcntl, "flock", flock)
    with closing(Folder.make(tmp_path, MANIFEST)) as folder:
        folder.add(record("a"))
    assert tasks(tmp_path) == ["a"]


def test_a_full_disk_is_one_line_and_what_is_there_stays(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with closing(Folder.make(tmp_path, MANIFEST)) as folder:
        folder.add(record("a"))
        size = (tmp_path / RECORDS).stat().st_size
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 10, hard))
        try:
            with pytest.raises(FolderError, match="cannot be written: File too large"):
                folder.add(record("b"))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert tasks(tmp_path) == ["a"]
    with closing(Folder(tmp_path)) as folder:
        folder.add(record("b"))
    assert tasks(tmp_path) == ["a", "b"]
