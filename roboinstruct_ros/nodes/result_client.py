"""Sends an action's goals and gets their results, and hears nothing in between.

An action is three services and two topics. `rclpy.action.ActionClient` listens to the topics too:
three messages of status for each goal wake it more often than the two answers do, and building what
it waits for anew is most of what a call costs. Source: ROS 2 design, "Actions".
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

from roboinstruct_ros.nodes.qos import REQUESTS

_LOOK = 0.02  # s between two looks for a server
LATE = 30.0
"""s for which the answers to a goal that was given up are still awaited: accepted late, it must be
cancelled. A server that has died never answers."""


class ResultClient:
    """A client of one action.

    Args:
        node: another thread spins it.
        kind: the action's type, such as `roboinstruct_msgs.action.Say`.
        group: of the answers; the node's own unless it is given.

    Attributes:
        name: of the action.
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
        """Whether a server of the action is there."""
        parts = (self.goals, self.cancels, self.results)
        return all(part.service_is_ready() for part in parts)

    def wait_ready(self, limit: float) -> bool:
        """Whether a server of the action is there within `limit` s."""
        deadline = time.monotonic() + limit
        while not self.is_ready():
            if time.monotonic() > deadline:
                return False
            time.sleep(_LOOK)
        return True

    def send(
        self, goal: Any, ended: Callable[[GoalInFlight], object] = lambda goal: None
    ) -> GoalInFlight:
        """Send a goal of the action's type; returns at once, from any thread.

        Args:
            ended: told when the goal is over, on the thread that spins the client.
        """
        self._given_up = [left for left in self._given_up if not left.forgotten()]
        return GoalInFlight(self, goal, ended)

    def remember(self, goal: GoalInFlight) -> None:
        """Keep what was given up, until nothing more can come of it."""
        self._given_up.append(goal)


class GoalInFlight:
    """One goal from its sending to its result, followed on the thread that spins the client.

    The result is asked for as soon as the goal is accepted, without waking whoever waits for it.

    Attributes:
        over: set when nothing more will come.
        accepted: whether the server carries it out.
        response: status and result; None until then, or when it was refused.
        fault: what rclpy raised instead of an answer.
        id: by which the action's feedback names it.
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
        """Cancel it, now or as soon as it is accepted; its result is awaited."""
        with self._lock:
            self._cancelled = True
            accepted = self.accepted
        if accepted and not self.over.is_set():
            self._cancel()

    def give_up(self) -> None:
        """Cancel it, now or as soon as it is accepted, and await no result any more."""
        self._given_up = time.monotonic()
        self.cancel()
        self._client.remember(self)

    def forgotten(self) -> bool:
        """Whether it has been given up for so long that nothing is awaited any more."""
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
