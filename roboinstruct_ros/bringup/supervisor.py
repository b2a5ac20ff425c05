"""Runs the nodes as separate processes where `ros2 launch` is not installed."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from roboinstruct_ros.bringup.deaths import Deaths
from roboinstruct_ros.bringup.fork_server import ForkedNode, fork_server
from roboinstruct_ros.bringup.node_set import TRANSFORMS, NodeSpec, Options, describe
from roboinstruct_ros.security.environment import security_variables

BAD_INPUT = 2

RESPAWN_DELAY = 0.5  # s
LAST_WORDS = 1.0  # s to read what a dead node printed; its children may hold the pipe open
STEPS = ((signal.SIGINT, 2.2), (signal.SIGTERM, 0.2), (signal.SIGKILL, 0.3))
"""Signals that end a process, with the wait after each (s); a node abandons a hung
shutdown in 2 s."""


@dataclass
class _Child:
    spec: NodeSpec
    process: ForkedNode
    reader: threading.Thread
    output: deque[str]  # the last line
    deaths: Deaths
    restart_at: float = 0.0


class Supervisor:
    """Starts the nodes, restarts those that die, and ends all of them.

    Args:
        on_line: receives (node name, line) for each line that a node prints.
        on_death: receives (node name, what happened, whether it is restarted).

    Attributes:
        failure: why a node cannot be started, in one line; empty if all can.
    """

    def __init__(
        self,
        options: Options,
        on_line: Callable[[str, str], None],
        on_death: Callable[[str, str, bool], None],
        specs: tuple[NodeSpec, ...] | None = None,
    ) -> None:
        self._options = options
        self._specs = describe(options) if specs is None else specs
        self._on_line = on_line
        self._on_death = on_death
        self._children: dict[str, _Child] = {}
        self._end = threading.Event()
        self.failure = ""
        self._thread = threading.Thread(target=self._watch, name="supervisor", daemon=True)

    @property
    def node_names(self) -> tuple[str, ...]:
        return tuple(spec.name for spec in self._specs)

    def start(self) -> None:
        self._thread.start()

    def pid(self, name: str) -> int | None:
        """Process id of a node; None if it is not running."""
        child = self._children.get(name)
        return child.process.pid if child and child.process.poll() is None else None

    def stop(self) -> None:
        """End all nodes; takes less than 3 s."""
        self._end.set()
        self._thread.join(timeout=5)

    def _watch(self) -> None:
        for spec in self._specs:
            output: deque[str] = deque(maxlen=1)
            try:
                process, reader = self._spawn(spec, output)
            except OSError as error:
                self._fail(spec.name, f"the node '{spec.name}' could not be started: {error}")
                break
            self._children[spec.name] = _Child(spec, process, reader, output, Deaths())
        while not self._end.wait(0.05):
            for child in self._children.values():
                self._look_after(child)
        self._end_all()

    def _look_after(self, child: _Child) -> None:
        code = child.process.poll()
        now = time.monotonic()
        if code is None or self.failure:
            return
        if child.restart_at == 0.0:
            self._note_death(child, code, now)
        elif now >= child.restart_at:
            child.restart_at = 0.0
            child.deaths.born()
            try:
                child.process, child.reader = self._spawn(child.spec, child.output)
            except OSError as error:  # no memory or process is left, perhaps for a moment
                self._note_death(child, 1, now, f"could not be started: {error}")

    def _note_death(self, child: _Child, code: int, now: float, how: str = "") -> None:
        too_many = child.deaths.died()
        name, how = child.spec.name, how or _how(code)
        child.reader.join(LAST_WORDS)
        last = child.output[-1] if child.output else how
        if code == BAD_INPUT:
            self._fail(name, last)
        elif not child.spec.respawn or too_many:
            self._fail(name, f"the node '{name}' {how} again and again; its last words: {last}")
        else:
            child.restart_at = now + RESPAWN_DELAY * child.deaths.count
            self._on_death(name, how, True)

    def _fail(self, name: str, message: str) -> None:
        self.failure = message
        self._on_death(name, message, False)

    def _spawn(self, spec: NodeSpec, output: deque[str]) -> tuple[ForkedNode, threading.Thread]:
        own = security_variables(self._options.security, spec.name)
        process = fork_server().start(
            spec.module, ros_arguments(spec, self._options), spec.executable, spec.niceness, own
        )
        reader = threading.Thread(target=self._read, args=(spec.name, process, output), daemon=True)
        reader.start()
        return process, reader

    def _read(self, name: str, process: ForkedNode, output: deque[str]) -> None:
        for line in process.stdout:
            text = line.rstrip()
            if text:
                output.append(text)
            self._on_line(name, text)

    def _end_all(self) -> None:
        for number, limit in STEPS:
            living = [c.process for c in self._children.values() if c.process.poll() is None]
            for process in living:
                _signal_group(process.pid, number)
            deadline = time.monotonic() + limit
            while any(p.poll() is None for p in living) and time.monotonic() < deadline:
                time.sleep(0.02)
            if all(process.poll() is not None for process in living):
                return


def ros_arguments(spec: NodeSpec, options: Options) -> list[str]:
    """The command-line arguments of a node."""
    arguments = ["--ros-args"]
    if options.namespace:
        arguments += ["-r", f"__ns:=/{options.namespace.strip('/')}"]
    for absolute, relative in TRANSFORMS:
        arguments += ["-r", f"{absolute}:={relative}"]
    if spec.parameters_file:
        arguments += ["--params-file", spec.parameters_file]
    for name, value in spec.parameters.items():
        arguments += ["-p", f"{name}:={json.dumps(value)}"]
    return [*arguments, "--log-level", options.log_level]


def _signal_group(pid: int, number: int) -> None:
    try:
        os.killpg(pid, number)
    except ProcessLookupError:
        return


def _how(code: int) -> str:
    if code < 0:
        try:
            return f"was killed by {signal.Signals(-code).name}"
        except ValueError:
            return f"was killed by signal {-code}"
    return f"ended with exit code {code}"
