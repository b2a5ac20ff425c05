"""A process that serves `say`, does each goal at once, and knows when each of them came.

A line on its input is answered with the moments (s, monotonic) of the goals since the line before.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from typing import Any

import rclpy
from rclpy.action import ActionServer, GoalResponse
from rclpy.executors import ExternalShutdownException

from roboinstruct_msgs.action import Say
from roboinstruct_ros import names
from roboinstruct_ros.nodes.qos import ACTION

_KEPT = 2  # s that results are kept; rclpy's 900 s would make each status message longer


def main() -> None:
    came: list[float] = []

    def note(goal: Say.Goal) -> GoalResponse:
        came.append(time.monotonic())
        return GoalResponse.ACCEPT

    def done(goal: Any) -> Say.Result:
        goal.succeed()
        return Say.Result()

    rclpy.init()
    node = rclpy.create_node("answering_robot")
    ActionServer(
        node, Say, names.SAY_ACTION, done, goal_callback=note, result_timeout=_KEPT, **ACTION
    )
    threading.Thread(target=_answer, args=(came,), daemon=True).start()
    try:
        rclpy.spin(node)
    except (KeyboardInterrupt, ExternalShutdownException):
        return


def _answer(came: list[float]) -> None:
    for _ in sys.stdin:
        told = came[:]
        del came[: len(told)]
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
