"""What ends a goal early, without ROS: stops, other goals, an executor that falls silent."""

from __future__ import annotations

import math

from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.skill_servers.activity import LONGEST_TICK, Activities, Activity
from roboinstruct_ros.skill_servers.fault import Fault

STOP = Fault(SkillErrorCode.STOPPED, "stopped by the test")


def silence(activities: Activities, seconds: float) -> int:
    """Lets time pass in steps; gives how often the robot had to be halted."""
    halts: list[None] = []
    for _ in range(math.ceil(seconds / LONGEST_TICK)):
        activities.watch_executor(LONGEST_TICK, lambda: halts.append(None))
    return len(halts)


def test_two_goals_that_move_exclude_each_other() -> None:
    activities, driving = Activities(), Activity("go_to", moves=True)
    assert activities.begin(driving) is None
    busy = activities.begin(Activity("pick", moves=True))
    assert busy is not None and busy.code is SkillErrorCode.BUSY and "go_to" in busy.message
    assert activities.begin(Activity("say")) is None
    activities.finish(driving)
    assert activities.begin(Activity("pick", moves=True)) is None


def test_a_stop_ends_every_goal_and_the_first_reason_stays() -> None:
    activities = Activities()
    driving, talking = Activity("go_to", moves=True), Activity("say")
    for activity in (driving, talking):
        activities.begin(activity)
    talking.end()
    activities.end_all(STOP)
    assert driving.fault is STOP and talking.fault is None


def test_a_lost_executor_ends_its_goal_once() -> None:
    activities, driving = Activities(), Activity("go_to", moves=True, duration=None)
    activities.heard_executor()
    activities.begin(driving)
    assert silence(activities, 0.9) == 0 and not driving.over.is_set()
    activities.heard_executor()
    assert silence(activities, 2.0) == 1
    assert driving.fault is not None and driving.fault.code is SkillErrorCode.EXECUTOR_LOST


def test_a_goal_of_somebody_else_is_not_watched() -> None:
    never_heard, driving = Activities(), Activity("go_to", moves=True)
    never_heard.begin(driving)
    assert silence(never_heard, 5.0) == 0
    long_gone, driving = Activities(), Activity("go_to", moves=True)
    long_gone.heard_executor()
    silence(long_gone, 5.0)
    long_gone.begin(driving)
    assert silence(long_gone, 5.0) == 0 and not driving.over.is_set()


def test_a_stalled_process_does_not_count_its_own_silence() -> None:
    activities, driving = Activities(), Activity("go_to", moves=True)
    activities.heard_executor()
    activities.begin(driving)
    activities.watch_executor(60.0, lambda: None)
    assert not driving.over.is_set()


def test_time_as_fast_as_possible_ends_what_has_a_duration() -> None:
    driving, waiting = Activity("go_to", duration=100.0), Activity("ask", duration=None)
    for activity in (driving, waiting):
        activity.advance(math.inf)
    assert driving.over.is_set() and driving.time_left == 0.0
    assert not waiting.over.is_set()
