"""Topics heard one message after another, or only when somebody looks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from rclpy.callback_groups import CallbackGroup, MutuallyExclusiveCallbackGroup
from rclpy.exceptions import InvalidHandle
from rclpy.node import Node
from rclpy.qos import QoSProfile

from roboinstruct_ros.nodes.qos import UNWATCHED


def hear(
    node: Node,
    kind: Any,
    topic: str,
    heard: Callable[[Any], None],
    qos: QoSProfile | int = 10,
    raw: bool = False,
) -> None:
    """Subscribe, in a group of its own: in a reentrant one, a message that no thread has taken
    yet keeps the executor spinning (60 % of a core at 10 Hz)."""
    node.create_subscription(
        kind,
        topic,
        heard,
        qos,
        callback_group=MutuallyExclusiveCallbackGroup(),
        event_callbacks=UNWATCHED,
        raw=raw,
    )


class Untold:
    """A topic for whose messages nobody is woken: to be woken by each costs far more.

    Args:
        raw: whether messages are taken as they were sent, undecoded.
    """

    def __init__(
        self, node: Node, kind: Any, topic: str, qos: QoSProfile, raw: bool = False
    ) -> None:
        self._kind, self._raw = kind, raw
        self._subscription = node.create_subscription(
            kind,
            topic,
            lambda message: None,
            qos,
            callback_group=_ByHand(),
            event_callbacks=UNWATCHED,
            raw=raw,
        )

    def take(self) -> Iterator[Any]:
        """What has come since it was taken last; nothing once the node is gone."""
        handle = self._subscription.handle
        with suppress(InvalidHandle), handle:
            while (taken := handle.take_message(self._kind, self._raw)) is not None:
                yield taken[0]


class _ByHand(CallbackGroup):
    """No executor wakes for what is in this group."""

    def can_execute(self, entity: Any) -> bool:
        return False

    def beginning_execution(self, entity: Any) -> bool:
        return False

    def ending_execution(self, entity: Any) -> None:
        return None
