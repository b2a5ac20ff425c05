"""The whole stack as a person starts it, kiosk and recorder too."""

from __future__ import annotations

import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from graph import Processes


@dataclass(frozen=True)
class WholeStack:
    """Attributes:
    supervisor: process whose children are the nodes.
    port: of the kiosk, on this machine.
    folder: its home.
    ready: s from the start of the command until it said that all nodes are up.
    """

    supervisor: int
    port: int
    folder: Path
    ready: float


@contextmanager
def whole_stack(processes: Processes) -> Iterator[WholeStack]:
    """`roboinstruct up`, every node of which is up; it keeps its files in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        port, begun = _free_port(), time.monotonic()
        process = processes.start(
            "-m", "roboinstruct_ros.cli", "up", "--port", str(port),
            env={"XDG_DATA_HOME": folder, "HOME": folder}, stderr=subprocess.PIPE,
        )  # fmt: skip
        _wait_up(process)
        yield WholeStack(process.pid, port, Path(folder), time.monotonic() - begun)
        processes.end()  # before its folder goes


def _wait_up(process: subprocess.Popen[bytes]) -> None:
    assert process.stderr is not None
    said = []
    for line in process.stderr:
        said.append(line.decode(errors="replace"))
        if "roboinstruct is up" in said[-1]:
            threading.Thread(target=process.stderr.read, daemon=True).start()  # it must not fill up
            return
    raise RuntimeError("the stack did not come up:\n" + "".join(said[-20:]))


def _free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as probe:
        return int(probe.getsockname()[1])
