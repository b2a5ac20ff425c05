"""The name of the robot that a node works for."""

from __future__ import annotations

from rclpy.node import Node

from roboinstruct_ros.domain.robot_name import RobotName
from roboinstruct_ros.domain.skills import Domain


def robot_of(node: Node, domain: Domain) -> RobotName:
    """The same in each node of a stack."""
    return RobotName(node.context.get_domain_id(), node.get_namespace().strip("/"), domain.name)
