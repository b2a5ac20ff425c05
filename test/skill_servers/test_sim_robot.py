"""The simulated robot over real DDS: eight skills, feedback, cancel, stop, loss, failures."""

from __future__ import annotations

import math
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from action_msgs.msg import GoalStatus
from geometry_msgs.msg import Pose, PoseStamped
from given_time import GivenTime, still
from nav_msgs.msg import Odometry
from node_process import command, node_process
from skill_client import TF, SkillClient
from waiting import until

from roboinstruct_msgs.action import Ask, GoTo, IsInRoom, Pick, Place, Say
from roboinstruct_msgs.msg import Answer, Heartbeat, Question, StopRequest
from roboinstruct_msgs.srv import GetAllRooms, GetCurrentLocation
from roboinstruct_ros import names
from roboinstruct_ros.domain.files.world_file import FailuresEntry
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.nodes.stop_link import TICK
from roboinstruct_ros.skill_servers.sim.failures import Chance, Failure
from roboinstruct_ros.skill_servers.sim.loop import STANDING_PERIOD, STANDING_POSE_PERIOD
from roboinstruct_ros.skill_servers.sim.node import SimRobot
from roboinstruct_ros.skill_servers.sim.parameters import SimParameters

pytestmark = pytest.mark.stack

STOPPED = (GoalStatus.STATUS_ABORTED, SkillErrorCode.STOPPED)
STOPPED_WITHIN = 0.1
"""s, the promise of the skill interface."""
KITCHEN = (10.0, 2.5, -1.57)
"""Where the robot stops there: m, m, rad."""
COMMAND = command("sim.node")


@contextmanager
def sim_robot(domain: int, **parameters: object) -> Iterator[SkillClient]:
    """A simulated robot in a process of its own, which must end well, and a client of it."""
    unsaid = ("Traceback", "never", "trigger")
    with (
        node_process(COMMAND, parameters, unsaid=unsaid) as process,
        SkillClient(domain) as client,
    ):
        client.server = process.pid
        yield client
        process.send_signal(signal.SIGINT)
        for answer in map(client.done, client.left):
            assert (answer.status, answer.result.error_code) == STOPPED, answer
        process.wait(60)


def codes(*results: object) -> list[int]:
    return [result.error_code for result in results]  # type: ignore[attr-defined]


def transforms(robot: SkillClient) -> list[tuple[str, str, float, float, float]]:
    """Frames, m and rad of the latest message on `/tf`."""
    return [
        (
            one.header.frame_id, one.child_frame_id, one.transform.translation.x,
            one.transform.translation.y,
            round(2.0 * math.atan2(one.transform.rotation.z, one.transform.rotation.w), 3),
        )
        for one in robot.latest[TF].transforms
    ]  # fmt: skip


def test_all_eight_skills_work_as_fast_as_possible(ros_domain: int) -> None:
    with sim_robot(ros_domain, speed_factor=0.0, grasp_slipped=0.0) as robot:
        assert "kitchen" in robot.call(GetAllRooms).rooms
        assert robot.call(GetCurrentLocation).location == "hallway"
        assert robot.run(GoTo, location="kitchen").error_code == 0
        assert robot.call(GetCurrentLocation).location == "kitchen"
        until(lambda: transforms(robot) == [("map", "base_link", *KITCHEN)])
        assert robot.run(IsInRoom, object="apple").present
        assert robot.run(Pick, object="apple").error_code == 0
        assert not robot.run(IsInRoom, object="apple").present
        until(lambda: robot.held() == ["apple"])
        assert robot.run(GoTo, location="lounge").error_code == 0
        assert robot.run(Place, object="apple").error_code == 0
        until(lambda: robot.held() == [])
        assert robot.run(IsInRoom, object="apple").present
        assert robot.run(Say, message="Here is an apple").error_code == 0
        until(lambda: names.SPEECH_TOPIC in robot.latest)
        assert robot.latest[names.SPEECH_TOPIC].data == "Here is an apple"
        asked = robot.run(Ask, person="Alice", question="Hungry?", options=["no", "yes"])
        assert (asked.answer, asked.error_code) == ("yes", 0)
        bad = robot.run(GoTo, location="kichen")
        assert bad.error_code == SkillErrorCode.UNKNOWN_LOCATION
        assert "'kitchen'" in bad.error_msg
        assert codes(
            robot.run(Pick, object="unicorn"),
            robot.run(Place, object="apple"),
            robot.run(Ask, person="Bob", question="Well?", options=["yes"]),
            robot.run(Say, message=" "),
            robot.run(IsInRoom, object=""),
            robot.run(GoTo, location="x" * 1_000_000),
            robot.run(IsInRoom, object="x" * 1_000_000),
        ) == [
            SkillErrorCode.OBJECT_NOT_FOUND,
            SkillErrorCode.HAND_EMPTY,
            SkillErrorCode.PERSON_NOT_FOUND,
            *[SkillErrorCode.INVALID_ARGUMENT] * 4,
        ]


