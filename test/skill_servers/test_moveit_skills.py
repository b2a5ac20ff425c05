"""`moveit_skills` over real DDS: node, arm's process, controllers of control_msgs, a scripted arm.

MoveIt itself does not run here; `test_moveit_arm.py` holds the calls of its bindings to facts.
"""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from action_msgs.msg import GoalStatus
from given_time import GivenTime
from node_process import command, motion_stop, node_process
from rclpy.qos import DurabilityPolicy, QoSProfile
from scripted_robot import ScriptedRobot
from sensor_msgs.msg import JointState
from skill_client import SkillClient
from std_msgs.msg import String
from vision_msgs.msg import Detection3D, Detection3DArray, ObjectHypothesisWithPose
from waiting import LIMIT, until

from roboinstruct_msgs.action import Pick, Place
from roboinstruct_msgs.msg import Heartbeat, StopRequest
from roboinstruct_ros import names
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.nodes.discovery import wait_discovered

pytestmark = pytest.mark.stack

HERE = Path(__file__).resolve().parent
STOPPED_WITHIN = 0.1
"""s, the promise of the skill interface."""
SCRIPTED = [sys.executable, str(HERE / "scripted_moveit.py"), "--ros-args"]
REAL = command("moveit.node")
GIVEN = {"frames": "robot_pose"}
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
SCENE = "scripted_scene"


class HandClient(SkillClient):
    """Sends picks and places."""

    def __init__(self, domain: int) -> None:
        super().__init__(domain)
        self._keep(String, names.HELD_TOPIC, LATCHED)
        self._keep(String, SCENE, LATCHED)

    def __enter__(self) -> HandClient:
        assert self._clients[Pick].wait_for_server(LIMIT)
        assert self._clients[Place].wait_for_server(LIMIT)
        publishers = (self.stop, self.heartbeat)
        until(lambda: all(p.get_subscription_count() for p in publishers))
        assert wait_discovered(self.node, names.MOVEIT_SKILLS_NODE, LIMIT)
        return self

    def do(self, kind: Any, name: str) -> tuple[int, str]:
        result = self.run(kind, object=name)
        print(f"{kind.__name__}({name[:20]!r}): {result.error_code}, {result.error_msg[:200]}")
        return result.error_code, result.error_msg

    def in_hand(self) -> str:
        return str(self.latest[names.HELD_TOPIC].data)

    def scene(self) -> dict[str, list[str]]:
        return dict(json.loads(self.latest[SCENE].data))


