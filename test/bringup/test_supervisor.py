"""Processes are started again, or not, and all of them end."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from given_time import GivenTime
from waiting import until

from roboinstruct_ros.bringup.fork_server import ForkedNode
from roboinstruct_ros.bringup.node_set import NodeSpec, Options, describe
from roboinstruct_ros.bringup.supervisor import Supervisor

LIVES = "import time, sys\nprint('alive', flush=True)\ntime.sleep(600)\n"
STUBBORN = "import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n" + LIVES
BAD = "import sys\nprint('speed: expected a number (m/s)', flush=True)\nsys.exit(2)\n"


def test_what_moves_or_stops_the_robot_does_not_stand_back() -> None:
    niceness = {spec.name: spec.niceness for spec in describe(Options())}
    assert niceness["sim_robot"] == niceness["executor"] == niceness["kiosk"] == 0
    assert 0 < niceness["recorder"] <= niceness["generator"]


class Bench:
    """A supervisor over scripts, and what it told."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.lines: list[tuple[str, str]] = []
        self.deaths: list[tuple[str, str, bool]] = []

    def start(self, niceness: int = 0, **scripts: str) -> Supervisor:
        specs = []
        for name, script in scripts.items():
            (self._folder / f"script_{name}.py").write_text(script)
            specs.append(NodeSpec(name, f"script_{name}", niceness=niceness))
        self.supervisor = Supervisor(
            Options(),
            lambda name, line: self.lines.append((name, line)),
            lambda *death: self.deaths.append(death),
            tuple(specs),
        )
        self.supervisor.start()
        return self.supervisor

    def pid_of_one_that_lives(self, name: str) -> int:
        """Of a script that has said so; the supervisor may know its process a little later."""
        until(lambda: (name, "alive") in self.lines and self.supervisor.pid(name) is not None)
        pid = self.supervisor.pid(name)
        assert pid is not None
        return pid


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    yield bench
    bench.supervisor.stop()


def test_a_node_stands_back_as_it_is_described(bench: Bench) -> None:
    bench.start(niceness=7, back=LIVES)
    pid = bench.pid_of_one_that_lives("back")
    assert psutil.Process(pid).nice() == psutil.Process().nice() + 7


def test_a_file_in_the_folder_it_was_started_from_does_not_stand_in_for_a_module(
    tmp_path: Path, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "fractions.py").write_text("raise SystemExit('not the real one')\n")
    monkeypatch.chdir(tmp_path / "mine")
    bench.start(one="import fractions\n" + LIVES)
    until(lambda: ("one", "alive") in bench.lines or bench.deaths)
    assert not bench.deaths


def test_one_that_is_killed_is_started_again(bench: Bench) -> None:
    supervisor = bench.start(a=LIVES)
    pid = bench.pid_of_one_that_lives("a")
    os.kill(pid, signal.SIGKILL)
    until(lambda: supervisor.pid("a") not in (None, pid))
    assert bench.deaths == [("a", "was killed by SIGKILL", True)]
    assert not supervisor.failure


def test_one_that_cannot_be_forked_is_tried_again_and_takes_no_other_with_it(
    tmp_path: Path, bench: Bench
) -> None:
    full = tmp_path / "no_process_left"
    (tmp_path / "sitecustomize.py").write_text(
        "import os\nfork = os.fork\n"
        "def fork_if_there_is_room():\n"
        f"    if os.path.exists({str(full)!r}):\n        raise BlockingIOError(11, 'no room')\n"
        "    return fork()\n"
        "os.fork = fork_if_there_is_room\n"
    )
    supervisor = bench.start(a=LIVES, b=LIVES)
    pid, other = (bench.pid_of_one_that_lives(name) for name in "ab")
    full.touch()
    os.kill(pid, signal.SIGKILL)
    until(lambda: len(bench.deaths) == 2)
    full.unlink()
    until(lambda: supervisor.pid("a") not in (None, pid))
    assert supervisor.pid("b") == other
    assert bench.deaths[1] == ("a", "could not be started: [Errno 11] no room", True)


