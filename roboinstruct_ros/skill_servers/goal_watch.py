"""Ends a skill server's goals from outside: a stop request, or an executor that fell silent."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rclpy.callback_groups import MutuallyExclusiveCallbackGroup
from rclpy.node import Node

from roboinstruct_msgs.msg import Heartbeat, StopRequest
from roboinstruct_ros import names
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.nodes.qos import STREAM, UNWATCHED
from roboinstruct_ros.skill_servers.activity import Activities
from roboinstruct_ros.skill_servers.fault import Fault
from roboinstruct_ros.skill_servers.goal_runner import Body
from roboinstruct_ros.skill_servers.pulse import Pulse


@dataclass(frozen=True)
class MovingPart:
    """A `Body` made of a function that takes every motion away, at once and from any thread."""

    halt: Callable[[], None]
    lock: Any = field(default_factory=threading.RLock)


class GoalWatch:
    """Listens, and sends the node's own heartbeats, in a thread that no callback can delay.

    Make it before the skills are offered: an executor that sees those is then heard already.
    """

    def __init__(self, node: Node, body: Body, activities: Activities) -> None:
        """Begins to listen; `body.halt` is called first, before any lock is taken."""
        self._body, self._activities = body, activities
        listened = [
            (StopRequest, names.STOP_REQUEST_TOPIC, self._stop_requested),
            (Heartbeat, names.HEARTBEAT_TOPIC, self._heartbeat_heard),
        ]
        for kind, topic, heard in listened:
            # a group of its own: a subscription in a reentrant group keeps the executor spinning
            group = MutuallyExclusiveCallbackGroup()
            node.create_subscription(
                kind, topic, heard, STREAM, callback_group=group, event_callbacks=UNWATCHED
            )
        self._pulse = Pulse(node, self._tick)
        self._pulse.start()

    def stop_all(self, message: str) -> None:
        """Stands still and ends every goal with `STOPPED`."""
        self._body.halt()
        with self._body.lock:
            self._activities.end_all(Fault(SkillErrorCode.STOPPED, message))

    def close(self) -> None:
        """Ends the thread and the heartbeats."""
        self._pulse.stop()

    def _tick(self, passed: float) -> None:
        with self._body.lock:
            self._activities.watch_executor(passed, self._body.halt)

    def _stop_requested(self, request: StopRequest) -> None:
        reason = f": {request.reason}" if request.reason else ""
        self.stop_all(f"stopped by {request.source or 'somebody'}{reason}")

    def _heartbeat_heard(self, heartbeat: Heartbeat) -> None:
        if heartbeat.node == names.EXECUTOR_NODE:
            with self._body.lock:
                self._activities.heard_executor()
