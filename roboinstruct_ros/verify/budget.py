"""How much one verification may cost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Budget:
    """Limits of one verification.

    Attributes:
        paths: worlds explored depth first.
        samples: worlds drawn at random when the paths are not enough.
        seed: of those draws.
        choices: open questions in one world (its depth); one with more is left to the samples.
        lines: program lines executed in one world (its steps).
        seconds: wall time of the whole verification, s.
        memory_bytes: address space of the process that verifies.
    """

    paths: int = 2000
    samples: int = 200
    seed: int = 0
    choices: int = 200
    lines: int = 20_000
    seconds: float = 2.0
    memory_bytes: int = 1024 * 1024 * 1024
