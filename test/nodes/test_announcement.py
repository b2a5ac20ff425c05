"""The kiosk has the robot say something outside of any task, on a real graph."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from waiting import until

from roboinstruct_ros import names
from roboinstruct_ros.web.robot_link import AnnouncementEnded, Heard, RobotLink, RobotPose, Speech

pytestmark = pytest.mark.stack

ROBOT = "roboinstruct_ros.skill_servers.sim.node"
TEXT = "In a minute I start by myself: fetch the cup."


@pytest.fixture
def heard() -> list[Heard]:
    return []


@pytest.fixture
def link(ros_domain: int, heard: list[Heard]) -> Iterator[RobotLink]:
    import rclpy

    from roboinstruct_ros.domain.skills import load_domain
    from roboinstruct_ros.execute.run_counters import RunCounters
    from roboinstruct_ros.nodes.kiosk.ros_robot_link import RosRobotLink

    rclpy.init(domain_id=ros_domain)
    node = rclpy.create_node(names.KIOSK_NODE)
    link = RosRobotLink(node, (names.SIM_ROBOT_NODE,), RunCounters(load_domain().skill_names))
    link.listen(heard.append)
    yield link
    link.close()
    node.destroy_node()
    rclpy.shutdown()


class Announcements:
    """Announces one text until somebody serves the skill, each time under a new name."""

    def __init__(self, link: RobotLink, heard: list[Heard]) -> None:
        self.link, self.heard, self.number = link, heard, 0
        self.link.announce(self.name, TEXT)

    @property
    def name(self) -> str:
        return f"announcement {self.number}"

    def ended(self) -> AnnouncementEnded | None:
        mine = (one for one in self.heard if isinstance(one, AnnouncementEnded))
        return next((one for one in mine if one.name == self.name), None)

    def served(self) -> bool:
        """Whether somebody serves the skill; if not, announces once more."""
        told = self.ended()
        if told is not None and "nobody" in told.fault:
            self.number += 1
            self.link.announce(self.name, TEXT)
            return False
        return told is not None or Speech(TEXT) in self.heard


def test_it_is_said_and_nothing_moves(
    link: RobotLink, heard: list[Heard], stack_process: Any
) -> None:
    announcements = Announcements(link, heard)
    told = until(announcements.ended)
    assert told.fault == "nobody serves skills/say"  # at once: nothing waits for a voice
    stack_process(ROBOT, "--ros-args", "-p", "speed_factor:=0.0")
    until(announcements.served)
    assert until(announcements.ended).fault == ""
    until(lambda: Speech(TEXT) in heard)
    poses = {one for one in heard if isinstance(one, RobotPose)}
    assert len(poses) <= 1


def test_a_stop_ends_it(link: RobotLink, heard: list[Heard], stack_process: Any) -> None:
    # the text takes 150 s at this speed
    stack_process(ROBOT, "--ros-args", "-p", "speed_factor:=0.01")
    announcements = Announcements(link, heard)
    until(announcements.served)
    until(lambda: Speech(TEXT) in heard)
    assert announcements.ended() is None
    link.stop("a test", time.time())
    assert "stop" in until(announcements.ended).fault.lower()
