"""The room where the robot stands, from its own pose."""

from __future__ import annotations

from geometry_msgs.msg import PoseStamped
from rclpy.node import Node

from roboinstruct_ros import names
from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.nodes.lifeline import TakenByHand
from roboinstruct_ros.nodes.qos import LATCHED


class PlaceWatch:
    """Takes the latest `robot_pose` when it is asked; nothing wakes for all those between."""

    def __init__(self, node: Node) -> None:
        self._at: tuple[float, float] | None = None
        self._poses = node.create_subscription(
            PoseStamped, names.ROBOT_POSE_TOPIC, lambda pose: None, LATCHED,
            callback_group=TakenByHand(),
        )  # fmt: skip

    def room(self, rooms: SemanticMap | None) -> str:
        """The room on that map; "" where no pose was heard, or it is in none."""
        with self._poses.handle:
            taken = self._poses.handle.take_message(PoseStamped, False)
        if taken is not None:
            at = taken[0].pose.position
            self._at = at.x, at.y
        return (rooms.room_at(*self._at) or "") if rooms and self._at else ""
