"""One goal from its sending to its result, followed on the thread that spins its client."""

from __future__ import annotations

import threading
from typing import Any

from rclpy.task import Future

from roboinstruct_ros.nodes.goal_client import GoalClient


class GoalInFlight:
    """Asks for the result as soon as the goal is accepted, without waking whoever waits for it.

    Attributes:
        over: set when nothing more will come.
        accepted: whether the server carries it out.
        response: status and result; None until then, or when it was refused.
        fault: what rclpy raised instead of an answer.
    """

    def __init__(self, client: GoalClient, goal: Any) -> None:
        self.over = threading.Event()
        self.accepted = False
        self.response: Any = None
        self.fault: BaseException | None = None
        self._handle: Any = None
        self._given_up = False
        self._lock = threading.Lock()
        client.send_goal_async(goal).add_done_callback(self._answer)

    def give_up(self) -> None:
        """Cancel it, now or as soon as it is accepted."""
        with self._lock:
            self._given_up = True
            handle = self._handle
        if handle is not None and not self.over.is_set():
            handle.cancel_goal_async()

    def _answer(self, sent: Future) -> None:
        self.fault = sent.exception()
        handle = None if self.fault else sent.result()
        if handle is None or not handle.accepted:
            self.over.set()
            return
        with self._lock:
            self._handle, self.accepted = handle, True
            given_up = self._given_up
        if given_up:
            handle.cancel_goal_async()
        else:
            handle.get_result_async().add_done_callback(self._end)

    def _end(self, finished: Future) -> None:
        self.fault = finished.exception()
        self.response = None if self.fault else finished.result()
        self.over.set()
