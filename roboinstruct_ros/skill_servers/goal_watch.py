"""Ends a skill server's goals from outside: a stop request, or an executor that fell silent."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rclpy.callback_groups import MutuallyExclusiveCallbackGroup
from rclpy.node import Node

from roboinstruct_msgs.msg import Heartbeat, StopRequest
from roboinstruct_ros import names
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.nodes.qos import STREAM
from roboinstruct_ros.skill_servers.activity import LONGEST_TICK, Activities
from roboinstruct_ros.skill_servers.fault import Fault
from roboinstruct_ros.skill_servers.goal_runner import Body

TICK = 0.8 * LONGEST_TICK
"""s between two looks at the executor's silence; a longer one would not be counted in full."""


@dataclass(frozen=True)
class MovingPart:
    """A `Body` made of a function that takes every motion away, at once and from any thread."""

    halt: Callable[[], None]
    lock: Any = field(default_factory=threading.RLock)


class GoalWatch:
    """Listens, and looks at the silence in a thread that no callback can delay.

    Make it before the skills are offered: an executor that sees those is then heard already.
    """

    def __init__(self, node: Node, body: Body, activities: Activities) -> None:
        """Begins to listen; `body.halt` is called first, before any lock is taken."""
        self._body, self._activities = body, activities
        self._over = threading.Event()
        listened = [
            (StopRequest, names.STOP_REQUEST_TOPIC, self._stop_requested),
            (Heartbeat, names.HEARTBEAT_TOPIC, self._heartbeat_heard),
        ]
        for kind, topic, heard in listened:
            # a group of its own: a subscription in a reentrant group keeps the executor spinning
            group = MutuallyExclusiveCallbackGroup()
            node.create_subscription(kind, topic, heard, STREAM, callback_group=group)
        self._thread = threading.Thread(target=self._run, name="goal_watch", daemon=True)
        self._thread.start()

    def stop_all(self, message: str) -> None:
        """Stands still and ends every goal with `STOPPED`."""
        self._body.halt()
        with self._body.lock:
            self._activities.end_all(Fault(SkillErrorCode.STOPPED, message))

    def close(self) -> None:
        """Ends the thread."""
        self._over.set()
        self._thread.join(1.0)

    def _run(self) -> None:
        last = time.monotonic()
        while not self._over.wait(TICK):
            now = time.monotonic()
            with self._body.lock:
                self._activities.watch_executor(now - last, self._body.halt)
            last = now

    def _stop_requested(self, request: StopRequest) -> None:
        reason = f": {request.reason}" if request.reason else ""
        self.stop_all(f"stopped by {request.source or 'somebody'}{reason}")

    def _heartbeat_heard(self, heartbeat: Heartbeat) -> None:
        if heartbeat.node == names.EXECUTOR_NODE:
            with self._body.lock:
                self._activities.heard_executor()
