"""`BasicNavigator` where nav2_simple_commander is not installed: the same calls on stand-in types.

Run as a program it is the node `nav2_skills` with this navigator. Like the real one it is a node of
its own, spins itself in every call, waits for servers for ever, and looks at a goal for 0.1 s.
"""

from __future__ import annotations

import sys
from enum import Enum
from types import SimpleNamespace
from typing import Any

import rclpy
from action_msgs.msg import GoalStatus
from nav2_dialect import StandInTypes
from rclpy.action import ActionClient
from rclpy.node import Node

from roboinstruct_ros.skill_servers.nav2.link import CLEAR_SERVICES
from roboinstruct_ros.skill_servers.nav2.node import main


class TaskResult(Enum):
    UNKNOWN = 0
    SUCCEEDED = 1
    CANCELED = 2
    FAILED = 3


class StandInNavigator(Node):
    def __init__(self, node_name: str = "basic_navigator", namespace: str = "") -> None:
        super().__init__(node_name, namespace=namespace)
        self.result_future: Any = None
        self.goal_handle: Any = None
        self._feedback: Any = None
        self._status = GoalStatus.STATUS_UNKNOWN
        self._go = ActionClient(self, StandInTypes.navigate, "navigate_to_pose")
        self._plan = ActionClient(self, StandInTypes.plan, "compute_path_to_pose")
        self._clear = [self.create_client(StandInTypes.clear, name) for name in CLEAR_SERVICES]

    def getPath(self, start: Any, goal: Any, planner_id: str = "", use_start: bool = False) -> Any:
        if not self._send(self._plan, goal, None):
            return None
        rclpy.spin_until_future_complete(self, self.result_future)
        succeeded = self.result_future.result().status == GoalStatus.STATUS_SUCCEEDED
        return SimpleNamespace(poses=[goal]) if succeeded else None

    def goToPose(self, pose: Any, behavior_tree: str = "") -> Any:
        return self._send(self._go, pose, self._hear)

    def isTaskComplete(self) -> bool:
        if not self.result_future:
            return True
        rclpy.spin_until_future_complete(self, self.result_future, timeout_sec=0.1)
        if not self.result_future.result():
            return False
        self._status = self.result_future.result().status
        return True

    def getFeedback(self) -> Any:
        return self._feedback

    def getResult(self) -> TaskResult:
        return {
            GoalStatus.STATUS_SUCCEEDED: TaskResult.SUCCEEDED,
            GoalStatus.STATUS_CANCELED: TaskResult.CANCELED,
            GoalStatus.STATUS_ABORTED: TaskResult.FAILED,
        }.get(self._status, TaskResult.UNKNOWN)

    def clearAllCostmaps(self) -> None:
        for client in self._clear:
            client.wait_for_service()
            asked = client.call_async(StandInTypes.clear.Request())
            rclpy.spin_until_future_complete(self, asked)

    def _send(self, client: ActionClient, pose: Any, hear: Any) -> bool:
        client.wait_for_server()
        sent = client.send_goal_async(StandInTypes.goal(pose), hear)
        rclpy.spin_until_future_complete(self, sent)
        self.goal_handle = sent.result()
        if not self.goal_handle.accepted:
            return False
        self.result_future = self.goal_handle.get_result_async()
        return True

    def _hear(self, message: Any) -> None:
        self._feedback = StandInTypes.as_nav2(message.feedback)


def make(node: Node) -> StandInNavigator:
    return StandInNavigator(f"{node.get_name()}_navigator", node.get_namespace())


if __name__ == "__main__":
    sys.exit(main(make=make))
