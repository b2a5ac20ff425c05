"""A child interpreter that runs one module of this package, confined, and talks over pipes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from roboinstruct_ros.sandbox.confinement import Limits, confine
from roboinstruct_ros.sandbox.wire import Wire, WireClosed

# -s, -S and the bare environment keep the user's files and every .pth hook out; the path comes by
# hand, before anything is imported from a file.
_BOOT = """
import sys
sys.path[:] = sys.argv[1].split("\\n")
from importlib import import_module
import_module(sys.argv[2]).main()
"""

_FIRST_FREE, _MOST_DESCRIPTORS = 5, 1024
"""Behind the standard streams and the two ends of the wire there is nothing."""

_NICENESS = 5
"""How far a program, and whoever judges one, stands back for what moves the robot, or stops it."""

START_LIMIT = 120.0
"""s after which a child that says nothing is taken for one that hangs. It starts in 0.2 s, and
stands back for whatever else a busy computer does."""

# The kernel ends a child when the *thread* that started it ends: one that lives as long as we do.
_SPAWNER = ThreadPoolExecutor(max_workers=1, thread_name_prefix="child_spawner")


class ConfinedChild:
    """A confined process of one module; `kill` ends it at any point.

    Attributes:
        layers: names of the confinement layers that hold.
    """

    def __init__(self, module: str, limits: Limits) -> None:
        """Start it and wait until it is ready.

        Raises:
            WireClosed: it could not be started.
            WireTimeout: it hangs.
        """
        self._process = _SPAWNER.submit(_spawn, module).result()
        assert self._process.stdin is not None and self._process.stdout is not None
        self._lock = threading.Lock()
        self.wire = Wire(self._process.stdout.fileno(), self._process.stdin.fileno())
        try:
            self.wire.send({"limits": limits.as_dict()})
            self.layers = tuple(self.wire.receive(START_LIMIT)["layers"])
        except BaseException:
            self.close()
            raise

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def end_signal(self) -> int:
        """Signal that ended the process; 0 when it ended by itself or still runs."""
        code = self._process.poll()
        return -code if code is not None and code < 0 else 0

    def kill(self) -> None:
        """End the process now; safe from any thread, any number of times."""
        with self._lock:
            if self._process.returncode is None:
                try:
                    os.kill(self._process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    return

    def close(self) -> None:
        """Kill, reap, and free the pipes."""
        self.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


def serve(answer: Callable[[Wire, Limits], None]) -> None:
    """Child side: confine this process, say so, then hand over to `answer`.

    The pipes are moved away from the standard streams, which then lead nowhere.
    """
    wire = Wire(os.dup(0), os.dup(1))
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    limits = Limits(**wire.receive()["limits"])
    _stand_back()
    layers = list(confine(limits))
    os.closerange(_FIRST_FREE, _MOST_DESCRIPTORS)  # what a layer has left open
    wire.send({"layers": layers})
    try:
        answer(wire, limits)
    except WireClosed:
        return


def _stand_back() -> None:
    os.nice(_NICENESS)
    # Where the kernel shares the processor among sessions first, that is said of the session.
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(_NICENESS))


def _spawn(module: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-s", "-S", "-c", _BOOT, "\n".join(_search_path()), module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        # one order of sets for all children: a program runs in the order that was verified; and
        # nobody else's plugins, which pydantic looks for in every installed package
        env={"LANG": "C.UTF-8", "PYTHONHASHSEED": "0", "PYDANTIC_DISABLE_PLUGINS": "1"},
        cwd="/",
        start_new_session=True,
    )


def _search_path() -> list[str]:
    package_root = str(Path(__file__).resolve().parents[2])
    return [package_root, *(str(Path(entry).resolve()) for entry in sys.path if entry)]
