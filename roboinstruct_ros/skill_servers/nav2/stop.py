"""Cancels Nav2's goals beside everything else, with no type of Nav2's own.

An action's cancel service is `action_msgs/srv/CancelGoal` whatever the action is, and a request
without a goal id means every goal. So a stop needs neither the thread that waits in the navigator
(up to 0.1 s at a time) nor the goal's handle, and it also ends what somebody else has sent.
Source: the cancel policy in action_msgs/srv/CancelGoal.
"""

from __future__ import annotations

import threading
import uuid
from typing import Any

from action_msgs.srv import CancelGoal
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.node import Node

from roboinstruct_ros.skill_servers.nav2.drive import ACTIONS

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


class Nav2Stop:
    """Clients of the cancel services; `halt` never blocks. Thread-safe."""

    def __init__(self, node: Node) -> None:
        """Makes the clients, so that discovery is over when they are needed."""
        group = ReentrantCallbackGroup()
        self._clients = {
            action: node.create_client(
                CancelGoal, f"{action}/_action/cancel_goal", callback_group=group
            )
            for action in (*NAVIGATORS, *MOTIONS)
        }
        self._lock = threading.Lock()
        self._later: threading.Timer | None = None

    def halt(self) -> None:
        """Cancels every goal of the navigators now, and of what moves the robot `MOMENT` later."""
        self.cancel(NAVIGATORS)
        with self._lock:
            if self._later is None:
                self._later = threading.Timer(MOMENT, self._halt_rest)
                self._later.daemon = True
                self._later.start()

    def end(self, goal_id: Any) -> None:
        """Cancels one goal of a drive (`unique_identifier_msgs/UUID`), and no other."""
        request = CancelGoal.Request()
        request.goal_info.goal_id = goal_id
        for client in map(self._clients.__getitem__, ACTIONS):
            if client.service_is_ready():
                client.call_async(request)

    def answers(self, limit: float) -> bool:
        """Whether a cancel of `navigate_to_pose` is answered within `limit` s.

        Asks to cancel a goal that does not exist, which ends nothing: who is about to move the
        robot learns whether a stop would be heard.
        """
        client = self._clients[NAVIGATORS[0]]
        if not client.service_is_ready():
            return False
        request = CancelGoal.Request()
        request.goal_info.goal_id.uuid = list(uuid.uuid4().bytes)
        answered = threading.Event()
        client.call_async(request).add_done_callback(lambda _: answered.set())
        return answered.wait(limit)

    def cancel(self, actions: tuple[str, ...]) -> list[Any]:
        """Cancels every goal of these actions; gives the futures of the servers that are there."""
        there = [self._clients[action] for action in actions]
        return [c.call_async(CancelGoal.Request()) for c in there if c.service_is_ready()]

    def finish(self) -> None:
        """Sends what is still to be sent; afterwards the node may be destroyed."""
        with self._lock:
            later = self._later
        if later is not None:
            later.join()

    def _halt_rest(self) -> None:
        self.cancel(MOTIONS)
        with self._lock:
            self._later = None
