"""How soon a run goes on after its executor was killed."""

from __future__ import annotations

import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import psutil
from executor_process import ExecutorProcess, wait_until
from graph import TalkingProcess, own_graph

TIMES = 8

_TALK = """\
def task_program():
    for n in range(1000):
        say("step " + str(n))
        time.sleep(0.05)
"""


@dataclass(frozen=True)
class Resumed:
    """From the start of the new process, s.

    Attributes:
        offered: until the interrupted run was offered.
        called: until its next skill call came to the server; `resume` was approved at once.
        computed: processor time of the new process and its verifier until then; the rest is
            waiting, for a processor or for discovery.
    """

    offered: float
    called: float
    computed: float


def resume_times(times: int = TIMES) -> tuple[Resumed, ...]:
    """SIGKILL in the middle of a run, a new executor by hand, an approval as soon as it offers."""
    with own_graph() as processes, tempfile.TemporaryDirectory() as journals:
        robot = processes.talking("answering_robot.py")
        with ExecutorProcess(processes, Path(journals)) as executor:
            return tuple(_resume(executor, robot, f"killed{n}") for n in range(times))


def _resume(executor: ExecutorProcess, robot: TalkingProcess, task: str) -> Resumed:
    executor.begin(_TALK, task)
    wait_until(lambda: len(robot.ask(None)) > 0, "the run is under way")
    time.sleep(0.5)
    executor.process.kill()
    executor.process.wait()
    robot.ask(None)
    executor.offered.clear()
    begun = time.monotonic()
    executor.start()
    wait_until(lambda: task in executor.offered, "the run is offered")
    offered = time.monotonic()
    handle = executor.begin(_TALK, task, resume=True)
    came: list[float] = []

    def goes_on() -> bool:
        came.extend(robot.ask(None))
        return bool(came)

    wait_until(goes_on, "the run goes on")
    computed = _computed(psutil.Process(executor.process.pid))
    executor.stop()
    executor.result(handle)
    robot.ask(None)
    return Resumed(offered - begun, came[0] - begun, computed)


def _computed(process: psutil.Process) -> float:
    times = [one.cpu_times() for one in (process, *process.children())]
    return float(sum(one.user + one.system for one in times))


if __name__ == "__main__":
    for one in resume_times(int(sys.argv[1])):
        print(f"offered {one.offered:.2f} s, called {one.called:.2f} s")
