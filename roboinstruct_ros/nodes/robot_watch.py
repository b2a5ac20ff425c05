"""The robot's room and the object in its hand, as the robot reports them."""

from __future__ import annotations

from collections.abc import Callable

from geometry_msgs.msg import PoseStamped
from rclpy.node import Node
from std_msgs.msg import String

from roboinstruct_ros import names
from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.nodes.hearing import Untold, hear
from roboinstruct_ros.nodes.qos import LATCHED


def hear_hand(node: Node, holds: Callable[[str], None]) -> None:
    """Report what the hand holds (empty for nothing), now and on change: a restarted node knows
    nothing of earlier runs."""
    most = names.LONGEST_NAME
    hear(node, String, names.HELD_TOPIC, lambda held: holds(held.data[:most]), LATCHED)


class PlaceWatch:
    """Polls the latest `robot_pose`; the messages in between wake no thread."""

    def __init__(self, node: Node) -> None:
        self._at: tuple[float, float] | None = None
        self._poses = Untold(node, PoseStamped, names.ROBOT_POSE_TOPIC, LATCHED)

    def room(self, rooms: SemanticMap | None) -> str:
        """The room of the last pose on that map; "" without a pose or outside all rooms."""
        for message in self._poses.take():
            self._at = message.pose.position.x, message.pose.position.y
        return (rooms.room_at(*self._at) or "") if rooms and self._at else ""
