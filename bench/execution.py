"""Measurements of execution: a skill call beside a bare action, a stop, a resume, the monitor."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rclpy
from rclpy.action import ActionClient
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor

from roboinstruct_msgs.action import ExecuteProgram, Say
from roboinstruct_msgs.msg import InterruptedRuns
from roboinstruct_ros import names
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skill_call import SkillCall, SkillErrorCode
from roboinstruct_ros.domain.world_names import find_world
from roboinstruct_ros.execute.skill_port import SkillOutcome
from roboinstruct_ros.nodes.discovery import wait_discovered
from roboinstruct_ros.nodes.goal_client import GoalClient
from roboinstruct_ros.nodes.qos import LATCHED
from roboinstruct_ros.program.task_program import sha256_of
from roboinstruct_ros.verify.verdict import Verdict
from roboinstruct_ros.verify.worker import VerifierWorker

HERE = Path(__file__).resolve().parent
for folder in ("execute", "nodes", "skill_servers"):
    sys.path.insert(0, str(HERE.parent / "test" / folder))

LIMIT = 60.0  # s
ROUNDS, CALLS = 4, 150
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
    with _graph() as client, tempfile.TemporaryDirectory() as folder:
        with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as quick:
            server = _python([str(HERE / "trivial_server.py")], stdout=subprocess.PIPE)
            executors = [_executor("slow", folder), _executor("quick", quick)]
            clients = [_TaskClient(client.node, name) for name in ("slow", "quick")]
            try:
                for _ in range(ROUNDS):
                    bare += client.bare_calls(server)
                    disk += clients[0].program_calls(server)
                    memory += clients[1].program_calls(server)
            finally:
                _end(server, *executors)
    return Calls(tuple(bare), tuple(disk), tuple(memory))


def resumes() -> tuple[float, ...]:
    """From the start of a new executor process to the first skill call of the run it goes on with,
    s; the approval comes as soon as the run is offered."""
    taken = []
    with _graph() as client, tempfile.TemporaryDirectory() as folder:
        server = _python([str(HERE / "trivial_server.py")], stdout=subprocess.PIPE)
        try:
            for number in range(RESUMES):
                taken.append(_resume(client, server, folder, f"resumed{number}"))
        finally:
            _end(server)
    return tuple(taken)


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
    """A node with a bare action client, spun by whoever waits."""

    def __init__(self) -> None:
        rclpy.init()
        self.node = rclpy.create_node("bench")
        self._say = ActionClient(self.node, Say, names.SAY_ACTION)
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self.node)

    def close(self) -> None:
        self._executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown()

    def wait(self, future: Any) -> Any:
        self._executor.spin_until_future_complete(future, LIMIT)
        assert future.done(), "no reply"
        return future.result()

    def wait_until(self, holds: Callable[[], bool], limit: float = LIMIT) -> bool:
        deadline = time.monotonic() + limit
        while not holds() and time.monotonic() < deadline:
            self._executor.spin_once(0.02)
        return holds()

    def say(self, message: str) -> None:
        handle = self.wait(self._say.send_goal_async(Say.Goal(message=message)))
        self.wait(handle.get_result_async())

    def arrivals(self, server: subprocess.Popen[bytes]) -> list[float]:
        """When goals came to the server since the last question, s."""
        self.say("report")
        assert server.stdout is not None
        return list(json.loads(server.stdout.readline()))[:-1]

    def bare_calls(self, server: subprocess.Popen[bytes]) -> list[float]:
        assert self._say.wait_for_server(LIMIT)
        self.say("discovered")
        self.arrivals(server)
        for number in range(CALLS):
            self.say(str(number))
        return _between(self.arrivals(server))


class _TaskClient:
    """Sends programs to an executor in a namespace."""

    def __init__(self, node: Any, namespace: str = "") -> None: ...


def _between(times: Sequence[float]) -> list[float]:
    return [later - earlier for earlier, later in zip(times, times[1:], strict=False)]
