"""How a node's process ends."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

pytestmark = pytest.mark.stack

NODE = """
import sys, threading
from rclpy.node import Node
from roboinstruct_ros.nodes.node_process import run_node

class Hanging(Node):
    def __init__(self):
        super().__init__("hanging")
        self.create_timer(0.05, lambda: print("spun", flush=True))

    def halt(self):
        if "halt" in sys.argv:
            threading.Event().wait()

    def close(self):
        if "close" in sys.argv:
            threading.Event().wait()

sys.exit(run_node(Hanging))
"""


@pytest.mark.parametrize(
    ("where", "code", "said"),
    [("nowhere", 0, []), ("halt", 1, ["hanging"]), ("close", 1, ["hanging"])],
)
def test_an_end_that_hangs_is_seen_by_the_exit_code_and_said_in_a_line(
    where: str, code: int, said: list[str], ros_domain: int
) -> None:
    command = [sys.executable, "-c", NODE, where]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "spun\n"
    process.send_signal(signal.SIGTERM)
    lines = process.communicate(timeout=20)[1].splitlines()
    assert process.returncode == code
    assert [line.partition(":")[0] for line in lines] == said
