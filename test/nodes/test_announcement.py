"""The kiosk has the robot say something outside of any task, on a real graph."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from roboinstruct_ros import names
from roboinstruct_ros.web.robot_link import AnnouncementEnded, Heard, RobotLink, RobotPose, Speech

pytestmark = pytest.mark.stack

LIMIT = 60.0  # s, for anything that should happen soon on a busy machine
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


def until(found: Callable[[], Any]) -> Any:
    limit = time.monotonic() + LIMIT
    while not (there := found()):
        assert time.monotonic() < limit, "waited in vain"
        time.sleep(0.01)
    return there


def ended(heard: list[Heard], name: str) -> AnnouncementEnded | None:
    mine = (one for one in heard if isinstance(one, AnnouncementEnded) and one.name == name)
    return next(mine, None)


def served(link: RobotLink, heard: list[Heard], name: str) -> AnnouncementEnded:
    """What came of it, as soon as somebody serves the skill."""
    for number in range(1000):
        link.announce(f"{name}{number}", TEXT)
        told = until(lambda number=number: ended(heard, f"{name}{number}"))
        if "nobody" not in told.fault:
            return told
        time.sleep(0.05)
    raise AssertionError("nobody serves it")


def test_it_is_said_and_nothing_moves(
    link: RobotLink, heard: list[Heard], stack_process: Any
) -> None:
    link.announce("early", TEXT)
    told = until(lambda: ended(heard, "early"))
    assert told.fault == "nobody serves skills/say"  # at once: nothing waits for a voice
    stack_process("roboinstruct_ros.skill_servers.sim.node", "--ros-args", "-p", "speed:=0.0")
    assert served(link, heard, "said").fault == ""
    until(lambda: Speech(TEXT) in heard)
    poses = {one for one in heard if isinstance(one, RobotPose)}
    assert len(poses) <= 1


def test_a_stop_ends_it(link: RobotLink, heard: list[Heard], stack_process: Any) -> None:
    stack_process("roboinstruct_ros.skill_servers.sim.node", "--ros-args", "-p", "speed:=0.01")
    for number in range(1000):  # until the skill is served
        link.announce(str(number), TEXT)  # 150 s at this speed
        until(lambda number=number: Speech(TEXT) in heard or ended(heard, str(number)))
        if Speech(TEXT) in heard:
            break
        time.sleep(0.05)
    assert ended(heard, str(number)) is None
    link.stop("a test", time.time())
    assert "stop" in until(lambda: ended(heard, str(number))).fault.lower()
