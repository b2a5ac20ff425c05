"""Queries Nav2's status with time limits: lifecycle states, servers, the pose."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from geometry_msgs.msg import PoseStamped, PoseWithCovarianceStamped
from lifecycle_msgs.srv import GetState
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile

from roboinstruct_ros.domain.semantic_map import Pose
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.names import MAP_FRAME
from roboinstruct_ros.nodes.asked_service import answer_of
from roboinstruct_ros.nodes.hearing import hear
from roboinstruct_ros.skill_servers.kit.fault import Fault
from roboinstruct_ros.skill_servers.kit.pose import pose_of

ANSWER_LIMIT = 1.0
"""Time (s) for a lifecycle node to answer."""

CLEAR_SERVICES = (
    "global_costmap/clear_entirely_global_costmap",
    "local_costmap/clear_entirely_local_costmap",
)
# One subscription each: a latched pose arrives at once, and a volatile publisher matches too.
_LATEST = (DurabilityPolicy.TRANSIENT_LOCAL, DurabilityPolicy.VOLATILE)


@dataclass(frozen=True)
class Located:
    """The robot's pose in frame `map`, and its uncertainty."""

    pose: Pose
    deviation: float
    """Standard deviation of the position, the larger of x and y, m."""


class Nav2Link:
    """Subscribes to the pose and queries lifecycle nodes; another thread spins the node."""

    def __init__(
        self, node: Node, pose_topic: str, on_pose: Callable[[Located, PoseStamped], None]
    ) -> None:
        """Subscribe; `on_pose` receives every pose in frame `map`, with the message to forward."""
        self._node, self._on_pose = node, on_pose
        self._group = ReentrantCallbackGroup()
        self._states: dict[str, object] = {}
        self._strange_frame = ""
        for durability in _LATEST:
            qos = QoSProfile(depth=1, durability=durability)
            hear(node, PoseWithCovarianceStamped, pose_topic, self._hear, qos)

    def state(self, lifecycle_node: str) -> str:
        """State of a lifecycle node, e.g. `active`; empty if it does not answer."""
        client = self._states.get(lifecycle_node)
        if client is None:
            name = f"{lifecycle_node}/get_state"
            client = self._node.create_client(GetState, name, callback_group=self._group)
            self._states[lifecycle_node] = client
        answer = answer_of(client, GetState.Request(), ANSWER_LIMIT)
        return str(answer.current_state.label) if answer else ""

    def action_is_served(self, action: str) -> bool:
        """Whether any node serves the action, of whatever type."""
        return self.serves(f"{action}/_action/send_goal")

    def can_clear(self) -> bool:
        """Whether both costmaps offer the clear service."""
        return all(map(self.serves, CLEAR_SERVICES))

    def serves(self, service: str) -> bool:
        """Whether any node serves it."""
        return bool(self._node.count_services(self._node.resolve_service_name(service)))

    def why_not_ready(
        self, lifecycle_nodes: tuple[str, ...], actions: tuple[str, ...]
    ) -> Fault | None:
        """Why Nav2 cannot take a goal, or None."""
        for name in lifecycle_nodes:
            state = self.state(name)
            if not state:
                return _not_ready(f"'{name}' does not answer; start Nav2")
            if state != "active":
                return _not_ready(f"'{name}' is {state}, not active; see its lifecycle manager")
        missing = [action for action in actions if not self.action_is_served(action)]
        return _not_ready(f"nobody serves the action '{missing[0]}'") if missing else None

    def _hear(self, message: PoseWithCovarianceStamped) -> None:
        frame = message.header.frame_id.strip("/")
        if frame != MAP_FRAME:
            if frame != self._strange_frame:
                text = f"a pose in frame '{frame}' is ignored: rooms are in frame '{MAP_FRAME}'"
                self._node.get_logger().warning(text)
            self._strange_frame = frame
            return
        stamped = PoseStamped(header=message.header, pose=message.pose.pose)
        pose, known = pose_of(stamped), (message.pose.covariance[0], message.pose.covariance[7])
        turn = stamped.pose.orientation  # its yaw alone is finite even if a component is not
        length = turn.x * turn.x + turn.y * turn.y + turn.z * turn.z + turn.w * turn.w
        if not all(map(math.isfinite, (pose.x, pose.y, pose.yaw, length, *known))):
            return  # invalid: not the robot's position
        self._on_pose(Located(pose, math.sqrt(max(*known, 0.0))), stamped)


def _not_ready(why: str) -> Fault:
    return Fault(SkillErrorCode.SERVER_UNAVAILABLE, f"Nav2 is not ready: {why}")
