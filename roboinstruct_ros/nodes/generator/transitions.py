"""Answers requests for a transition that the present state of a lifecycle node does not have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lifecycle_msgs.srv import ChangeState
from rclpy.action.server import RCLError
from rclpy.lifecycle import LifecycleNode


def answer_invalid_transitions(node: LifecycleNode) -> None:
    """Let the node answer them with success=False, where rclpy would raise and so end the node."""

    def answered(change: Callable[..., Any]) -> Callable[..., Any]:
        def answer(request: ChangeState.Request, response: ChangeState.Response) -> Any:
            try:
                return change(request, response)
            except RCLError as error:
                told = str(error).partition(", at ")[0]  # without the place in rcl's source
                node.get_logger().warning(f"transition {request.transition.id} refused: {told}")
                response.success = False
                return response

        return answer

    for service in node.services:
        if service.srv_type is ChangeState:
            service.callback = answered(service.callback)
