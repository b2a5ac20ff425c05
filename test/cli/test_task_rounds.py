"""Rounds from the command line, with a client that plays the stack."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from roboinstruct_ros.commands.ending import ExitCode
from roboinstruct_ros.commands.report import ConsoleReport
from roboinstruct_ros.commands.task import Task, run_task


class FakeClient:
    """Writes two programs; somebody presses Stop while it writes number `stopped_in`."""

    def __init__(self, stopped_in: int = 0) -> None:
        self.follows = ""
        self.last_stop = 0
        self.requests: list[tuple[str, Any]] = []
        self.runs: list[str] = []
        self._stopped_in = stopped_in

    def generate(
        self, text: str, task_id: str, asked_by: str, follows: str = "", found: Any = ()
    ) -> SimpleNamespace:
        self.requests.append((text, found))
        number = len(self.requests)
        if number == self._stopped_in:
            self.last_stop += 1
        return SimpleNamespace(
            deferred="Say hi" if number == 1 else "", answer="", source=f"program {number}",
            program_sha256=f"{number}" * 64, notes=[], error_code=0, error_msg="",
        )  # fmt: skip

    def execute(self, text: str, source: str, *more: Any, approved_by: str) -> SimpleNamespace:
        self.runs.append(source)
        return SimpleNamespace(outcome="succeeded", calls=[], error_code=0, error_msg="")


def carried_out(client: FakeClient) -> ExitCode:
    task = Task("In two steps: go to the kitchen; say hi", yes=True)
    return run_task(client, task, ConsoleReport())


def test_rounds_follow_each_other() -> None:
    client = FakeClient()
    assert carried_out(client) is ExitCode.SUCCESS
    assert client.runs == ["program 1", "program 2"]
    assert client.requests[1] == ("Say hi", ("the robot is where it was",))


def test_after_a_stop_nothing_runs_also_between_two_rounds() -> None:
    client = FakeClient(stopped_in=2)
    assert carried_out(client) is ExitCode.FAILED
    assert client.runs == ["program 1"]
    client = FakeClient(stopped_in=1)
    assert carried_out(client) is ExitCode.FAILED
    assert client.runs == []
