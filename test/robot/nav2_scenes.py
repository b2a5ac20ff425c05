"""What a robot with Nav2 must do: run with stand-ins for Nav2's types, and with the real ones."""

from __future__ import annotations

import math
import signal
import time
from dataclasses import dataclass

from action_msgs.msg import GoalStatus
from action_msgs.srv import CancelGoal
from geometry_msgs.msg import PoseWithCovarianceStamped
from given_time import GivenTime
from nav2_robot import Nav2Robot
from waiting import until

from roboinstruct_msgs.action import GoTo
from roboinstruct_msgs.msg import Heartbeat, StopRequest
from roboinstruct_msgs.srv import GetAllRooms, GetCurrentLocation
from roboinstruct_ros.domain.skill_call import SkillErrorCode

STOPPED_WITHIN = 0.1
"""s, the promise of the skill interface."""


def goes_to_rooms_by_name_and_alias(robot: Nav2Robot) -> None:
    """With a margin of 3 m, the kitchen's pose is near enough to be the hallway still."""
    skills = robot.skills
    assert "kitchen" in skills.call(GetAllRooms).rooms
    until(lambda: skills.where() == "hallway")
    assert skills.go("kitchen") == (0, "")
    assert skills.where() == "kitchen"
    assert skills.go("lounge") == (0, "")
    assert skills.where() == "living room"
    assert [(goal.x, goal.y) for goal in robot.nav2.goals] == [(10.0, 2.5), (19.0, 2.5)]
    assert any(told.distance_remaining > 0 for told in skills.feedback)
    code, message = skills.go("kichen")
    assert code == SkillErrorCode.UNKNOWN_LOCATION and "'kitchen'" in message


def clears_the_costmaps_and_tries_again(robot: Nav2Robot) -> None:
    robot.nav2.no_path = 1
    assert robot.skills.go("kitchen")[0] == 0
    assert robot.nav2.cleared == 2  # the local and the global one
    robot.nav2.no_path = 2
    code, message = robot.skills.go("garage")
    assert code == SkillErrorCode.NAVIGATION_BLOCKED and "scripted: no way" in message
    assert len(robot.nav2.goals) == 1


def tells_why_nav2_gave_up(robot: Nav2Robot) -> None:
    _wait_ready(robot)
    robot.nav2.aborts = [(102, "no transform")]
    code, message = robot.skills.go("garage")
    assert code == SkillErrorCode.NOT_LOCALIZED and "no transform" in message
    robot.nav2.state = "inactive"
    code, message = robot.skills.go("garage")
    assert code == SkillErrorCode.SERVER_UNAVAILABLE and "inactive" in message


@dataclass(frozen=True)
class Stopped:
    """What a stop took, s: until the robot stood still by its own stamps, and until it was told."""

    still: float
    told: float | None = None


def cancels_at_once(robot: Nav2Robot) -> Stopped:
    """A client cancels its goal."""
    _wait_ready(robot)
    goal = robot.skills.start_moving("garage")
    clock = GivenTime(robot.process.pid)
    goal.cancel_goal_async()
    status, result = robot.skills.result(goal)
    told = clock.until(time.time())
    assert status == GoalStatus.STATUS_CANCELED
    assert result.error_code == SkillErrorCode.CANCELED
    return Stopped(_still(robot, clock), told)


def stops_at_once(robot: Nav2Robot) -> Stopped:
    """Somebody asks for a stop."""
    _wait_ready(robot)
    goal = robot.skills.start_moving("garage")
    clock = GivenTime(robot.process.pid)
    robot.skills.stop.publish(StopRequest(source="test", reason="enough"))
    result = robot.skills.result(goal)[1]
    told = clock.until(time.time())
    assert result.error_code == SkillErrorCode.STOPPED and "enough" in result.error_msg
    return Stopped(_still(robot, clock), told)


def a_lost_executor_ends_the_drive(robot: Nav2Robot) -> None:
    _wait_ready(robot)
    goal = robot.skills.start_moving("garage", session="1")
    executor = Heartbeat(node="an executor of another name", session="1")
    robot.skills.heartbeat.publish(executor)
    clock = GivenTime(robot.process.pid)
    assert robot.skills.result(goal)[1].error_code == SkillErrorCode.EXECUTOR_LOST
    robot.skills.still_after(clock.began)


def a_nav2_that_hangs_is_given_up(robot: Nav2Robot) -> None:
    _wait_ready(robot)
    robot.nav2.hangs = True
    code, message = robot.skills.go("garage")
    assert code == SkillErrorCode.SERVER_UNAVAILABLE and "silent" in message


def a_nav2_that_never_ends_a_goal_is_left(robot: Nav2Robot) -> None:
    """The navigator hangs in Nav2, and only a new process gets rid of it."""
    _wait_ready(robot)
    robot.nav2.hangs = True
    goal = robot.skills.send(GoTo, location="garage")
    until(lambda: len(robot.nav2.goals) == 2)
    goal.cancel_goal_async()
    assert robot.skills.result(goal)[1].error_code == SkillErrorCode.CANCELED
    code, message = robot.skills.go("kitchen")
    assert code == SkillErrorCode.BUSY and "may move" in message
    assert robot.process.wait(60) == 1


def an_end_that_hangs_in_nav2_is_seen(robot: Nav2Robot) -> None:
    """By the exit code, so that whoever watches the node does not take it for a good end."""
    _wait_ready(robot)
    robot.nav2.hangs = True
    robot.skills.send(GoTo, location="garage")
    until(lambda: len(robot.nav2.goals) == 2)
    robot.process.terminate()
    assert robot.process.wait(60) == 1