def test_motion_has_feedback_and_ends_within_100_ms(ros_domain: int) -> None:
    with sim_robot(ros_domain) as robot:
        driving = robot.start_moving("garage")
        until(lambda: len(robot.feedback) >= 5)
        way = [(f.distance_remaining, f.estimated_time_remaining) for f in robot.feedback]
        assert way == sorted(way, reverse=True) and way[-1] < way[0]
        assert robot.feedback[0].current_pose.header.frame_id == "map"
        assert robot.run(Pick, object="key").error_code == SkillErrorCode.BUSY

        clock = GivenTime(robot.server)
        driving.cancel_goal_async()
        assert still(robot, clock) < STOPPED_WITHIN
        status, result = robot.result(driving)
        assert (status, result.error_code) == (GoalStatus.STATUS_CANCELED, SkillErrorCode.CANCELED)

        driving = robot.start_moving("garage")
        talking = robot.send(Say, message="On my way")
        clock = GivenTime(robot.server)
        robot.stop.publish(StopRequest(source="test", reason="the test says so"))
        assert still(robot, clock) < STOPPED_WITHIN
        for goal in (driving, talking):
            status, result = robot.result(goal)
            stopped = (GoalStatus.STATUS_ABORTED, SkillErrorCode.STOPPED)
            assert (status, result.error_code) == stopped
            assert "test: the test says so" in result.error_msg

        # Whoever sent a goal and falls silent is lost; the goals before named nobody.
        driving = robot.start_moving("garage", session="1")
        moment = time.monotonic()
        robot.heartbeat.publish(Heartbeat(node="an executor of another name", session="1"))
        status, result = robot.result(driving)
        assert result.error_code == SkillErrorCode.EXECUTOR_LOST
        # The clock counts in steps, and one may have begun before the heartbeat.
        assert time.monotonic() - moment > names.HEARTBEAT_TIMEOUT - 2 * TICK
        assert still(robot, GivenTime(robot.server)) < STOPPED_WITHIN
        left = [robot.start_moving("hallway"), robot.send(Say, message="On my way")]
        robot.left = [goal.get_result_async() for goal in left]
        robot.call(GetCurrentLocation)  # by then the robot knows who waits for a result


def test_failures_and_live_answers(ros_domain: int) -> None:
    failing = {"navigation_blocked": 1.0, "grasp_slipped": 1.0, "live_answers": True}
    with sim_robot(ros_domain, speed_factor=0.0, world="office", **failing) as robot:
        assert codes(robot.run(Pick, object="umbrella"), robot.run(GoTo, location="pantry")) == [
            SkillErrorCode.GRASP_FAILED,
            SkillErrorCode.NAVIGATION_BLOCKED,
        ]

    with sim_robot(ros_domain, world="office", live_answers=True, ask_timeout=1.0) as robot:
        options = {"question": "Which one?", "options": ["red", "Blue"]}
        asking = robot.send(Ask, person="", **options)
        until(lambda: robot.latest.get(names.QUESTION_TOPIC, Question()) != Question())
        shown = robot.latest[names.QUESTION_TOPIC]
        goal_id = bytes(asking.goal_id.uuid).hex()
        assert shown == Question(person="Mia", live=True, goal_id=goal_id, **options)
        robot.answer.publish(Answer(answer="red", goal_id="another"))
        for said in ("", "[" * 100_000, "green", "blue"):
            robot.answer.publish(Answer(answer=said))
        assert robot.result(asking)[1].answer == "Blue"
        until(lambda: robot.latest[names.QUESTION_TOPIC] == Question())
        unanswered = robot.run(Ask, person="Mia", **options)
        assert unanswered.error_code == SkillErrorCode.NO_ANSWER


