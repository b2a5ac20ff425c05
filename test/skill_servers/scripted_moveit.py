"""An arm's process without MoveIt: a crane whose ways go to a controller, as MoveIt's do.

Run as a program it is the node `moveit_skills` with this arm. Like MoveIt's bindings it holds the
interpreter's lock while it plans. `SCRIPTED_ARM` in the environment says what goes wrong.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import rclpy
import robot_interfaces  # noqa: F401
from builtin_interfaces.msg import Duration
from control_msgs.action import FollowJointTrajectory
from gantry import HOME, JOINTS, straight
from rclpy.executors import SingleThreadedExecutor
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from trajectory_msgs.msg import JointTrajectoryPoint

from roboinstruct_ros.nodes.qos import LATCHED
from roboinstruct_ros.nodes.result_client import ResultClient
from roboinstruct_ros.skill_servers.kit.rotation import Placement
from roboinstruct_ros.skill_servers.moveit.arm import ArmFault, ArmProblem, NotYet, Plan
from roboinstruct_ros.skill_servers.moveit.grasp_plan import Box
from roboinstruct_ros.skill_servers.moveit.node import main

CONTROLLER = "arm_controller/follow_joint_trajectory"


class ScriptedArm:
    """An `Arm` where it runs.

    Its script: `plan_seconds` for each plan; `refuse` every one; `speed` in m/s; `deaf` to stops;
    `late` is a file without which it can be made, and which the first try takes away;
    `bend` straight ways by so many m; `elsewhere` begins plans so many m from where the arm is.
    """

    def __init__(self, script: Mapping[str, Any]) -> None:
        self._script = script
        rclpy.init()
        self._node = rclpy.create_node("scripted_moveit")
        self._client = ResultClient(self._node, FollowJointTrajectory, CONTROLLER)
        self._shown = self._node.create_publisher(String, "scripted_scene", LATCHED)
        self._at = HOME
        self._heard = threading.Event()
        self._node.create_subscription(JointState, "joint_states", self._hear, 10)
        self._scene: dict[str, list[str]] = {"shown": [], "attached": []}
        self._goal: Any = None
        executor = SingleThreadedExecutor()
        executor.add_node(self._node)
        threading.Thread(target=executor.spin, daemon=True).start()
        assert self._heard.wait(60)
        assert self._client.wait_ready(20)

    def plan(self, goal: Placement | str, line: bool = False) -> Plan:
        seconds = self._script.get("plan_seconds", 0.0)
        ctypes.PyDLL(None).usleep(int(seconds * 1e6))  # does not let other threads run
        if self._script.get("refuse"):
            raise ArmFault(ArmProblem.NO_PLAN, "scripted: no way")
        end = HOME if isinstance(goal, str) else goal.position
        x, y, z = self._at
        begin = (x + self._script.get("elsewhere", 0.0), y, z)
        way = straight(begin, end, self._script.get("speed", 1.0))
        return way

    def execute(self, way: Plan) -> None:
        goal = FollowJointTrajectory.Goal()
        goal.trajectory.joint_names = list(JOINTS)
        for index, tip in enumerate(way.tips):
            seconds = way.duration * index / (len(way.tips) - 1)
            when = Duration(sec=int(seconds), nanosec=int(seconds % 1 * 1e9))
            point = JointTrajectoryPoint(positions=list(tip), time_from_start=when)
            goal.trajectory.points.append(point)
        self._goal = self._client.send(goal)
        self._goal.over.wait()
        status = self._goal.response.status
        self._goal = None
        if status != 4:
            raise ArmFault(ArmProblem.NOT_EXECUTED, f"the controller ended with status {status}")

    def stop(self) -> None:
        goal = self._goal
        if goal is not None and not self._script.get("deaf"):
            goal.cancel()

    def show(self, boxes: Sequence[Box]) -> None:
        self._tell(shown=[box.id for box in boxes])

    def attach(self, box: Box) -> None:
        self._tell(attached=[box.id])

    def detach(self, box: Box) -> None:
        self._tell(attached=[])

    def _tell(self, **changed: list[str]) -> None:
        self._scene.update(changed)
        self._shown.publish(String(data=json.dumps(self._scene)))

    def _hear(self, message: JointState) -> None:
        if list(message.name) == list(JOINTS):
            x, y, z = message.position
            self._at = (x, y, z)
            self._heard.set()


def make(settings: Mapping[str, Any]) -> ScriptedArm:
    script = json.loads(os.environ.get("SCRIPTED_ARM", "{}"))
    late = Path(script.get("late", os.devnull))
    if late.is_file():
        late.unlink()
        raise NotYet("scripted: something may come yet")
    return ScriptedArm(script)


if __name__ == "__main__":
    sys.exit(main(make_arm="scripted_moveit:make"))