def a_drive_that_takes_too_long_is_ended(robot: Nav2Robot) -> None:
    _wait_ready(robot)
    code, message = robot.skills.go("garage")
    assert code == SkillErrorCode.TIMEOUT and "garage" in message
    until(lambda: robot.nav2.ended[-1][0] == "canceled")


def an_interrupted_node_ends_the_drive(robot: Nav2Robot) -> Stopped:
    """SIGINT."""
    return _ends_with_the_node(robot, signal.SIGINT)


def a_killed_node_ends_the_drive(robot: Nav2Robot) -> Stopped:
    """SIGKILL: `motion_stop` is left."""
    return _ends_with_the_node(robot, signal.SIGKILL)


def _still(robot: Nav2Robot, clock: GivenTime) -> float:
    return clock.until(clock.began + robot.skills.still_after(clock.began))


def _wait_ready(robot: Nav2Robot) -> None:
    """Everybody has found everybody: a drive to where the robot is succeeds."""
    until(lambda: robot.skills.go("hallway")[0] == 0)


def _ends_with_the_node(robot: Nav2Robot, number: signal.Signals) -> Stopped:
    robot.skills.start_moving("garage")
    pid = robot.process.pid
    clock = GivenTime(robot.stopping.pid if number == signal.SIGKILL else pid)
    robot.process.send_signal(number)
    until(lambda: robot.nav2.ended)
    how, when = robot.nav2.ended[-1]
    assert how == "canceled"
    still = Stopped(clock.until(when))  # now: a later wait for a core is none of the drive's
    robot.process.wait(60)
    return still


def a_cancel_ends_its_own_goal_and_a_stop_everybodys(robot: Nav2Robot) -> Stopped:
    """A stop cancels goals that nav2_skills knows nothing of; a cancel of its goal does not."""
    asked = _others_cancelled(robot)
    goal = robot.skills.start_moving("garage")
    clock = GivenTime(robot.process.pid)
    goal.cancel_goal_async()
    assert robot.skills.result(goal)[0] == GoalStatus.STATUS_CANCELED
    still = _still(robot, clock)
    until(lambda: [how for how, _ in robot.nav2.ended] == ["canceled"])
    assert not asked
    robot.skills.stop.publish(StopRequest(source="test"))
    until(lambda: asked)
    assert not any(asked[0].goal_info.goal_id.uuid) and len(asked) == 1
    return Stopped(still)


def _others_cancelled(robot: Nav2Robot) -> list[CancelGoal.Request]:
    """Cancels that an action of Nav2 gets which nav2_skills sends nothing to."""
    node = robot.skills.node
    asked: list[CancelGoal.Request] = []
    node.create_service(
        CancelGoal,
        "follow_waypoints/_action/cancel_goal",
        lambda request, response: asked.append(request) or response,
    )
    until(lambda: node.count_clients("/follow_waypoints/_action/cancel_goal") > 0)
    return asked


def an_end_leaves_the_goals_of_others(robot: Nav2Robot) -> Stopped:
    """Who ends the node in good order ends its own drive."""
    asked = _others_cancelled(robot)
    still = _ends_with_the_node(robot, signal.SIGTERM)
    assert robot.process.returncode == 0 and not asked
    return still


def a_stop_ends_what_others_have_sent(robot: Nav2Robot) -> Stopped:
    """A stop cancels goals that nav2_skills knows nothing of."""
    _wait_ready(robot)
    goal = robot.skills.start_moving("garage")
    del goal  # what matters: Nav2 gets a cancel for every goal, and not for that one only
    asked = _others_cancelled(robot)
    clock = GivenTime(robot.process.pid)
    robot.skills.stop.publish(StopRequest(source="test"))
    until(lambda: asked)
    assert not any(asked[0].goal_info.goal_id.uuid)
    return Stopped(_still(robot, clock))


def a_pose_that_is_none_is_not_where_the_robot_is(robot: Nav2Robot) -> None:
    """Numbers that are none, and those too large to be squared."""
    skills = robot.skills
    until(lambda: skills.where() == "hallway")
    poses = skills.node.create_publisher(PoseWithCovarianceStamped, "amcl_pose", 10)

    def tell(x: float, y: float = 2.5, turn: float = 0.0, known: float = 0.0) -> None:
        pose = PoseWithCovarianceStamped()
        pose.header.frame_id = "map"
        pose.pose.pose.position.x, pose.pose.pose.position.y = x, y
        pose.pose.pose.orientation.y, pose.pose.covariance[0] = turn, known
        poses.publish(pose)

    until(lambda: tell(10.0) or skills.where() == "kitchen")  # it hears the publisher
    until(lambda: tell(11.0, 6.0) or skills.where() == "hallway")
    for x, turn, known in ((math.nan, 0.0, 0.0), (10.0, 1e300, 0.0), (10.0, 0.0, math.nan)):
        tell(x, turn=turn, known=known)
        for _ in range(10):
            assert skills.where() == "hallway"
    assert skills.go("x" * 1_000_000)[0] == SkillErrorCode.INVALID_ARGUMENT
    until(lambda: skills.go("hallway")[0] == 0)


def says_where_the_robot_is_only_when_it_knows(robot: Nav2Robot) -> None:
    skills = robot.skills
    lost = skills.call(GetCurrentLocation)
    assert lost.error_code == SkillErrorCode.NOT_LOCALIZED and "initial pose" in lost.error_msg
    assert skills.go("kitchen")[0] == SkillErrorCode.NOT_LOCALIZED
    robot.nav2.localise(5.0)
    until(lambda: "5.0 m" in skills.call(GetCurrentLocation).error_msg)
    robot.nav2.localise(0.2)
    until(lambda: skills.where() == "hallway")
    assert skills.run(GoTo, location="kitchen").error_code == 0
