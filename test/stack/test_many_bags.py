"""Every run has a bag of its own, also those of one task that follow each other at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from live_executor import LiveExecutor
from waiting import until

pytestmark = pytest.mark.stack


def test_programs_of_one_task_that_follow_each_other_at_once_have_bags_of_their_own(
    stack_process: Any, ros_domain: int, tmp_path: Path
) -> None:
    def bags(task: str) -> list[Path]:
        return list(tmp_path.glob(f"runs/*_{task}*/metadata.yaml"))

    with LiveExecutor(stack_process, ros_domain, tmp_path) as live:
        recorder = "roboinstruct_ros.nodes.recorder"
        process = stack_process(recorder, "--ros-args", "-p", f"directory:={tmp_path / 'runs'}")
        # what is told before the recorder has discovered the executor is told to nobody
        until(lambda: live.run('say("ready")', "ready") and bags("ready"), "a first bag")
        for number in range(5):
            assert live.run(f'say("{number}")', "quick").outcome == "succeeded"
        until(lambda: len(bags("quick")) == 5, "a bag for each")
        assert "not recorded" not in stack_process.log_of(process)
