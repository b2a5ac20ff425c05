"""A confined child interpreter that runs one module of this package and communicates over pipes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from roboinstruct_ros.sandbox.confinement import Limits, confine
from roboinstruct_ros.sandbox.wire import Wire, WireClosed

# -s, -S and the minimal environment exclude the user's files and every .pth hook. The search path
# is passed explicitly, before anything is imported from a file.
_BOOT = """
import sys
sys.path[:] = sys.argv[1].split("\\n")
from importlib import import_module
import_module(sys.argv[2]).main()
"""

_FIRST_FREE, _MOST_DESCRIPTORS = 5, 1024
"""Descriptors from here on are closed: beyond the standard streams and the wire's two ends."""

_NO_MEMORY = 12
"""Exit code of a child that is out of memory."""

_NICENESS = 5
"""Nice value of programs and verifiers: they yield the CPU to what moves or stops the robot."""

START_LIMIT = 120.0
"""Time (s) without a reply after which a starting child counts as hanging. It starts in 0.2 s, but
at low priority on a busy computer."""

# The kernel ends a child when the *thread* that started it ends: use one that lives to our end.
_SPAWNER = ThreadPoolExecutor(max_workers=1, thread_name_prefix="child_spawner")


class ConfinedChild:
    """A confined process of one module; `kill` ends it at any time.

    Attributes:
        layers: names of the active confinement layers.
    """

    def __init__(self, module: str, limits: Limits) -> None:
        """Start the process and wait until it is ready.

        Raises:
            WireClosed: it could not be started.
            WireTimeout: it hangs.
        """
        self._process = _SPAWNER.submit(_spawn, module).result()
        assert self._process.stdin is not None and self._process.stdout is not None
        self.wire = Wire(self._process.stdout.fileno(), self._process.stdin.fileno())
        try:
            self.wire.send({"limits": asdict(limits)})
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
        """Signal that ended the process; 0 if it exited by itself or still runs."""
        code = self._process.poll()
        return -code if code is not None and code < 0 else 0

    @property
    def out_of_memory(self) -> bool:
        """Whether the process exited because it had no memory left."""
        return self._process.poll() == _NO_MEMORY

    def kill(self) -> None:
        """End the process now; idempotent, from any thread."""
        self._process.kill()

    def close(self) -> None:
        """Kill, reap, and free the pipes."""
        self.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


def serve(answer: Callable[[Wire, Limits], None]) -> None:
    """Child side: confine this process, report its layers, then call `answer`.

    The pipes are moved away from the standard streams, which are then redirected to /dev/null.
    """
    wire = Wire(os.dup(0), os.dup(1))
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    limits = Limits(**wire.receive()["limits"])
    _stand_back()
    layers = list(confine(limits))
    os.closerange(_FIRST_FREE, _MOST_DESCRIPTORS)  # descriptors that a layer has left open
    wire.send({"layers": layers})
    try:
        answer(wire, limits)
    except WireClosed:
        return
    except MemoryError:
        os._exit(_NO_MEMORY)


def _stand_back() -> None:
    os.nice(_NICENESS)
    # Where the kernel schedules by session first, the session needs the priority too.
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(_NICENESS))


def _spawn(module: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-s", "-S", "-c", _BOOT, "\n".join(_search_path()), module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        # fixed hash seed: sets have the order that was verified; and no third-party plugins, which
        # pydantic would look for in every installed package
        env={"LANG": "C.UTF-8", "PYTHONHASHSEED": "0", "PYDANTIC_DISABLE_PLUGINS": "1"},
        cwd="/",
        start_new_session=True,
    )


def _search_path() -> list[str]:
    package_root = str(Path(__file__).resolve().parents[2])
    return [package_root, *(str(Path(entry).resolve()) for entry in sys.path if entry)]
