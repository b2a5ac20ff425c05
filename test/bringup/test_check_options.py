"""Bad choices are refused in one line, before any process starts."""

from __future__ import annotations

import socket
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from roboinstruct_ros.bringup.check_options import ModelFault, check_options
from roboinstruct_ros.bringup.graph import check_namespace
from roboinstruct_ros.bringup.node_set import Options
from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.nodes.kiosk.parameters import KioskOptions
from roboinstruct_ros.nodes.kiosk.reach import reach_fault
from roboinstruct_ros.security.certificates import Lifetimes
from roboinstruct_ros.security.keystore import init

HEADLESS = Options(headless=True)


def refusal(options: Options) -> str:
    with pytest.raises(ConfigError) as refused:
        check_options(options)
    line = str(refused.value)
    assert "\n" not in line
    return line


def test_the_defaults_are_good() -> None:
    check_options(HEADLESS)


def test_an_unknown_world_names_the_nearest() -> None:
    assert "did you mean 'office'" in refusal(replace(HEADLESS, world="ofice"))


@pytest.mark.parametrize("speed", [-1.0, float("nan"), float("inf"), 1001.0])
def test_a_speed_that_is_none(speed: float) -> None:
    assert "0 (as fast as possible) to 1000" in refusal(replace(HEADLESS, speed_factor=speed))


@pytest.mark.parametrize("content", [None, b"", b"PK\3\4" + b"\0" * 100, b"GGUF\3\0"])
def test_a_file_that_is_no_model(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "some.gguf"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ModelFault, match=r"some\.gguf"):
        check_options(replace(HEADLESS, model=str(path)))


@pytest.mark.parametrize("namespace", ["", "robot1", "/robot1", "fleet/robot_2", "a/"])
def test_namespaces(namespace: str) -> None:
    check_namespace(namespace)


@pytest.mark.parametrize("namespace", ["my robot", "1st", "a//b", "a-b", "/"])
def test_namespaces_that_ros_refuses(namespace: str) -> None:
    with pytest.raises(ConfigError, match="no ROS namespace"):
        check_namespace(namespace)


def test_a_namespace_that_leaves_no_room_for_the_names_of_topics() -> None:
    check_namespace("a" * 128)
    with pytest.raises(ConfigError, match="129 characters; a namespace has at most 128"):
        check_namespace("a" * 129)


def test_a_port_that_is_taken_matters_to_the_kiosk_only() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"port {port}" in refusal(Options(port=port))
        check_options(Options(port=port, headless=True))
    assert reach_fault(KioskOptions(port=port)) == ""


def test_a_host_that_is_none_is_not_called_a_port() -> None:
    line = refusal(Options(host="256.0.0.1.invalid"))
    assert "no address of this machine" in line


def test_a_robot_without_nav2_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    robot = replace(HEADLESS, sim=False)
    monkeypatch.setitem(sys.modules, "nav2_simple_commander", None)
    assert "ros-jazzy-nav2-simple-commander" in refusal(robot)
    check_options(replace(robot, nav2=False))


def test_a_robots_parameters_have_to_be_there(tmp_path: Path) -> None:
    robot = replace(HEADLESS, sim=False, robot_params=str(tmp_path / "none.yaml"))
    assert "none.yaml" in refusal(robot)
    assert "none.yaml" in refusal(replace(robot, nav2=False, moveit=True))


def test_a_node_that_is_not_started_cannot_be_waited_for() -> None:
    with pytest.raises(ConfigError, match="stop_when_lost: 'kiosk' is not started"):
        check_options(Options(headless=True, stop_when_lost="recorder, kiosk"))
    robot = Options(headless=True, sim=False, nav2=False)
    check_options(replace(robot, stop_when_lost="recorder, base_driver"))


@pytest.mark.parametrize("sim", [True, False])
def test_a_misspelt_node_cannot_be_waited_for(sim: bool) -> None:
    told = refusal(Options(sim=sim, nav2=sim, stop_when_lost="kisok"))
    assert told.startswith("stop_when_lost: 'kisok' is not started, so no task would begin")
    assert told.endswith("; did you mean 'kiosk'?")


