"""`perception` over real DDS: detections of `vision_msgs`, turns of Nav2's and a head's type.

The camera, the base and the head are scripted; no detector and no Nav2 runs here.
"""

from __future__ import annotations

import math
import random
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import robot_interfaces  # noqa: F401
from action_msgs.msg import GoalStatus
from geometry_msgs.msg import PoseStamped
from given_time import GivenTime
from goal_client import GoalClient
from nav2_msgs.action import Spin
from node_process import command, motion_stop, node_process
from rclpy.qos import DurabilityPolicy, QoSProfile
from scripted_camera import ScriptedCamera, Thing
from skill_client import SkillClient
from std_msgs.msg import String
from vision_msgs.msg import Detection3DArray
from waiting import LIMIT, until

from roboinstruct_msgs.action import IsInRoom
from roboinstruct_msgs.msg import AskedNames, StopRequest
from roboinstruct_ros import names
from roboinstruct_ros.domain.semantic_map import Pose
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.nodes.discovery import wait_discovered

pytestmark = pytest.mark.stack

STOPPED_WITHIN = 0.1
"""s, the promise of the skill interface."""
KITCHEN = Pose(10.0, 2.5, 0.0)
AHEAD = Thing("apple", 11.0, 2.5)
BEHIND = Thing("Mug", 9.0, 2.4)
NEXT_DOOR = Thing("fork", 13.0, 2.5)
MAP = """\
rooms:
  - name: kitchen
    pose: {x: 10.0, y: 2.5, yaw: 0.0}
    polygon: [[8, 0], [12, 0], [12, 5], [8, 5]]
  - name: dining room
    pose: {x: 15.0, y: 2.5, yaw: 0.0}
    polygon: [[12, 0], [16, 0], [16, 5], [12, 5]]
"""
QUICK = {"frames": "robot_pose", "settle": 0.05, "trust": 0.0}
COMMAND = command("perception.node")
TURNS = {"none": "", "base": "spin", "head": "head_controller/follow_joint_trajectory"}
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)


class PerceptionClient(SkillClient):
    """Asks, and hears what the node publishes."""

    def __init__(self, domain: int, server: int) -> None:
        super().__init__(domain)
        self.server = server
        self._keep(Detection3DArray, names.OBJECTS_TOPIC, 10)
        self._keep(AskedNames, names.ASKED_NAMES_TOPIC, LATCHED)
        self.held = self.node.create_publisher(String, names.HELD_TOPIC, LATCHED)  # type: ignore[method-assign,assignment]

    def __enter__(self) -> PerceptionClient:
        assert self._clients[IsInRoom].wait_for_server(LIMIT)
        publishers = (self.stop, self.held)
        until(lambda: all(p.get_subscription_count() for p in publishers))  # type: ignore[attr-defined]
        assert wait_discovered(self.node, names.PERCEPTION_NODE, LIMIT)
        until(lambda: names.OBJECTS_TOPIC in self.latest)
        return self

    def ask(self, name: str) -> tuple[bool, int, str]:
        answer = self.run(IsInRoom, object=name)
        print(f"{name[:20]!r}: {answer.present}, {answer.error_code}, {answer.error_msg[:200]}")
        return answer.present, answer.error_code, answer.error_msg

    def begin(self, name: str, session: str = "") -> Any:
        return self.send(IsInRoom, session, object=name)

    def end_of(self, handle: Any) -> Any:
        return self.result(handle)[1]

    def objects(self) -> dict[str, Any]:
        message = self.latest[names.OBJECTS_TOPIC]
        assert message.header.frame_id == "map"
        return {d.results[0].hypothesis.class_id: d for d in message.detections}


@contextmanager
def perception(
    domain: int, *things: Thing, **parameters: object
) -> Iterator[tuple[PerceptionClient, ScriptedCamera]]:
    """The node in a process of its own, which must end well, before a scripted camera."""
    given = {**QUICK, **parameters}
    with (
        node_process(COMMAND, given) as process,
        motion_stop(),
        ScriptedCamera(domain, KITCHEN, *things) as camera,
        PerceptionClient(domain, process.pid) as client,
    ):
        topics = ("/detections_2d", "/detections_3d")
        until(lambda: any(map(camera.node.count_subscribers, topics)))
        if turns := TURNS[str(given.get("turner", "base"))]:
            cancel = f"/{turns}/_action/cancel_goal"
            # the node's and `motion_stop`'s: nothing turns that cannot be stopped
            until(lambda: camera.node.count_clients(cancel) >= 2)
        yield client, camera