def test_a_rate_that_is_taken_back_is_that_of_the_world_file_again() -> None:
    chance = Chance(FailuresEntry(grasp_slipped=("apple",), person_left=1.0))
    node = SimpleNamespace(house=SimpleNamespace(chance=chance))
    for rate in (0.0, -1.0):
        node.parameters = SimParameters(grasp_slipped=rate, person_left=rate)
        SimRobot.parameters_changed(node, {"grasp_slipped", "person_left"})  # type: ignore[arg-type]
        fails = rate < 0
        assert chance.strikes(Failure.GRASP_SLIPPED, "apple") is fails
        assert chance.strikes(Failure.PERSON_LEFT, "Ada") is fails


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("world:=hme", "hme: no world of that name; shipped are home, lab, office"),
        ("speed_factor:=-2.0", "speed_factor out of range"),
        ("speed_factor:=fast", "'speed_factor'"),
    ],
)
def test_bad_parameters_get_one_line(given: str, said: str, ros_domain: int) -> None:
    ended = subprocess.run([*COMMAND, "-p", given], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1
    assert ended.stderr.startswith("sim_robot: ") and said in ended.stderr


def test_a_robot_that_stands_says_so_seldom_and_tells_of_a_drive_50_times_a_second(
    ros_domain: int,
) -> None:
    with sim_robot(ros_domain) as robot:
        given = GivenTime(robot.server)
        told: list[tuple[float, ...]] = []
        drove: list[tuple[float, ...]] = []
        for kind, topic, heard in (
            (PoseStamped, names.ROBOT_POSE_TOPIC, lambda m: told.append(place(m.pose))),
            (Odometry, names.ODOMETRY_TOPIC, lambda m: drove.append(place(m.pose.pose))),
        ):
            robot.node.create_subscription(kind, topic, heard, 50)
        until(lambda: len(told) >= 2)  # again and again for who comes late, though it stands
        stood = [moment for moment, _ in robot.moving[-11:]]
        # ten periods of 0.1 s, of which a stall takes none
        assert stood[-1] - stood[0] > 0.5
        assert stood[-1] - stood[0] - given.withheld() < 10

        told.clear()
        given = GivenTime(robot.server)
        driving = robot.start_moving("garage")
        until(lambda: sum(moves for _, moves in robot.moving) >= 50)
        moments = [moment for moment, moves in robot.moving if moves][:50]
        assert moments[-1] - moments[0] - given.withheld() < 3  # 49 periods of 0.02 s
        assert len(set(told)) >= 15  # every other one of them

        driving.cancel_goal_async()
        robot.result(driving)
        given = GivenTime(robot.server)
        until(lambda: told[-1] == drove[-1])
        assert given.until(time.time()) < STANDING_POSE_PERIOD / 2


def place(pose: Pose) -> tuple[float, ...]:
    return pose.position.x, pose.position.y, pose.orientation.z


def test_a_goal_of_a_robot_that_stands_begins_at_once(ros_domain: int) -> None:
    with sim_robot(ros_domain, speed_factor=0.0) as robot:
        given = GivenTime(robot.server)
        for _ in range(20):
            assert robot.run(Say, message="Here I am").error_code == 0
        assert given.until(time.time()) < 20 * STANDING_PERIOD / 2
