"""`roboinstruct doctor --robot`: each thing that is missing is a row that says how to mend it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from nav2_robot import HALLWAY, STAND_IN
from rclpy.action.server import RCLError
from rclpy.node import NodeNameNonExistentError
from scripted_nav2 import ScriptedNav2

from roboinstruct_ros.commands.doctor.robot import (
    PARTS,
    RobotExaminations,
    parts_of,
    sound,
)
from roboinstruct_ros.commands.finding import Finding
from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.semantic_map import Pose, SemanticMap, load_semantic_map
from roboinstruct_ros.skill_servers.nav2.commander import Nav2Release, release_of
from roboinstruct_ros.skill_servers.nav2.link import Located
from roboinstruct_ros.skill_servers.robot_look import RobotLook

ALL = frozenset(PARTS)


class ScriptedLook:
    """A robot on which everything is there; a test takes something away."""

    def __init__(self, **missing: Any) -> None:
        self.parameters = SimpleNamespace(
            localizer="amcl",
            navigator="bt_navigator",
            pose_topic="amcl_pose",
            largest_deviation=1.0,
        )
        self.inactive: dict[str, str] = {}
        self.not_served: set[str] = set()
        self.can_clear = self.can_stop = True
        self.located: Located | None = Located(Pose(10.0, 2.0, 1.57), 0.1)
        self.no_way: dict[str, str] = {}
        self.planning_scenes = {"/move_group": True}
        self.topics: dict[str, int | None] = {"/detections": 30}
        vars(self).update(missing)

    def states(self, *wanted: str) -> dict[str, str]:
        return {name: self.inactive.get(name, "active") for name in wanted}

    def serves(self, name: str) -> bool:
        return name not in self.not_served

    def ways(self, rooms: SemanticMap, limit: float) -> dict[str, str]:
        return {room: self.no_way.get(room, "") for room in rooms.room_names}

    def moveit(self) -> dict[str, bool]:
        return self.planning_scenes

    def detections(self, limit: float) -> dict[str, int | None]:
        return self.topics


def rows(without: frozenset[str] = ALL, **missing: Any) -> dict[str, Finding]:
    """What the doctor finds on the robot's side, by what was looked at; no sound, no interfaces."""
    look: Any = ScriptedLook(**missing)
    examinations = RobotExaminations(load_semantic_map(find_world("home")), without, look)
    found = [examine() for examine in list(examinations.all())[1:]]
    return {finding.what: finding for finding in found}


def test_a_robot_on_which_everything_is_there_is_good() -> None:
    found = rows(frozenset({"speech"}))
    assert all(finding.good and not finding.mend for finding in found.values())
    assert "kitchen" in found["localised"].found and "yaw: 1.57" in found["localised"].found
    assert "10.0/s" in found["detections"].found


@pytest.mark.parametrize(
    ("missing", "row", "told"),
    [
        ({"inactive": {"amcl": ""}}, "Nav2 active", "ros2 launch nav2_bringup"),
        ({"inactive": {"planner_server": "inactive"}}, "Nav2 active", "lifecycle manager"),
        ({"not_served": {"navigate_to_pose"}}, "Nav2 answers", "ros2 launch nav2_bringup"),
        ({"can_clear": False}, "Nav2 answers", "ros2 launch nav2_bringup"),
        ({"can_stop": False}, "Nav2 answers", "cannot be cancelled"),
        ({"located": None}, "localised", "2D Pose Estimate"),
        ({"located": Located(Pose(0, 0, 0), 3.0)}, "localised", "1 m is allowed"),
        ({"no_way": {"garage": "no way to the garage"}}, "rooms", "approach poses"),
        ({"not_served": {"skills/go_to"}}, "navigation skills", "sim:=false"),
        ({"planning_scenes": {}}, "MoveIt", "move_group"),
        ({"planning_scenes": {"/move_group": False}}, "MoveIt", "restart"),
        ({"topics": {}}, "detections", "detector"),
        ({"topics": {"/d": None}}, "detections", "vision_msgs"),
        ({"topics": {"/d": 0}}, "detections", "camera"),
        ({"not_served": {"skills/place"}}, "moveit skills", "--without moveit"),
    ],
)
def test_what_is_missing_is_named_with_its_mend(
    missing: dict[str, Any], row: str, told: str
) -> None:
    found = rows(frozenset({"speech"}), **missing)
    assert not found[row].good and told in found[row].mend
    assert all(finding.good for what, finding in found.items() if what != row)


