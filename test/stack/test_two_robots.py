"""Two robots in one ROS domain, each with a whole stack in a namespace of its own."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from running_stack import (
    CLI,
    TASK_LIMIT,
    OdometryWatch,
    begin,
    outcome_of,
    pid_of,
    wait_up,
)
from waiting import until

from roboinstruct_ros.domain.task_error import TaskErrorCode

ROBOTS = ("robot1", "robot2")
PROGRAM = """def task_program():
    for trip in range(20):
        go_to("kitchen")
        go_to("garage")
"""
A_WHILE = 50
"""Messages on `odom`, of which there are 50 in a second while a robot moves."""


@pytest.mark.stack
def test_each_executor_drives_and_stops_its_own_robot(
    stack_process: Any, ros_domain: int, tmp_path: Path
) -> None:
    path = tmp_path / "trips.py"
    path.write_text(PROGRAM)
    options = ("--headless", "--no-record")
    first, second = (
        stack_process("roboinstruct_ros.cli", "up", "--namespace", robot, *options)
        for robot in ROBOTS
    )
    for up in (first, second):
        wait_up(lambda up=up: stack_process.log_of(up))
    with OdometryWatch(ros_domain, "robot1") as driven, OdometryWatch(ros_domain, "robot2") as left:
        until(lambda: driven.heard and left.heard, "both robots are heard", TASK_LIMIT)
        task = begin("run", "--program", str(path), "--yes", "--namespace", "robot1")
        drives_on(driven, task)
        topics = {name for name, _ in driven.node.get_topic_names_and_types()}
        assert {"/robot1/tf", "/robot2/tf"} <= topics and "/tf" not in topics
        assert cli("stop", "robot2").returncode == 0
        drives_on(driven, task)
        executor = pid_of(second.pid, "executor")
        assert executor is not None
        os.kill(executor, signal.SIGKILL)
        drives_on(driven, task)
        until(lambda: pid_of(second.pid, "executor") not in (None, executor), "it is back")
        resumable = cli("resume", "robot2")
        assert resumable.stdout == "no run was interrupted\n", resumable
        stopped = cli("stop", "robot1")
        assert stopped.returncode == 0, stopped.stderr
        outcome = outcome_of(task)
        assert outcome.error_code == TaskErrorCode.STOPPED
        until(lambda: not driven.moving, "the robot stands", TASK_LIMIT)
        assert not any(moving for _, moving in left.heard)


def drives_on(robot: OdometryWatch, task: subprocess.Popen[str]) -> None:
    begun = len(robot.heard)
    until(
        lambda: sum(moving for _, moving in robot.heard[begun:]) > A_WHILE or bool(task.poll()),
        "the robot drives on",
        TASK_LIMIT,
    )
    assert task.poll() is None, task.communicate()


def cli(name: str, robot: str) -> subprocess.CompletedProcess[str]:
    command = [*CLI, name, "--namespace", robot]
    return subprocess.run(command, capture_output=True, text=True, timeout=TASK_LIMIT)
