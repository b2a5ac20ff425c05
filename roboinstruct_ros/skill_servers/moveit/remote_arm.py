"""The arm as the node sees it: calls to the arm's process that can be abandoned."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe
from typing import Any

from roboinstruct_ros.domain.option import option
from roboinstruct_ros.skill_servers.kit.rotation import Placement
from roboinstruct_ros.skill_servers.moveit.arm import ArmFault, ArmProblem, Plan
from roboinstruct_ros.skill_servers.moveit.grasp_plan import Box

POLL = 0.01
"""Polling period (s) for a stop during a call."""


@dataclass(frozen=True)
class CallLimits:
    """Time limits (s) of one call, after which the process counts as hung."""

    plan: float = option(
        30.0, "MoveIt counts as hung after planning this long", 0.1, 600.0, "s", name="plan_limit"
    )
    execute: float = option(
        30.0, "MoveIt counts as hung this long after a motion should have ended", 0.1, 600.0, "s",
        name="execute_limit",
    )  # fmt: skip
    other: float = 5.0
    stop: float = 2.0


class RemoteArm:
    """An `Arm` in a process of its own. One call at a time; `stop` from any thread.

    Args:
        maker: `module:function` that creates the arm there.
        settings: argument of that function; JSON.
        limits: per kind of call.
    """

    def __init__(self, maker: str, settings: Mapping[str, Any], limits: CallLimits) -> None:
        self._maker, self._settings, self._limits = maker, settings, limits
        self._epoch, self._number = 0, 0
        self._stopped = -1
        self._answered = threading.Condition()
        self._reply: tuple[int, Any, Any] = (0, None, None)
        """The last one: number of the call, result, fault."""
        self.ready = threading.Event()
        self.start()

    def start(self) -> None:
        """Start the process, or restart it if it ended before it was ready."""
        (there, self._requests), (replies, back) = Pipe(False), Pipe(False)
        ends = (there.fileno(), back.fileno())
        command = [sys.executable, "-P", "-m", "roboinstruct_ros.skill_servers.moveit.arm_process"]
        self._process = subprocess.Popen(
            [*command, *map(str, ends), self._maker, json.dumps(dict(self._settings))],
            pass_fds=ends,
            stdin=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C must not end it before the node has stopped it
        )
        there.close()
        back.close()
        threading.Thread(
            target=self._read, args=(replies,), name="arm_replies", daemon=True
        ).start()

    @property
    def exit_code(self) -> int | None:
        """Exit code of the process; None while it lives."""
        return self._process.poll()

    def begin(self) -> None:
        """Begin a goal: an earlier stop no longer applies, and calls are accepted again."""
        with self._answered:
            self._epoch += 1

    def stop(self) -> None:
        """End the goal's motion and refuse its later calls; never blocks for long."""
        with self._answered:
            self._stopped = self._epoch
            self._send(self._epoch)
            self._answered.notify_all()

    def close(self) -> None:
        """End the process: its pipe closes, and it stops the arm before it exits."""
        with self._answered:
            self._requests.close()
        try:
            self._process.wait(0.3)
        except subprocess.TimeoutExpired:
            self._process.kill()

    def plan(self, goal: Placement | str, line: bool = False) -> Plan:
        plan: Plan = self._call("plan", self._limits.plan, goal, line)
        return plan

    def execute(self, plan: Plan) -> None:
        self._call("execute", self._limits.execute + plan.duration, plan.number)

    def show(self, boxes: Sequence[Box]) -> None:
        self._call("show", self._limits.other, boxes)

    def attach(self, box: Box) -> None:
        self._call("attach", self._limits.other, box, even_stopped=True)

    def detach(self, box: Box) -> None:
        self._call("detach", self._limits.other, box, even_stopped=True)

    def _call(self, call: str, limit: float, *arguments: Any, even_stopped: bool = False) -> Any:
        if not self.ready.is_set():
            raise ArmFault(ArmProblem.NOT_READY, "MoveIt is not ready; it is still starting")
        with self._answered:
            self._wait_idle()
            self._check_alive()
            if self._epoch <= self._stopped and not even_stopped:
                raise ArmFault(ArmProblem.STOPPED, "the arm was told to stop")
            self._number += 1
            self._send(self._number, self._epoch, call, arguments)
            self._wait_reply(limit, call, even_stopped)
            _, result, fault = self._reply
        if fault is not None:
            raise ArmFault(*fault)
        return result

    def _wait_reply(self, limit: float, call: str, even_stopped: bool) -> None:
        deadline = time.monotonic() + limit
        stopping = False
        while self._reply[0] != self._number:
            self._check_alive()
            if self._epoch <= self._stopped and not even_stopped and not stopping:
                # An abandoned plan moves nothing; wait only for a motion.
                if call != "execute":
                    raise ArmFault(ArmProblem.STOPPED, "the arm was told to stop")
                stopping, deadline = True, time.monotonic() + self._limits.stop
            if time.monotonic() > deadline:
                raise ArmFault(ArmProblem.LOST, f"MoveIt did not answer '{call}' in time")
            self._answered.wait(POLL)

    def _wait_idle(self) -> None:
        """Wait for the end of an abandoned call."""
        deadline = time.monotonic() + self._limits.plan
        while self._reply[0] != self._number:
            self._check_alive()
            if self._epoch <= self._stopped or time.monotonic() > deadline:
                raise ArmFault(ArmProblem.LOST, "MoveIt is still busy with what was given up")
            self._answered.wait(POLL)

    def _check_alive(self) -> None:
        if self._process.poll() is not None:
            raise ArmFault(ArmProblem.LOST, "the process in which MoveIt runs has died")

    def _send(self, *message: Any) -> None:
        with suppress(OSError):  # the process has died, which the waiting thread will see
            self._requests.send(message)

    def _read(self, replies: Connection[Any, Any]) -> None:
        with replies, suppress(EOFError, OSError):
            while True:
                reply = replies.recv()
                if not reply:
                    self.ready.set()
                    continue
                with self._answered:
                    self._reply = reply
                    self._answered.notify_all()
