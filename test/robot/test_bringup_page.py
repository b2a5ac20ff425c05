"""What docs/robot_bringup.md shows can be used as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import rclpy
from rclpy.context import Context

from roboinstruct_ros.domain.policies import load_policies
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.nodes.parameters import declare
from roboinstruct_ros.skill_servers.nav2.parameters import Nav2Parameters
from roboinstruct_ros.verify.verifier import verify

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "robot_bringup.md").read_text()


def block(kind: str, folder: Path) -> Path:
    (text,) = re.findall(rf"```yaml {kind}\n(.*?)```", PAGE, re.DOTALL)
    path = folder / f"{kind}.yaml"
    path.write_text(text)
    return path


def test_the_map_can_be_read(tmp_path: Path) -> None:
    rooms = load_semantic_map(block("map", tmp_path))
    assert rooms.resolve("copy room") == "printer room"
    assert rooms.room_at(2.0, 0.0) == "kitchen"


@pytest.mark.stack
def test_the_parameters_are_taken(tmp_path: Path, ros_domain: int) -> None:
    context = Context()
    file = block("parameters", tmp_path)
    file.write_text(file.read_text().replace("go_to_limit: 300.0", "go_to_limit: 301.0"))
    rclpy.init(
        args=["--ros-args", "--params-file", str(file)], context=context, domain_id=ros_domain
    )
    node = rclpy.create_node("nav2_skills", context=context)
    try:
        assert declare(node, Nav2Parameters()).go_to_limit == 301.0
        given = re.findall(r"^    (\w+):", file.read_text(), re.MULTILINE)
        assert len(given) == 5 and all(node.has_parameter(name) for name in given)
    finally:
        node.destroy_node()
        rclpy.shutdown(context=context)


def test_a_robot_without_an_arm_refuses_programs_that_pick(tmp_path: Path) -> None:
    domain = load_domain()
    rooms = load_semantic_map(block("map", tmp_path))
    policies = load_policies(domain, block("policies", tmp_path))
    program = 'def task_program():\n    go_to("kitchen")\n    pick("cup")\n'
    verdict = verify(program, domain, rooms, policies)
    assert not verdict.accepted and "no arm" in verdict.violations[0].message