def test_parts_that_a_robot_does_not_have_are_not_asked_for() -> None:
    assert set(rows()) == {"Nav2 active", "Nav2 answers", "localised", "rooms", "navigation skills"}
    assert parts_of("moveit, speech") == {"moveit", "speech"}
    with pytest.raises(ConfigError, match="'arm' is no part"):
        parts_of("arm")


def test_nodes_that_have_just_ended_or_have_no_name_yet_are_passed_over() -> None:
    class Graph:
        def get_node_names_and_namespaces(self) -> list[tuple[str, str]]:
            return [("gone", "/"), ("nameless", "")]

        def get_service_names_and_types_by_node(self, name: str, namespace: str) -> Any:
            raise NodeNameNonExistentError("gone") if namespace else RCLError("not absolute")

    look = RobotLook("", "", 0.0)
    look._node = Graph()
    assert look.moveit() == {}


@pytest.mark.parametrize(("given", "said"), [("map: 5", "'map'"), ("a: [1, x]", "same type")])
def test_parameters_for_all_nodes_that_cannot_be_used_are_told_in_one_line(
    given: str, said: str, tmp_path: Path
) -> None:
    (file := tmp_path / "robot.yaml").write_text(f"/**:\n  ros__parameters:\n    {given}\n")
    with pytest.raises(ConfigError, match=said), RobotLook("", str(file), 0.0):
        pass


def test_sound_needs_a_loudspeaker_and_a_microphone(tmp_path: Path) -> None:
    devices = tmp_path / "pcm"
    assert "no loudspeaker and no microphone" in sound(devices).found
    devices.write_text("00-00: ALC269 : ALC269 : playback 1\n")
    assert sound(devices).found == "no microphone"
    devices.write_text("00-00: ALC269 : ALC269 : playback 1 : capture 1\n")
    assert sound(devices).good


@pytest.mark.parametrize(
    ("fields", "constants", "release"),
    [
        ({"result": "std_msgs/Empty"}, {}, Nav2Release.NO_ERROR_FIELDS),
        ({"error_code": "uint16"}, {}, Nav2Release.NO_ERROR_MSG),
        ({"error_code": "uint16", "error_msg": "string"}, {}, Nav2Release.JAZZY),
        ({"error_code": "uint16", "error_msg": "string"}, {"TF_ERROR": 9002}, Nav2Release.KILTED),
    ],
)
def test_the_release_of_nav2_is_told_by_its_interface(
    fields: dict[str, str], constants: dict[str, int], release: Nav2Release
) -> None:
    result = SimpleNamespace(get_fields_and_field_types=lambda: fields, **constants)
    assert release_of(SimpleNamespace(Result=result)) is release
    assert release.fits == ("error_msg" in fields)


@pytest.mark.stack
def test_the_doctor_looks_at_a_graph(ros_domain: int, port: int) -> None:
    """A Nav2 that runs, and nothing else: what is there is found, what is not is told."""
    modules = filter(None, (str(STAND_IN), os.environ.get("PYTHONPATH")))
    with ScriptedNav2(ros_domain, HALLWAY):
        command = ["doctor", "--robot", "--without", "perception", "--port", str(port)]
        ended = subprocess.run(
            [sys.executable, "-m", "roboinstruct_ros.cli", *command],
            capture_output=True,
            text=True,
            timeout=60,
            env={**os.environ, "COLUMNS": "200", "PYTHONPATH": os.pathsep.join(modules)},
        )
    assert ended.returncode == 1 and "Traceback" not in ended.stderr
    told = (re.split(r" {3,}", line.strip()) for line in ended.stdout.splitlines())
    lines = {cells[1]: cells for cells in told if len(cells) > 2}
    for row in ("Nav2 interfaces", "Nav2 active", "Nav2 answers", "localised", "rooms"):
        assert lines[row][0] == "ok", ended.stdout
    assert "hallway" in lines["localised"][2] and "path to all 11" in lines["rooms"][2]
    for row in ("navigation skills", "MoveIt", "moveit skills", "speech skills"):
        assert lines[row][0] == "!!", ended.stdout
