"""How much one verification may cost.

What is counted is the same on every machine and at every load; time is only the last guard.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

CALL_WORK, LOOK_WORK, WORLD_WORK = 25, 50, 500
"""What a skill call, a look at the program's state, and a world cost, in program lines."""


@dataclass(frozen=True)
class Budget:
    """Limits of one verification.

    Attributes:
        paths: worlds explored depth first.
        samples: worlds tried when the paths are not enough: corners first, then at random.
        seed: of those draws.
        choices: open questions in one world (its depth); one with more is left to the samples.
        lines: program lines executed in one world (its steps).
        quiet_lines: those of them between two skill calls or waits.
        work: program lines executed in all worlds explored depth first, with what else costs as
            much (`CALL_WORK`); half as much again for the samples.
        seconds: processor time of the whole verification, s. A verification that meets it is
            undecided.
        memory_bytes: address space of the process that verifies.
    """

    paths: int = 2000
    samples: int = 200
    seed: int = 0
    choices: int = 200
    lines: int = 200_000
    quiet_lines: int = 20_000
    work: int = 2_000_000
    seconds: float = 10.0
    memory_bytes: int = 1024 * 1024 * 1024


@dataclass
class Work:
    """What is left of the work, in program lines."""

    left: int


class Deadline:
    """When the processor time of a verification is spent."""

    def __init__(self, seconds: float) -> None:
        self._wall, self._processor = time.monotonic() + seconds, time.thread_time() + seconds

    @property
    def is_past(self) -> bool:
        """Asks the wall clock first, which costs less: no more processor time can have passed."""
        return time.monotonic() > self._wall and time.thread_time() > self._processor
