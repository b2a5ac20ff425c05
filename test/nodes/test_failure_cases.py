"""The recorder makes a regression case of a run that failed, and of no other."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import pytest
from recorded_runs import recorded
from stage import BLOCKED, FakeSkills

from roboinstruct_ros.nodes.failure_cases import FailureCases
from roboinstruct_ros.trace.run_trace import read_trace


class Heard:
    """The lines told, as many as are waited for."""

    def __init__(self, count: int) -> None:
        self.lines: list[str] = []
        self._left, self._all = count, threading.Event()

    def __call__(self, line: str) -> None:
        self.lines.append(line)
        if len(self.lines) == self._left:
            self._all.set()

    def wait(self) -> list[str]:
        assert self._all.wait(120)
        return self.lines


def test_a_failed_run_becomes_a_case_and_what_is_no_bag_is_told(tmp_path: Path) -> None:
    bag, _ = recorded(tmp_path / "failed", 'go_to("kitchen")', FakeSkills({"go_to": BLOCKED}))
    heard = Heard(2)
    cases = FailureCases(tmp_path / "cases", heard)
    cases.make(bag)
    cases.make(tmp_path / "nowhere")
    made, missing = heard.wait()
    cases.close()
    assert made.startswith(f"the failed run is a regression case: {tmp_path / 'cases' / 'failed'}:")
    assert read_trace(tmp_path / "cases" / "failed").outcome == "failed"
    assert f"no regression case was made of {tmp_path / 'nowhere'}" in missing
    assert "no such folder" in missing


def test_a_case_that_cannot_be_begun_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    heard = Heard(1)
    FailureCases(tmp_path, heard).make(tmp_path / "bag")
    assert "no regression case was made" in heard.wait()[0]


def test_one_that_dies_without_a_word_is_told_with_what_killed_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", script(tmp_path, "kill -KILL $$"))
    heard = Heard(1)
    FailureCases(tmp_path, heard).make(tmp_path / "bag")
    assert "'roboinstruct trace promote' died with <Signals.SIGKILL: 9>" in heard.wait()[0]


def test_the_current_case_is_completed_and_those_that_wait_are_not_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("begun", "go_on"):
        os.mkfifo(tmp_path / name)
    steps = f"echo $$ > {tmp_path}/begun; cat {tmp_path}/go_on"
    monkeypatch.setattr(sys, "executable", script(tmp_path, steps))
    heard = Heard(1)
    cases = FailureCases(tmp_path, heard)
    for bag in ("first", "second"):
        cases.make(tmp_path / bag)
    pid = int((tmp_path / "begun").read_text())
    cases.close()
    assert os.getsid(pid) == pid, "what ends the recorder's process group does not end it"
    (tmp_path / "go_on").write_text("first: made\n")
    assert heard.wait() == ["the failed run is a regression case: first: made"]


def script(folder: Path, steps: str) -> str:
    """An executable that stands in for Python."""
    path = folder / "python"
    path.write_text(f"#!/bin/sh\n{steps}\n")
    path.chmod(0o755)
    return str(path)
