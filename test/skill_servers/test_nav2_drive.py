"""What `go_to` does with what Nav2 says, on a navigator that follows a script."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from types import SimpleNamespace
from typing import Any

import pytest
from nav2_contract import contract_faults
from stand_in_navigator import StandInNavigator

from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.skill_servers.nav2 import drive as nav2_drive
from roboinstruct_ros.skill_servers.nav2.drive import (
    Drive,
    DriveSettings,
    Nav2Calls,
    carry_out,
)
from roboinstruct_ros.skill_servers.nav2.errors import REASONS, reason_for

QUICK = DriveSettings(attempts=2, clear_pause=0.0, silence_limit=0.0)
NO_VALID_PATH, NO_PROGRESS, TF_ERROR, PREEMPTED = 208, 105, 102, 0


class TaskResult(Enum):
    SUCCEEDED = 1
    CANCELED = 2
    FAILED = 3


class Said(SimpleNamespace):
    """A path request or a drive, as the script has it: how it ends."""


class ScriptedNavigator:
    """Each path and each drive ends as the next line of the script says; no line is success."""

    def __init__(self, paths: list[Said] | None = None, drives: list[Said] | None = None) -> None:
        self.paths, self.drives = paths or [], drives or []
        self.calls: list[str] = []
        self.result_future: Any = None
        self.goal_handle = SimpleNamespace(goal_id="the goal")
        self.while_driving: Callable[[], None] = lambda: None
        self._feedback: Any = "of an earlier goal"
        self._spins = 0
        self._said = Said(result=TaskResult.SUCCEEDED)

    def getPath(self, start: Any, goal: Any, planner_id: str = "", use_start: bool = False) -> Any:
        self.calls.append("getPath")
        assert not use_start
        said = self.paths.pop(0) if self.paths else Said(poses=[goal])
        self._keep(said)
        return SimpleNamespace(poses=said.poses) if "poses" in vars(said) else None

    def goToPose(self, pose: Any, behavior_tree: str = "") -> Any:
        self.calls.append("goToPose")
        self._said = self.drives.pop(0) if self.drives else Said(result=TaskResult.SUCCEEDED)
        self._spins = 3
        return not getattr(self._said, "refused", False)

    def isTaskComplete(self) -> bool:
        self._spins -= 1
        self.while_driving()
        if self._spins > 0 or getattr(self._said, "silent", False):
            return False
        self._keep(self._said)
        return True

    def getFeedback(self) -> Any:
        return self._feedback

    def getResult(self) -> Any:
        return self._said.result

    def clearAllCostmaps(self) -> None:
        self.calls.append("clearAllCostmaps")

    def destroy_node(self) -> None:
        self.calls.append("destroy_node")

    def _keep(self, said: Said) -> None:
        result = SimpleNamespace(**{k: v for k, v in vars(said).items() if k.startswith("error_")})
        self.result_future = SimpleNamespace(result=lambda: SimpleNamespace(result=result))


def failed(code: int | None, message: str = "") -> Said:
    codes = {} if code is None else {"error_code": code, "error_msg": message}
    return Said(result=TaskResult.FAILED, **codes)


class Trip:
    """One drive to the kitchen, with what was done beside the navigator."""

    def __init__(self, navigator: ScriptedNavigator, can_clear: bool = True) -> None:
        self.navigator, self.drive = navigator, Drive("kitchen", SimpleNamespace())
        self.halts = 0
        self.ended: list[str] = []
        self.said: list[str] = []
        self._calls = Nav2Calls(self._halt, self.ended.append, lambda: can_clear, self.said.append)

    def go(self, settings: DriveSettings = QUICK) -> tuple[SkillErrorCode, str]:
        fault = carry_out(self.navigator, self.drive, settings, self._calls)
        return (fault.code, fault.message) if fault else (SkillErrorCode.NONE, "")

    def _halt(self) -> None:
        self.halts += 1


def test_a_free_way_is_asked_for_and_driven() -> None:
    navigator = ScriptedNavigator()
    assert Trip(navigator).go() == (SkillErrorCode.NONE, "")
    assert navigator.calls == ["getPath", "goToPose"]


def test_nothing_moves_when_the_planner_knows_no_way() -> None:
    navigator = ScriptedNavigator(paths=[failed(NO_VALID_PATH, "walls\neverywhere")] * 2)
    code, message = Trip(navigator).go()
    assert code is SkillErrorCode.NAVIGATION_BLOCKED
    assert "kitchen" in message and "no free way (walls everywhere)" in message
    assert navigator.calls == ["getPath", "clearAllCostmaps", "getPath"]


def test_an_obstacle_that_has_left_is_forgotten_by_clearing() -> None:
    navigator = ScriptedNavigator(drives=[failed(NO_PROGRESS)])
    trip = Trip(navigator)
    assert trip.go()[0] is SkillErrorCode.NONE
    assert navigator.calls[2:] == ["clearAllCostmaps", "getPath", "goToPose"]
    assert "the robot got no farther" in trip.said[0]


def test_tries_are_counted() -> None:
    navigator = ScriptedNavigator(drives=[failed(NO_PROGRESS)] * 9)
    assert Trip(navigator).go(DriveSettings(attempts=4, clear_pause=0.0))[0]
    assert navigator.calls.count("goToPose") == 4


@pytest.mark.parametrize("code", [PREEMPTED, TF_ERROR])
def test_what_clearing_cannot_mend_is_not_tried_again(code: int) -> None:
    navigator = ScriptedNavigator(drives=[failed(code)])
    assert Trip(navigator).go()[0] is reason_for(code).code
    assert navigator.calls == ["getPath", "goToPose"]


def test_costmaps_that_nobody_serves_are_not_waited_for() -> None:
    navigator = ScriptedNavigator(drives=[failed(NO_PROGRESS)])
    assert Trip(navigator, can_clear=False).go()[0] is SkillErrorCode.NAVIGATION_BLOCKED
    assert "clearAllCostmaps" not in navigator.calls


def test_a_nav2_without_error_fields_is_named() -> None:
    code, message = Trip(ScriptedNavigator(drives=[failed(None)])).go()
    assert code is SkillErrorCode.UNKNOWN and "before Iron" in message


def test_a_refused_goal_and_one_that_somebody_cancels_are_told_apart() -> None:
    refused = Trip(ScriptedNavigator(drives=[Said(refused=True)])).go()
    assert refused[0] is SkillErrorCode.SERVER_UNAVAILABLE
    cancelled = Trip(ScriptedNavigator(drives=[Said(result=TaskResult.CANCELED)])).go()
    assert cancelled[0] is SkillErrorCode.CANCELED and "somebody else" in cancelled[1]


def test_a_nav2_that_falls_silent_is_given_up_and_told_to_halt() -> None:
    trip = Trip(ScriptedNavigator(drives=[Said(silent=True, result=TaskResult.FAILED)]))
    code, message = trip.go(DriveSettings(silence_limit=0.02))
    assert code is SkillErrorCode.SERVER_UNAVAILABLE and "silent" in message
    assert trip.halts == 1


def test_a_cancel_during_planning_keeps_the_robot_where_it_is() -> None:
    navigator = ScriptedNavigator()
    trip = Trip(navigator)
    trip.drive.cancel()
    trip.go()
    assert "goToPose" not in navigator.calls


def test_a_cancel_that_came_before_the_goal_was_accepted_is_said_again() -> None:
    navigator = ScriptedNavigator(drives=[Said(result=TaskResult.CANCELED)])
    trip = Trip(navigator)
    navigator.while_driving = trip.drive.cancel
    trip.go()
    assert trip.ended == ["the goal"] and trip.halts == 0


def test_a_cancelled_goal_that_does_not_end_takes_everybodys_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(nav2_drive, "END_AGAIN", 0.0)
    monkeypatch.setattr(nav2_drive, "END_LIMIT", 0.0)
    navigator = ScriptedNavigator(drives=[Said(result=TaskResult.CANCELED)])
    trip = Trip(navigator)
    navigator.while_driving = trip.drive.cancel
    trip.go()
    assert trip.halts > 0


def test_every_reason_is_a_failure_with_words() -> None:
    for code, reason in REASONS.items():
        assert code > 0 and reason.code is not SkillErrorCode.NONE and reason.words
    assert reason_for(65000).code is SkillErrorCode.UNKNOWN and "65000" in reason_for(65000).words


@pytest.mark.parametrize("kind", [ScriptedNavigator, StandInNavigator])
def test_the_stand_ins_have_the_signatures_of_the_contract(kind: type) -> None:
    assert contract_faults(kind) == []
