"""Measurements of execution: a skill call beside a bare action, a stop, a resume, the monitor."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rclpy
from rclpy.action import ActionClient
from rclpy.executors import SingleThreadedExecutor

from roboinstruct_msgs.action import ExecuteProgram, Say
from roboinstruct_msgs.msg import InterruptedRuns
from roboinstruct_ros import names
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skill_call import SkillCall, SkillErrorCode
from roboinstruct_ros.domain.world_names import find_world
from roboinstruct_ros.execute.skill_port import SkillOutcome
from roboinstruct_ros.nodes.goal_client import GoalClient
from roboinstruct_ros.nodes.qos import LATCHED
from roboinstruct_ros.program.task_program import sha256_of
from roboinstruct_ros.verify.verdict import Verdict
from roboinstruct_ros.verify.worker import VerifierWorker

HERE = Path(__file__).resolve().parent
for folder in ("execute", "nodes", "skill_servers"):
    sys.path.insert(0, str(HERE.parent / "test" / folder))

LIMIT = 60.0  # s
ROUNDS, CALLS = 3, 200
STOPS = 100
RESUMES = 5
MEMORY = Path("/dev/shm")


@dataclass(frozen=True)
class Calls:
    """Times from one call's arrival at the server to the next one's, s.

    Attributes:
        bare: of a client that does nothing else.
        disk: of a program, its journal in the folder for temporary files.
        memory: the same, the journal in memory.
    """

    bare: tuple[float, ...]
    disk: tuple[float, ...]
    memory: tuple[float, ...]


@dataclass(frozen=True)
class Stops:
    """Times of stops on a busy machine, s: the robot stands still, the task has ended."""

    still: tuple[float, ...]
    ended: tuple[float, ...]


def skill_calls() -> Calls:
    """The same goals from a bare client and from a program, in turns, to one server."""
    bare: list[float] = []
    disk: list[float] = []
    memory: list[float] = []
    in_memory = MEMORY if MEMORY.is_dir() else None
    with (
        _graph() as client,
        tempfile.TemporaryDirectory() as slow,
        tempfile.TemporaryDirectory(dir=in_memory) as quick,
    ):
        for _ in range(ROUNDS):
            bare += client.bare_calls()
            disk += _program_calls(client, slow)
            memory += _program_calls(client, quick)
    return Calls(tuple(bare), tuple(disk), tuple(memory))


def resumes() -> tuple[float, ...]:
    """From the start of a new executor process to the first skill call of the run it goes on with,
    s; the approval comes as soon as the run is offered."""
    with _graph() as client, tempfile.TemporaryDirectory() as folder:
        return tuple(_resume(client, folder, f"resumed{number}") for number in range(RESUMES))


def stops() -> Stops:
    """A driving robot is stopped by the service, with as many busy processes as cores."""
    from skill_client import SkillClient
    from test_executor import EXECUTOR, ROBOT, TaskClient

    busy = [_python(["-c", "while True: pass"]) for _ in os.sched_getaffinity(0)]
    still, ended = [], []
    with _domain() as domain, tempfile.TemporaryDirectory() as folder:
        nodes = [
            _python(["-m", ROBOT, "--ros-args", "-p", "speed_factor:=1.0"]),
            _python(["-m", EXECUTOR, "--ros-args", "-p", f"journal:={folder}"]),
        ]
        try:
            with SkillClient(domain) as robot:
                client = TaskClient(robot)
                for _ in range(STOPS):
                    handle = client.drive()
                    asked, begin = time.time(), time.monotonic()
                    client.stop()
                    ended.append(time.monotonic() - begin)
                    still.append(robot.still_after(asked))
                    client.result(handle)
        finally:
            _end(*nodes, *busy)
    return Stops(tuple(still), tuple(ended))


def monitor_costs() -> tuple[float, ...]:
    """The second look at the rest of a program, before each call after one that has failed, s."""
    from stage import DOMAIN, FakeSkills, Stage

    blocked = SkillOutcome(error_code=SkillErrorCode.NAVIGATION_BLOCKED, message="a door is shut")
    rooms = load_semantic_map(find_world("home"))
    worker = VerifierWorker(DOMAIN, rooms)
    costs: list[float] = []

    def timed(calls: Sequence[SkillCall], source: str) -> Verdict:
        begin = time.perf_counter()
        verdict = worker.verify_from(calls, source)
        costs.append(time.perf_counter() - begin)
        return verdict

    try:
        for number in range(ROUNDS * 5):
            answers = {"go_to": blocked, "get_all_rooms": SkillOutcome(list(rooms.room_names)),
                       "is_in_room": SkillOutcome(False)}  # fmt: skip
            stage = Stage(FakeSkills(answers), verifier=worker.verify, verify_from=timed)
            run = stage.run(f"{_SEARCH}\n# {number}")
            assert run.outcome.value == "succeeded", run.message
    finally:
        worker.close()
    return tuple(costs)


_SEARCH = """\
for room in get_all_rooms():
    try:
        go_to(room)
        if is_in_room("apple"):
            pick("apple")
            break
    except SkillError:
        say("I cannot get to the " + room)"""


class _Client:
    """A node with a bare action client and a trivial server to call; spun by whoever waits."""

    def __init__(self) -> None:
        rclpy.init()
        self.node = rclpy.create_node("bench")
        self._say = ActionClient(self.node, Say, names.SAY_ACTION)
        self.offered: list[str] = []
        self._runs = self.node.create_subscription(
            InterruptedRuns,
            names.INTERRUPTED_RUNS_TOPIC,
            lambda message: self.offered.extend(run.task_id for run in message.runs),
            LATCHED,
        )
        self._execute = GoalClient(self.node, ExecuteProgram, names.EXECUTE_PROGRAM_ACTION)
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self.node)
        self._server = _python([str(HERE / "trivial_server.py")], stdout=subprocess.PIPE)

    def close(self) -> None:
        _end(self._server)
        self._executor.shutdown()
        self.node.destroy_node()
        rclpy.try_shutdown()

    def wait(self, future: Any, limit: float = LIMIT) -> Any:
        self._executor.spin_until_future_complete(future, limit)
        assert future.done(), "no reply"
        return future.result()

    def wait_until(self, holds: Callable[[], bool], limit: float = LIMIT) -> bool:
        deadline = time.monotonic() + limit
        while not holds() and time.monotonic() < deadline:
            self._executor.spin_once(0.01)
        return holds()

    def say(self, message: str) -> None:
        handle = self.wait(self._say.send_goal_async(Say.Goal(message=message)))
        self.wait(handle.get_result_async())

    def arrivals(self) -> list[float]:
        """When goals came to the server since the last question, s."""
        self.say("report")
        assert self._server.stdout is not None
        return list(json.loads(self._server.stdout.readline()))[:-1]

    def bare_calls(self) -> list[float]:
        assert self._say.wait_for_server(LIMIT)
        self.say("discovered")
        self.arrivals()
        for number in range(CALLS):
            self.say(str(number))
        return _between(self.arrivals())

    def run(self, source: str, task_id: str, resume: bool = False) -> Any:
        """A future of the result of a program; sent again where the server was not there yet."""
        goal = ExecuteProgram.Goal(
            task_id=task_id, source=source, program_sha256=sha256_of(source),
            approved_by="bench", resume=resume,
        )  # fmt: skip
        for _ in range(100):
            sent = self._execute.send_goal_async(goal)
            if self.wait_until(sent.done, 1.0):
                return sent.result().get_result_async()
        raise AssertionError("no executor")


def _program_calls(client: _Client, folder: str) -> list[float]:
    executor = _executor(folder)
    try:
        source = (
            f"def task_program():\n    for number in range({CALLS}):\n        say(str(number))\n"
        )
        client.wait(client.run('def task_program():\n    say("discovered")\n', "first"))
        client.arrivals()
        result = client.wait(client.run(source, "calls")).result
        assert result.outcome == "succeeded", result.error_msg
        return _between(client.arrivals())
    finally:
        _end(executor)


def _resume(client: _Client, folder: str, task_id: str) -> float:
    source = 'def task_program():\n    say("begun")\n    time.sleep(3)\n    say("gone on with")\n'
    executor = _executor(folder)
    client.run(source, task_id)
    journal = Path(folder) / f"{task_id}.journal"
    assert client.wait_until(lambda: journal.exists() and "answer" in journal.read_text())
    executor.kill()
    executor.wait()
    client.arrivals()
    client.offered.clear()
    begin = time.monotonic()
    executor = _executor(folder)
    assert client.wait_until(lambda: task_id in client.offered)
    client.wait(client.run(source, task_id, resume=True))
    (arrival,) = client.arrivals()
    _end(executor)
    return arrival - begin


def _executor(folder: str) -> subprocess.Popen[bytes]:
    given = ["--ros-args", "-p", f"journal:={folder}", "--log-level", "warn"]
    return _python(["-m", "roboinstruct_ros.nodes.executor", *given])


def _python(arguments: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, *arguments], stdin=subprocess.DEVNULL, **options)


def _end(*processes: subprocess.Popen[bytes]) -> None:
    for process in processes:
        process.terminate()
    for process in processes:
        with suppress(subprocess.TimeoutExpired):
            process.wait(5)
        process.kill()
        process.wait()


@contextmanager
def _domain() -> Iterator[int]:
    """A ROS graph that few others use."""
    domain = 40 + os.getpid() % 20
    os.environ.update(ROS_DOMAIN_ID=str(domain), ROS_AUTOMATIC_DISCOVERY_RANGE="LOCALHOST")
    yield domain


@contextmanager
def _graph() -> Iterator[_Client]:
    with _domain():
        client = _Client()
        try:
            yield client
        finally:
            client.close()


def _between(times: Sequence[float]) -> list[float]:
    return [later - earlier for earlier, later in itertools.pairwise(times)]
