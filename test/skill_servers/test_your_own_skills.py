"""The server of docs/your_own_skills.md, as it stands there, called by the executor's client.

The robot is scripted: it drives as `cmd_vel` says and tells `robot_pose` where it is.
"""

from __future__ import annotations

import math
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from geometry_msgs.msg import PoseStamped, Twist
from given_time import GivenTime
from node_process import node_process
from rclpy.action import ActionServer
from scripted_node import ScriptedNode
from waiting import LIMIT, until

from roboinstruct_msgs.action import GoTo, Say
from roboinstruct_ros import names
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.domain.stop_number import Admission
from roboinstruct_ros.execute.skill_port import SkillOutcome
from roboinstruct_ros.nodes.discovery import servers_of, wait_discovered
from roboinstruct_ros.nodes.skill_clients import SkillClients
from roboinstruct_ros.nodes.stop_link import StopLink

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


class Base(ScriptedNode):
    """The robot and the executor's side of its skills."""

    def __init__(self, domain: int) -> None:
        super().__init__("executor", domain)
        self.x = self.y = 0.0
        self.told = True
        self.commands: list[tuple[float, bool]] = []
        self._twist = Twist()
        self._pose = self.node.create_publisher(PoseStamped, names.ROBOT_POSE_TOPIC, 10)
        self.node.create_subscription(Twist, "cmd_vel", self._drive, 10)
        self.node.create_timer(PERIOD, self._step)
        self.stop_link = StopLink(self.node)
        self._clients = SkillClients(
            self.node, self.stop_link, ("lab_base",), LIMIT, LIMIT, load_domain()
        )

    def __exit__(self, *raised: object) -> None:
        self.stop_link.close()
        super().__exit__(*raised)

    def call(self, skill: str, cancel: Admission | None = None, **arguments: str) -> SkillOutcome:
        admission = self.stop_link.stops.admit() if cancel is None else cancel
        return self._clients.call(skill, arguments, admission)

    @contextmanager
    def driving(self, room: str) -> Iterator[tuple[Admission, list[SkillOutcome]]]:
        """Inside, the robot moves; at the end the call has come to its own."""
        admission, outcomes = self.stop_link.stops.admit(), []
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
    started_by = [sys.executable, str(tmp_path / "lab_base.py"), "--ros-args"]
    with (
        Base(ros_domain) as base,
        node_process(started_by, {"map": tmp_path / "rooms.yaml", "speed": 1.5}) as process,
    ):
        assert wait_discovered(base.node, "lab_base", LIMIT)
        until(lambda: base.call("go_to", location="kitchen").error_code is SkillErrorCode.NONE)
        yield base, process  # which hears the poses


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
        base.stop_link.stop("test", "enough")
    assert outcomes[0].error_code in (SkillErrorCode.STOPPED, SkillErrorCode.CANCELED)
    assert clock.until(base.stood_at(clock.began)) < STOPPED_WITHIN

    with base.driving("depot") as (_, outcomes):
        base.told = False
    assert outcomes[0].error_code is SkillErrorCode.NOT_LOCALIZED
    until(lambda: not base.commands[-1][1])


def offering(base: Base, action: str) -> list[str]:
    return [node for node, _ in servers_of(base.node, action)]


def test_of_two_robots_that_offer_a_skill_neither_gets_the_goal(
    lab: tuple[Base, subprocess.Popen[str]], ros_domain: int
) -> None:
    base, _ = lab
    driven: list[Any] = []
    with ScriptedNode("sim_robot", ros_domain) as other:
        offered = ActionServer(other.node, GoTo, "skills/go_to", driven.append)
        until(lambda: offering(base, "skills/go_to") == ["/lab_base", "/sim_robot"])
        outcome = base.call("go_to", location="kitchen")
        assert outcome.error_code is SkillErrorCode.SERVER_UNAVAILABLE
        assert outcome.message == (
            "2 nodes offer 'skills/go_to': /lab_base, /sim_robot; end all but one"
        )
        offered.destroy()
    until(lambda: offering(base, "skills/go_to") == ["/lab_base"])
    assert base.call("go_to", location="kitchen").error_code is SkillErrorCode.NONE
    assert not driven


def test_a_server_that_was_started_twice_gets_no_goal(
    lab: tuple[Base, subprocess.Popen[str]], ros_domain: int
) -> None:
    base, _ = lab
    said: list[Any] = []
    with ScriptedNode("mouth", ros_domain) as one, ScriptedNode("mouth", ros_domain) as other:
        offered = [ActionServer(each.node, Say, "skills/say", said.append) for each in (one, other)]
        until(lambda: offering(base, "skills/say") == ["/mouth", "/mouth"])
        outcome = base.call("say", message="hello")
        assert outcome.error_code is SkillErrorCode.SERVER_UNAVAILABLE
        assert outcome.message == "/mouth was started twice; end one of the two"
        for each in offered:
            each.destroy()
    assert not said


def test_a_server_of_another_type_is_named(
    lab: tuple[Base, subprocess.Popen[str]], ros_domain: int
) -> None:
    base, _ = lab
    with ScriptedNode("mouth", ros_domain) as other:
        offered = ActionServer(other.node, GoTo, "skills/say", lambda goal: GoTo.Result())
        until(lambda: offering(base, "skills/say") == ["/mouth"])
        outcome = base.call("say", message="hello")
        offered.destroy()
    assert outcome.error_code is SkillErrorCode.SERVER_UNAVAILABLE
    assert outcome.message == (
        "/mouth offers 'skills/say' as roboinstruct_msgs/action/GoTo, "
        "not roboinstruct_msgs/action/Say"
    )


def test_its_code_is_about_forty_lines() -> None:
    (code,) = re.findall(r"```python lab_base\.py\n(.*?)```", PAGE.read_text(), re.DOTALL)
    lines = [line for line in code.splitlines() if line.strip()]
    assert len([line for line in lines if not line.startswith(("import ", "from "))]) <= 50
