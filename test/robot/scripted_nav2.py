"""Nav2 as its clients see it: navigator, planner, costmaps and localizer of a robot without walls.

It drives straight on, at the period of a usual controller; what goes wrong is scripted.
"""

from __future__ import annotations

import math
import time
from typing import Any

import robot_interfaces  # noqa: F401
from geometry_msgs.msg import PoseStamped, PoseWithCovarianceStamped
from lifecycle_msgs.srv import GetState
from nav2_msgs.action import ComputePathToPose, NavigateToPose
from nav2_msgs.srv import ClearEntireCostmap
from nav_msgs.msg import Odometry, Path
from rclpy.action import ActionServer, CancelResponse
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.duration import Duration as RosDuration
from rclpy.qos import DurabilityPolicy, QoSProfile
from scripted_node import ScriptedNode

from roboinstruct_ros.domain.semantic_map import Pose
from roboinstruct_ros.skill_servers.kit.pose import pose_of, stamped_pose
from roboinstruct_ros.skill_servers.nav2.link import CLEAR_SERVICES
from roboinstruct_ros.skill_servers.sim.floor_plan import Velocity
from roboinstruct_ros.skill_servers.sim.world_messages import odometry

CONTROL_PERIOD = 0.05
"""s, Nav2's default of 20 Hz."""
NO_VALID_PATH = 208
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)


class ScriptedNav2(ScriptedNode):
    """Serves Nav2's interfaces in a thread of its own; use it as a context manager.

    Attributes:
        speed: of the robot, m/s.
        period: of the controller, s; a cancel is seen at the next one.
        state: what the lifecycle nodes say.
        no_path: how many requests for a path fail from now on.
        aborts: (error_code, error_msg) with which the next goals end half-way.
        hangs: goals are accepted, and nothing is ever said of them.
        goals: the poses that were asked for.
        ended: (how, s since the epoch) of each goal that has ended.
        cleared: how often a costmap was cleared.
    """

    def __init__(self, domain: int, start: Pose, localised: bool = True) -> None:
        self.speed, self.state = 3.0, "active"
        self.period = CONTROL_PERIOD
        self.no_path, self.cleared = 0, 0
        self.aborts: list[tuple[int, str]] = []
        self.hangs = False
        self.goals: list[Pose] = []
        self.ended: list[tuple[str, float]] = []
        self.moving = False
        self._here = start
        super().__init__("scripted_nav2", domain)
        self._odometry = self.node.create_publisher(Odometry, "odom", 50)
        self._pose = self.node.create_publisher(PoseWithCovarianceStamped, "amcl_pose", LATCHED)
        self._serve(ReentrantCallbackGroup())
        if localised:
            self.localise(0.1)

    def __enter__(self) -> ScriptedNav2:
        super().__enter__()
        self.node.create_timer(0.02, lambda: self._tell_odometry(None))
        return self

    def localise(self, deviation: float) -> None:
        """Says where the robot is, known to a standard deviation in m."""
        message = PoseWithCovarianceStamped(header=self._stamped().header)
        message.pose.pose = self._stamped().pose
        message.pose.covariance[0] = message.pose.covariance[7] = deviation**2
        self._pose.publish(message)

    def _serve(self, group: ReentrantCallbackGroup) -> None:
        ways = {"cancel_callback": lambda _: CancelResponse.ACCEPT, "callback_group": group}
        for kind, name, run in (
            (NavigateToPose, "navigate_to_pose", self._navigate),
            (ComputePathToPose, "compute_path_to_pose", self._plan),
        ):
            ActionServer(self.node, kind, name, run, **ways)
        for name in ("bt_navigator", "planner_server", "controller_server", "amcl"):
            self.node.create_service(
                GetState, f"{name}/get_state", self._tell_state, callback_group=group
            )
        for name in CLEAR_SERVICES:
            self.node.create_service(ClearEntireCostmap, name, self._clear, callback_group=group)

    def _plan(self, goal: Any) -> Any:
        result = ComputePathToPose.Result()
        if self.no_path > 0:
            self.no_path -= 1
            result.error_code, result.error_msg = NO_VALID_PATH, "scripted: no way"
            goal.abort()
            return result
        here = self._stamped()
        result.path = Path(header=here.header, poses=[here, goal.request.goal])
        goal.succeed()
        return result

    def _navigate(self, goal: Any) -> Any:
        there = pose_of(goal.request.pose)
        self.goals.append(there)
        abort = self.aborts.pop(0) if self.aborts else None
        way = math.dist((self._here.x, self._here.y), (there.x, there.y))
        end = way / 2 if abort else 0.0
        result = NavigateToPose.Result()
        while self._left(there) > end:
            if goal.is_cancel_requested and not self.hangs:
                return self._ended(goal.canceled, "canceled", result)
            if self.over.wait(self.period) or not goal.is_active:
                return self._ended(goal.abort, "gone", result)
            if not self.hangs:
                self._step(there)
                left = self._left(there)
                told = NavigateToPose.Feedback(
                    current_pose=self._stamped(),
                    distance_remaining=left,
                    estimated_time_remaining=RosDuration(seconds=left / self.speed).to_msg(),
                )
                goal.publish_feedback(told)
        if abort:
            result.error_code, result.error_msg = abort
            return self._ended(goal.abort, "aborted", result)
        self._here = there
        self.localise(0.1)
        return self._ended(goal.succeed, "succeeded", result)

    def _step(self, there: Pose) -> None:
        left, step = self._left(there), self.speed * self.period
        part = min(1.0, step / left) if left else 1.0
        x = self._here.x + (there.x - self._here.x) * part
        y = self._here.y + (there.y - self._here.y) * part
        self._here = Pose(x, y, math.atan2(there.y - y, there.x - x))
        self._tell_odometry(True)

    def _left(self, there: Pose) -> float:
        return math.dist((self._here.x, self._here.y), (there.x, there.y))

    def _ended(self, end: Any, how: str, result: Any) -> Any:
        self._tell_odometry(False)
        self.ended.append((how, time.time()))
        end()
        return result

    def _clear(self, _: Any, response: Any) -> Any:
        self.cleared += 1
        return response

    def _tell_state(self, _: GetState.Request, response: GetState.Response) -> GetState.Response:
        response.current_state.label = self.state
        return response

    def _tell_odometry(self, moving: bool | None) -> None:
        if moving is not None:
            self.moving = moving
        velocity = Velocity(self.speed if self.moving else 0.0, 0.0)
        self._odometry.publish(odometry(self._here, velocity, self._now()))

    def _stamped(self) -> PoseStamped:
        return stamped_pose(self._here, self._now())

    def _now(self) -> Any:
        return self.node.get_clock().now().to_msg()
