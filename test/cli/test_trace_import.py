"""`roboinstruct trace import`: bags of other robots become a world and a timeline."""

from __future__ import annotations

import csv
import random
import sqlite3
import tracemalloc
from pathlib import Path

import pytest
from other_robots import STORE, OtherRobot
from rosbags.rosbag2 import StoragePlugin
from test_world_file import overlaps
from typer.testing import CliRunner, Result

from roboinstruct_ros.cli import app
from roboinstruct_ros.domain.files.world_file import load_world
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.trace.foreign.imported import read_foreign

STORAGES = pytest.mark.parametrize("storage", [StoragePlugin.MCAP, StoragePlugin.SQLITE3])


def cli(*arguments: object) -> Result:
    return CliRunner().invoke(app, [*map(str, arguments)], env={"COLUMNS": "200"})


def patrol(folder: Path, storage: StoragePlugin = StoragePlugin.MCAP) -> Path:
    """Ten seconds at (1, 2), a drive, ten seconds at (6, 2) with things in sight, and back."""
    robot = OtherRobot(folder, storage)
    for step in range(300):
        robot.at = step * 0.1
        x = min(max(step - 100, 0), 50) * 0.1 if step < 250 else 5.0 - (step - 250) * 0.1
        robot.transform("map", "odom", 1.0, 2.0)
        robot.transform("odom", "base_link", x, 0.0)
        if step == 10:
            robot.status(2)
        if 160 <= step < 240:
            robot.see("chair", "chair", "person")
        if 170 <= step < 240:
            robot.see("cup", score=0.3)
        if step == 200:
            robot.see("ghost")
            robot.status(4)
    robot.close()
    return folder


@STORAGES
def test_a_world_is_made_of_where_the_robot_stood_and_what_it_saw(
    tmp_path: Path, storage: StoragePlugin
) -> None:
    bag = patrol(tmp_path / "patrol", storage)
    told = cli("trace", "import", bag, "--to", tmp_path / "out")
    assert told.exit_code == 0, told.output
    assert "2 places, 1 things, 1 people; drove 10 m" in told.stdout
    assert "The names of the rooms are not in the bag" in told.stdout
    world = load_world(tmp_path / "out" / "world.yaml")
    assert [(room.pose.x, room.pose.y) for room in world.rooms] == [(1.0, 2.0), (6.0, 2.0)]
    assert not overlaps(world.rooms[0].polygon, world.rooms[1].polygon)
    (chair,) = world.objects
    assert (chair.name, chair.room, chair.count) == ("chair", "place 2", 2)
    assert [(one.name, one.room) for one in world.people] == [("somebody in place 2", "place 2")]
    assert len(load_semantic_map(tmp_path / "out" / "world.yaml").rooms) == 2


@STORAGES
def test_the_timeline_tells_stops_goals_and_what_came_in_sight(
    tmp_path: Path, storage: StoragePlugin
) -> None:
    cli("trace", "import", patrol(tmp_path / "patrol", storage), "--to", tmp_path / "out")
    lines = list(csv.DictReader((tmp_path / "out" / "timeline.csv").open()))
    assert [(line["at"], line["what"], line["told"]) for line in lines] == [
        ("0.0", "stood", "place 1, for 10 s"),
        ("15.0", "stood", "place 2, for 10 s"),
        ("16.0", "saw", "chair"),
        ("16.0", "saw", "person"),
        ("20.0", "saw", "ghost"),
        ("20.0", "reached", "a goal of /navigate_to_pose"),
    ]
    assert (lines[-1]["x"], lines[-1]["y"]) == ("6.00", "2.00")


def test_poses_of_nav2_or_of_the_wheels_do_where_there_are_no_others(tmp_path: Path) -> None:
    by_nav2, by_wheels = (OtherRobot(tmp_path / name) for name in ("nav2", "wheels"))
    for step in range(100):
        by_nav2.at = by_wheels.at = step * 0.1
        by_nav2.feedback(3.0, 4.0)
        by_nav2.odometry(-1.0, -1.0)
        by_wheels.odometry(-1.0, -1.0)
    by_nav2.close()
    by_wheels.close()
    told = cli("trace", "import", tmp_path / "nav2", "--to", tmp_path / "a")
    (place,) = load_world(tmp_path / "a" / "world.yaml").rooms
    assert (place.pose.x, place.pose.y) == (3.0, 4.0) and "drifts" not in told.stdout
    assert "There are no things and no people: the bag has no vision_msgs detections" in told.stdout
    drifting = cli("trace", "import", tmp_path / "wheels", "--to", tmp_path / "b")
    assert "Places are in frame 'odom', which drifts" in drifting.stdout


