"""SIGKILL at random points of a task of twelve steps."""

from __future__ import annotations

import os
import random
import signal
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from faulty_robot import done
from live_executor import LiveExecutor, program, wait
from running_stack import begin, outcome_of, pid_of, read_until, run_program, wait_up
from waiting import until

from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.journal import JournalError, RecordedRun, read_journal

pytestmark = [pytest.mark.stack, pytest.mark.timeout(1800)]

CHILDREN = {
    "program": "roboinstruct_ros.sandbox.program_child",
    "verifier": "roboinstruct_ros.verify.service.worker_child",
}
STEPS = [("go_to", f"room {n}") if n % 2 else ("say", f"step {n}") for n in range(12)]
TASK = "\n".join(f"{skill}({word!r})" for skill, word in STEPS)
LASTS = 1.0  # s, more or less, from the goal to the end of the task
STEP = 0.05  # s


@pytest.fixture
def live(stack_process: Any, ros_domain: int, tmp_path: Path) -> Any:
    with LiveExecutor(stack_process, ros_domain, tmp_path) as live:
        yield live


def slow(goal: Any) -> Any:
    threading.Event().wait(STEP)
    return done(goal)


@pytest.mark.parametrize("victim", sorted(CHILDREN))
def test_a_child_that_is_killed_ends_at_most_its_task(
    live: LiveExecutor, victim: str, seed: int, long: bool
) -> None:
    draw = random.Random(seed)
    for point in range(20 if long else 3):
        task, delay = f"{victim}{point}", draw.uniform(0, LASTS)
        live.robot.behave()
        live.robot.plays.update(go_to=slow, say=slow)
        handle = wait(live.begin(program(TASK), task))
        threading.Event().wait(delay)
        child = live.child(CHILDREN[victim])
        if child is not None:
            child.kill()
        result = live.result(handle)
        lost = (TaskErrorCode.PROGRAM_LOST, TaskErrorCode.NOT_VERIFIED)
        assert result.outcome == "succeeded" or result.error_code in lost, (delay, result.error_msg)
        assert live.robot.calls == STEPS[: len(live.robot.calls)], (delay, "none twice")
        assert len(result.calls) == len(live.robot.calls)
        if (live.journals / f"{task}.journal").exists():
            live.check_whole(task, result)
        live.check_next()


def _recorded(path: Path) -> RecordedRun | None:
    """What the journal has; None if the executor was killed before its first record."""
    try:
        return read_journal(path)
    except JournalError:
        return None


def test_a_killed_executor_goes_on_where_it_was_whenever_it_was(
    live: LiveExecutor, seed: int, long: bool
) -> None:
    draw = random.Random(seed)
    for point in range(20 if long else 2):
        task, delay = f"killed{point}", draw.uniform(0, LASTS)
        live.robot.behave()
        live.robot.plays.update(go_to=slow, say=slow)
        live.begin(program(TASK), task)
        threading.Event().wait(delay)
        live.kill()
        before = list(live.robot.calls)
        live.start()
        recorded = _recorded(live.journals / f"{task}.journal")
        if recorded is None or recorded.ended:
            allowed = ([],) if recorded is None else ([], STEPS)
            assert before in allowed, (delay, "what is not recorded was not done")
            continue
        until(lambda task=task: live.interrupted == [task], "the run is offered")
        result = live.run(TASK, task, resume=True)
        assert result.outcome == "succeeded", (delay, result.error_msg)
        told = [event for event in live.events if event.task_id == task]
        settled = [event.data for event in told if event.kind == "call_settled"]
        made = Counter(live.robot.calls)
        for skill, word in STEPS:
            looked_into = any(word in data for data in settled)
            # a drive that had begun is made again; words that were being said are not
            allowed = (
                (1, 2) if looked_into and skill == "go_to" else (0, 1) if looked_into else (1,)
            )
            assert made[skill, word] in allowed, (delay, skill, word, settled)
        assert len(settled) <= 1
        live.check_whole(task, result)


STROLL = "\n".join(
    [f'go_to("{room}")\nsay("{room}")\nget_current_location()'
     for room in ("kitchen", "hallway", "study", "living room")]
)  # fmt: skip


@pytest.fixture(scope="module")
def up(shared_stack: Any, shared_port: int, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A whole stack that is up."""
    processes, _ = shared_stack
    home = {"HOME": str(tmp_path_factory.mktemp("home"))}
    options = ("--port", str(shared_port), "--speed", "10")
    up = processes("roboinstruct_ros.cli", "up", *options, env=home)
    wait_up(lambda: processes.log_of(up))
    return up


@pytest.mark.parametrize("victim", ["sim_robot", "kiosk", "recorder"])
def test_a_killed_node_ends_at_most_its_task(
    up: Any, tmp_path: Path, victim: str, seed: int, long: bool
) -> None:
    path = tmp_path / "stroll.py"
    path.write_text(program(STROLL))
    draw = random.Random(seed)
    for _ in range(20 if long else 1):
        task = begin("run", "--program", str(path), "--yes")
        read_until(task, "run_started")
        threading.Event().wait(delay := draw.uniform(0, 3.0))
        pid = pid_of(up.pid, victim)
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        outcome = outcome_of(task)
        if victim == "sim_robot":
            codes = (0, TaskErrorCode.SKILL_SERVER_LOST)
            assert outcome.error_code in codes, (delay, outcome.error_msg)
        else:
            assert outcome.exit_code == 0, (delay, outcome.error_msg)
            assert len(outcome.skills) == 12
        back = lambda pid=pid: pid_of(up.pid, victim) not in (None, pid)  # noqa: E731
        until(back, f"{victim} is back")
        # a node that has just been started is discovered within some seconds
        until(lambda: run_program(str(path)).exit_code == 0, "the next task works")
