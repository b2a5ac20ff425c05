"""What ends a goal early, without ROS: stops, other goals, an executor that falls silent."""

from __future__ import annotations

import math

from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.names import HEARTBEAT_TIMEOUT
from roboinstruct_ros.skill_servers.kit.activity import Activities, Activity
from roboinstruct_ros.skill_servers.kit.fault import Fault

STOP = Fault(SkillErrorCode.STOPPED, "stopped by the test")


class Silence:
    """How long each sender has been silent, s."""

    def __init__(self, **silent: float) -> None:
        self.silent = silent
        self.halts = 0

    def look(self, activities: Activities) -> None:
        activities.end_left_behind(lambda session: self.silent[session], self._halt)

    def _halt(self) -> None:
        self.halts += 1


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


def test_a_lost_sender_ends_its_goal_once_and_no_other() -> None:
    activities, heard = Activities(), Silence(one=0.9, other=0.0)
    driving = Activity("go_to", moves=True, duration=None, session="one")
    talking, by_hand = Activity("say", session="other"), Activity("ask")
    for activity in (driving, talking):
        assert activities.begin(activity) is None
    activities.running.append(by_hand)
    heard.look(activities)
    assert heard.halts == 0 and not driving.over.is_set()
    heard.silent["one"] = HEARTBEAT_TIMEOUT + 0.1
    heard.look(activities)
    heard.look(activities)
    assert heard.halts == 1
    assert driving.fault is not None and driving.fault.code is SkillErrorCode.EXECUTOR_LOST
    assert not talking.over.is_set(), "another's sender lives"
    assert not by_hand.over.is_set(), "nobody's silence ends a goal that names nobody"


def test_time_as_fast_as_possible_ends_what_has_a_duration() -> None:
    driving, waiting = Activity("go_to", duration=100.0), Activity("ask", duration=None)
    for activity in (driving, waiting):
        activity.advance(math.inf)
    assert driving.over.is_set() and driving.time_left == 0.0
    assert not waiting.over.is_set()
