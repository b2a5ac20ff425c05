"""The server of docs/your_own_skills.md, as it stands there, called by the executor's client.

The robot is scripted: it drives as `cmd_vel` says and tells `robot_pose` where it is.
"""

from __future__ import annotations

import math
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import rclpy
from geometry_msgs.msg import PoseStamped, Twist
from given_time import GivenTime
from rclpy.context import Context
from waiting import LIMIT, until

from roboinstruct_ros import names
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.domain.stop_number import Admission
from roboinstruct_ros.execute.skill_port import SkillOutcome
from roboinstruct_ros.nodes.discovery import wait_discovered
from roboinstruct_ros.nodes.lifeline import Lifeline
from roboinstruct_ros.nodes.patient_executor import PatientExecutor
from roboinstruct_ros.nodes.skill_clients import SkillClients

pytestmark = pytest.mark.stack
PAGE = Path(__file__).resolve().parents[2] / "docs" / "your_own_skills.md"
ROOMS = """\
rooms:
  - {name: kitchen, aliases: [galley], pose: {x: 0.5, y: 0.3, yaw: 0.0}}
  - {name: depot, pose: {x: 500.0, y: 0.0, yaw: 0.0}}
"""
STOPPED_WITHIN = 0.1
"""s, the promise of the skill interface."""
PERIOD = 0.02


class Base:
    """The robot and the executor's side of its skills."""

    def __init__(self, context: Context) -> None:
        self.node = rclpy.create_node("executor", context=context)
        self.x = self.y = 0.0
        self.told = True
        self.commands: list[tuple[float, bool]] = []
        self._twist = Twist()
        self._pose = self.node.create_publisher(PoseStamped, names.ROBOT_POSE_TOPIC, 10)
        self.node.create_subscription(Twist, "cmd_vel", self._drive, 10)
        self.node.create_timer(PERIOD, self._step)
        self.lifeline = Lifeline(self.node)
        self._clients = SkillClients(
            self.node, self.lifeline, ("lab_base",), LIMIT, LIMIT, load_domain()
        )

    def call(self, skill: str, cancel: Admission | None = None, **arguments: str) -> SkillOutcome:
        admission = self.lifeline.stops.admit() if cancel is None else cancel
        return self._clients.call(skill, arguments, admission)

    @contextmanager
    def driving(self, room: str) -> Iterator[tuple[Admission, list[SkillOutcome]]]:
        """Inside, the robot moves; at the end the call has come to its own."""
        admission, outcomes = self.lifeline.stops.admit(), []
        calling = threading.Thread(
            target=lambda: outcomes.append(self.call("go_to", admission, location=room))
        )
        calling.start()
        until(lambda: self.commands and self.commands[-1][1])
        yield admission, outcomes
        calling.join(LIMIT)
        assert outcomes

    def stood_at(self, after: float) -> float:
        """When the last command came that moved the robot, s since the epoch; or `after`."""
        until(lambda: not self.commands[-1][1])
        return max([after, *(at for at, moves in self.commands if moves)])

    def _drive(self, twist: Twist) -> None:
        self._twist = twist
        self.commands.append((time.time(), bool(twist.linear.x or twist.linear.y)))

    def _step(self) -> None:
        self.x += self._twist.linear.x * PERIOD
        self.y += self._twist.linear.y * PERIOD
        message = PoseStamped()
        message.header.frame_id = names.MAP_FRAME
        message.pose.position.x, message.pose.position.y = self.x, self.y
        message.pose.orientation.w = 1.0
        if self.told:
            self._pose.publish(message)


@pytest.fixture
def lab(ros_domain: int, tmp_path: Path) -> Iterator[tuple[Base, subprocess.Popen[str]]]:
    (code,) = re.findall(r"```python lab_base\.py\n(.*?)```", PAGE.read_text(), re.DOTALL)
    (tmp_path / "lab_base.py").write_text(code)
    (tmp_path / "rooms.yaml").write_text(ROOMS)
    given = ["-p", f"map:={tmp_path / 'rooms.yaml'}", "-p", "speed:=1.5"]
    process = subprocess.Popen(
        [sys.executable, str(tmp_path / "lab_base.py"), "--ros-args", *given],
        stderr=subprocess.PIPE,
        text=True,
    )
    context = Context()
    rclpy.init(context=context, domain_id=ros_domain)
    base = Base(context)
    executor = PatientExecutor(4, context=context)
    executor.add_node(base.node)
    spinning = threading.Thread(target=executor.spin, daemon=True)
    spinning.start()
    try:
        assert wait_discovered(base.node, "lab_base", LIMIT)
        yield base, process
    finally:
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=LIMIT)[1]
        executor.shutdown(2.0)
        spinning.join(2.0)
        base.lifeline.close()
        base.node.destroy_node()
        rclpy.try_shutdown(context=context)
    assert process.returncode == 0 and "Traceback" not in said, said


def test_the_server_of_the_page_keeps_to_the_rules(
    lab: tuple[Base, subprocess.Popen[str]],
) -> None:
    base, process = lab
    assert base.call("get_all_rooms").value == ["kitchen", "depot"]
    gone = base.call("go_to", location="galley")
    assert gone.error_code is SkillErrorCode.NONE
    assert math.dist((base.x, base.y), (0.5, 0.3)) < 0.1
    unknown = base.call("go_to", location="kitchn")
    assert unknown.error_code is SkillErrorCode.UNKNOWN_LOCATION
    assert "did you mean 'kitchen'" in unknown.message

    with base.driving("depot") as (admission, outcomes):
        clock = GivenTime(process.pid)
        admission.set()
    assert outcomes[0].error_code is SkillErrorCode.CANCELED
    assert clock.until(base.stood_at(clock.began)) < STOPPED_WITHIN

    with base.driving("depot") as (_, outcomes):
        clock = GivenTime(process.pid)
        base.lifeline.stop("test", "enough")
    assert outcomes[0].error_code in (SkillErrorCode.STOPPED, SkillErrorCode.CANCELED)
    assert clock.until(base.stood_at(clock.began)) < STOPPED_WITHIN

    with base.driving("depot") as (_, outcomes):
        base.told = False
    assert outcomes[0].error_code is SkillErrorCode.NOT_LOCALIZED
    until(lambda: not base.commands[-1][1])


def test_its_code_is_about_forty_lines() -> None:
    (code,) = re.findall(r"```python lab_base\.py\n(.*?)```", PAGE.read_text(), re.DOTALL)
    lines = [line for line in code.splitlines() if line.strip()]
    assert len([line for line in lines if not line.startswith(("import ", "from "))]) <= 50
