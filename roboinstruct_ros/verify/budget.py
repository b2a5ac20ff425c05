"""Limits on the cost of one verification.

The counted limits are the same on every machine and under every load; the time limit is only a last
guard.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

CALL_WORK, LOOK_WORK, WORLD_WORK = 25, 50, 500
"""Cost of a skill call, a check of the program's state, and a world, in program lines."""


@dataclass(frozen=True)
class Budget:
    """Limits of one verification.

    Attributes:
        paths: worlds explored depth first.
        samples: worlds sampled if the paths do not suffice: corner cases first, then random ones.
        seed: of the random samples.
        choices: open questions in one world (its depth); a world with more is left to the samples.
        lines: program lines executed in one world (its steps).
        quiet_lines: program lines executed in one world between two skill calls or waits.
        work: program lines executed in all worlds explored depth first, plus the equivalent cost of
            other work (`CALL_WORK`); the samples get half as much again.
        seconds: processor time of the whole verification, s. A verification that reaches it is
            undecided.
        memory_bytes: address space of the verifying process.
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
    """The remaining work, in program lines."""

    left: int


class Deadline:
    """The end of a verification's processor time."""

    def __init__(self, seconds: float) -> None:
        self._wall, self._processor = time.monotonic() + seconds, time.thread_time() + seconds

    @property
    def is_past(self) -> bool:
        """Checks the cheaper wall clock first: no more processor time than that can have passed."""
        return time.monotonic() > self._wall and time.thread_time() > self._processor
