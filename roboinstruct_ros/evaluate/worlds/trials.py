"""Runs programs in made-up worlds. A model's text runs in a confined child only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from roboinstruct_ros.evaluate.worlds.scripted import Facts, Made
from roboinstruct_ros.sandbox.confined_child import ConfinedChild
from roboinstruct_ros.sandbox.confinement import Limits
from roboinstruct_ros.sandbox.wire import WireClosed, WireTimeout

_CHILD = "roboinstruct_ros.evaluate.worlds.trial_child"
SECONDS = 2.0
"""s of processor time for a program in one world."""

_LONGEST = 120.0  # s of wall-clock time for all worlds, in case nothing else interrupts a program


@dataclass(frozen=True)
class ChanceFacts:
    """The world of this number, with two rooms of each of these kinds; see `ChanceWorld`."""

    number: int
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True)
class Run:
    """What a program did in one world.

    Attributes:
        calls: as the world records them.
        fault: why it did not end normally; "" if it did.
        slept: s.
        made: in a scripted world, all calls with their results.
    """

    calls: list[Any]
    fault: str = ""
    slept: float = 0.0
    made: tuple[Made, ...] = ()

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> Run:
        """Parse the child's answer."""
        return cls(**{**told, "made": tuple(Made(**one) for one in told["made"])})


class Trials:
    """Runs programs one after another. The child is killed when one keeps it from answering."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._child: ConfinedChild | None = None

    def run(self, source: str, worlds: Sequence[Facts | ChanceFacts]) -> list[Run]:
        """What the program in `source` does in each world.

        Raises:
            WireClosed: no child could be started.
        """
        child = self._child = self._child or ConfinedChild(_CHILD, Limits(cpu_seconds=0))
        facts = [
            ("scripted", one.plain) if isinstance(one, Facts) else ("chance", asdict(one))
            for one in worlds
        ]
        try:
            child.wire.send({"source": source, "worlds": facts, "seconds": self._seconds})
            return [Run.read(run) for run in child.wire.receive(_LONGEST)["runs"]]
        except WireTimeout:
            fault = "it computes without end"
        except WireClosed:
            fault = "it broke the limits of the sandbox"
        self.close()
        return [Run([], fault) for _ in worlds]

    def close(self) -> None:
        """End the child; the next run starts another."""
        if self._child is not None:
            self._child.close()
            self._child = None
