"""A real executor process with a journal, a scripted robot, and a client that asks for runs."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import rclpy
from faulty_robot import ScriptedRobot
from goal_client import GoalClient
from rclpy._rclpy_pybind11 import RCLError
from rclpy.context import Context
from rclpy.executors import MultiThreadedExecutor
from rclpy.qos import DurabilityPolicy, QoSProfile
from waiting import LIMIT, until

from roboinstruct_msgs.action import ExecuteProgram
from roboinstruct_msgs.msg import Event, InterruptedRuns, TaskState
from roboinstruct_msgs.srv import Stop
from roboinstruct_ros import names
from roboinstruct_ros.execute.journal import RecordedRun, read_journal
from roboinstruct_ros.nodes.discovery import wait_discovered
from roboinstruct_ros.nodes.qos import EVENTS
from roboinstruct_ros.program.task_program import sha256_of

EXECUTOR = "roboinstruct_ros.nodes.executor.node"
ALL_STATES = QoSProfile(depth=1000, durability=DurabilityPolicy.TRANSIENT_LOCAL)


def program(body: str) -> str:
    return "def task_program():\n" + "".join(f"    {line}\n" for line in body.split("\n"))


class LiveExecutor:
    """Use it as a context manager.

    Attributes:
        states: (state, task id) as they were published.
        interrupted: task ids that were offered last.
    """

    def __init__(
        self, stack_process: Any, domain: int, folder: Path, *parameters: str, **env: str
    ) -> None:
        self.journals = folder / "journal"
        self._recovery = folder / "recovery.yaml"
        self._recovery.write_text("skills:\n  say: {after_restart: skip}\n")
        self._stack_process, self._parameters, self._env = stack_process, parameters, env
        self._domain = domain
        self._numbers = iter(range(1, 1_000_000))
        self.events: list[Event] = []
        self.states: list[tuple[str, str]] = []
        self.interrupted: list[str] = []

    def __enter__(self) -> LiveExecutor:
        self._context = Context()
        rclpy.init(context=self._context, domain_id=self._domain)
        self.node = rclpy.create_node("test_robot", context=self._context)
        self.robot = ScriptedRobot(self.node)
        node = self.node
        node.create_subscription(Event, names.EVENTS_TOPIC, self.events.append, EVENTS)
        node.create_subscription(TaskState, names.TASK_STATE_TOPIC, self._note, ALL_STATES)
        node.create_subscription(
            InterruptedRuns, names.INTERRUPTED_RUNS_TOPIC, self._note_runs, ALL_STATES
        )
        self._execute = GoalClient(node, ExecuteProgram, names.EXECUTE_PROGRAM_ACTION)
        self._stop = node.create_client(Stop, names.STOP_SERVICE)
        self._executor = MultiThreadedExecutor(10, context=self._context)
        self._executor.add_node(node)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._spin, daemon=True)
        self._thread.start()
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.robot.release.set()
        self._ended.set()
        self._thread.join(5)
        self._executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self._context)

    def start(self) -> None:
        given = ["--ros-args", "-p", f"journal:={self.journals}"]
        for parameter in (f"recovery:={self._recovery}", *self._parameters):
            given += ["-p", parameter]
        begun = len(self.states)
        self.process = self._stack_process(EXECUTOR, *given, env=self._env)
        until(lambda: len(self.states) > begun, "a new executor tells its state")
        assert self._execute.wait_for_server(LIMIT)
        assert self._stop.wait_for_service(LIMIT)
        assert wait_discovered(self.node, names.EXECUTOR_NODE, LIMIT)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def child(self, module: str) -> psutil.Process | None:
        """The executor's child that runs a module of the sandbox."""
        for child in psutil.Process(self.process.pid).children():
            with suppress(psutil.ZombieProcess, psutil.NoSuchProcess):
                if module in child.cmdline()[-1:]:
                    return child
        return None

    def begin(self, source: str, task_id: str = "", **options: bool) -> Any:
        """A future of the goal's handle."""
        goal = ExecuteProgram.Goal(
            task_id=task_id or f"task{next(self._numbers)}",
            instruction="a task",
            source=source,
            program_sha256=sha256_of(source),
            approved_by="test",
            **options,
        )
        return self._execute.send_goal_async(goal)

    def send(self, body: str, task_id: str = "", **options: bool) -> Any:
        handle = wait(self.begin(program(body), task_id, **options))
        assert handle.accepted
        return handle

    def result(self, handle: Any) -> Any:
        return wait(handle.get_result_async()).result

    def run(self, body: str, task_id: str = "", **options: bool) -> Any:
        return self.result(self.send(body, task_id, **options))

    def stop(self) -> Any:
        return wait(self._stop.call_async(Stop.Request(source="test", reason="enough")))

    def kinds(self, task_id: str) -> list[str]:
        return [event.kind for event in list(self.events) if event.task_id == task_id]

    def journal(self, task_id: str) -> RecordedRun:
        return read_journal(self.journals / f"{task_id}.journal")

    def check_whole(self, task_id: str, result: Any) -> None:
        """Journal, state, events and result agree on a run that is over; the next one works."""
        recorded = self.journal(task_id)
        assert recorded.ended and not recorded.damaged and recorded.in_flight is None
        made = [(call.skill, call.error_code) for call in result.calls]
        assert [(call.skill, call.error_code) for call in recorded.calls] == made
        until(lambda: (result.outcome, task_id) in self.states, "the end is published")
        until(lambda: "run_finished" in self.kinds(task_id), "the event of the end")
        assert task_id not in self.interrupted
        self.check_next()

    def check_next(self) -> None:
        self.robot.behave()
        again = self.run('say("next")')
        assert (again.outcome, again.error_msg) == ("succeeded", "")
        assert self.robot.calls == [("say", "next")]

    def _spin(self) -> None:
        while not self._ended.is_set():
            # a server that dies in the middle of what it does is what some tests want
            with suppress(RCLError):
                self._executor.spin_once(0.1)

    def _note(self, message: TaskState) -> None:
        self.states.append((message.state, message.task_id))

    def _note_runs(self, message: InterruptedRuns) -> None:
        self.interrupted = [run.task_id for run in message.runs]


def wait(future: Any, limit: float = LIMIT) -> Any:
    done = threading.Event()
    future.add_done_callback(lambda _: done.set())
    assert done.wait(limit), "no reply"
    return future.result()


def seconds(action: Callable[[], Any]) -> float:
    begin = time.monotonic()
    action()
    return time.monotonic() - begin
