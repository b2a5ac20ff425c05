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
import threading
import time
from contextlib import suppress

import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.signals import SignalHandlerOptions

from roboinstruct_ros import names
from roboinstruct_ros.nodes.dds_transport import choose_transport
from roboinstruct_ros.skill_servers.nav2.stop import MOMENT, MOTIONS, NAVIGATORS, Nav2Stop

BYE = b"b"
"""Sent to it when all goals have ended, so that nothing is left to do."""
ARMED = b"a"
"""Sent by it when Nav2 has answered a cancel of nothing."""
LIMIT = 10.0
"""s that it tries to cancel for."""
ROUND = 0.2
"""s between two cancels, as one may be lost."""


class Guard:
    """The guarding process, seen from the node that it guards."""

    def __init__(self, namespace: str) -> None:
        """Starts it, in a session of its own: a Ctrl-C must not end it before the node."""
        command = [sys.executable, "-m", "roboinstruct_ros.skill_servers.nav2.guard"]
        remap = ["--ros-args", "-r", f"__ns:={namespace}"]
        self._process = subprocess.Popen(
            [*command, *remap],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        self._armed = False

    @property
    def alive(self) -> bool:
        """Whether it is there."""
        return self._process.poll() is None

    @property
    def armed(self) -> bool:
        """Whether it has reached Nav2, so that its cancel would be heard."""
        assert self._process.stdout is not None
        said, _, _ = select.select([self._process.stdout], [], [], 0.0)
        if said and os.read(self._process.stdout.fileno(), 1) == ARMED:
            self._armed = True
        return self._armed and self.alive

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
    choose_transport()
    rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
    node = rclpy.create_node(names.NAV2_GUARD_NODE, enable_rosout=False)
    stop = Nav2Stop(node)
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    spinner = threading.Thread(target=executor.spin, name="spin", daemon=True)
    spinner.start()
    if not _dismissed(stop):
        print(f"{names.NAV2_SKILLS_NODE} is gone: cancelling Nav2's goals", file=sys.stderr)
        _cancel_all(stop)
    executor.shutdown()
    spinner.join(1.0)
    node.destroy_node()
    rclpy.try_shutdown()
    return 0


def _dismissed(stop: Nav2Stop) -> bool:
    """Waits for the other end; whether it said goodbye."""
    armed = False
    while not select.select([sys.stdin], [], [], None if armed else ROUND)[0]:
        armed = stop.heard(ROUND)
        if armed:
            with suppress(BrokenPipeError):  # it has just died, which is seen next
                os.write(sys.stdout.fileno(), ARMED)
    return os.read(sys.stdin.fileno(), 1) == BYE


def _cancel_all(stop: Nav2Stop) -> None:
    limit = time.monotonic() + LIMIT
    while time.monotonic() < limit:
        asked = stop.cancel(NAVIGATORS)
        end = time.monotonic() + ROUND
        while time.monotonic() < end and not all(future.done() for future in asked):
            time.sleep(0.01)
        time.sleep(MOMENT)
        stop.cancel(MOTIONS)
        if asked and all(future.done() for future in asked):
            return


if __name__ == "__main__":
    sys.exit(main())
