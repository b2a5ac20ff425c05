"""Nodes' processes, forked from one that has imported what they share."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from waiting import until

from roboinstruct_ros.bringup.fork_server import ForkedNode, ForkServer, fork_server

# what a node's process runs until the test ends it
LIVES = "print('here', flush=True)\nimport time\ntime.sleep(60)\n"


class Forks:
    """Starts scripts as nodes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.server = fork_server()

    def start(self, name: str, script: str, *arguments: str, **variables: str) -> ForkedNode:
        (self._folder / f"{name}.py").write_text(script)
        return self.server.start(name, arguments, f"roboinstruct_{name}", variables=variables)


@pytest.fixture
def forks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Forks]:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    yield Forks(tmp_path)


def test_one_that_is_ended_while_it_is_being_started_says_nothing(forks: Forks) -> None:
    node = forks.start("slow_node", LIVES)
    assert node.stdout.readline() == "here\n"
    os.kill(node.pid, signal.SIGINT)
    assert node.stdout.read() == ""
    until(lambda: node.poll() == 128 + signal.SIGINT)


def test_one_collects_its_garbage(forks: Forks) -> None:
    node = forks.start("tidy_node", "import gc\nprint(gc.isenabled(), flush=True)\n")
    assert node.stdout.readline() == "True\n"


def test_one_of_a_background_script_can_be_interrupted(tmp_path: Path) -> None:
    (tmp_path / "slow_node.py").write_text(LIVES)
    script = (
        "import os, signal\n"
        "from roboinstruct_ros.bringup.fork_server import fork_server\n"
        "node = fork_server().start('slow_node', [], 'roboinstruct_slow_node')\n"
        "node.stdout.readline()\n"
        "os.kill(node.pid, signal.SIGINT)\n"
        "print(repr(node.stdout.read()))\n"
        "while node.poll() is None: pass\n"
        "print(node.poll())\n"
    )
    told = subprocess.check_output(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
        text=True,
        timeout=60,
    )
    assert told.split() == ["''", str(128 + signal.SIGINT)]


def test_it_runs_as_python_would_run_the_module(forks: Forks) -> None:
    node = forks.start(
        "told",
        "import os, sys\nprint(__name__, sys.argv[1:], os.environ.get('OWN'))\n"
        "print('fault', file=sys.stderr)\nsys.exit(3)\n",
        "--ros-args", "-p", 'map:="home"', OWN="1",
    )  # fmt: skip
    assert node.stdout.read() == "__main__ ['--ros-args', '-p', 'map:=\"home\"'] 1\nfault\n"
    until(lambda: node.poll() == 3)


def test_its_environment_is_that_of_the_moment(
    forks: Forks, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = "import os\nprint(os.environ.get('NEW'), os.environ.get('HOME'))\n"
    monkeypatch.setenv("NEW", "yes")
    monkeypatch.delenv("HOME", raising=False)
    assert forks.start("told", told).stdout.read() == "yes None\n"


def test_a_variable_that_python_reads_at_its_start_needs_another_server(
    forks: Forks, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert fork_server() is forks.server
    living = forks.start("living", LIVES)
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    assert fork_server() is not forks.server
    assert living.stdout.readline() == "here\n" and living.poll() is None


def test_a_tool_that_lists_processes_shows_its_name(forks: Forks) -> None:
    node = forks.start("living", LIVES)
    assert node.stdout.readline() == "here\n"
    assert psutil.Process(node.pid).cmdline()[0] == "roboinstruct_living"


def test_a_server_without_nodes_is_not_waited_for() -> None:
    before = set(psutil.Process().children())
    server = ForkServer()
    (process,) = set(psutil.Process().children()) - before
    process.suspend()  # as if it imported for long
    begin = time.monotonic()
    del server
    assert not process.is_running() and time.monotonic() - begin < 2.0


def test_they_end_in_good_order_when_the_process_that_started_them_is_killed(
    tmp_path: Path,
) -> None:
    (tmp_path / "moving_node.py").write_text(
        "import pathlib, time\n"
        "try:\n    print('here', flush=True)\n    time.sleep(60)\n"
        f"finally:\n    pathlib.Path({str(tmp_path / 'halted')!r}).touch()\n"
    )
    script = (
        "import os, signal\n"
        "from roboinstruct_ros.bringup.fork_server import fork_server\n"
        "node = fork_server().start('moving_node', [], 'roboinstruct_moving_node')\n"
        "node.stdout.readline()\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    subprocess.run([sys.executable, "-c", script], env=environment, timeout=60, check=False)
    until((tmp_path / "halted").exists)


def test_they_end_with_a_server_that_is_killed(forks: Forks) -> None:
    node = forks.start("living", LIVES)
    assert node.stdout.readline() == "here\n"
    server = psutil.Process(node.pid).parent()
    assert server is not None
    server.kill()
    until(lambda: node.poll() == -signal.SIGKILL)
    until(lambda: not psutil.pid_exists(node.pid))
    assert isinstance(fork_server(), ForkServer) and fork_server() is not forks.server
