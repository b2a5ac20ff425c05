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
        """Names of the active confinement layers."""
        return self._child.layers

    @property
    def pid(self) -> int:
        return self._child.pid

    def kill(self) -> None:
        """End the program now."""
        self._killed = True
        self._child.kill()

    def close(self) -> None:
        """End the process without a run."""
        self._child.close()

    def run(self, hooks: ProgramHooks) -> ProgramEnd:
        """Run the program to its end; blocks. The child is gone on return."""
        wire = self._child.wire
        try:
            wire.send({"source": self.source, "skills": self.skills, "seed": self.seed})
            while True:
                message = self._checked(wire.receive())
                if "end" in message:
                    return _end(message)
                self._serve(message, hooks)
        except WireClosed:
            return self._gone()
        finally:
            self._child.close()

    def _checked(self, message: dict[str, Any]) -> dict[str, Any]:
        """The message, if it is one that our code in the child sends.

        Raises:
            WireClosed: a program that has taken the child over sends in its place.
        """
        right = isinstance(message.get("line"), int)
        if "end" in message:
            right = right and message["end"] in [kind.value for kind in EndKind]
        elif "call" in message:
            given = isinstance(message.get("args"), list), isinstance(message.get("kwargs"), dict)
            right = right and all(given) and message["call"] in self.skills
        elif "sleep" in message:
            seconds = message["sleep"]
            right = right and isinstance(seconds, float) and 0 <= seconds <= LONGEST_SLEEP
        elif "print" in message:
            self._printed += len(str(message["print"]))
            right = right and self._printed <= self.limits.output_bytes
        elif "clock" in message:
            right = right and message["clock"] is True
        else:
            right = False
        if not right:
            raise WireClosed("not a message of a program")
        return message

    def _serve(self, message: dict[str, Any], hooks: ProgramHooks) -> None:
        wire = self._child.wire
        line = int(message.get("line", 0))
        if "call" in message:
            name, args, kwargs = message["call"], tuple(message["args"]), message["kwargs"]
            reply = hooks.call(name, args, kwargs, line)
            answer = {"value": reply.value}
            if reply.error:
                answer = {"error": reply.error, "message": reply.message}
            wire.send(answer)
        elif "sleep" in message:
            hooks.sleep(float(message["sleep"]), line)
            wire.send({})
        elif "print" in message:
            hooks.print(whole_text(str(message["print"])), line)
        elif "clock" in message:
            wire.send({"value": hooks.clock()})

    def _gone(self) -> ProgramEnd:
        if self._killed:
            return ProgramEnd(EndKind.KILLED, message="the program was stopped")
        self._child.close()
        if self._child.end_signal == signal.SIGXCPU:
            message = str(phrase("told.much_computed", n=self.limits.cpu_seconds))
            return ProgramEnd(EndKind.LIMIT, message=message)
        return ProgramEnd(EndKind.LOST, message="the program's process died")


def _end(message: dict[str, Any]) -> ProgramEnd:
    return ProgramEnd(
        EndKind(message["end"]), int(message["line"]), whole_text(str(message.get("message", ""))),
        str(message.get("code", "")),
    )  # fmt: skip
