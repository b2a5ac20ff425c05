"""Nearly a third of all DDS messages is lost for some seconds."""

from __future__ import annotations

import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from faulty_machine import FaultyMachine
from faulty_robot import ScriptedRobot, done
from live_executor import LiveExecutor
from waiting import until

from roboinstruct_ros.domain.task_error import TaskErrorCode

pytestmark = pytest.mark.stack

LOSS = 30  # percent, of what the executor sends and of what it gets
SECONDS = 5.0
TALK = "for number in range(60):\n    say(str(number))\n    time.sleep(0.1)"


def test_no_skill_is_called_twice_while_messages_are_lost(
    stack_process: Any, ros_domain: int, tmp_path: Path
) -> None:
    machine = FaultyMachine(tmp_path)
    with LiveExecutor(stack_process, ros_domain, tmp_path, **machine.env) as live:
        robot = live.robot
        over = threading.Timer(SECONDS, machine.set)
        handle = live.send(TALK, "lossy")
        until(lambda: robot.count("say") == 1, "the task runs")
        machine.set(loss=LOSS)
        over.start()
        result = live.result(handle)
        over.join()
        assert result.outcome == "succeeded" or (
            result.error_code == TaskErrorCode.SKILL_SERVER_LOST
        ), result.error_msg
        twice = [call for call, times in Counter(robot.calls).items() if times > 1]
        assert not twice, "nothing is called twice"
        recorded = live.journal("lossy")
        begun = [call.arguments[0] for call in recorded.calls]
        assert [word for _, word in robot.calls] == begun[: len(robot.calls)]
        assert len(begun) - len(robot.calls) <= 1, "one call may have been lost on its way"
        # what was given up still comes, once: DDS sends it again until it is there
        until(lambda: len(robot.calls) == len(begun), "the last call has come")
        assert [word for _, word in robot.calls] == begun
        live.check_whole("lossy", result)
        stopped = _stopped_while_lossy(live, machine, robot)
        live.check_whole("stopped", stopped)


def _stopped_while_lossy(live: LiveExecutor, machine: FaultyMachine, robot: ScriptedRobot) -> Any:
    """A run that is cancelled while messages are lost."""
    robot.behave()
    robot.plays["go_to"] = robot.until_cancelled
    handle = live.send('go_to("kitchen")', "stopped")
    until(lambda: robot.count("go_to") == 1, "the drive is under way")
    machine.set(loss=LOSS)
    over = threading.Timer(SECONDS, machine.set)
    over.start()
    handle.cancel_goal_async()
    result = live.result(handle)
    over.join()
    assert result.outcome == "cancelled"
    until(lambda: robot.cancels == ["go_to"], "the robot has heard of it")
    robot.plays["go_to"] = done
    return result
