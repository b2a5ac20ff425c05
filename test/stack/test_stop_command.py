"""`roboinstruct stop` stops what is there, whatever else of the stack is not."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from live_executor import LiveExecutor
from running_stack import CLI
from waiting import until

from roboinstruct_msgs.msg import StopRequest
from roboinstruct_ros import names
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.nodes.qos import STREAM

pytestmark = pytest.mark.stack


@pytest.fixture
def live(stack_process: Any, ros_domain: int, tmp_path: Path) -> Iterator[LiveExecutor]:
    with LiveExecutor(stack_process, ros_domain, tmp_path) as live:
        yield live


def stop() -> subprocess.CompletedProcess[str]:
    return subprocess.run([*CLI, "stop"], capture_output=True, text=True, timeout=60)


def test_the_executor_is_enough(live: LiveExecutor) -> None:
    live.robot.plays["go_to"] = live.robot.until_cancelled
    handle = live.send('go_to("kitchen")\nsay("there")')
    until(lambda: live.robot.count("go_to") == 1, "the drive is under way")
    said = stop()
    assert (said.returncode, said.stdout) == (0, "the task has ended\n"), said.stderr
    assert live.result(handle).error_code == TaskErrorCode.STOPPED
    assert live.robot.calls == [("go_to", "kitchen")]


def test_without_an_executor_the_others_are_told(live: LiveExecutor) -> None:
    heard: list[str] = []
    live.node.create_subscription(
        StopRequest, names.STOP_REQUEST_TOPIC, lambda request: heard.append(request.source), STREAM
    )
    live.kill()
    said = stop()
    assert (said.returncode, said.stdout) == (1, "")
    assert "the request was sent, but the executor did not answer" in said.stderr
    until(lambda: "cli" in heard, "a skill server hears the request")


def test_where_nobody_is_that_is_said(ros_domain: int) -> None:
    said = stop()
    assert said.returncode == 1
    assert said.stderr.startswith("nobody listens")
