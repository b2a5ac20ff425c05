"""`nav2_skills` and `motion_stop` over real DDS, before a scripted Nav2 of Nav2's own types.

The same scenes run against the real nav2_msgs and nav2_simple_commander with `real_nav2.py`.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import nav2_scenes as scenes
import pytest
from nav2_robot import Nav2Robot, nav2_robot
from nav2_scenes import STOPPED_WITHIN, Stopped
from waiting import until

from roboinstruct_msgs.srv import GetAllRooms
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.skill_servers.nav2.node import without_node_name

pytestmark = pytest.mark.stack

QUICK = {"clear_pause": 0.1}
MAP = """\
rooms:
  - name: hallway
    pose: {x: 11.0, y: 6.0, yaw: 0.0}
    polygon: [[0, 5], [24, 5], [24, 7], [0, 7]]
  - name: kitchen
    pose: {x: 10.0, y: 2.5, yaw: 0.0}
    polygon: [[8, 0], [12, 0], [12, 5], [8, 5]]
"""
LARDER = """\
  - name: larder
    pose: {x: 14.0, y: 2.5, yaw: 0.0}
    polygon: [[12, 0], [16, 0], [16, 5], [12, 5]]
"""
SCENES: list[tuple[Callable[[Nav2Robot], object], dict[str, object]]] = [
    (scenes.goes_to_rooms_by_name_and_alias, {"room_margin": 3.0}),
    (scenes.clears_the_costmaps_and_tries_again, {}),
    (scenes.tells_why_nav2_gave_up, {"ready_limit": 0.3}),
    (scenes.a_lost_executor_ends_the_drive, {}),
    (scenes.a_nav2_that_hangs_is_given_up, {"silence_limit": 0.5}),
    (scenes.a_nav2_that_never_ends_a_goal_is_left, {"silence_limit": 0.0, "ends_with": 1}),
    (scenes.an_end_that_hangs_in_nav2_is_seen, {"silence_limit": 0.0, "ends_with": 1}),
    (scenes.a_drive_that_takes_too_long_is_ended, {"go_to_limit": 1.0}),
    (scenes.a_pose_that_is_none_is_not_where_the_robot_is, {}),
    (scenes.says_where_the_robot_is_only_when_it_knows, {"localised": False}),
]
PROMPT: list[Callable[[Nav2Robot], Stopped]] = [
    scenes.cancels_at_once,
    scenes.stops_at_once,
    scenes.a_cancel_ends_its_own_goal_and_a_stop_everybodys,
    scenes.an_end_leaves_the_goals_of_others,
    scenes.a_stop_ends_what_others_have_sent,
    scenes.an_interrupted_node_ends_the_drive,
    scenes.a_killed_node_ends_the_drive,
]


@pytest.mark.parametrize(("scene", "given"), SCENES, ids=[s.__name__ for s, _ in SCENES])
def test_scene(
    scene: Callable[[Nav2Robot], object], given: dict[str, object], ros_domain: int
) -> None:
    with nav2_robot(ros_domain, **{**QUICK, **given}) as robot:
        scene(robot)


@pytest.mark.parametrize("scene", PROMPT, ids=lambda scene: scene.__name__)
def test_scene_within_the_promise(scene: Callable[[Nav2Robot], Stopped], ros_domain: int) -> None:
    with nav2_robot(ros_domain) as robot:
        robot.nav2.period = 0.02  # leaves the rest of the promise to a busy machine
        assert scene(robot).still < STOPPED_WITHIN


def test_a_map_that_is_changed_is_driven_by(ros_domain: int, tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    path.write_text(MAP)
    with nav2_robot(ros_domain, map=path) as robot:
        skills = robot.skills
        until(lambda: skills.go("kitchen") == (0, ""))
        assert skills.go("larder")[0] == SkillErrorCode.UNKNOWN_LOCATION
        path.write_text(MAP.replace("{x: 10.0, y: 2.5", "{x: 9.0, y: 1.5") + LARDER)
        assert list(skills.call(GetAllRooms).rooms) == ["hallway", "kitchen", "larder"]
        assert skills.where() == "kitchen"
        robot.nav2.goals.clear()
        assert [skills.go(room) for room in ("larder", "kitchen")] == [(0, "")] * 2
        assert [(goal.x, goal.y) for goal in robot.nav2.goals] == [(14.0, 2.5), (9.0, 1.5)]
        path.write_text("rooms: [")
        assert skills.go("larder") == (0, "")
        assert skills.where() == "larder"


def test_a_renamed_node_does_not_rename_its_commander() -> None:
    given = ["prog", "--ros-args", "-r", "__node:=base", "-r", "__ns:=/r1", "-p", "map:=home"]
    rest, name = without_node_name(given)
    assert name == "base"
    assert rest == ["prog", "--ros-args", "-r", "__ns:=/r1", "-p", "map:=home"]


def test_without_nav2_one_line_says_what_to_install(tmp_path: Path, ros_domain: int) -> None:
    """An empty package of that name stands for a machine without Nav2, also where Nav2 is there."""
    (tmp_path / "nav2_simple_commander").mkdir()
    (tmp_path / "nav2_simple_commander" / "__init__.py").touch()
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); " + (
        "from roboinstruct_ros.skill_servers.nav2.node import main; sys.exit(main(['x']))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1 and "ros-jazzy-nav2-simple-commander" in ended.stderr
