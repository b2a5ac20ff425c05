"""Ends Nav2's goals when the node that sent them was killed: `python -m ...nav2_guard`.

Nav2 carries a goal on when its client dies. This process waits on its standard input, whose other
end only `nav2_skills` holds: the kernel closes it with that process, however it ends.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time

import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions

from roboinstruct_ros import names
from roboinstruct_ros.skill_servers.nav2_stop import MOTIONS, NAVIGATORS, Nav2Stop

BYE = b"b"
"""Sent when all goals have ended, so that nothing is left to do."""
LIMIT = 10.0
"""s to try for: a guard that has just been started does not know Nav2 yet."""
ROUND = 0.2
"""s between two cancels, as one may be lost."""
READY = b"r"
START_LIMIT = 10.0
"""s that the process gets to start."""


class Guard:
    """The guarding process, seen from the node that it guards."""

    def __init__(self, namespace: str) -> None:
        """Starts it, in a session of its own: a Ctrl-C must not end it before the node."""
        command = [sys.executable, "-m", "roboinstruct_ros.skill_servers.nav2_guard"]
        remap = ["--ros-args", "-r", f"__ns:={namespace}"]
        self._process = subprocess.Popen(
            [*command, *remap],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )

    def wait_ready(self) -> bool:
        """Waits until it guards; False when it does not within `START_LIMIT` s."""
        assert self._process.stdout is not None
        there, _, _ = select.select([self._process.stdout], [], [], START_LIMIT)
        return bool(there) and os.read(self._process.stdout.fileno(), 1) == READY

    @property
    def alive(self) -> bool:
        """Whether it is there."""
        return self._process.poll() is None

    def dismiss(self) -> None:
        """Lets it end without cancelling anything."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(BYE)
            self._process.stdin.close()
        except OSError:  # it is gone already
            return


def main() -> int:
    """Waits for the other end of the pipe, then stops Nav2."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
    node = rclpy.create_node(names.NAV2_GUARD_NODE, enable_rosout=False)
    stop = Nav2Stop(node)
    os.write(sys.stdout.fileno(), READY)
    dismissed = sys.stdin.buffer.read(1) == BYE
    if not dismissed:
        print(f"{names.NAV2_SKILLS_NODE} is gone: cancelling Nav2's goals", file=sys.stderr)
        _cancel_all(node, stop)
    node.destroy_node()
    rclpy.try_shutdown()
    return 0


def _cancel_all(node: Node, stop: Nav2Stop) -> None:
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    limit = time.monotonic() + LIMIT
    while time.monotonic() < limit:
        asked = stop.cancel(NAVIGATORS)
        end = time.monotonic() + ROUND
        while time.monotonic() < end:
            executor.spin_once(timeout_sec=0.02)
        stop.cancel(MOTIONS)
        if asked and all(future.done() for future in asked):
            return


if __name__ == "__main__":
    sys.exit(main())
