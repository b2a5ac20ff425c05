"""The executor is killed in the middle of a task; the task is gone on with, and nothing twice."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from running_stack import CLI, begin, outcome_of, pid_of, run, wait_up
from waiting import until

from roboinstruct_ros.domain.task_error import TaskErrorCode

pytestmark = pytest.mark.stack

STEPS = [
    ("go_to", ["kitchen"]),
    ("pick", ["apple"]),
    ("go_to", ["living room"]),
    ("place", ["apple"]),
    ("say", ["first is done"]),
    ("go_to", ["kitchen"]),
    ("pick", ["cup"]),
    ("go_to", ["living room"]),
    ("place", ["cup"]),
    ("say", ["second is done"]),
    ("go_to", ["hallway"]),
    ("say", ["all is done"]),
]
PROGRAM = "def task_program():\n" + "".join(
    f"    {skill}({arguments[0]!r})\n" for skill, arguments in STEPS
)


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*CLI, *arguments], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL
    )


@pytest.fixture(scope="module")
def up(shared_stack: Any) -> subprocess.Popen[bytes]:
    """A stack that is up."""
    processes, _ = shared_stack
    up = processes("roboinstruct_ros.cli", "up", "--headless", "--no-record", "--speed", "4")
    wait_up(lambda: processes.log_of(up))
    return up


def written(folder: Path, program: str) -> str:
    """The file of a program."""
    (folder / "program.py").write_text(program)
    return str(folder / "program.py")


def test_a_killed_executor_goes_on_where_it_was(
    up: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    task = begin("run", "--program", written(tmp_path, PROGRAM), "--yes")
    made: list[tuple[str, list[str]]] = []
    task_id = _kill_after(up.pid, task, 6)
    until(lambda: pid_of(up.pid, "executor") is not None, "the executor is back")

    until(lambda: task_id in command("resume").stdout, "the run is offered")
    refused = command("resume", task_id)
    assert refused.returncode == 2 and "--yes" in refused.stderr, "nobody has approved"
    outcome = outcome_of(begin("resume", task_id, "--yes"), 120)
    assert outcome.exit_code == 0, (outcome.events, outcome.stderr)
    made += outcome.skills
    started = outcome.of_kind("run_started")[0]["resumed"]
    assert started >= 6
    assert made == STEPS[started:], "what was done before is not done again"
    assert command("resume").stdout.strip() == "no run was interrupted"
    assert run("Go to the kitchen.").exit_code == 0


def test_an_interrupted_run_may_be_forgotten(up: subprocess.Popen[bytes], tmp_path: Path) -> None:
    stroll = 'def task_program():\n    for room in ("study", "garage") * 6:\n        go_to(room)\n'
    task = begin("run", "--program", written(tmp_path, stroll), "--yes")
    task_id = _kill_after(up.pid, task, 2)
    until(lambda: task_id in command("resume").stdout, "the run is offered")
    forgotten = command("resume", task_id, "--forget")
    assert forgotten.returncode == 0
    assert forgotten.stdout == f"the interrupted run '{task_id}' is forgotten\n"
    until(lambda: f"{'state':<16} idle" in command("status").stdout, "nothing waits for approval")
    gone = command("resume", task_id, "--yes")
    assert gone.returncode == 2 and "no interrupted run" in gone.stderr


def _kill_after(supervisor: int, task: subprocess.Popen[str], calls: int) -> str:
    """Kill the executor when so many calls have ended. The task's id."""
    import json

    assert task.stdout is not None
    task_id = ""
    for line in task.stdout:
        event = json.loads(line)
        if event["kind"] == "skill_finished":
            calls -= 1
            task_id = event["task_id"]
        if not calls:
            break
    pid = pid_of(supervisor, "executor")
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    outcome = outcome_of(task)
    assert outcome.exit_code == 1
    assert outcome.error_code in (TaskErrorCode.UNKNOWN, TaskErrorCode.SKILL_SERVER_LOST)
    return task_id
