"""Cancels Nav2's goals beside everything else, with no type of Nav2's own.

A stop needs neither the thread that waits in the navigator (up to 0.1 s at a time) nor the goal's
handle, and it also ends what somebody else has sent.
"""

from __future__ import annotations

import threading

from rclpy.node import Node

from roboinstruct_ros.skill_servers.kit.action_stop import ActionStop

NAVIGATORS = ("navigate_to_pose", "navigate_through_poses", "follow_waypoints")
"""What decides where to go: told first, and enough while they live."""
MOTIONS = (
    "compute_path_to_pose",
    "follow_path",
    "spin",
    "backup",
    "drive_on_heading",
    "assisted_teleop",
)
"""What still moves, or still thinks, when a navigator has died: told a moment later."""

MOMENT = 0.04
"""s that a navigator gets to end its own motions, so that it does not take them for failures."""


class Nav2Stop(ActionStop):
    """The actions of Nav2 that move the robot."""

    def __init__(self, node: Node) -> None:
        super().__init__(node, (*NAVIGATORS, *MOTIONS))
        self._lock = threading.Lock()
        self._later: threading.Timer | None = None

    def halt(self) -> None:
        """Cancel every goal of the navigators now, and of what moves the robot `MOMENT` later."""
        self.cancel(NAVIGATORS)
        with self._lock:
            if self._later is None:
                self._later = threading.Timer(MOMENT, self._halt_rest)
                self._later.daemon = True
                self._later.start()

    def heard(self, limit: float) -> bool:
        """Whether a cancel of `navigate_to_pose` is answered within `limit` s."""
        return self.answers(limit, NAVIGATORS[:1])

    def finish(self) -> None:
        """Send what is still to be sent; afterwards the node may be destroyed."""
        with self._lock:
            later = self._later
        if later is not None:
            later.join()

    def _halt_rest(self) -> None:
        self.cancel(MOTIONS)
        with self._lock:
            self._later = None
