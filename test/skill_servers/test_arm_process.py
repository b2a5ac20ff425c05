"""A stop in the arm's process: before a motion, at its very beginning, during it, afterwards."""

from __future__ import annotations

import threading
from typing import Any

from gantry import HOME, straight

from roboinstruct_ros.skill_servers.kit.rotation import Placement
from roboinstruct_ros.skill_servers.moveit.arm import ArmProblem, Plan
from roboinstruct_ros.skill_servers.moveit.arm_process import ArmServer

LIMIT = 60.0
"""s"""


class DeafAtFirst:
    """An arm whose motion begins a moment after it was told to: the first stops miss it."""

    def __init__(self, misses: int) -> None:
        self.misses, self.stops = misses, 0
        self.begun, self.ended = threading.Event(), threading.Event()
        self.executed = 0

    def plan(self, goal: Any) -> Plan:
        return straight(HOME, goal.position)

    def execute(self, way: Plan) -> None:
        self.executed += 1
        self.begun.set()
        assert self.ended.wait(LIMIT), "nobody stopped it"

    def stop(self) -> None:
        self.stops += 1
        if self.stops > self.misses:
            self.ended.set()


def server(misses: int = 0) -> tuple[ArmServer, DeafAtFirst]:
    arm = DeafAtFirst(misses)
    served = ArmServer(arm)  # type: ignore[arg-type]
    assert served.answer(1, 1, "plan", (Placement((0.5, 0.0, 1.0)),))[2] is None
    return served, arm


def execute(served: ArmServer, plan: int = 1) -> tuple[ArmProblem, str] | None:
    return served.answer(2, 1, "execute", (plan,))[2]


def test_a_motion_that_comes_after_the_stop_of_its_goal_does_not_begin() -> None:
    served, arm = server()
    served.stop(1)
    fault = execute(served)
    assert fault and fault[0] is ArmProblem.STOPPED and arm.executed == 0


def test_a_motion_of_the_next_goal_is_not_held_up_by_the_stop_before() -> None:
    served, arm = server()
    served.stop(0)
    arm.ended.set()
    assert execute(served) is None and arm.executed == 1


def test_a_stop_that_the_motion_has_missed_is_told_again_until_it_ends() -> None:
    served, arm = server(misses=3)
    faults: list[Any] = []
    moving = threading.Thread(target=lambda: faults.append(execute(served)))
    moving.start()
    assert arm.begun.wait(LIMIT)
    served.stop(1)
    moving.join(LIMIT)
    assert not moving.is_alive() and arm.stops >= 4
    assert faults[0][0] is ArmProblem.STOPPED


def test_a_plan_is_gone_once_and_only_when_it_is_the_last() -> None:
    served, arm = server()
    arm.ended.set()
    assert "not the last one" in (execute(served, 7) or ("", ""))[1]
    assert execute(served) is None
    assert "not the last one" in (execute(served) or ("", ""))[1] and arm.executed == 1


def test_whatever_the_bindings_raise_is_a_reply() -> None:
    served, arm = server()
    arm.execute = lambda way: 1 / 0  # type: ignore[assignment,return-value]
    fault = execute(served)
    assert fault and fault[0] is ArmProblem.NOT_EXECUTED and "ZeroDivisionError" in fault[1]
