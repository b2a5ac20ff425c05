"""Turns an internal error of a skill server into a typed fault and a logged traceback."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

from rclpy.node import Node

from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.nodes.qos import REQUESTS
from roboinstruct_ros.skill_servers.kit.fault import Fault


def internal_fault(node: Node, name: str, error: Exception) -> Fault:
    """Log the traceback once and return the fault for the client."""
    told = "".join(traceback.format_exception(error)).rstrip()
    node.get_logger().error(f"'{name}' failed:\n{told}")
    message = f"an internal fault in '{name}', see the log of {node.get_name()}: {error!r}"
    return Fault(SkillErrorCode.UNKNOWN, message)


def offer_service(
    node: Node, kind: Any, name: str, answer: Callable[[Any, Any], object], group: Any
) -> None:
    """Serve a service whose response has `error_code` and `error_msg`.

    `answer` fills in the response, or returns a `Fault` to report instead.
    """

    def answer_safely(request: Any, response: Any) -> Any:
        try:
            made = answer(request, response)
        except Exception as error:  # rclpy would send no response and end the node
            made = internal_fault(node, name, error)
        if isinstance(made, Fault):
            response = kind.Response(error_code=int(made.code), error_msg=made.message)
        return response

    node.create_service(kind, name, answer_safely, qos_profile=REQUESTS, callback_group=group)
