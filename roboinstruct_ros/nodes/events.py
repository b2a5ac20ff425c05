"""Publishes a node's numbered events on `roboinstruct/events`."""

from __future__ import annotations

import json
import threading
import uuid
from typing import Any

from rclpy.node import Node

from roboinstruct_msgs.msg import Event
from roboinstruct_ros import names
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.nodes.qos import EVENTS


class EventPublisher:
    """Numbers the events of one start of a node, from 0. Thread-safe."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._publisher = node.create_publisher(Event, names.EVENTS_TOPIC, EVENTS)
        self._session = uuid.uuid4().hex[:12]
        self._next = 0
        self._lock = threading.Lock()

    def publish(self, kind: EventKind, data: dict[str, Any], task_id: str = "") -> None:
        """Publish one event; `EventKind` documents the keys of its data."""
        with self._lock:
            event = Event(
                seq=self._next,
                source=self._node.get_name(),
                session=self._session,
                stamp=self._node.get_clock().now().to_msg(),
                task_id=task_id,
                kind=kind.value,
                data=json.dumps(data),
            )
            self._next += 1
            self._publisher.publish(event)
