"""An action client for goals and results only, without feedback and status.

An action has three services and two topics. `rclpy.action.ActionClient` subscribes to both topics:
three status messages per goal wake it more often than the two responses, and each wake-up rebuilds
its wait set, most of the cost of a call. Source: ROS 2 design, "Actions".
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable
from typing import Any

from action_msgs.srv import CancelGoal
from rclpy.callback_groups import CallbackGroup
from rclpy.node import Node
from rclpy.task import Future
from unique_identifier_msgs.msg import UUID

from roboinstruct_ros.nodes.asked_service import wait_served
from roboinstruct_ros.nodes.qos import REQUESTS

LATE = 30.0
"""Time (s) for which responses to an abandoned goal are still awaited: if accepted late, it must be
cancelled. A dead server never responds."""


class ResultClient:
    """A client of one action.

    Args:
        node: spun by another thread.
        group: callback group of the responses; None for the node's default.
    """

    def __init__(
        self, node: Node, kind: Any, name: str, group: CallbackGroup | None = None
    ) -> None:
        self.name = name
        self.kind = kind

        def service(part: str, of: Any) -> Any:
            place = f"{name}/_action/{part}"
            return node.create_client(of, place, qos_profile=REQUESTS, callback_group=group)

        self.goals = service("send_goal", kind.Impl.SendGoalService)
        self.cancels = service("cancel_goal", kind.Impl.CancelGoalService)
        self.results = service("get_result", kind.Impl.GetResultService)
        self._given_up: list[GoalInFlight] = []

    def is_ready(self) -> bool:
        parts = (self.goals, self.cancels, self.results)
        return all(part.service_is_ready() for part in parts)

    def wait_ready(self, limit: float) -> bool:
        """Wait at most `limit` s for a server. Returns whether one is available."""
        return wait_served(self.is_ready, limit)

    def send(
        self, goal: Any, ended: Callable[[GoalInFlight], object] = lambda goal: None
    ) -> GoalInFlight:
        """Send a goal of the action's type; returns at once, from any thread.

        Args:
            ended: called when the goal is over, on the thread that spins the client.
        """
        self._given_up = [left for left in self._given_up if not left.forgotten()]
        return GoalInFlight(self, goal, ended)

    def remember(self, goal: GoalInFlight) -> None:
        """Keep an abandoned goal until its responses have arrived or timed out."""
        self._given_up.append(goal)


class GoalInFlight:
    """One goal from sending to result, followed on the thread that spins the client.

    The result is requested as soon as the goal is accepted, without waking the waiting thread.

    Attributes:
        over: set when no further response will come.
        response: status and result; None until then, or if the goal was rejected.
        fault: exception raised by rclpy instead of a response.
    """

    def __init__(
        self, client: ResultClient, goal: Any, ended: Callable[[GoalInFlight], object]
    ) -> None:
        self.over = threading.Event()
        self.accepted = False
        self.response: Any = None
        self.fault: BaseException | None = None
        self._client = client
        self._ended = ended
        self.id = UUID(uuid=list(uuid.uuid4().bytes))
        self._cancelled = False
        self._given_up = 0.0
        self._lock = threading.Lock()
        self._asked: list[tuple[Any, Future]] = []
        request = client.kind.Impl.SendGoalService.Request(goal_id=self.id, goal=goal)
        self._ask(client.goals, request).add_done_callback(self._answer)

    def cancel(self) -> None:
        """Cancel the goal, now or once it is accepted; its result is still awaited."""
        with self._lock:
            self._cancelled = True
            accepted = self.accepted
        if accepted and not self.over.is_set():
            self._cancel()

    def give_up(self) -> None:
        """Cancel the goal, now or once it is accepted, and stop waiting for its result."""
        self._given_up = time.monotonic()
        self.cancel()
        self._client.remember(self)

    def forgotten(self) -> bool:
        """Whether the goal was abandoned long enough ago to drop its responses."""
        if time.monotonic() - self._given_up < LATE:
            return False
        for client, future in self._asked:
            client.remove_pending_request(future)
        return True

    def _ask(self, client: Any, request: Any) -> Future:
        future = client.call_async(request)
        self._asked.append((client, future))
        return future

    def _answer(self, sent: Future) -> None:
        self.fault = sent.exception()
        if self.fault is not None or not sent.result().accepted:
            self._finish()
            return
        with self._lock:
            self.accepted = True
            cancelled = self._cancelled
        if cancelled:
            self._cancel()
        if self._given_up:
            return
        request = self._client.kind.Impl.GetResultService.Request(goal_id=self.id)
        self._ask(self._client.results, request).add_done_callback(self._end)

    def _end(self, finished: Future) -> None:
        self.fault = finished.exception()
        self.response = None if self.fault else finished.result()
        self._finish()

    def _finish(self) -> None:
        self.over.set()
        self._ended(self)

    def _cancel(self) -> None:
        request = CancelGoal.Request()
        request.goal_info.goal_id = self.id
        self._ask(self._client.cancels, request)
