"""Starts nodes as forks of one process that has imported what they share.

Imports are most of a node's start. The server imports once, has no ROS context, and forks for each
request. Both ends exchange JSON messages over a SOCK_SEQPACKET socket: a request with the
descriptor that the node prints to, then `{"pid"}` or `{"fault"}`, and `{"pid", "code"}` for each
process that has ended. If the other end closes, the server ends its nodes as Ctrl-C does, and then
itself; the kernel kills those that are left.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import threading
import time
import warnings
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Any, NoReturn, TextIO

_SHARED = "roboinstruct_ros.nodes.executor.node"
"""Imported ahead: most of what any node imports. What only one node needs, it imports in parallel
to the others."""

_LONGEST = 1 << 17  # bytes of a message
_END_LIMIT = 2.2  # s; a node abandons a hung shutdown in 2 s
_INTERRUPTED = 128 + signal.SIGINT
_ENDS = {signal.SIGCHLD}
_READ_AT_START = ("PYTHON", "LD_")
"""Beginnings of the variables that Python and the loader read before a fork could set them."""


class ForkedNode:
    """A node's process.

    Attributes:
        stdout: what it prints, stderr too.
    """

    def __init__(self, server: ForkServer, pid: int, stdout: TextIO) -> None:
        self.pid, self.stdout, self._server = pid, stdout, server

    def poll(self) -> int | None:
        """Its exit code, negative for the signal that killed it; None while it lives."""
        return self._server.code(self.pid)


class ForkServer:
    """The server's other end; may be used by several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._codes: dict[int, int | None] = {}
        self._environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        self._channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", __name__, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env=self._environment,
                start_new_session=True,  # Ctrl-C and a closed terminal are for the parent
            )
        weakref.finalize(self, _end, self._channel, self._process, self._codes)

    @property
    def serves(self) -> bool:
        """Whether it lives, and its environment can become that of this process."""
        fixed = _read_at_start({**os.environ, "PYTHONUNBUFFERED": "1"})
        return self._process.poll() is None and _read_at_start(self._environment) == fixed

    def start(
        self,
        module: str,
        arguments: Sequence[str],
        title: str,
        niceness: int = 0,
        variables: Mapping[str, str] = MappingProxyType({}),
    ) -> ForkedNode:
        """Run a module as `python -m` would, in a process group of its own.

        Args:
            title: what `ps` shows; rcl names the log file after it.
            variables: set in addition to this process's environment.

        Raises:
            OSError: the server has died, or the system has no room for a process.
        """
        wanted = {**os.environ, "PYTHONUNBUFFERED": "1", **variables}
        names = {*wanted, *self._environment}
        request = {
            "module": module,
            "arguments": list(arguments),
            "title": title,
            "niceness": niceness,
            "variables": {
                name: wanted.get(name)
                for name in names
                if wanted.get(name) != self._environment.get(name)
            },
        }
        reads, writes = os.pipe()
        with self._lock, open(writes, "wb"):
            socket.send_fds(self._channel, [json.dumps(request).encode()], [writes])
            while (pid := self._receive()) is None:
                continue
            self._codes[pid] = None
        return ForkedNode(self, pid, open(reads, errors="replace"))

    def code(self, pid: int) -> int | None:
        """As `ForkedNode.poll`."""
        with self._lock:
            try:
                while True:
                    self._receive(socket.MSG_DONTWAIT)
            except BlockingIOError:
                return self._codes[pid]
            except OSError:  # it has died, and its nodes with it
                return -signal.SIGKILL if self._codes[pid] is None else self._codes[pid]

    def _receive(self, flags: int = 0) -> int | None:
        """Take one message; the pid if it tells of a new process."""
        message = self._channel.recv(_LONGEST, flags)
        if not message:
            raise ConnectionResetError("the fork server has died")
        told = json.loads(message)
        if "fault" in told:
            raise OSError(told["fault"])
        if "code" in told:
            self._codes[told["pid"]] = told["code"]
            return None
        return int(told["pid"])


