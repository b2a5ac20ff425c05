"""A stop is heard whatever else is asked of the executor, and refused requests are told so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from given_time import GivenTime, still
from skill_client import SkillClient
from test_executor import EXECUTOR, TaskClient, start_robot, wait
from waiting import LIMIT, until

from roboinstruct_msgs.action import ExecuteProgram
from roboinstruct_msgs.msg import StopRequest
from roboinstruct_msgs.srv import VerifyProgram
from roboinstruct_ros import names
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.nodes.discovery import wait_discovered
from roboinstruct_ros.nodes.executor.verify_service import MOST_WAITING
from roboinstruct_ros.nodes.qos import REQUESTS
from roboinstruct_ros.program.task_program import sha256_of

pytestmark = pytest.mark.stack

QUESTIONS = 20
"""Independent ones are more worlds than are tried: a verdict takes as long as it may."""


def slow_program(name: str) -> str:
    lines = [f'    if is_in_room("thing {k}"):\n        say("{k}")\n' for k in range(QUESTIONS)]
    return "def task_program():\n" + f'    say("{name}")\n' + "".join(lines)


@pytest.fixture
def client(ros_domain: int, stack_process: Any) -> Iterator[TaskClient]:
    moved = start_robot(stack_process, 1.0)
    executor = stack_process(EXECUTOR, "--ros-args", "-p", "map:=home")
    with SkillClient(ros_domain) as robot:
        yield TaskClient(robot, moved=moved, executor=executor)


def moves_after(client: TaskClient, given: GivenTime) -> bool:
    """Whether the robot moves when it should have stopped since the beginning."""
    stopped = given.began + 0.1 + given.withheld()
    return any(moves for stamp, moves in client.robot.moving if stamp > stopped)


def test_a_flood_of_requests_to_verify_holds_up_no_stop_and_is_refused_at_once(
    client: TaskClient,
) -> None:
    assert client.verify('def task_program():\n    say("x")\n').verdict.status == "accepted"
    handle = client.drive()
    flooding = client.robot.node.create_client(
        VerifyProgram, names.VERIFY_PROGRAM_SERVICE, qos_profile=REQUESTS
    )
    assert wait_discovered(client.robot.node, names.EXECUTOR_NODE, LIMIT)
    flood = [
        flooding.call_async(VerifyProgram.Request(source=slow_program(str(number))))
        for number in range(3 * MOST_WAITING)
    ]
    answers: list[Any] = []
    for one in flood:
        one.add_done_callback(lambda done: answers.append(done.result()))
    until(lambda: any(one.done() for one in flood))
    given = client.given_time()
    client.robot.stop.publish(StopRequest(source="test", reason="enough"))
    assert still(client.robot, given) < 0.1
    assert client.result(handle).error_code == TaskErrorCode.STOPPED

    def all_refused() -> bool:
        """All but those that wait, and those that took the place of one that was verified."""
        busy = [k for k, one in enumerate(answers) if one.error_code == TaskErrorCode.BUSY]
        verified_meanwhile = busy[-1] + 1 - len(busy) if busy else 0
        return len(busy) + verified_meanwhile >= 3 * MOST_WAITING - (2 + MOST_WAITING)

    until(all_refused)
    busy = [one.error_msg for one in answers if one.error_code == TaskErrorCode.BUSY]
    assert "ask again soon" in busy[0]
    assert not moves_after(client, given)


def test_a_task_that_goes_first_does_not_begin_after_a_stop_during_its_verification(
    client: TaskClient,
) -> None:
    handle = client.drive()
    source = slow_program("first") + '    go_to("garage")\n'
    goal = ExecuteProgram.Goal(
        task_id="t2", source=source, program_sha256=sha256_of(source), approved_by="test",
        preempt=True,
    )  # fmt: skip
    urgent = wait(client._execute.send_goal_async(goal))
    given = client.given_time()
    client.robot.stop.publish(StopRequest(source="test", reason="enough"))
    assert client.result(handle).error_code == TaskErrorCode.STOPPED
    # on a busy machine its verification is over time before the stop is looked at
    ends = (TaskErrorCode.STOPPED, TaskErrorCode.NOT_VERIFIED)
    assert client.result(urgent).error_code in ends
    assert not moves_after(client, given)


def test_a_goal_that_was_approved_before_a_stop_moves_nothing_when_it_comes_late(
    client: TaskClient,
) -> None:
    source = 'def task_program():\n    go_to("garage")\n'
    goal = ExecuteProgram.Goal(
        task_id="t1", source=source, program_sha256=sha256_of(source), approved_by="test",
        stop_number=1,
    )  # fmt: skip
    assert not client.stop().was_running
    late = client.result(wait(client._execute.send_goal_async(goal)))
    assert (late.outcome, late.error_code) == ("cancelled", TaskErrorCode.STOPPED)
    assert not any(moves for _, moves in client.robot.moving)
    assert client.run('say("the next one works")').outcome == "succeeded"


@pytest.mark.parametrize(
    ("field", "value"),
    [("source", "x" * 100_000), ("task_id", "t" * 1000), ("instruction", "i" * 10_000)],
)
def test_a_goal_beyond_all_bounds_is_refused_in_one_line(
    client: TaskClient, field: str, value: str
) -> None:
    source = 'def task_program():\n    say("x")\n'
    given = {"task_id": "t1", "source": source, "instruction": "a task", field: value}
    goal = ExecuteProgram.Goal(
        program_sha256=sha256_of(given["source"]), approved_by="test", **given
    )
    refused = client.result(wait(client._execute.send_goal_async(goal)))
    assert refused.error_code == TaskErrorCode.NOT_VERIFIED
    assert f"'{field}'" in refused.error_msg and len(refused.error_msg) < 200
    assert client.run('say("x")').outcome == "succeeded"
