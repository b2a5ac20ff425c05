"""The calls of `BasicNavigator` that are used.

Like the real one it is a node of its own, spins itself in every call, and waits for servers for
ever.
"""

from __future__ import annotations

from typing import Any

import rclpy
from action_msgs.msg import GoalStatus
from nav2_msgs.action import ComputePathToPose
from nav2_msgs.srv import ClearEntireCostmap
from rclpy.action import ActionClient
from rclpy.node import Node

from roboinstruct_ros.skill_servers.nav2.link import CLEAR_SERVICES


class BasicNavigator(Node):
    def __init__(self, node_name: str = "basic_navigator", namespace: str = "") -> None:
        super().__init__(node_name, namespace=namespace)
        self.result_future: Any = None
        self._plan = ActionClient(self, ComputePathToPose, "compute_path_to_pose")
        self._clear = [self.create_client(ClearEntireCostmap, name) for name in CLEAR_SERVICES]

    def getPath(self, start: Any, goal: Any, planner_id: str = "", use_start: bool = False) -> Any:
        self._plan.wait_for_server()
        asked = ComputePathToPose.Goal(start=start, goal=goal, planner_id=planner_id)
        sent = self._plan.send_goal_async(asked)
        rclpy.spin_until_future_complete(self, sent)
        if not sent.result().accepted:
            return None
        self.result_future = sent.result().get_result_async()
        rclpy.spin_until_future_complete(self, self.result_future)
        succeeded = self.result_future.result().status == GoalStatus.STATUS_SUCCEEDED
        return self.result_future.result().result.path if succeeded else None

    def clearAllCostmaps(self) -> None:
        for client in self._clear:
            client.wait_for_service()
            asked = client.call_async(ClearEntireCostmap.Request())
            rclpy.spin_until_future_complete(self, asked)
