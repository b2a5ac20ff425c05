"""`motion_stop` before actions of which nothing is known but their cancel services."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from action_msgs.srv import CancelGoal
from given_time import GivenTime
from node_process import command, motion_stop
from scripted_node import ScriptedNode
from waiting import until

from roboinstruct_msgs.msg import StopRequest
from roboinstruct_ros import names
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.skill_servers.kit.motion_guard import MotionGuard, address

pytestmark = pytest.mark.stack

STOPPED_WITHIN = 0.1
LISTED = {"actions": "[base]", "commanded": "[wheels]"}
SERVER = """
import socket, sys
connection = socket.socket(socket.AF_UNIX)
connection.connect("\\0" + sys.argv[1])
reached = ""
while not reached:  # on a busy machine an answer may come late
    connection.sendall(b"check some_server base\\n")
    reached = connection.recv(100).decode().strip()
print(reached, flush=True)
if sys.stdin.readline():
    connection.sendall(b"bye\\n")
"""


class Robot(ScriptedNode):
    """Serves the cancels of `base` and `wheels`; notes those of every goal."""

    def __init__(self, domain: int) -> None:
        super().__init__("robot", domain)
        self.cancelled: list[tuple[str, float]] = []
        for action in ("base", "wheels"):
            self.node.create_service(
                CancelGoal,
                f"{action}/_action/cancel_goal",
                lambda request, response, action=action: self._cancel(action, request, response),
            )
        self.stop = self.node.create_publisher(StopRequest, names.STOP_REQUEST_TOPIC, 10)
        self.guard = MotionGuard(self.node)

    def _cancel(
        self, action: str, request: CancelGoal.Request, response: CancelGoal.Response
    ) -> CancelGoal.Response:
        if not any(request.goal_info.goal_id.uuid):
            self.cancelled.append((action, time.time()))
        return response

    def wait_cancelled(self) -> float:
        """Until all were cancelled; when the first was."""
        until(lambda: {action for action, _ in self.cancelled} == {"base", "wheels"})
        assert self.cancelled[0][0] == "base"
        return self.cancelled[0][1]

    def wait_guarded(self) -> None:
        why = self.guard.why_unstoppable
        until(lambda: not why(["base"]), lambda: f"the base is guarded: {why(['base'])}")

    def __exit__(self, *raised: object) -> None:
        self.guard.dismiss()
        super().__exit__(*raised)


@pytest.fixture
def robot(ros_domain: int) -> Iterator[Robot]:
    with Robot(ros_domain) as made:
        yield made


def server(robot: Robot) -> subprocess.Popen[str]:
    """A process that moves the robot by `base`, as `motion_stop` sees it."""
    made = subprocess.Popen(
        [sys.executable, "-c", SERVER, address(robot.node)[1:]],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert made.stdout is not None and made.stdout.readline() == "base\n"
    return made


def test_a_stop_cancels_what_is_listed_in_its_order(robot: Robot) -> None:
    with motion_stop(**LISTED) as process:
        robot.wait_guarded()
        clock = GivenTime(process.pid)
        robot.stop.publish(StopRequest(source="test"))
        assert clock.until(robot.wait_cancelled()) < STOPPED_WITHIN


def test_a_server_that_is_killed_has_its_motion_cancelled_at_once(robot: Robot) -> None:
    with motion_stop(**LISTED) as process:
        robot.wait_guarded()
        moving = server(robot)
        clock = GivenTime(process.pid)
        moving.kill()
        assert clock.until(robot.wait_cancelled()) < STOPPED_WITHIN
        moving.communicate()


def test_a_server_that_ends_in_good_order_leaves_the_goals_of_others(robot: Robot) -> None:
    with motion_stop(**LISTED):
        robot.wait_guarded()
        assert server(robot).communicate("bye\n") == ("", None)
        other = server(robot)  # heard after what the first one said
        assert robot.cancelled == []
        other.kill()
        robot.wait_cancelled()
        other.communicate()


def test_a_motion_stop_that_answers_late_cancels_nothing(robot: Robot) -> None:
    """As on a machine that is busy: the connection is given up, and no server is gone."""
    with motion_stop(**LISTED) as process:
        robot.wait_guarded()
        process.send_signal(signal.SIGSTOP)
        late = robot.guard.why_unstoppable(["base"])
        process.send_signal(signal.SIGCONT)
        assert late and "is not there" in late.message
        robot.wait_guarded()
        assert robot.cancelled == []


def test_a_second_one_is_refused_in_one_line(robot: Robot) -> None:
    with motion_stop(**LISTED):
        robot.wait_guarded()
        second = subprocess.run(command("motion_stop"), capture_output=True, text=True, timeout=60)
        assert second.returncode == 2 and second.stderr.count("\n") == 1, second.stderr
        assert "there is one of this robot on this machine already" in second.stderr


def test_nothing_moves_that_cannot_be_stopped(robot: Robot) -> None:
    alone = robot.guard.why_unstoppable(["base"])
    assert alone and alone.code is SkillErrorCode.SERVER_UNAVAILABLE
    assert "the node 'motion_stop' is not there" in alone.message
    with motion_stop(actions="[base, arm]", commanded="[wheels]") as process:
        robot.wait_guarded()
        for action in ("arm", "head"):  # not served, not listed
            fault = robot.guard.why_unstoppable(["base", action])
            assert fault and f"does not reach '{action}'" in fault.message
        process.kill()
        process.wait()
        gone = robot.guard.why_unstoppable(["base"])
        assert gone and "is not there" in gone.message
    with motion_stop(**LISTED):
        robot.wait_guarded()
