"""A real executor, and a client that asks it for runs."""

from __future__ import annotations

import itertools
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import rclpy
from graph import Processes
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from typing_extensions import Self

from roboinstruct_msgs.action import ExecuteProgram
from roboinstruct_msgs.msg import InterruptedRuns, TaskState
from roboinstruct_msgs.srv import Stop
from roboinstruct_ros import names
from roboinstruct_ros.nodes.discovery import wait_discovered
from roboinstruct_ros.nodes.qos import LATCHED
from roboinstruct_ros.nodes.result_client import GoalInFlight, ResultClient
from roboinstruct_ros.program.task_program import sha256_of

LIMIT = 30.0
"""s, for what should happen soon on a busy machine."""


class ExecutorClient:
    """Of an executor that is there; use it as a context manager.

    Args:
        pace: s between two looks at what came; what a run tells then takes no time of its own.

    Attributes:
        node: of the client; another thread spins it.
        offered: task ids of interrupted runs.
    """

    def __init__(self, processes: Processes, pace: float = 0.0) -> None:
        self._processes = processes
        self._pace = pace
        self._over = threading.Event()
        self._numbers = itertools.count()
        self.offered: list[str] = []
        self.states: list[str] = []

    def __enter__(self) -> Self:
        self._context = Context()
        rclpy.init(context=self._context, domain_id=self._processes.domain)
        self.node = rclpy.create_node("bench", context=self._context)
        self._execute = ResultClient(self.node, ExecuteProgram, names.EXECUTE_PROGRAM_ACTION)
        self._stop = self.node.create_client(Stop, names.STOP_SERVICE)
        self.node.create_subscription(
            InterruptedRuns, names.INTERRUPTED_RUNS_TOPIC, self._note_runs, LATCHED
        )
        self.node.create_subscription(TaskState, names.TASK_STATE_TOPIC, self._note_state, LATCHED)
        self._spinning = SingleThreadedExecutor(context=self._context)
        self._spinning.add_node(self.node)
        self._thread = threading.Thread(target=self._spin, daemon=True)
        self._thread.start()
        self.discovered()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._spinning.wake()
        self._thread.join(5)
        self._spinning.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self._context)

    def discovered(self) -> None:
        """Wait until the executor and this client know of each other."""
        assert self._execute.wait_ready(LIMIT) and self._stop.wait_for_service(LIMIT)
        assert wait_discovered(self.node, names.EXECUTOR_NODE, LIMIT)

    def begin(self, source: str, task_id: str = "", resume: bool = False) -> GoalInFlight:
        """A goal that was sent; `result` waits for its end."""
        goal = ExecuteProgram.Goal(
            task_id=task_id or f"bench{next(self._numbers)}",
            instruction="a task",
            source=source,
            program_sha256=sha256_of(source),
            approved_by="bench",
            resume=resume,
        )
        return self._execute.send(goal)

    def result(self, sent: GoalInFlight, limit: float = LIMIT) -> Any:
        assert sent.over.wait(limit) and sent.response is not None
        return sent.response.result

    def run(self, source: str) -> None:
        """One program to its end, which must be a good one."""
        result = self.result(self.begin(source))
        assert result.outcome == "succeeded", result.error_msg

    def stop(self) -> Any:
        """The answer of the service `stop`."""
        return waited(self._stop.call_async(Stop.Request(source="bench", reason="enough")))

    def _spin(self) -> None:
        while not self._over.wait(self._pace):
            self._spinning.spin_once()

    def _note_runs(self, message: InterruptedRuns) -> None:
        self.offered = [run.task_id for run in message.runs]

    def _note_state(self, message: TaskState) -> None:
        self.states.append(message.state)


class ExecutorProcess(ExecutorClient):
    """With a process of its own, which may be killed and started again.

    Args:
        journals: folder of the journals.
        pace: as above.
    """

    def __init__(self, processes: Processes, journals: Path, pace: float = 0.0) -> None:
        super().__init__(processes, pace)
        self._journals = journals

    def __enter__(self) -> Self:
        self.start()
        return super().__enter__()

    def start(self) -> subprocess.Popen[bytes]:
        """Start the process, or another one after it was killed."""
        self.process = self._processes.start(
            "-m",
            "roboinstruct_ros.nodes.executor.node",
            "--ros-args",
            "-p",
            f"journal:={self._journals}",
        )
        return self.process


def waited(future: Any, limit: float = LIMIT) -> Any:
    """The value of a future that another thread completes."""
    done = threading.Event()
    future.add_done_callback(lambda _: done.set())
    assert done.wait(limit), "no reply"
    return future.result()


def wait_until(holds: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + LIMIT
    while not holds():
        assert time.monotonic() < deadline, f"not within {LIMIT:g} s: {what}"
        time.sleep(0.002)