def test_the_simulated_robot_has_no_nodes_of_its_own() -> None:
    told = refusal(replace(HEADLESS, stop_when_lost="recorder, base_driver"))
    assert "stop_when_lost: 'base_driver' is not started" in told


@pytest.mark.parametrize(
    "of_robot",
    [{"nav2": False}, {"perception": True}, {"moveit": True}, {"speech": True},
     {"robot_params": "none.yaml"}],
)  # fmt: skip
def test_options_of_a_real_robot_are_not_for_the_simulated_one(of_robot: dict[str, Any]) -> None:
    (name,) = of_robot
    told = refusal(replace(HEADLESS, **of_robot))
    assert told == f"{name}: has no effect on the simulated robot; add sim:=false (--no-sim)"


def test_own_servers_do_not_stand_beside_the_simulated_robot() -> None:
    assert "the simulated robot would take the same goals; add sim:=false" in refusal(
        replace(HEADLESS, robot_nodes="lab_base")
    )


def test_a_map_is_no_simulated_world(tmp_path: Path) -> None:
    rooms = tmp_path / "lab.yaml"
    rooms.write_text("rooms:\n  - {name: kitchen, pose: {x: 0.5, y: 0.3, yaw: 0.0}}\n")
    told = refusal(replace(HEADLESS, world=str(rooms)))
    assert "field 'name' is missing; the simulated robot needs a world" in told
    assert told.endswith("a real one sim:=false")
    check_options(replace(HEADLESS, sim=False, nav2=False, world=str(rooms)))


def test_nav2s_map_names_no_rooms(tmp_path: Path) -> None:
    grid = tmp_path / "map.yaml"
    grid.write_text("image: map.pgm\nresolution: 0.05\norigin: [0, 0, 0]\n")
    told = refusal(replace(HEADLESS, sim=False, nav2=False, world=str(grid)))
    assert "map.yaml:1: image: this is Nav2's map of obstacles" in told


def test_a_rule_about_a_misspelt_room(tmp_path: Path) -> None:
    rules = tmp_path / "pol.yaml"
    rules.write_text("policies:\n  - name: a rule\n    never: go_to('kitchn')\n")
    told = refusal(replace(HEADLESS, world="home", policies=str(rules)))
    assert "pol.yaml:3: policies[0].never: no room is named 'kitchn'; did you mean" in told
    check_options(replace(HEADLESS, world="lab", policies=str(rules)))


@pytest.mark.parametrize("rounds", [0, 11])
def test_as_many_rounds_as_the_kiosk_takes(rounds: int) -> None:
    assert "max_rounds" in refusal(replace(HEADLESS, max_rounds=rounds))


def test_a_keystore_has_what_is_started_and_is_for_this_namespace(tmp_path: Path) -> None:
    init(tmp_path / "keys", "robot1", Lifetimes())
    options = replace(HEADLESS, security=str(tmp_path / "keys"), namespace="/robot1")
    check_options(options)
    assert "the stack has no namespace" in refusal(replace(options, namespace=""))
    (tmp_path / "keys" / "enclaves" / "sim_robot" / "cert.pem").unlink()
    assert "enclave 'sim_robot': cert.pem" in refusal(options)


def test_another_robot_and_its_world(tmp_path: Path) -> None:
    check_options(replace(HEADLESS, domain="arm"))
    assert "did you mean 'arm'" in refusal(replace(HEADLESS, domain="arn"))
    world = tmp_path / "table.yaml"
    world.write_text("holds: [on_table(cup), in_room(cup)]\n")
    told = refusal(replace(HEADLESS, domain="arm", world=str(world)))
    assert f"{world}:1: holds[1]: there is no predicate 'in_room'" in told
    keys = str(tmp_path / "keys")
    assert "service_robot only" in refusal(replace(HEADLESS, domain="arm", security=keys))
