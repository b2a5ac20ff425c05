"""Node `motion_stop`: cancels every goal of the actions that move the robot.

It does so on a stop, and when a skill server that used these actions is gone: an action continues
when its client dies. Each such server holds a connection to this process (`kit/motion_guard.py`),
which the kernel closes however the server ends.
"""

from __future__ import annotations

import socketserver
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from rclpy.node import Node

from roboinstruct_ros import names
from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.option import option
from roboinstruct_ros.nodes.node_process import run_node
from roboinstruct_ros.nodes.parameters import GIVEN, declare
from roboinstruct_ros.nodes.stop_link import StopLink
from roboinstruct_ros.skill_servers.kit.action_stop import NAVIGATORS, ActionStop
from roboinstruct_ros.skill_servers.kit.motion_guard import ANSWER_LIMIT, BYE, CANCEL, address, peer

MOMENT = 0.04
"""Delay (s) before the goals commanded by those actions are cancelled."""
ROUND = 0.2
"""Interval (s) between cancels, as one may be lost."""
LIMIT = 10.0
"""Time (s) for which unanswered cancels are repeated."""


@dataclass(frozen=True)
class MotionStopParameters:
    actions: tuple[str, ...] = option(
        (
            *NAVIGATORS, "arm_controller/follow_joint_trajectory", "gripper_controller/gripper_cmd",
            "head_controller/follow_joint_trajectory",
        ),
        "actions that move the robot; a stop cancels all their goals",
    )  # fmt: skip
    commanded: tuple[str, ...] = option(
        (
            "compute_path_to_pose", "follow_path", "spin", "backup", "drive_on_heading",
            "assisted_teleop",
        ),
        "actions called by these, which continue if their caller dies; cancelled a moment later",
    )  # fmt: skip


class MotionStop(Node):
    """Cancels at once in the thread that learns of the need; another thread repeats the cancels."""

    def __init__(self) -> None:
        """Raises ConfigError if another instance is running."""
        super().__init__(names.MOTION_STOP_NODE, **GIVEN)
        try:
            self._servers = _Servers(self)
        except OSError as error:
            message = f"there is one of this robot on this machine already ({error.strerror})"
            raise ConfigError("", 0, "", message) from None
        given = declare(self, MotionStopParameters())
        self._first, self._then = given.actions, given.commanded
        self.stop = ActionStop(self, (*self._first, *self._then))
        self._asked: dict[str, Any] = {}
        self._wanted, self._over = threading.Event(), False
        self._again = threading.Thread(target=self._go_on, name="again", daemon=True)
        self._again.start()
        self._stop_link = StopLink(self, lambda stopped: self.cancel())
        threading.Thread(target=self._servers.serve_forever, name="servers", daemon=True).start()

    def cancel(self) -> None:
        """Cancel every goal now, and the goals that they command a moment later; does not wait."""
        self._asked = self.stop.halt(self._first)
        self._wanted.set()

    def lost(self, server: str) -> None:
        """Cancel everything because a server that moved the robot is gone."""
        self.cancel()
        self.get_logger().warning(f"{server} is gone: cancelling what moves the robot")

    def halt(self) -> None:
        """Nothing to do: the node itself moves nothing."""

    def close(self) -> None:
        self._servers.shutdown()
        self._servers.server_close()
        self._stop_link.close()
        self._over = True
        self._wanted.set()
        self._again.join(2 * ROUND)

    def _go_on(self) -> None:
        """Cancel the commanded goals, then repeat the cancels that were not answered."""
        while self._wanted.wait() and not self._over:
            self._wanted.clear()
            deadline = time.monotonic() + LIMIT
            time.sleep(MOMENT)
            asked = {**self._asked, **self.stop.halt(self._then)}
            while asked and time.monotonic() < deadline and not self._wanted.wait(ROUND):
                asked = self.stop.halt([action for action, f in asked.items() if not f.done()])


class _Server(socketserver.StreamRequestHandler):
    """One connection of a skill server, in a thread of its own."""

    server: _Servers

    def handle(self) -> None:
        node, name = self.server.node, ""
        with suppress(OSError, ValueError):
            if not peer(self.request):
                return
            for line in self.rfile:
                word, *words = line.decode(errors="replace").split()
                if word == BYE:
                    return
                if word == CANCEL:
                    node.cancel()
                    continue
                name, *actions = words
                reached = [one for one in actions if node.stop.answers(ANSWER_LIMIT, [one])]
                with suppress(OSError):  # it no longer waits; its later lines are read next
                    self.wfile.write((" ".join(reached) + "\n").encode())
        if node.context.ok():
            node.lost(name or "a skill server")


class _Servers(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, node: MotionStop) -> None:
        self.node = node
        super().__init__(address(node), _Server)


def main(args: list[str] | None = None) -> int:
    return run_node(MotionStop, 4, args, names.MOTION_STOP_NODE)


if __name__ == "__main__":
    sys.exit(main())
