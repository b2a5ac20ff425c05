"""`nav2_skills` in a process of its own before a scripted Nav2, and a client of its skills."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from node_process import command, motion_stop, node_process
from scripted_nav2 import ScriptedNav2
from skill_client import SkillClient
from waiting import LIMIT, until

from roboinstruct_msgs.action import GoTo
from roboinstruct_msgs.srv import GetAllRooms, GetCurrentLocation
from roboinstruct_ros.domain.semantic_map import Pose
from roboinstruct_ros.nodes.discovery import wait_discovered

HERE = Path(__file__).resolve().parent
HALLWAY = Pose(11.0, 6.0, 0.0)
"""A pose in the hallway of the shipped world `home`."""
STAND_IN = HERE / "stand_in"
"""For a path on which Nav2's own packages come first, where they are installed."""


class Nav2Client(SkillClient):
    """The skills that `nav2_skills` serves."""

    def __enter__(self) -> Nav2Client:
        assert self._clients[GoTo].wait_for_server(LIMIT)
        for kind in (GetCurrentLocation, GetAllRooms):
            assert self._services[kind].wait_for_service(LIMIT)
        until(lambda: all(p.get_subscription_count() for p in (self.stop, self.heartbeat)))
        until(lambda: self.moving)
        assert wait_discovered(self.node, "nav2_skills", LIMIT)
        return self

    def go(self, location: str) -> tuple[int, str]:
        result = self.run(GoTo, location=location)
        return result.error_code, result.error_msg

    def where(self) -> str:
        return str(self.call(GetCurrentLocation).location)


@dataclass(frozen=True)
class Nav2Robot:
    """All that a test needs.

    Attributes:
        process: of the node `nav2_skills`.
        stopping: of the node `motion_stop`.
    """

    nav2: ScriptedNav2
    skills: Nav2Client
    process: subprocess.Popen[str]
    stopping: subprocess.Popen[str]


@contextmanager
def nav2_robot(
    domain: int,
    localised: bool = True,
    ends_with: int = 0,
    **parameters: object,
) -> Iterator[Nav2Robot]:
    """Starts everything, and ends it.

    Args:
        localised: the robot knows its pose from the beginning.
        ends_with: exit code of the node, unless it is killed.
        parameters: of the node.
    """
    folders = [os.environ.get("PYTHONPATH", ""), str(STAND_IN)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, folders))}
    ended = (ends_with, -9)
    with (
        ScriptedNav2(domain, HALLWAY, localised) as nav2,
        motion_stop() as stopping,
        node_process(command("nav2.node"), parameters, ended, environment=environment) as process,
        Nav2Client(domain) as skills,
    ):
        yield Nav2Robot(nav2, skills, process, stopping)
