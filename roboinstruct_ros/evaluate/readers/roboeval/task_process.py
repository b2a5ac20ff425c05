"""The parent's side of the process in which one task of a RoboEval checkout runs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from roboinstruct_ros.evaluate.worlds.roboeval_world import State
from roboinstruct_ros.sandbox.confined_child import ConfinedChild
from roboinstruct_ros.sandbox.confinement import Limits
from roboinstruct_ros.sandbox.wire import WireClosed, WireTimeout

_CHILD = "roboinstruct_ros.evaluate.readers.roboeval.task_child"
_MEMORY = 2 * 1024**3
_LIBRARIES = ("/lib", "/lib64", "/usr/lib")

LONGEST = 60.0
"""s of wall-clock time for an import, or for an import and a check."""


class TaskFault(Exception):
    """A task of the checkout fails by itself; `str()` is one clear line that names it."""


@dataclass(frozen=True)
class Test:
    """A world of a task; its check stays in the task's process.

    Attributes:
        timeout: whether a program is expected to wait for ever.
    """

    state: State
    timeout: bool


@dataclass(frozen=True)
class TaskFile:
    """The location of a task.

    Attributes:
        roots: folders searched for its imports, in this order.
        module: its dotted name.
        sha256: of its text: an evaluation folder belongs to exactly these checks.
    """

    roots: tuple[str, ...]
    module: str
    sha256: str = ""

    @property
    def name(self) -> str:
        """The file's name without its suffix."""
        return self.module.rpartition(".")[2]


@dataclass(frozen=True)
class Told:
    """A task module's description of itself."""

    name: str
    prompts: tuple[str, ...]
    tests: tuple[Test, ...]


class TaskProcess:
    """Sends requests to one task. The process is killed if the task keeps it from answering."""

    def __init__(self, task: TaskFile, longest: float = LONGEST) -> None:
        self.task = task
        self._longest = longest
        self._child: ConfinedChild | None = None

    def told(self) -> Told:
        """The description of the task.

        Raises:
            TaskFault: it cannot be imported, takes too long, or has another form.
        """
        told = self._answer({"told": True}, "its import")
        try:
            tests = tuple(Test(State(**one["state"]), one["timeout"]) for one in told["tests"])
            return Told(told["name"], tuple(told["prompts"]), tests)
        except (TypeError, KeyError):
            raise TaskFault(f"{self.task.name}: what it says is no task") from None

    def holds(self, test: int, trace: Sequence[Sequence[Any]]) -> bool:
        """Whether the check of test `test` passes.

        Raises:
            TaskFault: the check fails by itself, or takes too long.
        """
        return self._answer({"test": test, "trace": trace}, f"check {test}") is True

    def close(self) -> None:
        """End the process; the next request starts another."""
        if self._child is not None:
            self._child.close()
            self._child = None

    def _answer(self, question: dict[str, Any], what: str) -> Any:
        try:
            child = self._child = self._child or self._start()
            child.wire.send(question)
            answer = child.wire.receive(self._longest)
        except WireTimeout:
            self.close()
            fault = f"{what} takes more than {self._longest:g} s"
        except WireClosed:
            self.close()
            fault = f"{what} ended its process"
        else:
            if "answer" in answer:
                return answer["answer"]
            fault = f"{what} fails: {answer.get('error', 'without a word')}"
        raise TaskFault(f"{self.task.name}: {fault}")

    def _start(self) -> ConfinedChild:
        readable = [*self.task.roots, *sys.path, sys.base_prefix, *_LIBRARIES]
        folders = tuple(dict.fromkeys(path for path in readable if path and Path(path).is_dir()))
        limits = Limits(cpu_seconds=0, memory_bytes=_MEMORY, code_folders=folders)
        child = ConfinedChild(_CHILD, limits)
        child.wire.send({"roots": self.task.roots, "module": self.task.module})
        return child
