"""The simulated robot's clock: a thread that moves it at 50 Hz and publishes its state.

Without a goal nothing can move: the thread then wakes 10 times a second, or when a goal begins.

A thread and not a ROS timer: motion must neither wait for a busy callback nor continue when one
hangs, and 50 wake-ups a second of rclpy's multi-threaded executor cost a quarter of a core.
"""

from __future__ import annotations

import logging
import math
import threading
import time

from builtin_interfaces.msg import Time
from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Odometry
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import MarkerArray

from roboinstruct_ros import names
from roboinstruct_ros.domain.semantic_map import Pose
from roboinstruct_ros.nodes.qos import LATCHED
from roboinstruct_ros.skill_servers.kit.pose import stamped_pose
from roboinstruct_ros.skill_servers.kit.skill_server import SkillServer
from roboinstruct_ros.skill_servers.sim.floor_plan import Velocity
from roboinstruct_ros.skill_servers.sim.house import House
from roboinstruct_ros.skill_servers.sim.world_messages import odometry, transform, world_markers

PERIOD = 0.02
"""Step period (s) while a goal is in progress."""
STANDING_PERIOD = 0.1
"""Step period (s) otherwise."""
LONGEST_STEP = 0.1
"""Longest step (s): the robot must not jump when the machine stalls."""
POSE_EVERY = 2
STANDING_POSE_PERIOD = 1.0
"""Time between two equal poses, s."""

_log = logging.getLogger(__name__)


class SimLoop:
    """Moves the robot and publishes; hold `lock` to access the house."""

    def __init__(self, node: SkillServer, house: House) -> None:
        self.lock = node.lock
        self._node, self._house, self._activities = node, house, node.activities
        self._odometry = node.create_publisher(Odometry, names.ODOMETRY_TOPIC, 10)
        self._pose = node.create_publisher(PoseStamped, names.ROBOT_POSE_TOPIC, LATCHED)
        self._transform = node.create_publisher(TFMessage, names.TRANSFORM_TOPIC, 10)
        self._markers = node.create_publisher(MarkerArray, names.MARKERS_TOPIC, LATCHED)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sim_loop", daemon=True)
        self._under_way = False
        self._steps, self._shown = 0, -1
        self._shown_pose: tuple[Pose, float] | None = None

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End the clock; the robot stands still."""
        self.halt()
        self._stopping.set()
        self._activities.begun.set()
        self._thread.join(1.0)

    def halt(self) -> None:
        """Stop all motion at once and publish zero velocity on `/odom`."""
        with self.lock:
            for activity in self._activities.running:
                activity.motion = None
            self._publish_motion(Velocity())

    def pose(self) -> PoseStamped:
        return stamped_pose(self._house.pose, self._now())

    def show_world(self) -> None:
        """Publish the markers if something in the world has changed."""
        with self.lock:
            if self._shown != self._house.changes:
                self._markers.publish(world_markers(self._house, self._now()))
                self._shown = self._house.changes

    def _run(self) -> None:
        last = due = time.monotonic()
        while not self._stopping.is_set():
            now = time.monotonic()
            # idle time before a goal does not count towards it
            passed = min(now - last, LONGEST_STEP) if self._under_way else 0.0
            try:
                self._step(passed, now)
            except Exception:
                # The context may end during a publish; log any other error.
                if not self._stopping.is_set() and self._node.context.ok():
                    _log.exception("a step of the simulation failed")
            last = now
            due = max(min(due, now) + (PERIOD if self._under_way else STANDING_PERIOD), now)
            self._activities.begun.wait(max(0.0, due - time.monotonic()))

    def _step(self, passed: float, now: float) -> None:
        with self.lock:
            self._activities.begun.clear()
            factor = self._node.parameters.speed_factor
            velocity = Velocity()
            for activity in self._activities.running:
                activity.advance(passed * factor if factor > 0 else math.inf)
                if activity.motion:
                    self._house.pose = activity.motion.pose_at(activity.elapsed)
                    if not activity.over.is_set():
                        velocity = activity.motion.velocity_at(activity.elapsed)
            self._under_way = any(not one.over.is_set() for one in self._activities.running)
            self._publish_motion(velocity)
        self._show_pose(now)
        self._steps += 1
        self.show_world()

    def _show_pose(self, now: float) -> None:
        """Publish the pose at every other step of a motion, at its end, and periodically."""
        pose = self._house.pose
        if self._shown_pose is not None:
            shown, when = self._shown_pose
            wanted = pose != shown and (self._steps % POSE_EVERY == 0 or not self._under_way)
            if not wanted and now - when < STANDING_POSE_PERIOD:
                return
        self._shown_pose = pose, now
        self._pose.publish(stamped_pose(pose, self._now()))

    def _publish_motion(self, velocity: Velocity) -> None:
        pose, now = self._house.pose, self._now()
        self._odometry.publish(odometry(pose, velocity, now))
        self._transform.publish(transform(pose, now))

    def _now(self) -> Time:
        return self._node.get_clock().now().to_msg()
