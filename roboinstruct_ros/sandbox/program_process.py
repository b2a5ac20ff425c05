"""One run of one task program in a confined child, on the parent's side."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.domain.whole_text import whole_text
from roboinstruct_ros.program.task_program import MAX_CHARACTERS
from roboinstruct_ros.sandbox.confined_child import ConfinedChild
from roboinstruct_ros.sandbox.confinement import Limits
from roboinstruct_ros.sandbox.namespace import LONGEST_SLEEP
from roboinstruct_ros.sandbox.wire import WireClosed


class EndKind(str, Enum):
    """How a program's run ended."""

    FINISHED = "finished"
    ERROR = "error"
    SKILL_ERROR = "skill_error"
    LIMIT = "limit"
    LOST = "lost"
    KILLED = "killed"


_ENDS = [kind.value for kind in EndKind]


@dataclass(frozen=True)
class ProgramEnd:
    """The end of a run.

    Attributes:
        line: program line, 1-based; 0 if unknown.
        message: plain English; empty if it finished.
        skill_error: code of the failed skill that the program did not catch, else empty.
    """

    kind: EndKind
    line: int = 0
    message: str = ""
    skill_error: str = ""


@dataclass(frozen=True)
class SkillReply:
    """The result of a skill call for the program: a value, or an error that it may catch."""

    value: Any = None
    error: str = ""
    message: str = ""


@dataclass(frozen=True)
class ProgramHooks:
    """The functions that the parent performs for the program.

    Attributes:
        call: a skill call, as (skill, positional arguments, keyword arguments, line).
        sleep: `time.sleep`, as (s, line); returns early if the run is stopped.
        print: `print`, as (text, line).
        clock: `time.time`, s since the epoch.
    """

    call: Callable[[str, tuple[Any, ...], dict[str, Any], int], SkillReply]
    sleep: Callable[[float, int], None]
    print: Callable[[str, int], None]
    clock: Callable[[], float] = time.time


@dataclass
class ProgramProcess:
    """Runs a program once. `kill` ends it from any thread, whatever it is doing.

    Attributes:
        seed: seed of the program's `random`.
    """

    source: str
    skills: tuple[str, ...]
    limits: Limits = field(default_factory=Limits)
    seed: int = 0

    def __post_init__(self) -> None:
        self._killed = False
        self._printed = 0
        self._child = ConfinedChild("roboinstruct_ros.sandbox.program_child", self.limits)

    @property
    def layers(self) -> tuple[str, ...]:
        return self._child.layers

    @property
    def pid(self) -> int:
        return self._child.pid

    def kill(self) -> None:
        self._killed = True
        self._child.kill()

    def close(self) -> None:
        """End the process without a run."""
        self._child.close()

    def run(self, hooks: ProgramHooks) -> ProgramEnd:
        """Run the program to its end; blocks. The child is gone on return."""
        try:
            wire = self._child.wire
            wire.send({"source": self.source, "skills": self.skills, "seed": self.seed})
            while (end := self._served(wire.receive(), hooks)) is None:
                continue
            return end
        except WireClosed:
            return self._gone()
        finally:
            self._child.close()

    def _served(self, message: dict[str, Any], hooks: ProgramHooks) -> ProgramEnd | None:
        """Do what the message asks for. Returns the end of the run, if it is that.

        Raises:
            WireClosed: our code in the child sends no such message: a program has taken it over.
        """
        reply: dict[str, Any] = {}
        if message.get("line") not in range(MAX_CHARACTERS + 1):
            raise WireClosed("not a line of a program")
        match message:
            case {
                "call": str(name),
                "args": list(args),
                "kwargs": dict(kwargs),
                "line": int(line),
            } if name in self.skills:
                result = hooks.call(name, tuple(args), kwargs, line)
                failure = {"error": result.error, "message": result.message}
                reply = failure if result.error else {"value": result.value}
            case {"sleep": float(seconds), "line": int(line)} if 0 <= seconds <= LONGEST_SLEEP:
                hooks.sleep(seconds, line)
            case {"clock": True, "line": int()}:
                reply = {"value": hooks.clock()}
            case {"print": str(text), "line": int(line)} if self._may_print(text):
                hooks.print(whole_text(text), line)
                return None
            case {"end": str(kind), "line": int(line), "message": str(text)} if kind in _ENDS:
                code = str(message.get("code", ""))
                return ProgramEnd(EndKind(kind), line, whole_text(text), code)
            case _:
                raise WireClosed("not a message of a program")
        self._child.wire.send(reply)
        return None

    def _may_print(self, text: str) -> bool:
        self._printed += len(text)
        return self._printed <= self.limits.output_bytes

    def _gone(self) -> ProgramEnd:
        if self._killed:
            return ProgramEnd(EndKind.KILLED, message="the program was stopped")
        self._child.close()
        if self._child.end_signal == signal.SIGXCPU:
            message = str(phrase("told.much_computed", n=self.limits.cpu_seconds))
            return ProgramEnd(EndKind.LIMIT, message=message)
        return ProgramEnd(EndKind.LOST, message="the program's process died")
