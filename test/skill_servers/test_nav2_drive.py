"""What `go_to` does with what Nav2 says: a planner and a drive that follow a script."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from action_msgs.msg import GoalStatus
from nav2_contract import contract_faults

from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.skill_servers.nav2 import drive as nav2_drive
from roboinstruct_ros.skill_servers.nav2.drive import Driver, DriveSettings
from roboinstruct_ros.skill_servers.nav2.errors import REASONS, reason_for

QUICK = DriveSettings(attempts=2, clear_pause=0.0, silence_limit=0.0)
NO_VALID_PATH, NO_PROGRESS, TF_ERROR, PREEMPTED = 208, 105, 102, 0
DONE = SimpleNamespace(
    status=GoalStatus.STATUS_SUCCEEDED, result=SimpleNamespace(error_code=0, error_msg="")
)
CANCELED = SimpleNamespace(status=GoalStatus.STATUS_CANCELED, result=DONE.result)
SILENT = SimpleNamespace(status=None)


def failed(code: int | None, message: str = "") -> SimpleNamespace:
    codes = {} if code is None else {"error_code": code, "error_msg": message}
    return SimpleNamespace(status=GoalStatus.STATUS_ABORTED, result=SimpleNamespace(**codes))


class ScriptedCommander:
    """Each path is as the next line of the script says; no line is a path."""

    def __init__(self, calls: list[str], paths: list[Any]) -> None:
        self.calls, self.paths = calls, paths
        self.result_future: Any = None

    def getPath(self, start: Any, goal: Any, planner_id: str = "", use_start: bool = False) -> Any:
        self.calls.append("getPath")
        assert not use_start
        if not self.paths:
            return SimpleNamespace(poses=[goal])
        told = self.paths.pop(0)
        self.result_future = SimpleNamespace(result=lambda: told)
        return None

    def clearAllCostmaps(self) -> None:
        self.calls.append("clearAllCostmaps")

    def destroy_node(self) -> None:
        self.calls.append("destroy_node")


class ScriptedGoal:
    """Ends as it says, with the second look or when it is cancelled."""

    id = "the goal"

    def __init__(self, response: Any, driving: Callable[[], None]) -> None:
        self.over, self.response = threading.Event(), response
        self.cancels, self.given_up = 0, False
        self._wait, self._driving, self._looks = self.over.wait, driving, 0
        self.over.wait = self._look  # type: ignore[method-assign]

    def cancel(self) -> None:
        self.cancels += 1

    def give_up(self) -> None:
        self.given_up = True

    def _look(self, timeout: float | None = None) -> bool:
        self._driving()
        self._looks += 1
        if self._looks > 2 and self.response is not SILENT:
            self.over.set()
        return self._wait(0.001)


class Trip:
    """One drive to the kitchen, with what was done beside it."""

    def __init__(
        self,
        patch: pytest.MonkeyPatch,
        paths: list[Any] | None = None,
        drives: list[Any] | None = None,
        can_clear: bool = True,
    ) -> None:
        self.calls: list[str] = []
        self.said: list[str] = []
        self.halts = 0
        self.over = threading.Event()
        self.while_driving: Callable[[], None] = lambda: None
        self.goals: list[ScriptedGoal] = []
        self._drives = drives or []
        kind = SimpleNamespace(Impl=SimpleNamespace(FeedbackMessage=None), Goal=SimpleNamespace)
        patch.setattr(nav2_drive, "navigate_to_pose", lambda: kind)
        patch.setattr(nav2_drive, "ResultClient", lambda *_: SimpleNamespace(send=self._send))
        node: Any = SimpleNamespace(
            get_logger=lambda: SimpleNamespace(warning=self.said.append), hear=lambda *_: None
        )
        commander: Any = ScriptedCommander(self.calls, paths or [])
        self.driver = Driver(node, commander, lambda: can_clear, self._halt)

    def go(self, settings: DriveSettings = QUICK) -> tuple[SkillErrorCode, str]:
        pose = SimpleNamespace()
        fault = self.driver.go("kitchen", pose, settings, self.over, lambda feedback: None)
        return (fault.code, fault.message) if fault else (SkillErrorCode.NONE, "")

    def _send(self, goal: Any) -> ScriptedGoal:
        self.calls.append("goToPose")
        response = self._drives.pop(0) if self._drives else DONE
        self.goals.append(ScriptedGoal(response, lambda: self.while_driving()))
        return self.goals[-1]

    def _halt(self) -> None:
        self.halts += 1


def test_a_free_way_is_asked_for_and_driven(monkeypatch: pytest.MonkeyPatch) -> None:
    trip = Trip(monkeypatch)
    assert trip.go() == (SkillErrorCode.NONE, "")
    assert trip.calls == ["getPath", "goToPose"]


def test_nothing_moves_when_the_planner_knows_no_way(monkeypatch: pytest.MonkeyPatch) -> None:
    trip = Trip(monkeypatch, paths=[failed(NO_VALID_PATH, "walls\neverywhere")] * 2)
    code, message = trip.go()
    assert code is SkillErrorCode.NAVIGATION_BLOCKED
    assert "kitchen" in message and "no free way (walls everywhere)" in message
    assert trip.calls == ["getPath", "clearAllCostmaps", "getPath"]


def test_an_obstacle_that_has_left_is_forgotten_by_clearing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trip = Trip(monkeypatch, drives=[failed(NO_PROGRESS)])
    assert trip.go()[0] is SkillErrorCode.NONE
    assert trip.calls[2:] == ["clearAllCostmaps", "getPath", "goToPose"]
    assert "the robot got no farther" in trip.said[0]


def test_tries_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    trip = Trip(monkeypatch, drives=[failed(NO_PROGRESS)] * 9)
    assert trip.go(DriveSettings(attempts=4, clear_pause=0.0))[0]
    assert trip.calls.count("goToPose") == 4


@pytest.mark.parametrize("code", [PREEMPTED, TF_ERROR])
def test_what_clearing_cannot_mend_is_not_tried_again(
    code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    trip = Trip(monkeypatch, drives=[failed(code)])
    assert trip.go()[0] is reason_for(code).code
    assert trip.calls == ["getPath", "goToPose"]


def test_costmaps_that_nobody_serves_are_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    trip = Trip(monkeypatch, drives=[failed(NO_PROGRESS)], can_clear=False)
    assert trip.go()[0] is SkillErrorCode.NAVIGATION_BLOCKED
    assert "clearAllCostmaps" not in trip.calls


def test_a_nav2_without_error_fields_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    code, message = Trip(monkeypatch, drives=[failed(None)]).go()
    assert code is SkillErrorCode.UNKNOWN and "before Iron" in message


def test_a_refused_goal_and_one_that_somebody_cancels_are_told_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    refused = Trip(monkeypatch, drives=[None]).go()
    assert refused[0] is SkillErrorCode.SERVER_UNAVAILABLE
    cancelled = Trip(monkeypatch, drives=[CANCELED]).go()
    assert cancelled[0] is SkillErrorCode.CANCELED and "somebody else" in cancelled[1]


def test_a_nav2_that_falls_silent_is_given_up_and_everything_is_cancelled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trip = Trip(monkeypatch, drives=[SILENT])
    code, message = trip.go(DriveSettings(silence_limit=0.02))
    assert code is SkillErrorCode.SERVER_UNAVAILABLE and "silent" in message
    assert trip.halts == 1 and trip.goals[0].given_up


def test_a_cancel_during_planning_keeps_the_robot_where_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trip = Trip(monkeypatch)
    trip.over.set()
    trip.go()
    assert "goToPose" not in trip.calls


def test_a_cancel_ends_its_own_goal_and_nobody_elses(monkeypatch: pytest.MonkeyPatch) -> None:
    trip = Trip(monkeypatch, drives=[CANCELED])
    trip.while_driving = trip.over.set
    trip.go()
    assert trip.goals[0].cancels == 1 and trip.halts == 0


def test_a_cancelled_goal_that_does_not_end_takes_everybodys_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(nav2_drive, "END_AGAIN", 0.0)
    monkeypatch.setattr(nav2_drive, "END_LIMIT", 0.0)
    trip = Trip(monkeypatch, drives=[CANCELED])
    trip.while_driving = trip.over.set
    trip.go()
    assert trip.halts > 0


def test_every_reason_is_a_failure_with_words() -> None:
    for code, reason in REASONS.items():
        assert code > 0 and reason.code is not SkillErrorCode.NONE and reason.message
    assert reason_for(65000).code is SkillErrorCode.UNKNOWN and "65000" in reason_for(65000).message


def test_the_script_has_the_signatures_of_the_contract() -> None:
    assert contract_faults(ScriptedCommander) == []
