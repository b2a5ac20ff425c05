"""What every test of the stack stands on: a ROS graph of its own, and processes that end."""

from __future__ import annotations

import atexit
import fcntl
import gc
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import pytest
from hypothesis import settings

from roboinstruct_ros.nodes.dds.transport import REACH, transport_variables

# Tests import the builders beside them by name; test modules of one name may stand in two folders.
sys.path[:0] = [str(path) for path in sorted(Path(__file__).parent.iterdir()) if path.is_dir()]

# A busy machine makes any single example slow; pytest-timeout catches what really hangs.
# Every run tries the same examples, so that a failure is there again when somebody looks at it;
# `--hypothesis-profile=search` draws new ones.
settings.register_profile("search", deadline=None)
settings.register_profile("roboinstruct", deadline=None, derandomize=True)
settings.load_profile("roboinstruct")

# What a test writes must not be kept among the tasks and files of the person who runs it.
os.environ["XDG_DATA_HOME"] = tempfile.mkdtemp(prefix="roboinstruct-test-data-")
atexit.register(shutil.rmtree, os.environ["XDG_DATA_HOME"], True)

# A node whose end hangs says where.
os.environ["PYTHONFAULTHANDLER"] = "1"

# A test that names no model means the small one, which loads and answers in no time.
os.environ["ROBOINSTRUCT_MODEL"] = "roboinstruct-small"

# Both below Linux's ephemeral ports: DDS's (7400 + 250 * id < 32768, and one group above them),
# and those to listen at.
DOMAIN_IDS = (*range(70, 102), *range(215, 221))
LISTENING = range(10_000, 32_768)
END_LIMIT = 5.0  # s, from SIGINT to SIGKILL

# As `roboinstruct up` has it, for the tests' own nodes too.
_ON_THIS_MACHINE = transport_variables({REACH: "LOCALHOST"})


@pytest.fixture(scope="module", autouse=True)
def _leave_what_is_there() -> None:
    """Scripted robots live in this process, and have to stand still within 100 ms.

    In a run of all tests, a look of Python's for garbage among all that earlier tests have left
    takes as long as that.
    """
    gc.collect()
    gc.freeze()


@contextmanager
def _claimed_domain() -> Iterator[int]:
    """A DDS domain id that no other test on this machine holds; freed by the kernel at worst."""
    for domain in DOMAIN_IDS:
        lock = _lock(Path(tempfile.gettempdir()) / f"roboinstruct-domain-{domain}.lock")
        if lock is None:
            continue
        with lock:
            if not _has_participants(domain):
                yield domain
                return
    pytest.fail(f"no free ROS domain id among {DOMAIN_IDS[0]} to {DOMAIN_IDS[-1]}")


def _lock(path: Path) -> IO[str] | None:
    """The opened file while its lock is ours, or None."""
    try:
        file = path.open("w")
    except OSError:  # another user's
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    return file


def _has_participants(domain: int) -> bool:
    """Whether a process on this machine takes part: DDS fixes the UDP ports of each domain."""
    first = 7400 + 250 * domain
    sockets = Path("/proc/net/udp").read_text().splitlines()[1:]
    ports = {int(line.split()[1].rpartition(":")[2], 16) for line in sockets}
    return any(first <= port < first + 250 for port in ports)


@contextmanager
def _own_graph(patch: pytest.MonkeyPatch, data: Path) -> Iterator[int]:
    """A free domain id, and a place for tasks and journals that no other test has left some in."""
    with _claimed_domain() as domain:
        patch.setenv("ROS_DOMAIN_ID", str(domain))
        patch.setenv("XDG_DATA_HOME", str(data))
        for name, value in _ON_THIS_MACHINE.items():
            patch.setenv(name, value)
        yield domain


@pytest.fixture
def hangup_ends() -> Iterator[None]:
    """SIGHUP as at a terminal; under nohup it is ignored, in the processes started here too."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.fixture
def ros_domain(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[int]:
    """A free domain id, set in the environment of this test and of the processes it starts."""
    with _own_graph(monkeypatch, tmp_path_factory.mktemp("data")) as domain:
        yield domain


@pytest.fixture
def port() -> int:
    """A free TCP port of this machine, and none that a connection is given before it is used."""
    return _free_port()


@pytest.fixture(scope="module")
def shared_port() -> int:
    """The same for all tests of a module."""
    return _free_port()


def _free_port() -> int:
    while True:
        port = LISTENING.start + secrets.randbelow(len(LISTENING))
        with socket.socket() as free, suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port


class StackProcesses:
    """Starts `python -m module` children, each the leader of its own group, and ends them all."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._started: list[tuple[subprocess.Popen[bytes], Path]] = []

    def __call__(
        self, module: str, *arguments: str, env: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        """Start one; what it prints is shown when the test fails (see also `log_of`)."""
        name = f"{len(self._started):02d}_{module.rpartition('.')[2]}.log"
        path = self._folder / name
        with path.open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", module, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PYTHONUNBUFFERED": "1", **(env or {})},
                start_new_session=True,
            )
        self._started.append((process, path))
        return process

    def log_of(self, process: subprocess.Popen[bytes]) -> str:
        """Everything the process has printed up to now."""
        path = next(path for started, path in self._started if started is process)
        return path.read_text(errors="replace")

    def logs(self) -> Iterator[tuple[str, str]]:
        for process, path in self._started:
            title = f"{path.name} (pid {process.pid}, exit code {process.poll()})"
            yield title, path.read_text(errors="replace")[-8000:]

    def end(self) -> None:
        """Ask all politely, then end their whole groups."""
        for process, _ in self._started:
            _signal_group(process, signal.SIGINT)
        limit = time.monotonic() + END_LIMIT
        for process, _ in self._started:
            with suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, limit - time.monotonic()))
            _signal_group(process, signal.SIGKILL)
            process.wait()


