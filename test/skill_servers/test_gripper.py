"""What the gripper makes of the ends that its action's goals have."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest
import robot_interfaces  # noqa: F401
from action_msgs.msg import GoalStatus
from control_msgs.action import GripperCommand

from roboinstruct_ros.skill_servers.moveit import gripper
from roboinstruct_ros.skill_servers.moveit.arm import ArmFault, ArmProblem, Grip


def ended(monkeypatch: pytest.MonkeyPatch, status: int, **result: Any) -> Grip:
    """A move whose goal ends like that."""
    over = threading.Event()
    over.set()
    response = SimpleNamespace(status=status, result=GripperCommand.Result(**result))
    client = SimpleNamespace(send=lambda goal: SimpleNamespace(over=over, response=response))
    monkeypatch.setattr(gripper, "ResultClient", lambda *_: client)
    hand = gripper.ActionGripper(None, "grip", 0.5, 1.0)  # type: ignore[arg-type]
    return hand.move(0.0, 20.0, threading.Event())


def test_fingers_that_an_object_stopped_have_not_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    grip = ended(monkeypatch, GoalStatus.STATUS_ABORTED, position=0.03, stalled=True)
    assert grip == Grip(0.06, 0.0, True)


def test_a_goal_that_somebody_else_cancelled_says_nothing_of_the_fingers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A width of 0 would mean that the hand is empty, and it would open."""
    with pytest.raises(ArmFault, match="'grip' was cancelled by somebody else") as fault:
        ended(monkeypatch, GoalStatus.STATUS_CANCELED)
    assert fault.value.problem is ArmProblem.STOPPED