@dataclass(frozen=True)
class Stage:
    skills: HandClient
    robot: ScriptedRobot
    process: subprocess.Popen[str]

    def clock(self) -> GivenTime:
        """Of all that takes part."""
        return GivenTime(self.process.pid, self.arm_process())

    def arm_process(self) -> int:
        """The pid of the arm's own process."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        of_threads = [
            path.read_text() for path in Path(f"/proc/{self.process.pid}/task").glob("*/children")
        ]
        return int((children or " ".join(of_threads)).split()[0])


@contextmanager
def stage(
    domain: int, script: dict[str, Any] | None = None, ends: int = 0, **parameters: object
) -> Iterator[Stage]:
    """The node in a process of its own, which must end with that code, and all around it."""
    folders = [str(HERE), os.environ.get("PYTHONPATH", "")]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, folders)),
        "SCRIPTED_ARM": json.dumps(script or {}),
    }
    given = {**GIVEN, **parameters}
    with (
        ScriptedRobot(domain) as robot,
        motion_stop(),
        node_process(SCRIPTED, given, (ends,), environment=environment) as process,
        HandClient(domain) as skills,
    ):
        until(lambda: robot.node.count_publishers("/scripted_scene") > 0)
        until(lambda: robot.node.count_subscribers("/joint_states") >= 2)
        ready = "stopped" if "controllers" in parameters else "3.0 m away"
        until(lambda: ready in skills.do(Pick, "lamp")[1])
        skills.feedback.clear()
        cancel = "/arm_controller/follow_joint_trajectory/_action/cancel_goal"
        known = 1 if "controllers" in parameters else 2  # MoveIt's, and the node's own
        until(lambda: robot.node.count_clients(cancel) >= known)
        yield Stage(skills, robot, process)


def test_an_apple_is_picked_and_placed(ros_domain: int) -> None:
    with stage(ros_domain, {"speed": 2.0}, carry="home") as on:
        skills, robot = on.skills, on.robot
        assert skills.do(Pick, "the apples") == (0, "")
        assert robot.held and robot.apple == robot.at
        until(lambda: skills.in_hand() == "apple")
        until(lambda: skills.scene()["attached"] == ["apple 2"])
        assert {told.phase for told in skills.feedback} <= {
            "", "open", "approach", "grasp", "lift", "carry", "check",
        }  # fmt: skip
        assert skills.do(Pick, "apple")[0] == SkillErrorCode.HAND_FULL
        assert skills.do(Place, "apple") == (0, "")
        until(lambda: skills.in_hand() == "")
        until(lambda: skills.scene()["attached"] == [])
        assert not robot.held and robot.apple[2] == pytest.approx(0.76, abs=0.005)
        assert skills.do(Place, "apple")[0] == SkillErrorCode.HAND_EMPTY


def test_moveit_that_waits_for_a_robot_is_waited_for(ros_domain: int, tmp_path: Path) -> None:
    """The node goes on meanwhile, and says so: nobody starts it again."""
    late = tmp_path / "late"
    late.touch()
    with stage(ros_domain, {"late": str(late)}, carry="home") as on:
        assert not late.exists()
        assert on.skills.do(Pick, "apple") == (0, "")


def test_each_failure_has_its_code(ros_domain: int) -> None:
    with stage(ros_domain, {"speed": 3.0}) as on:
        skills, robot = on.skills, on.robot
        assert skills.do(Pick, "")[0] == SkillErrorCode.INVALID_ARGUMENT
        assert skills.do(Pick, "unicorn")[0] == SkillErrorCode.OBJECT_NOT_FOUND
        assert skills.do(Pick, "lamp")[0] == SkillErrorCode.GRASP_FAILED
        robot.seen_ago = 60.0
        until(lambda: skills.do(Pick, "lamp")[0] == SkillErrorCode.OBJECT_NOT_FOUND)
        code, message = skills.do(Pick, "apple")
        assert code == SkillErrorCode.OBJECT_NOT_FOUND and "seen here now" in message
        robot.seen_ago = 0.0
        until(lambda: skills.do(Pick, "lamp")[0] == SkillErrorCode.GRASP_FAILED)
        robot.slips = True
        code, message = skills.do(Pick, "apple")
        assert code == SkillErrorCode.GRASP_FAILED and "slipped" in message
        until(lambda: skills.in_hand() == "" and skills.scene()["attached"] == [])


def test_no_message_ends_the_node(ros_domain: int) -> None:
    """Joints of wrong lengths and without end, stamps before time began, names of a megabyte."""
    with stage(ros_domain, {"speed": 3.0}) as on:
        joints = on.skills.node.create_publisher(JointState, "joint_states", 10)
        objects = on.skills.node.create_publisher(Detection3DArray, names.OBJECTS_TOPIC, 10)
        publishers = (joints, objects)
        until(lambda: all(p.get_subscription_count() for p in publishers))
        for names_of, positions in ((["a", "b"], [1.0]), ([], [1.0]), (["a"], [math.nan])):
            joints.publish(JointState(name=names_of, position=positions))
        many = [f"joint {number}" for number in range(10_000)]
        joints.publish(JointState(name=many, position=[0.0] * len(many)))
        strange = Detection3D(results=[ObjectHypothesisWithPose()])
        strange.header.stamp.sec = -5
        strange.results[0].hypothesis.class_id = "x" * 1_000_000
        wrong = Detection3D(results=[ObjectHypothesisWithPose()])
        wrong.results[0].hypothesis.class_id, wrong.bbox.center.position.x = "apple", math.nan
        early = Detection3D(results=[ObjectHypothesisWithPose()])
        early.results[0].hypothesis.class_id, early.header.stamp.sec = "lamp", -5
        message = Detection3DArray(detections=[strange, wrong, early])
        message.header.frame_id = names.MAP_FRAME
        objects.publish(message)
        assert on.skills.do(Pick, "x" * 1_000_000)[0] == SkillErrorCode.INVALID_ARGUMENT
        until(lambda: on.skills.do(Pick, "apple")[0] == 0)
        assert on.skills.do(Place, "apple") == (0, "")


def test_joints_that_are_silent_keep_the_arm_where_it_is(ros_domain: int) -> None:
    with stage(ros_domain) as on:
        on.robot.joints = False
        silent = 0.6  # s, longer than joints may be
        until(lambda: time.monotonic() - on.robot.joints_told > silent)
        code, message = on.skills.do(Pick, "apple")
        assert code == SkillErrorCode.GRASP_FAILED and "have not been heard" in message
        assert {name for name, _, _ in on.robot.moved} <= {"gripper"}


def test_a_silent_perception_is_a_fault_and_not_an_absence(ros_domain: int) -> None:
    with stage(ros_domain, objects_silence=0.5) as on:
        on.robot.seen = False
        silent = SkillErrorCode.SERVER_UNAVAILABLE
        until(lambda: on.skills.do(Pick, "lamp")[0] == silent)
        code, message = on.skills.do(Pick, "apple")
        assert code == silent and "perception" in message
        assert on.robot.moved == []


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ({"refuse": True}, "no way"),
        ({"elsewhere": 0.05}, "begins 0.050 away"),
    ],
)
def test_nothing_moves_without_a_plan_from_where_the_arm_is(
    script: dict[str, Any], said: str, ros_domain: int
) -> None:
    with stage(ros_domain, script) as on:
        code, message = on.skills.do(Pick, "apple")
        assert code == SkillErrorCode.GRASP_FAILED and said in message
        assert "arm" not in {name for name, _, _ in on.robot.moved}


def _planning(on: Stage) -> bool:
    return any(told.phase == "approach" for told in on.skills.feedback)


def _approaching(on: Stage) -> bool:
    return "arm" in on.robot.moving


def _closing(on: Stage) -> bool:
    return "gripper" in on.robot.moving and any(n == "arm" for n, _, _ in on.robot.moved)


def _lifting(on: Stage) -> bool:
    return "arm" in on.robot.moving and on.robot.held


def _still(on: Stage) -> float:
    """Waits until no controller is at work; gives when the last motion ended."""
    until(lambda: not on.robot.moving)
    return max((when for _, _, when in on.robot.moved), default=0.0)


@pytest.mark.parametrize(
    ("script", "moment"),
    [
        ({"plan_seconds": 2.0}, _planning),
        ({"speed": 0.3}, _approaching),
        ({"speed": 1.0}, _closing),
        ({"speed": 0.3}, _lifting),
    ],
    ids=["planning", "approaching", "closing", "lifting"],
)
def test_a_cancel_ends_the_goal_and_the_motion_at_once(
    script: dict[str, Any], moment: Callable[[Stage], bool], ros_domain: int
) -> None:
    with stage(ros_domain, script) as on:
        goal = on.skills.send(Pick, object="apple")
        until(lambda: moment(on))
        clock = on.clock()
        goal.cancel_goal_async()
        status, result = on.skills.result(goal)
        assert (status, result.error_code) == (
            GoalStatus.STATUS_CANCELED,
            SkillErrorCode.CANCELED,
        )
        assert clock.until(_still(on)) < STOPPED_WITHIN
        moved = len(on.robot.moved)
        until(lambda: on.skills.do(Place, "unicorn")[0] == SkillErrorCode.HAND_EMPTY)
        assert len(on.robot.moved) == moved


@pytest.mark.parametrize("script", [{"speed": 0.3}, {"speed": 0.3, "deaf": True}])
def test_a_stop_reaches_the_controllers_also_beside_a_deaf_arm(
    script: dict[str, Any], ros_domain: int
) -> None:
    with stage(ros_domain, script) as on:
        goal = on.skills.send(Pick, object="apple")
        until(lambda: _approaching(on))
        clock = on.clock()
        on.skills.stop.publish(StopRequest(source="test", reason="enough"))
        result = on.skills.result(goal)[1]
        assert result.error_code == SkillErrorCode.STOPPED and "enough" in result.error_msg
        assert clock.until(_still(on)) < STOPPED_WITHIN
        assert on.robot.moved[-1][:2] == ("arm", "canceled")


def test_a_lost_executor_ends_the_pick(ros_domain: int) -> None:
    with stage(ros_domain, {"speed": 0.1}) as on:
        goal = on.skills.send(Pick, "1", object="apple")
        beat = Heartbeat(node="an executor of another name", session="1")
        until(lambda: on.skills.heartbeat.publish(beat) or _approaching(on))
        assert on.skills.result(goal)[1].error_code == SkillErrorCode.EXECUTOR_LOST
        _still(on)
        assert on.robot.moved[-1][:2] == ("arm", "canceled")


@pytest.mark.parametrize(
    ("who", "number", "code"),
    [("node", signal.SIGKILL, -9), ("node", signal.SIGINT, 0), ("arm", signal.SIGKILL, 1)],
)
def test_the_end_of_either_process_ends_the_motion(
    who: str, number: signal.Signals, code: int, ros_domain: int
) -> None:
    with stage(ros_domain, {"speed": 0.2}, ends=code) as on:
        on.skills.send(Pick, object="apple")
        until(lambda: _approaching(on))
        pid = on.process.pid if who == "node" else on.arm_process()
        clock = on.clock()
        os.kill(pid, number)
        assert clock.until(_still(on)) < 4 * STOPPED_WITHIN
        assert on.robot.moved[-1][:2] == ("arm", "canceled")
        on.process.wait(60)


def test_an_arm_that_is_not_there_in_time_is_stopped(ros_domain: int) -> None:
    with stage(ros_domain, execute_limit=0.1) as on:
        on.robot.slow = 50.0
        code, message = on.skills.do(Pick, "apple")
        assert code == SkillErrorCode.SERVER_UNAVAILABLE and "did not answer 'execute'" in message
        _still(on)
        assert on.robot.moved[-1][:2] == ("arm", "canceled")


def test_a_robot_that_could_not_be_stopped_does_not_move(ros_domain: int) -> None:
    with stage(ros_domain, controllers='["other_controller/follow_joint_trajectory"]') as on:
        code, message = on.skills.do(Pick, "apple")
        assert (
            code == SkillErrorCode.SERVER_UNAVAILABLE and "by which the arm is stopped" in message
        )
        assert on.robot.moved == []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("grasps:=none.yaml", "none.yaml: no such file"),
        ("frames:=tf3", "frames: 'tf3' is not one of tf2, robot_pose"),
        ("velocity_scaling:=2.0", "velocity_scaling out of range"),
        ("group:=arm", "needs moveit_py: apt install ros-jazzy-moveit-py"),
    ],
)
def test_bad_parameters_and_a_missing_moveit_get_one_line(
    given: str, said: str, tmp_path: Path, ros_domain: int
) -> None:
    """An empty package of that name stands for a machine without MoveIt, also where it is there."""
    (tmp_path / "moveit").mkdir()
    (tmp_path / "moveit" / "__init__.py").touch()
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    quick = ["-p", "frames:=robot_pose"] if not given.startswith("frames") else []
    ended = subprocess.run(
        [*REAL, *quick, "-p", given],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert ended.returncode == 2, ended.stderr
    assert len(ended.stderr.splitlines()) == 1 and said in ended.stderr