def _signal_group(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)


@pytest.fixture
def stack_process(
    request: pytest.FixtureRequest, tmp_path: Path, ros_domain: int
) -> Iterator[StackProcesses]:
    """`stack_process("roboinstruct_ros.nodes.executor.node", ...)` in this test's own domain."""
    folder = tmp_path / "processes"
    folder.mkdir()
    processes = StackProcesses(folder)
    yield processes
    processes.end()
    report = getattr(request.node, "report_of_call", None)
    if report is not None and report.failed:
        for title, text in processes.logs():
            print(f"----- {title}\n{text}")


@pytest.fixture(scope="module")
def shared_stack(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[StackProcesses, int]]:
    """The same for all tests of a module: (processes, domain id)."""
    processes = StackProcesses(tmp_path_factory.mktemp("processes"))
    data = tmp_path_factory.mktemp("data")
    with pytest.MonkeyPatch.context() as patch, _own_graph(patch, data) as domain:
        yield processes, domain
        processes.end()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="the long versions of tests that have one")
    parser.addoption("--trials", type=int, default=None, help="how many stops are tried")
    parser.addoption("--seed", type=int, default=None, help="of the tests that draw at random")
    parser.addoption(
        "--part",
        choices=("stack", "nodes", "page", "rest", "computing"),
        help="see tools/both_cores.py",
    )


OF_THE_NODES = {"bringup", "execute", "nodes", "robot", "sandbox", "skill_servers"}
"""Folders of what starts, stops and measures a robot's nodes one by one."""

NOT_COMPUTING = {
    "os.fork",
    "os.posix_spawn",
    "socket.bind",
    "socket.connect",
    "subprocess.Popen",
    "time.sleep",
}
"""What Python's audit events call that which a test does not that only computes."""


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--part") == "computing":
        sys.addaudithook(_only_compute)


def _only_compute(event: str, _arguments: object) -> None:
    if event in NOT_COMPUTING:
        raise AssertionError(f"{event} in a test that is marked as one that only computes")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out what holds nothing of the part; to import all takes seconds."""
    part = config.getoption("--part")
    if part == "computing" and collection_path.suffix == ".py":
        return "mark.computes" not in collection_path.read_text() or None
    here = Path(__file__).parent
    if part in (None, "computing") or collection_path.parent != here or collection_path.is_file():
        return None
    return part != _part_of_folder(collection_path.name) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if part := config.getoption("--part"):
        chosen: dict[bool, list[pytest.Item]] = {True: [], False: []}
        for item in items:
            chosen[_part(item) == part].append(item)
        config.hook.pytest_deselected(items=chosen[False])
        items[:] = chosen[True]


def _part(item: pytest.Item) -> str:
    """Of `tools/both_cores.py`."""
    if item.get_closest_marker("computes") is not None:
        return "computing"
    return _part_of_folder(item.path.relative_to(Path(__file__).parent).parts[0])


def _part_of_folder(folder: str) -> str:
    if folder in OF_THE_NODES:
        return "nodes"
    return {"stack": "stack", "web": "page"}.get(folder, "rest")


@pytest.fixture
def long(request: pytest.FixtureRequest) -> bool:
    """Whether a test that has a long version runs that."""
    return bool(request.config.getoption("--long"))


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """Of what a test draws at random; printed, and the same each time without `--long`."""
    given = request.config.getoption("--seed")
    fresh = secrets.randbelow(2**31) if request.config.getoption("--long") else 1
    drawn = fresh if given is None else given
    print(f"seed {drawn}: --seed {drawn} draws the same again")
    return int(drawn)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    report = yield
    if call.when == "call":
        item.report_of_call = report  # type: ignore[attr-defined]
    return report


@pytest.fixture(scope="module")
def trials() -> Iterator[Any]:
    """Runs programs in made-up worlds, in a confined child."""
    from roboinstruct_ros.evaluate.worlds.trials import Trials

    with closing(Trials()) as trials:
        yield trials
