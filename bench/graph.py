"""A ROS graph of the bench's own, and processes in it that end with it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from roboinstruct_ros.nodes.dds.transport import REACH, choose_transport

_DOMAINS = range(50, 70)  # below those of the tests
_END_LIMIT = 5.0  # s, from SIGINT to SIGKILL
_BENCH = Path(__file__).resolve().parent


class Processes:
    """Starts children of a graph and ends them all."""

    def __init__(self, domain: int) -> None:
        self.domain = domain
        self._started: list[subprocess.Popen[bytes]] = []

    def start(
        self,
        *command: str,
        env: Mapping[str, str] | None = None,
        stderr: int = subprocess.DEVNULL,
    ) -> subprocess.Popen[bytes]:
        """A Python process, e.g. `-m module`; what it says is not shown."""
        process = subprocess.Popen(
            [sys.executable, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env={**os.environ, **(env or {})},
            start_new_session=True,
        )
        self._started.append(process)
        return process

    def talking(self, script: str, *arguments: str) -> TalkingProcess:
        """A script of this folder that answers a line of JSON with one."""
        return TalkingProcess(self.start(str(_BENCH / script), *arguments))

    def end(self) -> None:
        """Ask all politely, then no more."""
        for process in self._started:
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGINT)
        for process in self._started:
            with suppress(subprocess.TimeoutExpired):
                process.wait(_END_LIMIT)
            process.kill()
            process.communicate()


class TalkingProcess:
    """A child that answers each line with a line."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self.ask(None)  # it is up

    def ask(self, request: Any) -> Any:
        """Send one request, wait for its answer."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        while answer := self._process.stdout.readline():
            with suppress(ValueError):  # DDS may say something of its own
                return json.loads(answer)
        raise RuntimeError(f"{self._process.args!r} has ended")

    def end(self) -> None:
        """At once, before the others of its graph."""
        self._process.kill()
        self._process.wait()


@contextmanager
def own_graph() -> Iterator[Processes]:
    """A domain that nobody else on this machine is in, for this process and those it starts."""
    domain = next(number for number in _DOMAINS if not _has_participants(number))
    before = dict(os.environ)
    os.environ.update({"ROS_DOMAIN_ID": str(domain), REACH: "LOCALHOST"})
    choose_transport()  # all of them speak as the stack does
    processes = Processes(domain)
    try:
        yield processes
    finally:
        processes.end()
        os.environ.clear()
        os.environ.update(before)


def _has_participants(domain: int) -> bool:
    """Whether a process on this machine takes part: DDS fixes the UDP ports of each domain."""
    first = 7400 + 250 * domain
    sockets = Path("/proc/net/udp").read_text().splitlines()[1:]
    ports = {int(line.split()[1].rpartition(":")[2], 16) for line in sockets}
    return any(first <= port < first + 250 for port in ports)
