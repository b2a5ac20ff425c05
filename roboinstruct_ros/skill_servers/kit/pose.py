"""Converts a 3D pose message to a planar pose."""

from __future__ import annotations

import math

from geometry_msgs.msg import PoseStamped

from roboinstruct_ros.domain.semantic_map import Pose


def pose_of(message: PoseStamped) -> Pose:
    """x, y (m) and yaw (rad), in the message's frame."""
    at, turn = message.pose.position, message.pose.orientation
    sine = 2.0 * (turn.w * turn.z + turn.x * turn.y)
    cosine = 1.0 - 2.0 * (turn.y * turn.y + turn.z * turn.z)  # a power would raise on overflow
    return Pose(at.x, at.y, math.atan2(sine, cosine))