def test_what_has_no_definition_anywhere_is_told(tmp_path: Path) -> None:
    bag = patrol(tmp_path / "old", StoragePlugin.SQLITE3)
    with sqlite3.connect(bag / "old.db3") as data:  # as bags were before they held definitions
        data.execute("DELETE FROM message_definitions")
    told = cli("trace", "import", bag, "--to", tmp_path / "out")
    assert told.exit_code == 0
    assert "/detections is left out: the bag has no definition of vision_msgs/" in told.stdout
    assert "No thing was seen" not in told.stdout
    assert len(load_world(tmp_path / "out" / "world.yaml").rooms) == 2


def test_a_clock_that_jumps_and_poses_that_are_none_make_no_places(tmp_path: Path) -> None:
    robot = OtherRobot(tmp_path / "odd")
    for at, x in [(0.0, 1.0), (1.0, float("nan")), (1000.0, 5.0), (1001.0, 5.0), (3.0, 9.0)]:
        robot.at = at
        robot.odometry(x, 0.0)
    robot.close()
    assert cli("trace", "import", tmp_path / "odd", "--to", tmp_path / "out").exit_code == 0
    assert [room.pose.x for room in load_world(tmp_path / "out" / "world.yaml").rooms] == [1.0]


@STORAGES
def test_a_bag_that_is_cut_off_is_one_line(tmp_path: Path, storage: StoragePlugin) -> None:
    bag = patrol(tmp_path / "torn", storage)
    (data,) = [*bag.glob("*.mcap"), *bag.glob("*.db3")]
    whole = data.read_bytes()
    for share in range(0, len(whole), len(whole) // 20):
        data.write_bytes(whole[:share])
        told = cli("trace", "import", bag, "--to", tmp_path / "out")
        assert told.exit_code == 2 and "Traceback" not in told.output
        assert told.stderr.count("\n") == 1 and str(bag) in told.stderr
    assert not (tmp_path / "out").exists()


@STORAGES
def test_of_a_bag_with_bytes_changed_what_can_be_read_is_imported(
    tmp_path: Path, storage: StoragePlugin
) -> None:
    bag = patrol(tmp_path / "damaged", storage)
    (data,) = [*bag.glob("*.mcap"), *bag.glob("*.db3")]
    whole, draw = data.read_bytes(), random.Random(1)
    for number in range(12):
        content = bytearray(whole)
        for _ in range(40):
            content[draw.randrange(len(content))] = draw.randrange(256)
        data.write_bytes(content)
        told = cli("trace", "import", bag, "--to", tmp_path / f"out{number}")
        assert told.exit_code in (0, 2), told.exception
        if told.exit_code == 0:
            load_world(tmp_path / f"out{number}" / "world.yaml")


def test_messages_of_a_version_with_other_fields_are_counted_and_left_out(tmp_path: Path) -> None:
    robot = OtherRobot(tmp_path / "bag")
    robot.odometry(1.0, 2.0)
    robot.tell_other("/detections", "vision_msgs/msg/Detection3DArray", "string what", b"\x00" * 9)
    robot.close()
    told = cli("trace", "import", tmp_path / "bag", "--to", tmp_path / "out")
    assert told.exit_code == 0, told.output
    assert "/detections: 1 messages cannot be read and are left out." in told.stdout


def test_a_big_bag_takes_little_memory(tmp_path: Path) -> None:
    robot = OtherRobot(tmp_path / "big")
    image = STORE.types["std_msgs/msg/String"]("x" * 10**6)
    for step in range(40):
        robot.at = step * 0.1
        robot.odometry(1.0, 2.0)
        robot.tell("/image", image)
    robot.close()
    tracemalloc.start()
    try:
        assert len(read_foreign(tmp_path / "big").drive.places()) == 1
        assert tracemalloc.get_traced_memory()[1] < 10 * 10**6
    finally:
        tracemalloc.stop()


def test_what_cannot_be_imported_is_one_line_that_says_what_it_takes(tmp_path: Path) -> None:
    robot = OtherRobot(tmp_path / "talk")
    robot.tell("/chatter", STORE.types["std_msgs/msg/String"]("hello"))
    robot.close()
    told = cli("trace", "import", tmp_path / "talk", "--to", tmp_path / "out")
    assert told.exit_code == 2 and told.stderr.count("\n") == 1
    assert "nothing in it tells where the robot was; needed is one of tf2_msgs" in told.stderr
    assert "there is: /chatter (std_msgs/msg/String)" in told.stderr
    assert cli("trace", "import", tmp_path / "no", "--to", tmp_path / "out").exit_code == 2
    bag = patrol(tmp_path / "patrol")
    assert cli("trace", "import", bag, "--to", tmp_path / "out").exit_code == 0
    again = cli("trace", "import", bag, "--to", tmp_path / "out")
    assert again.exit_code == 2 and "world.yaml: is there already" in again.stderr
    (tmp_path / "out" / "world.yaml").unlink()
    (tmp_path / "out" / "timeline.csv").write_text("mine")
    again = cli("trace", "import", bag, "--to", tmp_path / "out")
    assert again.exit_code == 2 and "timeline.csv: is there already" in again.stderr
    assert [path.read_text() for path in (tmp_path / "out").iterdir()] == ["mine"]