def test_bad_input_is_not_tried_again(bench: Bench) -> None:
    supervisor = bench.start(a=BAD, b=LIVES)
    until(lambda: bool(supervisor.failure))
    assert supervisor.failure == "speed: expected a number (m/s)"
    assert [line for line in bench.lines if line[0] == "a"] == [("a", supervisor.failure)]


def test_what_it_says_last_is_told_even_if_it_is_read_after_its_end(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted, read = threading.Event(), Supervisor._read

    def read_late(
        supervisor: Supervisor, name: str, process: ForkedNode, output: deque[str]
    ) -> None:
        until(lambda: process.poll() is not None)
        noted.wait(0.2)
        read(supervisor, name, process, output)

    monkeypatch.setattr(Supervisor, "_read", read_late)
    fail = Supervisor._fail
    monkeypatch.setattr(Supervisor, "_fail", lambda *told: (fail(*told), noted.set()))
    supervisor = bench.start(a=BAD)
    until(lambda: bool(supervisor.failure))
    assert supervisor.failure == "speed: expected a number (m/s)"


def test_what_it_says_at_once_is_told_too(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    spawn = Supervisor._spawn

    def spawn_slowly(*given: Any) -> Any:
        process, reader = spawn(*given)
        reader.join()
        return process, reader

    monkeypatch.setattr(Supervisor, "_spawn", spawn_slowly)
    supervisor = bench.start(a=BAD)
    until(lambda: bool(supervisor.failure))
    assert supervisor.failure == "speed: expected a number (m/s)"


def test_one_that_dies_again_and_again_is_given_up(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("roboinstruct_ros.bringup.supervisor.RESPAWN_DELAY", 0.01)
    supervisor = bench.start(a="import sys\nprint('no hardware')\nsys.exit(1)\n")
    until(lambda: bool(supervisor.failure))
    assert "again and again; its last words: no hardware" in supervisor.failure


def test_stop_ends_even_the_stubborn_within_3_s(bench: Bench) -> None:
    supervisor = bench.start(a=LIVES, b=STUBBORN)
    pids = [bench.pid_of_one_that_lives(name) for name in "ab"]
    given = GivenTime(*pids)
    supervisor.stop()
    assert given.until(time.time()) < 3
    assert not any(map(psutil.pid_exists, pids))


def test_nothing_is_left_when_the_supervising_process_is_killed(tmp_path: Path) -> None:
    (tmp_path / "script_a.py").write_text(LIVES)
    script = (
        "import os, time\n"
        "from roboinstruct_ros.bringup.node_set import NodeSpec, Options\n"
        "from roboinstruct_ros.bringup.supervisor import Supervisor\n"
        # a line in one piece: two threads write
        "def say(*words): os.write(1, f'{\" \".join(map(str, words))}\\n'.encode())\n"
        "s = Supervisor(Options(), say, say, (NodeSpec('a', 'script_a'),))\n"
        "s.start()\n"
        "while s.pid('a') is None: time.sleep(0.01)\n"
        "say('pid', s.pid('a'))\n"
        "time.sleep(600)\n"
    )
    repository = str(Path(__file__).resolve().parents[2])
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{repository}"}
    parent = psutil.Popen(
        [sys.executable, "-c", script], stdout=-1, text=True, env=environment, cwd=repository
    )
    pid, alive = "", False  # either may be told first
    while not (pid and alive):
        line = parent.stdout.readline()
        assert line, "the supervising process has ended"
        pid = line.split()[1] if line.startswith("pid") else pid
        alive = alive or "alive" in line
    child = psutil.Process(int(pid))
    parent.kill()
    parent.wait(60)
    _, left = psutil.wait_procs([child], timeout=60)
    assert not left
