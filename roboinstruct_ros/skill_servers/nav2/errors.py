"""Maps Nav2's error codes to `SkillErrorCode` for `go_to`.

Source: the result fields of nav2_msgs' actions in Jazzy, Kilted and Lyrical. A navigator forwards
the code of the server that failed: controller 100, planner 200 and 300, smoother 500, behaviours
700, navigator itself 9000.
"""

from __future__ import annotations

from dataclasses import dataclass

from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.skill_servers.kit.fault import Fault

_BLOCKED, _LOST = SkillErrorCode.NAVIGATION_BLOCKED, SkillErrorCode.NOT_LOCALIZED
_TIMEOUT, _UNKNOWN = SkillErrorCode.TIMEOUT, SkillErrorCode.UNKNOWN
_GONE = SkillErrorCode.SERVER_UNAVAILABLE


@dataclass(frozen=True)
class DriveFault(Fault):
    """Why a drive or its path planning failed."""

    clears: bool = False
    """An obstacle that has since left may be the cause: clear the costmaps and retry."""


_PLANNER = {
    0: DriveFault(_UNKNOWN, "the planner failed", clears=True),
    1: DriveFault(_UNKNOWN, "Nav2 has no planner of that name; see the parameter planner_id"),
    2: DriveFault(_LOST, "a transform between map and robot is missing"),
    3: DriveFault(_LOST, "the robot believes to stand outside the map"),
    4: DriveFault(_BLOCKED, "the approach pose lies outside Nav2's map"),
    5: DriveFault(_BLOCKED, "the robot stands in an obstacle", clears=True),
    6: DriveFault(_BLOCKED, "something stands at the approach pose", clears=True),
    7: DriveFault(_TIMEOUT, "the planner took too long", clears=True),
    8: DriveFault(_BLOCKED, "there is no free way", clears=True),
    9: DriveFault(_UNKNOWN, "the planner was given no poses"),
}
_CONTROLLER = {
    0: DriveFault(_UNKNOWN, "the controller failed", clears=True),
    1: DriveFault(_UNKNOWN, "Nav2 has no controller of that name"),
    2: DriveFault(_LOST, "a transform between odometry and robot is missing"),
    3: DriveFault(_BLOCKED, "the way was not one to follow", clears=True),
    4: DriveFault(_BLOCKED, "the way stayed blocked", clears=True),
    5: DriveFault(_BLOCKED, "the robot got no farther", clears=True),
    6: DriveFault(_BLOCKED, "the controller found no safe motion", clears=True),
    7: DriveFault(_TIMEOUT, "the controller did not answer in time"),
    8: DriveFault(_TIMEOUT, "following the way took too long"),
}
_SMOOTHER = {
    0: DriveFault(_UNKNOWN, "smoothing the way failed", clears=True),
    1: DriveFault(_UNKNOWN, "Nav2 has no smoother of that name"),
    2: DriveFault(_TIMEOUT, "smoothing the way took too long"),
    3: DriveFault(_BLOCKED, "the smoothed way meets an obstacle", clears=True),
    4: DriveFault(_UNKNOWN, "smoothing the way failed", clears=True),
    5: DriveFault(_BLOCKED, "the way was not one to follow", clears=True),
}
_TURN = {
    0: DriveFault(_UNKNOWN, "a recovery behaviour failed", clears=True),
    1: DriveFault(_TIMEOUT, "a recovery behaviour took too long"),
    2: DriveFault(_LOST, "a transform between odometry and robot is missing"),
    3: DriveFault(_BLOCKED, "there was no room for a recovery behaviour", clears=True),
}
_INVALID = DriveFault(_UNKNOWN, "a recovery behaviour was given wrong values")
_BACK_UP = {**_TURN, 3: _INVALID, 4: _TURN[3]}
_HEADING = {**_TURN, 4: _INVALID}
_NAVIGATOR = {
    0: DriveFault(_UNKNOWN, "the navigator failed"),
    1: DriveFault(
        _UNKNOWN, "Nav2 could not load its behaviour tree; see the parameter behavior_tree"
    ),
    2: DriveFault(_LOST, "a transform between map and robot is missing"),
    3: DriveFault(_TIMEOUT, "the navigator took too long"),
}
_SENDING = {
    1: DriveFault(_GONE, "one of Nav2's servers refused the goal"),
    2: DriveFault(_GONE, "one of Nav2's servers could not be reached"),
}

REASONS: dict[int, DriveFault] = {
    first + offset: reason
    for first, table in (
        (0, _SENDING), (100, _CONTROLLER), (200, _PLANNER), (300, _PLANNER), (500, _SMOOTHER),
        (700, _TURN), (710, _BACK_UP), (720, _HEADING), (730, _TURN), (740, _TURN),
        (9000, _NAVIGATOR), (9100, _NAVIGATOR),
    )
    for offset, reason in table.items()
}  # fmt: skip
"""By Nav2's error code; the message ends a sentence that begins with the destination."""

# Nav2 also ends a goal like this when another client sends one: a retry would fight with it.
NOT_SAID = DriveFault(_UNKNOWN, "Nav2 gave the goal up and said no reason")
NO_CODES = DriveFault(_UNKNOWN, "Nav2 gave the goal up; a version before Iron tells no reasons")


def reason_for(error_code: int | None) -> DriveFault:
    """The reason for a result's `error_code`; None for a result without that field."""
    if error_code is None:
        return NO_CODES
    if error_code == 0:
        return NOT_SAID
    unknown = DriveFault(_UNKNOWN, f"Nav2 failed with its error {error_code}")
    return REASONS.get(error_code, unknown)