_servers: list[ForkServer] = []


def fork_server() -> ForkServer:
    """The server of this process, started at the first call.

    Replaced if it has died, or if a variable has changed that only a new process reads.
    """
    if not _servers or not _servers[-1].serves:
        _servers[:] = [ForkServer()]
    return _servers[-1]


def _end(
    channel: socket.socket, process: subprocess.Popen[bytes], codes: Mapping[int, int | None]
) -> None:
    channel.close()
    if None in codes.values():  # without nodes it may still be importing
        with suppress(subprocess.TimeoutExpired):
            process.wait(_END_LIMIT + 0.5)
    process.kill()
    process.wait()


def _read_at_start(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name.startswith(_READ_AT_START)}


def main() -> None:
    """Serve the socket whose descriptor is the argument."""
    channel = socket.socket(fileno=int(sys.argv[1]))
    gc.disable()  # nearly all that is imported stays
    with suppress(ImportError):  # whichever node cannot run without it says so
        importlib.import_module(_SHARED)
    gc.enable()
    gc.collect()
    gc.freeze()  # a collection in a fork would copy the pages of all these objects
    # the threads are OpenBLAS's, which handles forks, and LTTng's, which only wait for a tracer
    warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
    living: set[int] = set()
    signal.signal(signal.SIGCHLD, lambda *_: _tell_ended(channel, living))
    while True:
        message, descriptors = b"", list[int]()
        with suppress(ConnectionResetError):  # it ended before it read all
            message, descriptors, _, _ = socket.recv_fds(channel, _LONGEST, 1)
        if not message:
            _end_nodes(living)
        # the answer comes before the end of the process, which may have the pid of an earlier one
        signal.pthread_sigmask(signal.SIG_BLOCK, _ENDS)
        server = os.getpid()
        try:
            pid = os.fork()
        except OSError as error:  # the nodes that live must not end for it
            os.close(descriptors[0])
            _tell(channel, fault=str(error))
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDS)
            continue
        if pid == 0:
            channel.close()
            try:
                return _become(json.loads(message), descriptors[0], server)
            except KeyboardInterrupt:  # during imports, when there is nothing to shut down
                sys.exit(_INTERRUPTED)
        with suppress(OSError):  # it has done so itself, and may have ended
            os.setpgid(pid, pid)
        os.close(descriptors[0])
        living.add(pid)
        _tell(channel, pid=pid)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDS)


def _end_nodes(living: set[int]) -> NoReturn:
    """End the nodes, motion first, as nobody else does; `living` shrinks as they end."""
    for pid in tuple(living):
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGINT)
    deadline = time.monotonic() + _END_LIMIT
    while living and time.monotonic() < deadline:
        time.sleep(0.02)
    os._exit(0)


def _tell_ended(channel: socket.socket, living: set[int]) -> None:
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        living.discard(pid)
        _tell(channel, pid=pid, code=os.waitstatus_to_exitcode(status))


def _tell(channel: socket.socket, **told: int | str) -> None:
    with suppress(OSError):  # the other end is gone, and this one follows
        channel.send(json.dumps(told).encode())


def _become(request: Mapping[str, Any], output: int, server: int) -> None:
    """Turn this fork of the server into the node."""
    from setproctitle import setproctitle

    from roboinstruct_ros.sandbox.confinement import die_with_parent

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDS)
    # Started by nohup, cron or a background script, the process would ignore SIGINT.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.setpgid(0, 0)
    die_with_parent()
    if os.getppid() != server:  # it died before
        os._exit(1)
    for stream in (sys.stdout.fileno(), sys.stderr.fileno()):
        os.dup2(output, stream)
    os.close(output)
    os.nice(request["niceness"])
    for name, value in request["variables"].items():
        if value is None:
            del os.environ[name]
        else:
            os.environ[name] = value
    module = request["module"]
    sys.argv[:] = [module, *request["arguments"]]
    setproctitle(request["title"])
    sys.modules.pop(module, None)  # imported ahead, and now to be run
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