def test_a_map_that_is_changed_is_looked_at_again(ros_domain: int, tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    path.write_text(MAP)
    with perception(ros_domain, AHEAD, NEXT_DOOR, map=path) as (robot, _):
        assert robot.ask("apple") == (True, 0, "")
        assert robot.ask("fork") == (False, 0, "")
        path.write_text(MAP.replace("[12, ", "[14, "))  # the wall was moved
        assert robot.ask("fork") == (True, 0, "")


def test_a_simulator_that_holds_the_clock_does_not_silence_it(ros_domain: int) -> None:
    with perception(ros_domain, use_sim_time=True) as (robot, _):  # nobody publishes /clock
        assert robot.objects() == {}


def test_it_looks_all_around_before_it_says_no(ros_domain: int) -> None:
    with perception(ros_domain, AHEAD, BEHIND, NEXT_DOOR) as (robot, camera):
        assert robot.ask("apple") == (True, 0, "")
        assert camera.turned == []
        assert robot.ask("the cups") == (True, 0, "")
        assert 0 < len(camera.turned) < 6
        camera.turned.clear()
        assert robot.ask("unicorn") == (False, 0, "")
        assert [how for how, _ in camera.turned] == ["turned"] * 6
        assert robot.ask("fork") == (False, 0, "")  # seen through the wall into the next room
        assert robot.ask(" ")[1] == SkillErrorCode.INVALID_ARGUMENT
        until(lambda: names.ASKED_NAMES_TOPIC in robot.latest)
        assert robot.latest[names.ASKED_NAMES_TOPIC].names == ["apple", "cup", "unicorn", "fork"]
        place = robot.objects()["apple"].bbox.center.position
        assert math.dist((place.x, place.y, place.z), (11.0, 2.5, 0.8)) < 1e-3


def test_a_flickering_detector_is_believed_only_when_it_keeps_seeing(ros_domain: int) -> None:
    draw = random.Random(1)
    often, rarely = Thing("apple", 11.0, 2.5), Thing("plate", 11.2, 2.6)
    with perception(ros_domain, often, rarely, turner="none", hits=6, frames_of_hits=10) as (
        robot,
        camera,
    ):
        camera.sees = lambda thing: draw.random() < (0.9 if thing.name == "apple" else 0.1)
        assert robot.ask("apple")[0] is True
        assert robot.ask("plate") == (False, 0, "")


def test_a_camera_that_says_nothing_is_a_fault_and_never_a_no(ros_domain: int) -> None:
    with perception(ros_domain, AHEAD, silence_limit=0.5) as (robot, camera):

        def says(wanted: SkillErrorCode, *words: str) -> bool:
            present, code, message = robot.ask("apple")
            assert present or code != 0, "a no without a look"
            return code == wanted and all(word in message for word in words)

        camera.frame = "camera_link"
        until(lambda: says(SkillErrorCode.NOT_LOCALIZED, "'camera_link'", "detections_3d"))
        camera.frame, camera.late = names.BASE_FRAME, 5.0
        until(lambda: says(SkillErrorCode.SERVER_UNAVAILABLE, "s old"))
        camera.late, camera.on = 0.0, False
        until(lambda: says(SkillErrorCode.SERVER_UNAVAILABLE, "detector running"))


def test_no_message_ends_the_node_or_makes_it_say_something_else(ros_domain: int) -> None:
    """Numbers that are none, poses far off, names of a megabyte, ten thousand detections."""
    with perception(ros_domain, AHEAD, turner="none") as (robot, camera):
        poses = robot.node.create_publisher(PoseStamped, names.ROBOT_POSE_TOPIC, LATCHED)
        frames = robot.node.create_publisher(Detection3DArray, "detections_3d", 10)
        until(lambda: poses.get_subscription_count() and frames.get_subscription_count())
        assert robot.ask("apple") == (True, 0, "")
        for number in (math.nan, math.inf, 1e300):
            pose = PoseStamped()
            pose.header.frame_id = names.MAP_FRAME
            pose.pose.position.x, pose.pose.orientation.y = math.nan, number
            poses.publish(pose)
        robot.held.publish(String(data="x" * 1_000_000))  # type: ignore[attr-defined]
        many = camera.frame_of(Thing("apple", math.nan, 2.5), *[AHEAD] * 9_999)
        strange = camera.frame_of(Thing("x" * 1_000_000, 11.0, 2.5), Thing("", 11.0, 2.5))
        strange.header.stamp.sec = -5
        for message in (many, strange):
            frames.publish(message)
        until(lambda: robot.ask("apple") == (True, 0, ""))
        assert robot.ask("x" * 1_000_000)[1] == SkillErrorCode.INVALID_ARGUMENT
        assert robot.ask("unicorn") == (False, 0, "")
        assert all(len(name) < 300 for name in robot.objects())


def test_a_direction_that_cannot_be_looked_at_is_a_fault(ros_domain: int) -> None:
    with perception(ros_domain, AHEAD) as (robot, camera):
        camera.stuck = True
        present, code, message = robot.ask("unicorn")
        assert (present, code) == (False, SkillErrorCode.NAVIGATION_BLOCKED)
        assert "a chair is in the way" in message
        camera.stuck = False
        assert robot.ask("apple") == (True, 0, "")


def test_a_stop_ends_the_turn_and_the_question_at_once(ros_domain: int) -> None:
    with perception(ros_domain) as (robot, camera):
        camera.speed = 0.5
        future = robot.begin("apple")
        until(lambda: camera.turning)
        clock = GivenTime(robot.server)
        robot.stop.publish(StopRequest(source="test", reason="enough"))
        answer = robot.end_of(future)
        assert answer.error_code == SkillErrorCode.STOPPED and "enough" in answer.error_msg
        until(lambda: camera.turned)
        assert [how for how, _ in camera.turned] == ["canceled"]
        assert clock.until(camera.turned[0][1]) < STOPPED_WITHIN


def test_a_cancel_ends_the_turn_and_the_question_at_once(ros_domain: int) -> None:
    with perception(ros_domain, AHEAD) as (robot, camera):
        camera.speed = 0.2  # a turn lasts longer than anything here
        looking = robot.begin("unicorn")
        until(lambda: camera.turning)
        assert robot.ask("apple")[1] == SkillErrorCode.BUSY
        until(lambda: any(f.phase == "turning" for f in robot.feedback))
        assert 0.0 < robot.feedback[-1].time_remaining < 90.0
        clock = GivenTime(robot.server)
        looking.cancel_goal_async()
        status, result = robot.result(looking)
        assert (status, result.error_code) == (GoalStatus.STATUS_CANCELED, SkillErrorCode.CANCELED)
        assert clock.until(time.time()) < STOPPED_WITHIN
        until(lambda: camera.turned)
        assert [how for how, _ in camera.turned] == ["canceled"]
        assert clock.until(camera.turned[0][1]) < STOPPED_WITHIN
        until(lambda: robot.ask("apple") == (True, 0, ""))


def test_a_cancel_leaves_the_turns_of_others_and_a_stop_does_not(ros_domain: int) -> None:
    with perception(ros_domain) as (robot, camera):
        camera.speed = 0.01
        others = GoalClient(robot.node, Spin, "spin")
        assert others.wait_for_server(LIMIT)
        assert wait_discovered(robot.node, "scripted_camera", LIMIT)
        sent = robot.done(others.send_goal_async(Spin.Goal(target_yaw=1.0)))
        theirs = sent.get_result_async()

        def begun() -> Any:
            """A look that turns; none as long as the server still ends the one before."""
            robot.feedback.clear()
            looking = robot.begin("unicorn")
            refused = looking.get_result_async()
            until(lambda: refused.done() or any(f.phase == "turning" for f in robot.feedback))
            if refused.done():
                assert refused.result().result.error_code == SkillErrorCode.BUSY
            return None if refused.done() else looking

        for looks in (1, 2):
            looking = until(begun)
            looking.cancel_goal_async()
            assert robot.end_of(looking).error_code == SkillErrorCode.CANCELED
            until(lambda looks=looks: len(camera.turned) >= looks)  # type: ignore[misc]
        assert not theirs.done()
        robot.stop.publish(StopRequest(source="test"))
        assert robot.done(theirs).status == GoalStatus.STATUS_CANCELED


def test_a_look_that_takes_too_long_is_ended_with_its_turn(ros_domain: int) -> None:
    with perception(ros_domain, look_limit=1.0) as (robot, camera):
        camera.speed = 0.2
        present, code, message = robot.ask("apple")
        assert (present, code) == (False, SkillErrorCode.TIMEOUT) and "within 1 s" in message
        until(lambda: camera.turned)
        assert [how for how, _ in camera.turned] == ["canceled"]


def test_a_turn_that_takes_too_long_is_ended_and_no_other(ros_domain: int) -> None:
    with perception(ros_domain, turn_limit=0.5) as (robot, camera):
        camera.speed = 0.01
        others = GoalClient(robot.node, Spin, "spin")
        assert others.wait_for_server(LIMIT)
        assert wait_discovered(robot.node, "scripted_camera", LIMIT)
        sent = robot.done(others.send_goal_async(Spin.Goal(target_yaw=1.0)))
        theirs = sent.get_result_async()
        present, code, message = robot.ask("unicorn")
        assert (present, code) == (False, SkillErrorCode.NAVIGATION_BLOCKED)
        assert "took longer than 0.5 s" in message
        assert [how for how, _ in camera.turned] == ["canceled"]
        assert not theirs.done()


def test_a_turn_that_is_accepted_too_late_is_not_made(ros_domain: int) -> None:
    with perception(ros_domain, turn_limit=0.5) as (robot, camera):
        camera.speed = 0.01
        camera.accepts.clear()
        present, code, message = robot.ask("unicorn")
        assert (present, code) == (False, SkillErrorCode.NAVIGATION_BLOCKED)
        assert "was not answered" in message
        camera.accepts.set()
        until(lambda: [how for how, _ in camera.turned] == ["canceled"])


def test_the_end_of_the_executor_ends_the_turn(ros_domain: int) -> None:
    with perception(ros_domain) as (robot, camera):
        camera.speed = 0.2
        looking = robot.begin("apple", "1")
        until(lambda: camera.turning)
        assert robot.end_of(looking).error_code == SkillErrorCode.EXECUTOR_LOST
        until(lambda: camera.turned)
        assert [how for how, _ in camera.turned] == ["canceled"]


def test_what_the_robot_holds_is_not_in_the_room(ros_domain: int) -> None:
    with perception(ros_domain, AHEAD, turner="none", trust=60.0) as (robot, camera):
        assert robot.ask("apple")[0] is True
        until(lambda: "apple" in robot.objects())
        robot.held.publish(String(data="apple"))  # type: ignore[attr-defined]
        until(lambda: "apple" not in robot.objects())
        assert robot.ask("apple") == (False, 0, "")
        camera.things.append(Thing("apple", 12.0, 2.5))
        until(lambda: "apple" in robot.objects())
        assert robot.ask("apple")[0] is True


def test_a_head_looks_to_both_sides_and_comes_back(ros_domain: int) -> None:
    beside = Thing("apple", 10.0, 1.2)
    given = {"turner": "head", "head_joint": "head_pan_joint", "arc": 4.0, "head_speed": 6.0}
    with perception(ros_domain, beside, **given) as (robot, camera):
        assert robot.ask("apple")[0] is True
        until(lambda: abs(camera.pose.yaw) < 1e-3)
        assert len(camera.turned) > 1


def test_detectors_without_depth_and_with_a_closed_vocabulary(ros_domain: int) -> None:
    given = {
        "turner": "none",
        "detections_3d": '[""]',
        "detections_2d": '["detections_2d"]',
        "vocabulary": '["apple", "tvmonitor"]',
    }
    with perception(ros_domain, AHEAD, **given) as (robot, _):
        assert robot.ask("apple")[0] is True
        assert robot.ask("television") == (False, 0, "")
        _, code, message = robot.ask("aple")
        assert code == SkillErrorCode.INVALID_ARGUMENT and "did you mean 'apple'?" in message


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("frames:=tf3", "frames: 'tf3' is not one of tf2, robot_pose"),
        ("turner:=head", "head_joint: is empty"),
        ("turner:=neck", "turner: 'neck' is not one of base, head, none"),
        ("map:=hme", "hme: no world of that name"),
        ("object_names:=none.yaml", "none.yaml: no such file"),
        ("field_of_view:=0.0", "field_of_view out of range"),
    ],
)
def test_bad_parameters_get_one_line(given: str, said: str, ros_domain: int) -> None:
    quick = ["-p", "frames:=robot_pose"] if not given.startswith("frames") else []
    ended = subprocess.run(
        [*COMMAND, *quick, "-p", given], capture_output=True, text=True, timeout=30
    )
    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1 and said in ended.stderr
