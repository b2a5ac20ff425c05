"""A stack that is up, seen through the command line and `/odom`."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import psutil
import rclpy
from nav_msgs.msg import Odometry
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from waiting import until

from roboinstruct_ros import names
from roboinstruct_ros.bringup.node_set import Options, describe

CLI = [sys.executable, "-m", "roboinstruct_ros.cli"]
START_LIMIT = 120.0  # s
TASK_LIMIT = 120.0  # s


@dataclass(frozen=True)
class Outcome:
    """What `run --json` said."""

    exit_code: int
    events: list[dict[str, Any]]
    stderr: str

    def of_kind(self, kind: str) -> list[dict[str, Any]]:
        return [event["data"] for event in self.events if event["kind"] == kind]

    @property
    def skills(self) -> list[tuple[str, list[Any]]]:
        """The skill calls that succeeded."""
        finished = self.of_kind("skill_finished")
        return [(c["skill"], c["arguments"]) for c in finished if not c["error_code"]]

    @property
    def said(self) -> list[str]:
        return [arguments[0] for skill, arguments in self.skills if skill == "say"]

    @property
    def error_code(self) -> int:
        return int(self.of_kind("task_finished")[-1]["error_code"])

    @property
    def error_msg(self) -> str:
        return str(self.of_kind("task_finished")[-1]["error_msg"])


def outcome_of(process: subprocess.Popen[str], limit: float = TASK_LIMIT) -> Outcome:
    out, err = process.communicate(timeout=limit)
    return Outcome(process.returncode, [json.loads(line) for line in out.splitlines()], err)


def begin(*arguments: str) -> subprocess.Popen[str]:
    """Start a command line that writes events as JSON."""
    return subprocess.Popen(
        [*CLI, *arguments, "--json"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def read_until(process: subprocess.Popen[str], kind: str) -> None:
    """Read events away until one of this kind has been read."""
    assert process.stdout is not None
    for line in process.stdout:
        if json.loads(line)["kind"] == kind:
            return
    raise AssertionError(f"ended without an event {kind}: {process.communicate()[1]}")


def run(text: str) -> Outcome:
    return outcome_of(begin("run", text, "--yes"))


def run_program(path: str) -> Outcome:
    return outcome_of(begin("run", "--program", path, "--yes"))


def wait_up(log: Callable[[], str]) -> None:
    until(lambda: "roboinstruct is up" in log(), lambda: f"the stack is up\n{log()}", START_LIMIT)


TITLES = {spec.name: spec.executable for spec in describe(Options())}
"""Of each node's process."""


def nodes_of(supervisor: int) -> dict[str, psutil.Process]:
    """The nodes' processes below `roboinstruct up`, by name."""
    found = {}
    for child in psutil.Process(supervisor).children(recursive=True):
        with suppress(psutil.ZombieProcess, psutil.NoSuchProcess):  # one that has just been killed
            found.update(
                {name: child for name, title in TITLES.items() if title in child.cmdline()[:1]}
            )
    return found


def pid_of(supervisor: int, node: str) -> int | None:
    """Process of a node below `roboinstruct up`."""
    found = nodes_of(supervisor).get(node)
    return found and found.pid


class OdometryWatch:
    """Hears `odom` of a namespace; use it as a context manager.

    Attributes:
        node: which hears.
        moving: whether the last message had a twist.
        heard: (time of arrival in s since the epoch, moving).
    """

    def __init__(self, domain: int, namespace: str = "") -> None:
        self.moving = False
        self.heard: list[tuple[float, bool]] = []
        self._domain, self._namespace = domain, namespace

    def __enter__(self) -> OdometryWatch:
        self._context = Context()
        rclpy.init(context=self._context, domain_id=self._domain)
        self.node = rclpy.create_node(
            "odometry_watch", context=self._context, namespace=self._namespace
        )
        self.node.create_subscription(Odometry, names.ODOMETRY_TOPIC, self._hear, 50)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self.node)
        self._thread = threading.Thread(target=self._executor.spin, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._executor.shutdown()
        self._thread.join(5)
        self.node.destroy_node()
        rclpy.shutdown(context=self._context)

    def _hear(self, message: Odometry) -> None:
        twist = message.twist.twist
        self.moving = abs(twist.linear.x) + abs(twist.linear.y) + abs(twist.angular.z) > 1e-6
        self.heard.append((time.time(), self.moving))
