"""`roboinstruct doctor --robot`: checks everything that a task on a real robot needs."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from roboinstruct_ros.bringup.graph import check_namespace
from roboinstruct_ros.bringup.node_set import NAV2_SKILLS, ROBOT_SERVERS
from roboinstruct_ros.bringup.robot_parameters import check_robot_parameters
from roboinstruct_ros.commands.doctor.parts import how_to_start
from roboinstruct_ros.commands.finding import Examination, Finding
from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.option import names_in
from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.skill_servers.nav2.commander import ACTIONS

if TYPE_CHECKING:
    from roboinstruct_ros.skill_servers.robot_look import RobotLook

PARTS = {
    "moveit": ROBOT_SERVERS["moveit_skills"],
    "perception": ROBOT_SERVERS["perception"],
    "speech": ROBOT_SERVERS["speech"],
}
"""Optional parts of a robot, and the skills that it lacks without them."""

_SERVERS = ("planner_server", "controller_server")
_LISTEN = 3.0  # s for discovery
_DETECT = 3.0  # s to wait for detections
_PLAN = 30.0  # s for paths to all rooms
_START_NAV2 = "start Nav2, e.g. 'ros2 launch nav2_bringup bringup_launch.py map:=MAP.yaml'"
_START_STACK = "'ros2 launch roboinstruct bringup.launch.py sim:=false world:=MAP.yaml'"


def parts_of(text: str) -> frozenset[str]:
    """Parse `--without`. Raises ConfigError: an unknown part."""
    given = frozenset(names_in(text))
    for part in given - PARTS.keys():
        message = f"'{part}' is no part; {', '.join(PARTS)} are"
        raise ConfigError("without", 0, "", message)
    return given


class RobotExaminations:
    """The robot's rows, in the order in which to fix them.

    Args:
        without: parts of `PARTS` that this robot does not have.
    """

    def __init__(self, rooms: SemanticMap, without: frozenset[str], look: RobotLook) -> None:
        self._rooms, self._without, self._look = rooms, without, look

    def all(self) -> Iterator[Examination]:
        """The examinations; none of them moves the robot."""
        yield from (interfaces, self.active, self.answers, self.localised, self.paths, self.drives)
        own = {"moveit": self.moveit, "perception": self.detections, "speech": sound}
        for part, there in own.items():
            if part not in self._without:
                yield there
                yield partial(self._offered, part)

    def active(self) -> Finding:
        given = self._look.parameters
        wanted = [name for name in (given.localizer, given.navigator, *_SERVERS) if name]
        states = self._look.states(*wanted)
        found = ", ".join(f"{name} {state or 'not there'}" for name, state in states.items())
        missing = not all(states.values())
        good = set(states.values()) == {"active"}
        mend = "" if good else _START_NAV2 if missing else "activate it: Nav2's lifecycle manager"
        return Finding("Nav2 active", found, mend, good)

    def answers(self) -> Finding:
        """Whether the actions used by `go_to` are served and a stop would be heard."""
        missing = self._missing(ACTIONS)
        if not self._look.can_clear:
            missing.append("clearing the costmaps")
        if missing:
            return Finding("Nav2 answers", f"missing: {', '.join(missing)}", _START_NAV2, False)
        if not self._look.can_stop:
            mend = "restart Nav2: no goal is sent that cannot be cancelled"
            return Finding("Nav2 answers", "a cancel is not answered", mend, False)
        return Finding("Nav2 answers", "actions, clearing of costmaps, cancel")

    def localised(self) -> Finding:
        given, located = self._look.parameters, self._look.located
        if located is None:
            mend = f"give the initial pose ('2D Pose Estimate' in RViz); topic {given.pose_topic}"
            return Finding("localised", "no pose has come", mend, False)
        pose = located.pose
        room = self._rooms.room_at(pose.x, pose.y) or "no room of the map"
        where = f"{{x: {pose.x:.2f}, y: {pose.y:.2f}, yaw: {pose.yaw:.2f}}}, {room}"
        found = f"{where}, known to {located.deviation:.2f} m"
        limit = given.largest_deviation
        good = not limit or (math.isfinite(located.deviation) and located.deviation <= limit)
        mend = "" if good else f"give the initial pose anew: {limit:g} m is allowed"
        return Finding("localised", found, mend, good)

    def paths(self) -> Finding:
        """Whether the planner finds a path to every room."""
        if not self._look.serves(ACTIONS[1]):
            return Finding("rooms", "no planner to ask", _START_NAV2, False)
        try:
            paths = self._look.ways(self._rooms, _PLAN)
        except ConfigError:
            mend = "mend 'Nav2 interfaces' first"
            return Finding("rooms", "the planner was not asked", mend, False)
        count = len(self._rooms.rooms)
        bad = [why for why in paths.values() if why]
        silent = [room for room in self._rooms.room_names if room not in paths]
        if not bad and not silent:
            return Finding("rooms", f"Nav2 finds a path to all {count}")
        found = "; ".join([*bad, *(f"no answer for the {room}" for room in silent[:1])])
        mend = "move the approach poses to free floor in the map YAML, or open the way"
        return Finding("rooms", found, mend, False)

    def drives(self) -> Finding:
        """Whether the navigation skills are served."""
        missing = self._missing(NAV2_SKILLS)
        if not missing:
            return Finding("navigation skills", "go_to, get_current_location, get_all_rooms")
        return Finding("navigation skills", f"nobody offers {missing[0]}", _START_STACK, False)

    def moveit(self) -> Finding:
        nodes = self._look.moveit()
        if not nodes:
            mend = "start MoveIt's move_group for your arm, or --without moveit"
            return Finding("MoveIt", "no node has a planning scene", mend, False)
        silent = [name for name, answers in nodes.items() if not answers]
        if silent:
            return Finding("MoveIt", f"{silent[0]} does not answer", "restart it", False)
        return Finding("MoveIt", f"{', '.join(nodes)} answers")

    def detections(self) -> Finding:
        topics = self._look.detections(_DETECT)
        if not topics:
            mend = "start the detector (vision_msgs Detection2DArray or Detection3DArray)"
            return Finding("detections", "nobody publishes any", mend, False)
        if None in topics.values():
            mend = "install vision_msgs, e.g. 'apt install ros-jazzy-vision-msgs'"
            return Finding("detections", f"{', '.join(topics)}: type unknown here", mend, False)
        found = ", ".join(
            f"{topic} {(count or 0) / _DETECT:.1f}/s" for topic, count in topics.items()
        )
        good = any(topics.values())
        mend = "" if good else "nothing came: is the camera running?"
        return Finding("detections", found, mend, good)

    def _offered(self, part: str) -> Finding:
        missing = self._missing(PARTS[part])
        what = f"{part} skills"
        if missing:
            found = f"nobody offers {', '.join(missing)}"
            return Finding(what, found, how_to_start(part), False)
        return Finding(what, ", ".join(PARTS[part]))

    def _missing(self, offered: Iterable[str]) -> list[str]:
        """Those of these actions and services that nobody serves."""
        return [name for name in offered if not self._look.serves(name)]


def robot_look(namespace: str, robot_params: str) -> RobotLook:
    """Looks at the robot. Raises ConfigError: the namespace or the parameters cannot be used.

    Args:
        robot_params: ROS parameters YAML of `nav2_skills`; empty for the defaults.
    """
    from roboinstruct_ros.skill_servers.robot_look import RobotLook

    check_namespace(namespace)
    file = robot_params and str(Path(robot_params).expanduser())
    if file:
        check_robot_parameters(file)
    return RobotLook(namespace, file, _LISTEN)


def interfaces() -> Finding:
    """Whether Nav2's Python packages are installed, in a release that reports why a goal failed."""
    from roboinstruct_ros.skill_servers.nav2.commander import (
        commander_class,
        nav2_version,
        navigate_to_pose,
        release_of,
    )

    try:
        commander_class()
    except ConfigError as missing:
        return Finding("Nav2 interfaces", "not installed here", str(missing), False)
    release = release_of(navigate_to_pose())
    found = f"{release.value}{nav2_version()}"
    mend = "" if release.fits else "ROS 2 Jazzy or newer: there a failed go_to says why"
    return Finding("Nav2 interfaces", found, mend, release.fits)


def sound(devices: Path = Path("/proc/asound/pcm")) -> Finding:
    """Loudspeakers and microphones known to the kernel.

    Args:
        devices: a file with a line per device, which has the words playback and capture.
    """
    lines = devices.read_text().splitlines() if devices.exists() else []
    cards = {word: [s for s in lines if re.search(rf"\b{word}\b", s)] for word in _DIRECTIONS}
    missing = [name for word, name in _DIRECTIONS.items() if not cards[word]]
    if missing:
        mend = "plug it in, or --without speech; 'aplay -l' and 'arecord -l' list devices"
        return Finding("sound", f"no {' and no '.join(missing)}", mend, False)
    heard = "whether they can be heard: 'speaker-test -t wav -l 1'"
    return Finding("sound", f"loudspeaker and microphone are there; {heard}")


_DIRECTIONS = {"playback": "loudspeaker", "capture": "microphone"}
