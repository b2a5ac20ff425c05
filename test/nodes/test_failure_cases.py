"""The recorder makes a regression case of a run that failed, and of no other."""

from __future__ import annotations

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
