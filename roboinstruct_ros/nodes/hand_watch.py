"""What the hand holds as a node starts, from the robot itself."""

from __future__ import annotations

from collections.abc import Callable

from rclpy.callback_groups import MutuallyExclusiveCallbackGroup
from rclpy.node import Node
from std_msgs.msg import String

from roboinstruct_ros import names
from roboinstruct_ros.nodes.qos import LATCHED


class HandWatch:
    """Listens to `skills/held`: a node that was started anew knows nothing of the runs before.

    Args:
        held: told what the hand holds; empty for nothing.
    """

    def __init__(self, node: Node, held: Callable[[str], None]) -> None:
        self._tell = held
        group = MutuallyExclusiveCallbackGroup()
        self._heard = node.create_subscription(
            String, names.HELD_TOPIC, self._held, LATCHED, callback_group=group
        )

    def _held(self, message: String) -> None:
        self._tell(message.data[: names.LONGEST_NAME])
