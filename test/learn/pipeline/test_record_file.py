"""Records survive a killed process and a full disk."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.learn.pipeline.record_file import RecordFile
from roboinstruct_ros.learn.records import Source, Task


def task(number: int) -> Task:
    return Task(str(number), f"Do thing {number}.", Source.WRITTEN)


def test_half_a_line_is_cut_off_and_written_again(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    RecordFile(path, Task).add(task(0), task(1))
    whole = path.read_bytes()
    path.write_bytes(whole[:-5])
    opened = RecordFile(path, Task)
    assert opened.done_ids == {"0"}
    opened.add(task(1))
    assert path.read_bytes() == whole


def test_what_is_there_is_not_added_again(tmp_path: Path) -> None:
    made = RecordFile(tmp_path / "records.jsonl", Task)
    made.add(task(0))
    made.add(task(0), task(1))
    assert [one.id for one in made] == ["0", "1"]


def test_a_full_disk_is_one_line_and_leaves_whole_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, real = RecordFile(tmp_path / "records.jsonl", Task), os.write
    made.add(task(0))

    def write(file: int, text: Any) -> int:
        if len(text) < 20:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(file, bytes(text[: len(text) // 2]))

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", write)
        with pytest.raises(InputError, match="No space left on device; mend it"):
            made.add(task(1))
    assert [one.id for one in RecordFile(made.path, Task)] == ["0"]
    made.add(task(1))
    assert [one.id for one in RecordFile(made.path, Task)] == ["0", "1"]


def test_a_line_that_is_no_record_is_named(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text('{"id": "0"}\n')
    with pytest.raises(InputError, match=r"records.jsonl: line 1 "):
        RecordFile(path, Task)
