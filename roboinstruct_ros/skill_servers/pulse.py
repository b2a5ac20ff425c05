"""A skill server's heartbeats, and its look around, in a thread that no callback can delay."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable

from rclpy.node import Node

from roboinstruct_msgs.msg import Heartbeat
from roboinstruct_ros import names
from roboinstruct_ros.skill_servers.activity import LONGEST_TICK

TICK = 0.04
"""s, below `LONGEST_TICK`."""

assert TICK <= LONGEST_TICK


class Pulse:
    """Heartbeats, and a look around every `TICK` s, in a thread that no callback can delay."""

    def __init__(self, node: Node, tick: Callable[[float], None]) -> None:
        """Makes the publisher; `tick` is told the s that passed."""
        self._node, self._tick = node, tick
        self._session = uuid.uuid4().hex
        self._publisher = node.create_publisher(Heartbeat, names.HEARTBEAT_TOPIC, 10)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pulse", daemon=True)

    def start(self) -> None:
        """Begins."""
        self._thread.start()

    def stop(self) -> None:
        """Ends; nothing is published afterwards."""
        self._over.set()
        self._thread.join(1.0)

    def _run(self) -> None:
        last = time.monotonic()
        beat = 0.0
        while not self._over.wait(TICK):
            now = time.monotonic()
            self._tick(now - last)
            last = now
            if now - beat >= names.HEARTBEAT_PERIOD - TICK / 2:
                beat = now
                stamp = self._node.get_clock().now().to_msg()
                name = self._node.get_name()
                self._publisher.publish(Heartbeat(node=name, session=self._session, stamp=stamp))
