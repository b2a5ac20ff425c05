"""The kiosk's word for a generator that was started twice, on a real graph."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import rclpy
from rclpy.action import ActionServer
from waiting import until

from roboinstruct_msgs.action import GenerateProgram
from roboinstruct_ros import names
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.execute.run_counters import RunCounters
from roboinstruct_ros.nodes.kiosk.ros_robot_link import RosRobotLink
from roboinstruct_ros.web.robot_link import Heard, JobEnded
from roboinstruct_ros.web.web_error import WebError

pytestmark = pytest.mark.stack


@pytest.fixture
def heard() -> list[Heard]:
    return []


@pytest.fixture
def link(ros_domain: int, heard: list[Heard]) -> Iterator[RosRobotLink]:
    rclpy.init(domain_id=ros_domain)
    generator, kiosk = map(rclpy.create_node, (names.GENERATOR_NODE, names.KIOSK_NODE))
    kind, name = GenerateProgram, names.GENERATE_PROGRAM_ACTION
    server = ActionServer(generator, kind, name, lambda goal: kind.Result())
    link = RosRobotLink(kiosk, (), RunCounters(load_domain().skill_names))
    link.listen(heard.append)
    yield link
    link.close()
    server.destroy()
    generator.destroy_node()
    kiosk.destroy_node()
    rclpy.shutdown()


def test_the_end_of_a_program_says_that_the_generator_runs_twice(
    link: RosRobotLink, heard: list[Heard]
) -> None:
    def beat(sessions: str) -> None:
        for session in sessions:
            link._monitor.note(names.GENERATOR_NODE, session)

    def sent() -> bool:
        beat("aba")
        try:
            link.generate("t1", "Go to the kitchen", "somebody")
        except WebError:  # the generator is not discovered yet
            return False
        beat("b")
        return True

    until(sent)
    end = until(lambda: next((one for one in heard if isinstance(one, JobEnded)), None))
    assert end.data["error_msg"] == "the node 'generator' runs twice; end one"
