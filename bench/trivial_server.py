"""A skill server that does nothing; `say("report")` prints when its goals came, s."""

from __future__ import annotations

import json
import time
from typing import Any

import rclpy
from rclpy.action import ActionServer
from rclpy.executors import ExternalShutdownException

from roboinstruct_msgs.action import Say
from roboinstruct_ros import names


def main() -> None:
    rclpy.init()
    node = rclpy.create_node("trivial_server")
    times: list[float] = []

    def execute(goal: Any) -> Say.Result:
        times.append(time.monotonic())
        if goal.request.message == "report":
            print(json.dumps(times), flush=True)
            times.clear()
        goal.succeed()
        return Say.Result()

    ActionServer(node, Say, names.SAY_ACTION, execute)
    try:
        rclpy.spin(node)
    except (KeyboardInterrupt, ExternalShutdownException):
        return


if __name__ == "__main__":
    main()
