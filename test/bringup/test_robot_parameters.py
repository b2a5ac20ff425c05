"""A robot's parameter file is refused in one line where ROS would ignore or misread it."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from roboinstruct_ros.bringup.check_options import check_options
from roboinstruct_ros.bringup.node_set import Options
from roboinstruct_ros.bringup.robot_parameters import check_robot_parameters
from roboinstruct_ros.domain.configuration import ConfigError

SHIPPED = Path(__file__).parents[2] / "config" / "robot.yaml"


def section(node: str, line: str) -> str:
    return f"{node}:\n  ros__parameters:\n    {line}\n"


def refusal(tmp_path: Path, text: str) -> str:
    file = tmp_path / "lab.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError) as refused:
        check_robot_parameters(str(file))
    line = str(refused.value)
    assert line.startswith(str(file)) and "\n" not in line
    return line


def test_the_shipped_defaults_are_right() -> None:
    check_robot_parameters(str(SHIPPED))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (section("nav2_skills", "room_margn: 0.5"), "did you mean 'room_margin'"),
        (section("nav2_skils", "room_margin: 0.5"), "did you mean 'nav2_skills'"),
        (section("/lab/nav2_skills", "attempts: 50"), "50 is out of range; 1 to 20 is allowed"),
        (
            section("nav2_skills", "go_to_limit: 300"),
            "a number with a decimal point, such as 300.0",
        ),
        (section("nav2_skills", "check_path: sometimes"), "true or false"),
        (section("speech", "listen: loudly"), "'loudly' is not one of "),
        (section("motion_stop", "actions: navigate_to_pose"), "a list of texts"),
        (section("motion_stop", "actions: [1, 2]"), "a list of texts"),
        ("robot1:\n  speech:\n    ros__parameters: {colour: red}\n", "no such parameter"),
        (section("speech", "on: 3"), "no such parameter"),
        ("a: &a {colour: red}\n" + section("speech", "<<: *a"), "colour: no such parameter"),
        ("- nav2_skills\n", "NODE: ros__parameters"),
        ("nav2_skills: [\n", "not valid YAML"),
    ],
)
def test_what_ros_would_ignore_or_misread_is_refused(tmp_path: Path, text: str, told: str) -> None:
    assert told in refusal(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [
        section("/**", "robot_description: <robot/>"),
        section("moveit_skills_moveit", "planning_plugin: ompl"),
        section("my_camera", "exposure: 3"),
        section("nav2_skills", "use_sim_time: true"),
        section("nav2_skills", "qos_overrides./tf.subscription.depth: 5"),
        "",
    ],
)
def test_parameters_of_others_are_left_to_them(tmp_path: Path, text: str) -> None:
    file = tmp_path / "lab.yaml"
    file.write_text(text or section("speech", "{}"))
    check_robot_parameters(str(file))


def test_nothing_starts_with_a_misspelt_parameter(tmp_path: Path) -> None:
    file = tmp_path / "robot.yaml"
    shutil.copy(SHIPPED, file)
    file.write_text(file.read_text().replace("room_radius:", "room_radios:"))
    options = Options(headless=True, sim=False, nav2=False, robot_params=str(file))
    with pytest.raises(ConfigError, match="did you mean 'room_radius'"):
        check_options(options)
    with pytest.raises(ConfigError, match="no such file"):
        check_options(replace(options, robot_params=str(tmp_path / "none.yaml")))
