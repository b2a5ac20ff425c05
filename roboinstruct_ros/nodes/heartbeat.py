"""Tells the other nodes that this one lives, and notices when another one falls silent."""

from __future__ import annotations

import time
import uuid

from rclpy.callback_groups import MutuallyExclusiveCallbackGroup
from rclpy.node import Node

from roboinstruct_msgs.msg import Heartbeat as HeartbeatMsg
from roboinstruct_ros import names
from roboinstruct_ros.nodes.qos import STREAM, UNWATCHED


class Heartbeat:
    """Publishes this node's heartbeat every `names.HEARTBEAT_PERIOD` s while it is spun.

    A node that sends goals makes its heartbeat before its clients: DDS announces endpoints in the
    order in which they were made, so whoever gets a goal can hear the heartbeat already.
    """

    def __init__(self, node: Node) -> None:
        self._node = node
        self._session = uuid.uuid4().hex[:12]
        self._last = (0.0, 0)
        self._publisher = node.create_publisher(HeartbeatMsg, names.HEARTBEAT_TOPIC, STREAM)
        self._timer = node.create_timer(
            names.HEARTBEAT_PERIOD, self.beat, callback_group=MutuallyExclusiveCallbackGroup()
        )

    def beat(self) -> None:
        """Publishes a heartbeat now, besides those of the timer."""
        stamp = self._node.get_clock().now().to_msg()
        message = HeartbeatMsg(node=self._node.get_name(), session=self._session, stamp=stamp)
        listeners = self._publisher.get_subscription_count()
        self._publisher.publish(message)
        self._last = (time.monotonic(), listeners)

    def be_heard(self) -> None:
        """Publishes a heartbeat now, unless all who listen have just had one.

        Every heartbeat wakes every node: many calls in a row need no more of them than the timer's.
        """
        moment, listeners = self._last
        late = time.monotonic() - moment > names.HEARTBEAT_PERIOD
        if late or self._publisher.get_subscription_count() != listeners:
            self.beat()


class HeartbeatMonitor:
    """Remembers when each node was last heard."""

    def __init__(self, node: Node) -> None:
        self._heard: dict[str, tuple[float, str]] = {}
        # a group of its own: a subscription in a reentrant group keeps the executor spinning
        self._subscription = node.create_subscription(
            HeartbeatMsg,
            names.HEARTBEAT_TOPIC,
            self._note,
            STREAM,
            callback_group=MutuallyExclusiveCallbackGroup(),
            event_callbacks=UNWATCHED,
        )

    def seen(self) -> tuple[str, ...]:
        """Names of all nodes that were ever heard."""
        return tuple(self._heard)

    def alive(self, name: str) -> bool:
        """Whether the node was heard within the last `names.HEARTBEAT_TIMEOUT` s."""
        return name in self._heard and not self.lost(name)

    def lost(self, name: str) -> bool:
        """Whether the node was heard once and has been silent for too long."""
        heard = self._heard.get(name)
        return heard is not None and time.monotonic() - heard[0] > names.HEARTBEAT_TIMEOUT

    def session(self, name: str) -> str:
        """Which start of the node was heard last; empty when never."""
        return self._heard.get(name, (0.0, ""))[1]

    def _note(self, message: HeartbeatMsg) -> None:
        self._heard[message.node] = (time.monotonic(), message.session)
