"""Requests to generator and executor; kiosk and command line reach them only through this."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rclpy.client import Client
from rclpy.node import Node
from rclpy.task import Future

from roboinstruct_msgs.action import ExecuteProgram, GenerateProgram
from roboinstruct_msgs.srv import ForgetRun, Pause, Stop, VerifyProgram
from roboinstruct_ros import names
from roboinstruct_ros.nodes.discovery import name_of
from roboinstruct_ros.nodes.heartbeat import HeartbeatMonitor
from roboinstruct_ros.nodes.result_client import GoalInFlight, ResultClient
from roboinstruct_ros.nodes.stop_link import StopLink, Stopped


class StackClient:
    """Creates goals and sends requests to generator and executor.

    Args:
        node: spun by another thread.
        stop_link: of the same process; knows which nodes are alive and the number of the last stop.
        verifies: create the verification client, which not every security role may.
    """

    def __init__(self, node: Node, stop_link: StopLink, verifies: bool = False) -> None:
        self._node, self._stop_link = node, stop_link
        self._clients = {
            names.GENERATOR_NODE: ResultClient(
                node, GenerateProgram, names.GENERATE_PROGRAM_ACTION
            ),
            names.EXECUTOR_NODE: ResultClient(node, ExecuteProgram, names.EXECUTE_PROGRAM_ACTION),
        }
        self._stop = node.create_client(Stop, names.STOP_SERVICE)
        self._pause = node.create_client(Pause, names.PAUSE_SERVICE)
        self._forget = node.create_client(ForgetRun, names.FORGET_RUN_SERVICE)
        if verifies:
            self._verify = node.create_client(VerifyProgram, names.VERIFY_PROGRAM_SERVICE)

    def name(self, core: str) -> str:
        """The current name of the generator or the executor; the default if not yet known."""
        return name_of(self._node, self._stop_link.heard, core)

    def serves(self, core: str) -> bool:
        """Whether the generator's or the executor's action is served, and the stop service too."""
        return self._clients[core].is_ready() and bool(self._stop.service_is_ready())

    def generation(
        self,
        instruction: str,
        task_id: str,
        asked_by: str,
        follows: str = "",
        found: Sequence[str] = (),
    ) -> StackGoal:
        """A goal to write a program.

        Args:
            follows: task to which the instruction is a follow-up; empty for a new one.
            found: findings of earlier rounds of the task.
        """
        goal = GenerateProgram.Goal(
            task_id=task_id,
            instruction=instruction,
            language="en",
            asked_by=asked_by,
            follows=follows,
            found=list(found),
        )
        return self._goal(names.GENERATOR_NODE, goal)

    def run(
        self,
        instruction: str,
        source: str,
        sha256: str,
        task_id: str,
        approved_by: str,
        resume: bool = False,
        stop_number: int | None = None,
    ) -> StackGoal:
        """A goal to run an approved program.

        Args:
            resume: resume the interrupted run of this task.
            stop_number: the last stop known at approval; None for the current one.
        """
        goal = ExecuteProgram.Goal(
            task_id=task_id,
            instruction=instruction,
            source=source,
            program_sha256=sha256,
            approved_by=approved_by,
            resume=resume,
            stop_number=self._stop_link.stops.current if stop_number is None else stop_number,
        )
        return self._goal(names.EXECUTOR_NODE, goal)

    def pause(self, paused: bool) -> Future | None:
        """Pause or continue the running task; None if no server is available."""
        number = self._stop_link.stops.current
        return _asked(self._pause, Pause.Request(paused=paused, stop_number=number))

    def forget(self, task_id: str) -> Future | None:
        """Mark an interrupted run as ended; None if no server is available."""
        return _asked(self._forget, ForgetRun.Request(task_id=task_id))

    def verify(self, source: str) -> Future | None:
        """Have the executor verify a program; None if no server is available."""
        return _asked(self._verify, VerifyProgram.Request(source=source))

    def stop(self, stopped: Stopped) -> Future | None:
        """Ask the executor what a stop has ended; None if no server is available."""
        request = Stop.Request(source=stopped.source, reason=stopped.reason, number=stopped.number)
        return _asked(self._stop, request)

    def _goal(self, core: str, goal: Any) -> StackGoal:
        return StackGoal(self._clients[core], goal, core, self.name(core), self._stop_link.heard)


class StackGoal:
    """A goal for generator or executor, bound to one start of that node.

    Attributes:
        core: default name of the node.
        server: current name of the node.
        sent: the goal in flight; None before `send`.
    """

    def __init__(
        self, client: ResultClient, goal: Any, core: str, server: str, heard: HeartbeatMonitor
    ) -> None:
        self.task_id, self.core, self.server = str(goal.task_id), core, server
        self._client, self._goal, self._heard = client, goal, heard
        self._session = heard.session(server)
        self.sent: GoalInFlight | None = None

    @property
    def is_served(self) -> bool:
        return self._client.is_ready() and not self._heard.lost(self.server)

    @property
    def is_lost(self) -> bool:
        """Whether the node was lost for good or restarted."""
        restarted = self._heard.restarted(self.server, self._session)
        return restarted or self._heard.lost(self.server, names.RESULT_PATIENCE)

    def send(
        self, ended: Callable[[StackGoal, GoalInFlight], object] = lambda goal, sent: None
    ) -> GoalInFlight:
        """Send the goal, once; `ended` as in `ResultClient.send`."""
        self.sent = self._client.send(self._goal, lambda sent: ended(self, sent))
        return self.sent


def _asked(service: Client, request: Any) -> Future | None:
    return service.call_async(request) if service.service_is_ready() else None
