"""The room where the robot stands, and what its hand holds, from the robot itself."""

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
    """Tell what the hand holds, empty for nothing: a node that was started anew knows nothing of
    the runs before."""

    def heard(held: String) -> None:
        holds(held.data[: names.LONGEST_NAME])

    hear(node, String, names.HELD_TOPIC, heard, LATCHED)


class PlaceWatch:
    """Takes the latest `robot_pose` when it is asked; nothing wakes for all those between."""

    def __init__(self, node: Node) -> None:
        self._at: tuple[float, float] | None = None
        self._poses = Untold(node, PoseStamped, names.ROBOT_POSE_TOPIC, LATCHED)

    def room(self, rooms: SemanticMap | None) -> str:
        """The room on that map; "" where no pose was heard, or it is in none."""
        for message in self._poses.take():
            self._at = message.pose.position.x, message.pose.position.y
        return (rooms.room_at(*self._at) or "") if rooms and self._at else ""
