"""Decides what fails in a simulated world and when; makes every random draw of the world."""

from __future__ import annotations

import random
from collections.abc import Mapping
from enum import Enum
from typing import Any

from roboinstruct_ros.domain.files.world_file import FailuresEntry
from roboinstruct_ros.domain.semantic_map import folded


class Failure(str, Enum):
    NAVIGATION_BLOCKED = "navigation_blocked"
    GRASP_SLIPPED = "grasp_slipped"
    PERSON_LEFT = "person_left"


class Chance:
    """Owner of the world's single generator, `random`: same seed and queries, same answers."""

    def __init__(
        self,
        entry: FailuresEntry,
        seed: int | None = None,
        rates: Mapping[Failure, float] | None = None,
    ) -> None:
        """Seed and rates (0..1) replace those of `failures:` in the world file."""
        self.random = random.Random(entry.seed if seed is None else seed)
        self._entry = entry
        self._rates: dict[Failure, float] = {}
        self._once: dict[Failure, list[str]] = {}
        for failure in Failure:
            self.set_rate(failure, (rates or {}).get(failure))

    def set_rate(self, failure: Failure, rate: float | None) -> None:
        """Set a probability (0..1) from now on; None is what the world file says.

        Drops pending one-shot failures of that kind.
        """
        said: Any = getattr(self._entry, failure.value) if rate is None else rate
        is_rate = isinstance(said, (int, float))
        self._rates[failure] = said if is_rate else 0.0
        self._once[failure] = [] if is_rate else [folded(name) for name in said]

    def strikes(self, failure: Failure, name: str) -> bool:
        """Whether it fails now, for this room, object or person."""
        if folded(name) in self._once[failure]:
            self._once[failure].remove(folded(name))
            return True
        rate = self._rates[failure]
        # No draw at 0 and 1, so switching one failure off leaves the others' sequence unchanged.
        return rate >= 1.0 or (rate > 0.0 and self.random.random() < rate)
