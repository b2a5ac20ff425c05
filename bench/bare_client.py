"""A process that makes `say` goals with nothing but rclpy, one after another.

One thread spins, the main thread waits for the futures. A number on its input is answered when so
many goals have come to their end.
"""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path
from typing import Any

import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.task import Future

from roboinstruct_msgs.action import Say
from roboinstruct_ros import names

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "test" / "nodes"))
from goal_client import GoalClient


def main() -> None:
    rclpy.init()
    node = rclpy.create_node("bare_client")
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    # rclpy's own client but for a lock: with two threads that one loses answers
    client = GoalClient(node, Say, names.SAY_ACTION)
    threading.Thread(target=executor.spin, daemon=True).start()
    client.wait_for_server()
    for line in sys.stdin:
        for _ in range(json.loads(line) or 0):
            handle = _waited(client.send_goal_async(Say.Goal(message="hello")))
            _waited(handle.get_result_async())
        print("true", flush=True)


def _waited(future: Future) -> Any:
    done = threading.Event()
    future.add_done_callback(lambda _: done.set())
    done.wait()
    return future.result()


if __name__ == "__main__":
    main()
