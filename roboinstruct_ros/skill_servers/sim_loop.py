"""The simulated robot's clock: a 50 Hz thread that moves it and tells viewers where it is.

A thread of its own and no ROS timer: motion must neither wait for a busy callback nor go on when
one hangs, and 50 wake-ups a second of rclpy's multi-threaded executor cost a quarter of a core.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable

from geometry_msgs.msg import PoseStamped, TransformStamped
from nav_msgs.msg import Odometry
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from visualization_msgs.msg import MarkerArray

from roboinstruct_ros import names
from roboinstruct_ros.skill_servers.activity import Activities
from roboinstruct_ros.skill_servers.floor_plan import Velocity
from roboinstruct_ros.skill_servers.house import House
from roboinstruct_ros.skill_servers.world_messages import (
    odometry,
    stamped_pose,
    transform,
    world_markers,
)

PERIOD = 0.02
"""Time between two steps, s."""
LONGEST_STEP = 0.1
"""A machine that stalls must not make the robot jump, s."""
POSE_EVERY = 2

LATCHED = QoSProfile(
    depth=1,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
)

_log = logging.getLogger(__name__)


class SimLoop:
    """Moves the robot along and publishes; whoever touches the house holds `lock`."""

    def __init__(
        self, node: Node, house: House, activities: Activities, speed_factor: Callable[[], float]
    ) -> None:
        """Makes the publishers; `speed_factor` gives the factor in force (0: at once)."""
        self.lock = threading.RLock()
        self._node, self._house, self._activities = node, house, activities
        self._speed_factor = speed_factor
        self._odometry = node.create_publisher(Odometry, names.ODOMETRY_TOPIC, 10)
        self._pose = node.create_publisher(PoseStamped, names.ROBOT_POSE_TOPIC, LATCHED)
        self._transform = node.create_publisher(TransformStamped, names.TRANSFORM_TOPIC, 10)
        self._markers = node.create_publisher(MarkerArray, names.MARKERS_TOPIC, LATCHED)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sim_loop", daemon=True)
        self._steps, self._shown = 0, -1

    def start(self) -> None:
        """Starts the clock."""
        self._thread.start()

    def stop(self) -> None:
        """Ends the clock; the robot stands still."""
        self.halt()
        self._stopping.set()
        self._thread.join(1.0)

    def halt(self) -> None:
        """Takes every motion away at once and says so on `/odom`."""
        with self.lock:
            for activity in self._activities.running:
                activity.motion = None
            self._publish_odometry(Velocity())

    def end(self) -> None:
        """The same: only its own goals move it."""
        self.halt()

    def show_world(self) -> None:
        """Publishes the markers if something in the world changed."""
        with self.lock:
            if self._shown != self._house.changes:
                self._markers.publish(world_markers(self._house, self._now()))
                self._shown = self._house.changes

    def _run(self) -> None:
        last = due = time.monotonic()
        while not self._stopping.wait(max(0.0, due - time.monotonic())):
            now = time.monotonic()
            try:
                self._step(min(now - last, LONGEST_STEP))
            except Exception:
                # The context may end under a publisher; anything else must be seen.
                if not self._stopping.is_set() and self._node.context.ok():
                    _log.exception("a step of the simulation failed")
            last = now
            due = max(due + PERIOD, now)

    def _step(self, passed: float) -> None:
        with self.lock:
            factor = self._speed_factor()
            velocity = Velocity()
            for activity in self._activities.running:
                activity.advance(passed * factor if factor > 0 else math.inf)
                if activity.motion:
                    self._house.pose = activity.motion.pose_at(activity.elapsed)
                    velocity = activity.velocity
            self._publish_odometry(velocity)
        if self._steps % POSE_EVERY == 0:
            self._pose.publish(stamped_pose(self._house.pose, self._now()))
            self._transform.publish(transform(self._house.pose, self._now()))
        self._steps += 1
        self.show_world()

    def _publish_odometry(self, velocity: Velocity) -> None:
        self._odometry.publish(odometry(self._house.pose, velocity, self._now()))

    def _now(self):  # type: ignore[no-untyped-def]
        return self._node.get_clock().now().to_msg()
