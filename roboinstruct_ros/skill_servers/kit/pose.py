"""Converts poses between ROS messages, 3D placements and planar poses: m and rad."""

from __future__ import annotations

from builtin_interfaces.msg import Time
from geometry_msgs.msg import Point, PoseStamped, Quaternion
from geometry_msgs.msg import Pose as PoseMsg
from std_msgs.msg import Header

from roboinstruct_ros.domain.semantic_map import Pose
from roboinstruct_ros.names import MAP_FRAME
from roboinstruct_ros.skill_servers.kit.rotation import UP, Placement, about


def placement_of(message: PoseMsg) -> Placement:
    at, turn = message.position, message.orientation
    return Placement((at.x, at.y, at.z), (turn.x, turn.y, turn.z, turn.w))


def pose_of(message: PoseStamped) -> Pose:
    """x, y and yaw, in the message's frame."""
    placement = placement_of(message.pose)
    return Pose(*placement.position[:2], placement.yaw)


def pose_message(pose: Placement | Pose) -> PoseMsg:
    if isinstance(pose, Pose):
        pose = Placement((pose.x, pose.y, 0.0), about(UP, pose.yaw))
    (x, y, z), (a, b, c, d) = pose.position, pose.orientation
    return PoseMsg(position=Point(x=x, y=y, z=z), orientation=Quaternion(x=a, y=b, z=c, w=d))


def stamped_pose(pose: Pose, stamp: Time) -> PoseStamped:
    """The message for a pose in frame `map`."""
    return PoseStamped(header=Header(stamp=stamp, frame_id=MAP_FRAME), pose=pose_message(pose))
