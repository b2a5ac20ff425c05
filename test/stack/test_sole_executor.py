"""Two executors would both drive one robot: the second is refused before anything starts."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest
from live_executor import EXECUTOR, LiveExecutor
from running_stack import CLI
from waiting import LIMIT, until

pytestmark = pytest.mark.stack

SAID = "executor: one runs in ROS domain {} already"


def test_a_second_stack_is_refused_in_one_line(
    stack_process: Any, ros_domain: int, tmp_path: Any
) -> None:
    with LiveExecutor(stack_process, ros_domain, tmp_path) as live:
        command = [*CLI, "up", "--headless", "--no-record"]
        up = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
        assert up.returncode == 2 and up.stdout == ""
        assert up.stderr.startswith(SAID.format(ros_domain)) and up.stderr.count("\n") == 1
        second = stack_process(EXECUTOR)
        assert second.wait(LIMIT) == 2
        assert stack_process.log_of(second).startswith(SAID.format(ros_domain))
        live.check_next()
        live.kill()
        live.start()  # whoever was killed is in nobody's way
        live.check_next()


def test_another_namespace_is_another_robot(
    stack_process: Any, ros_domain: int, tmp_path: Any
) -> None:
    with LiveExecutor(stack_process, ros_domain, tmp_path) as live:
        other = stack_process(EXECUTOR, "--ros-args", "-r", "__ns:=/second")
        until(lambda: "executor" in names_in(live, "/second"), "the other robot's is up")
        live.check_next()
        assert other.poll() is None


def names_in(live: LiveExecutor, namespace: str) -> list[str]:
    return [name for name, where in live.node.get_node_names_and_namespaces() if where == namespace]
