"""A stop in the arm's process: before a motion, at its very beginning, during it, afterwards."""

from __future__ import annotations

import io
import json
import threading
from typing import Any

from gantry import HOME, Straight, straight

from roboinstruct_ros.skill_servers.moveit.arm_process import ArmServer

LIMIT = 60.0
"""s"""


class DeafAtFirst:
    """An arm whose motion begins a moment after it was told to: the first stops miss it."""

    def __init__(self, misses: int) -> None:
        self.misses, self.stops = misses, 0
        self.begun, self.ended = threading.Event(), threading.Event()
        self.executed = 0

    def plan_to(self, goal: Any) -> Straight:
        return straight(HOME, goal.position)

    def execute(self, way: Straight) -> None:
        self.executed += 1
        self.begun.set()
        assert self.ended.wait(LIMIT), "nobody stopped it"

    def stop(self) -> None:
        self.stops += 1
        if self.stops > self.misses:
            self.ended.set()


def server(misses: int = 0) -> tuple[ArmServer, DeafAtFirst, io.StringIO]:
    arm, replies = DeafAtFirst(misses), io.StringIO()
    served = ArmServer(arm, replies)  # type: ignore[arg-type]
    goal = [0.5, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
    served.answer({"call": "plan_to", "number": 1, "epoch": 1, "goal": goal})
    return served, arm, replies


def last(replies: io.StringIO) -> dict[str, Any]:
    return dict(json.loads(replies.getvalue().splitlines()[-1]))


EXECUTE = {"call": "execute", "number": 2, "epoch": 1, "plan": 1}


def test_a_motion_that_comes_after_the_stop_of_its_goal_does_not_begin() -> None:
    served, arm, replies = server()
    served.stop(1)
    served.answer(EXECUTE)
    assert last(replies)["problem"] == "stopped" and arm.executed == 0


def test_a_motion_of_the_next_goal_is_not_held_up_by_the_stop_before() -> None:
    served, arm, replies = server()
    served.stop(0)
    arm.ended.set()
    served.answer(EXECUTE)
    assert "problem" not in last(replies) and arm.executed == 1


def test_a_stop_that_the_motion_has_missed_is_told_again_until_it_ends() -> None:
    served, arm, replies = server(misses=3)
    moving = threading.Thread(target=served.answer, args=(EXECUTE,))
    moving.start()
    assert arm.begun.wait(LIMIT)
    served.stop(1)
    moving.join(LIMIT)
    assert not moving.is_alive() and arm.stops >= 4
    assert last(replies)["problem"] == "stopped"


def test_a_plan_is_gone_once_and_only_when_it_is_the_last() -> None:
    served, arm, replies = server()
    arm.ended.set()
    served.answer({**EXECUTE, "plan": 7})
    assert "not the last one" in last(replies)["message"]
    served.answer(EXECUTE)
    served.answer({**EXECUTE, "number": 3})
    assert "not the last one" in last(replies)["message"] and arm.executed == 1


def test_whatever_the_bindings_raise_is_a_reply() -> None:
    served, arm, replies = server()
    arm.execute = lambda way: 1 / 0  # type: ignore[assignment,return-value]
    served.answer(EXECUTE)
    assert last(replies)["problem"] == "not_executed"
    assert "ZeroDivisionError" in last(replies)["message"]
