"""The executor's parameters; `docs/interfaces.md` lists them."""

from __future__ import annotations

from typing import Any

from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor
from rclpy.node import Node

from roboinstruct_ros import names
from roboinstruct_ros.execute.journal import default_folder
from roboinstruct_ros.execute.run_monitor import OnHazard


def declare_parameters(node: Node) -> None:
    """Declare all that the node itself reads; each is read once, at the start."""

    def declare(name: str, default: Any, text: str, **limits: Any) -> None:
        descriptor = ParameterDescriptor(description=text, read_only=True, **limits)
        node.declare_parameter(name, default, descriptor)

    def count(name: str, default: int, text: str, least: int, most: int) -> None:
        within = IntegerRange(from_value=least, to_value=most, step=1)
        declare(name, default, text, integer_range=[within])

    def seconds(name: str, default: float, text: str, most: float) -> None:
        within = FloatingPointRange(from_value=0.1, to_value=most)
        declare(name, default, text, floating_point_range=[within])

    declare("map", "", "world or map YAML, path or shipped name; programs may name its rooms only; "
            "empty allows any room")  # fmt: skip
    declare("policies", "", "policies YAML that every program must keep; empty is the shipped one")
    declare("recovery", "", "recovery YAML: what is tried when a skill fails; empty is the shipped "
            "one")  # fmt: skip
    declare("journal", str(default_folder()), "folder of the journals of runs; empty keeps none, "
            "and nothing can be resumed")  # fmt: skip
    declare("on_hazard", OnHazard.PAUSE.value, "what is done when the rest of a program could go "
            "wrong after what really happened: warn, pause or stop")  # fmt: skip
    count("queue_length", 4, "tasks that may wait for their turn", 0, 4)
    count("max_calls", 10_000, "skill calls that one program may make", 1, 1_000_000)
    count("seed", -1, "of the random numbers of every program; -1 draws one for each run", -1,
          2**31 - 1)  # fmt: skip
    declare("skill_server_nodes", [names.SIM_ROBOT_NODE], "nodes whose heartbeat must not end "
            "during a skill call")  # fmt: skip
    seconds("skill_ready_limit", 5.0, "how long to wait for a skill server that is not there, s",
            60.0)  # fmt: skip
    seconds("skill_call_limit", 3600.0, "longest that one skill call may take, s", 86_400.0)
