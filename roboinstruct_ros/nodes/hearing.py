"""Subscriptions: with a callback per message, or polled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from rclpy.callback_groups import CallbackGroup, MutuallyExclusiveCallbackGroup
from rclpy.exceptions import InvalidHandle
from rclpy.node import Node
from rclpy.qos import QoSProfile
from rclpy.subscription import Subscription

from roboinstruct_ros.nodes.qos import UNWATCHED


def hear(
    node: Node,
    kind: Any,
    topic: str,
    heard: Callable[[Any], None],
    qos: QoSProfile | int = 10,
    raw: bool = False,
    group: CallbackGroup | None = None,
) -> Subscription:
    """Subscribe in a callback group of its own. In a reentrant group, a message that no thread has
    taken yet keeps the executor spinning (60 % of a core at 10 Hz)."""
    group = group or MutuallyExclusiveCallbackGroup()
    return node.create_subscription(
        kind, topic, heard, qos, callback_group=group, event_callbacks=UNWATCHED, raw=raw
    )


class Untold:
    """A polled subscription: waking a thread for every message costs far more.

    Args:
        raw: return messages serialized.
    """

    def __init__(
        self, node: Node, kind: Any, topic: str, qos: QoSProfile, raw: bool = False
    ) -> None:
        self._kind, self._raw = kind, raw
        self._subscription = hear(node, kind, topic, lambda message: None, qos, raw, _ByHand())

    def take(self) -> Iterator[Any]:
        """Messages since the last call; none once the node is gone."""
        handle = self._subscription.handle
        with suppress(InvalidHandle), handle:
            while (taken := handle.take_message(self._kind, self._raw)) is not None:
                yield taken[0]


class _ByHand(CallbackGroup):
    """A callback group that never wakes an executor."""

    def can_execute(self, entity: Any) -> bool:
        return False
