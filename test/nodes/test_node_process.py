"""How a node's process ends."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import until

from roboinstruct_ros.bringup.fork_server import fork_server
from roboinstruct_ros.domain.end_signals import end_signals
from roboinstruct_ros.nodes.log_folder import with_log_folder

pytestmark = pytest.mark.stack

NODE = """
import os, sys, threading, time
from rclpy.node import Node
from roboinstruct_ros.nodes.node_process import run_node

class Hanging(Node):
    def __init__(self):
        super().__init__("hanging")
        self.create_timer(0.05, lambda: print("spun", flush=True))

    def halt(self):
        if "halt" in sys.argv:
            threading.Event().wait()

    def close(self):
        if "close" in sys.argv:
            threading.Event().wait()

class Leftover:
    def __del__(self):
        os.write(1, b"over\\n")
        time.sleep(1.0)

if "slowly" in sys.argv:
    leftover = Leftover()
sys.exit(run_node(Hanging))
"""


_LOG_FOLDERS = ("HOME", "ROS_HOME", "ROS_LOG_DIR")


@pytest.mark.parametrize(
    ("where", "code", "said"),
    [("nowhere", 0, []), ("halt", 1, ["hanging"]), ("close", 1, ["hanging"])],
)
def test_an_end_that_hangs_is_seen_by_the_exit_code_and_said_in_a_line(
    where: str, code: int, said: list[str], ros_domain: int
) -> None:
    process = _spun(where)
    process.send_signal(signal.SIGTERM)
    lines = process.communicate(timeout=60)[1].splitlines()
    assert process.returncode == code
    assert [line.partition(":")[0] for line in lines] == said


def test_a_signal_that_comes_in_any_thread_ends_the_node(ros_domain: int) -> None:
    """The kernel chooses the thread; here it is told which."""
    process = _spun()
    threads = [int(task.name) for task in Path(f"/proc/{process.pid}/task").iterdir()]
    spinning = max(threads)
    assert spinning != process.pid
    assert ctypes.CDLL(None).tgkill(process.pid, spinning, int(signal.SIGINT)) == 0
    assert process.communicate(timeout=60)[1] == ""
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("module", "wrong"),
    [
        ("nodes.executor.node", "on_hazzard"),
        ("nodes.generator.node", "modle"),
        ("nodes.kiosk.node", "prt"),
        ("nodes.recorder", "keep_run"),
        ("skill_servers.sim.node", "sped_factor"),
        ("skill_servers.motion_stop", "action"),
    ],
)
def test_a_misspelt_parameter_ends_the_node_with_one_line(
    module: str, wrong: str, ros_domain: int
) -> None:
    command = [sys.executable, "-m", f"roboinstruct_ros.{module}", "--ros-args", "-p"]
    ended = subprocess.run([*command, f"{wrong}:=1"], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 2
    (line,) = ended.stderr.splitlines()
    assert f"{wrong}: no such parameter; did you mean '" in line


def test_under_nohup_a_closed_terminal_ends_nothing() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert end_signals() == (signal.SIGINT, signal.SIGTERM)
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("hangup_ends")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_a_signal_that_comes_twice_ends_the_node_once(number: int, ros_domain: int) -> None:
    """Ctrl-C from the terminal and from `ros2 launch`, a closed terminal's from the kernel and from
    the shell; the second while Python takes itself down."""
    process = _spun("slowly")
    process.send_signal(number)
    assert process.stdout is not None
    for line in process.stdout:
        if line == "over\n":
            process.send_signal(number)
    process.communicate(timeout=60)
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--help",), "'--help' is no option of a node; parameters: --ros-args -p NAME:=VALUE"),
        (("-p", "a:=1"), "'-p' is no option of a node; parameters: --ros-args -p NAME:=VALUE"),
        (("--ros-args", "--help"), "ROS refuses them: ['--help']"),
        (("--ros-args", "--params-file", "none.yaml"), "Error opening YAML file"),
        (("--ros-args", "-p", "a"), "Couldn't parse parameter override rule: '-p a'"),
    ],
)
def test_an_argument_that_is_none_of_a_node_is_one_line(
    arguments: tuple[str, ...], said: str, ros_domain: int
) -> None:
    command = [sys.executable, "-c", NODE, *arguments]
    process = subprocess.run(command, capture_output=True, text=True, timeout=60)
    # rcl itself warns of a:=1, an old way to write a remapping
    (line,) = [one for one in process.stderr.splitlines() if "deprecated" not in one]
    assert said in line
    assert process.returncode == 2


@pytest.mark.parametrize("home", [{}, {"HOME": "/dev/null"}], ids=["none", "unwritable"])
def test_a_stop_needs_no_home_folder(home: dict[str, str], tmp_path: Path, ros_domain: int) -> None:
    kept = {key: value for key, value in os.environ.items() if key not in _LOG_FOLDERS}
    command = [sys.executable, "-m", "roboinstruct_ros.cli", "stop"]
    process = subprocess.run(
        command, env=kept | home | {"TMPDIR": str(tmp_path)}, capture_output=True, text=True,
        timeout=60,
    )  # fmt: skip
    *before, last = process.stderr.splitlines()
    assert last.startswith("nobody listens")
    told = f"log files of ROS go to {tmp_path}/roboinstruct-log-"
    assert [line.startswith(told) for line in before] == [True] * len(home)


def test_without_any_folder_there_are_no_log_files(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(prefix: str) -> str:
        raise OSError(f"no {prefix}")

    monkeypatch.setenv("ROS_LOG_DIR", "/dev/null")
    monkeypatch.setattr("roboinstruct_ros.nodes.log_folder.mkdtemp", full)
    assert with_log_folder(["a"]) == ["a", "--ros-args", "--disable-external-lib-logs"]


def test_a_forked_node_without_a_home_folder_ends_as_with_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ros_domain: int
) -> None:
    for name in _LOG_FOLDERS:
        monkeypatch.delenv(name, raising=False)
    variables = {"HOME": "/dev/null", "TMPDIR": str(tmp_path)}
    refused = ["--ros-args", "-p", "directory:=/dev/null"]
    node = fork_server().start("roboinstruct_ros.nodes.recorder", refused, "it", 0, variables)
    assert "is no folder that can be written" in node.stdout.read()
    until(lambda: node.poll() is not None)
    assert node.poll() == 2


def _spun(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", NODE, *arguments]
    quiet = {**os.environ, "PYTHONFAULTHANDLER": ""}  # or an end that hangs says more
    process = subprocess.Popen(
        command, env=quiet, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "spun\n"
    return process
