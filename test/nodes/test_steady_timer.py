"""Signs of life that a simulator which holds the clock does not end."""

from __future__ import annotations

import pytest
import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.parameter import Parameter
from waiting import until

from roboinstruct_ros import names
from roboinstruct_ros.nodes.diagnostics import Diagnostics

pytestmark = pytest.mark.stack


def test_a_node_tells_of_its_health_while_its_clock_stands(ros_domain: int) -> None:
    context = Context()
    rclpy.init(context=context, domain_id=ros_domain)
    simulated = [Parameter("use_sim_time", value=True)]  # nobody publishes /clock
    node = rclpy.create_node("standing", context=context, parameter_overrides=simulated)
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)
    heard: list[DiagnosticArray] = []
    node.create_subscription(DiagnosticArray, names.DIAGNOSTICS_TOPIC, heard.append, 10)
    Diagnostics(node, list)
    try:
        until(lambda: executor.spin_once(0.1) or heard)
    finally:
        executor.shutdown()
        node.destroy_node()
        rclpy.shutdown(context=context)
