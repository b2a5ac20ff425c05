"""A node's process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("shell", [signal.SIG_DFL, signal.SIG_IGN], ids=["at a terminal", "nohup"])
def test_one_that_is_ended_while_it_is_being_started_says_nothing(
    tmp_path: Path, shell: signal.Handlers
) -> None:
    (tmp_path / "slow_node.py").write_text(
        "print('here', flush=True)\nimport time\ntime.sleep(60)\n"
    )
    child = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "roboinstruct_ros.bringup.child",
            str(os.getpid()),
            "0",
            "slow_node",
        ],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, shell),
    )
    assert child.stdout is not None and child.stdout.readline() == "here\n"
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=60) == ("", "")
    assert child.returncode == 128 + signal.SIGINT
