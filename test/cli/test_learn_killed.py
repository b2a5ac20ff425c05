"""A run that is killed again and again comes to what it comes to in one go, whoever does it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from command_line import as_process
from waiting import until

RUN = """name: small
map: home
seed: 1
writer: roboinstruct-small
steps: [tasks, programs, alignment, cleaning]
tasks: {count: 14}
programs: {resamplings: 1}
alignment: {judge: false, score: false}
cleaning: {held_out: 0.2}
"""
FILES = ("tasks/records.jsonl", "programs/records.jsonl", "programs/dropped.jsonl",
         "alignment/records.jsonl", "cleaning/train.jsonl", "cleaning/held_out.jsonl")  # fmt: skip
KILLED_AT = (1, 6, 12)
"""Lines of programs/records.jsonl."""


def killed(command: list[str], records: Path, lines: int) -> None:
    """SIGKILL to the process, and to those that it started, as soon as so many lines are there."""
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True) as child:
        there = lambda: records.exists() and records.read_bytes().count(b"\n") >= lines  # noqa: E731
        until(lambda: child.poll() is not None or there(), f"{lines} records", 500)
        assert child.poll() is None
        os.killpg(child.pid, signal.SIGKILL)
    assert child.returncode == -signal.SIGKILL


def test_killed_at_records_and_gone_on_with_it_is_the_same_run(tmp_path: Path) -> None:
    (tmp_path / "run.yaml").write_text(RUN)
    whole, torn = tmp_path / "whole", tmp_path / "torn"
    arguments = ["learn", str(tmp_path / "run.yaml"), "--to"]
    done = as_process(*arguments, str(whole), "--jobs", "2", limit=500)
    assert done.returncode == 0, done.stderr
    command = [sys.executable, "-m", "roboinstruct_ros.cli", *arguments, str(torn)]
    for lines in KILLED_AT:
        killed(command, torn / "programs/records.jsonl", lines)
    assert as_process(*arguments, str(torn), limit=500).returncode == 0
    for name in FILES:
        assert (torn / name).read_bytes() == (whole / name).read_bytes(), name
    assert (whole / "programs/records.jsonl").read_bytes().count(b"\n") > max(KILLED_AT)
