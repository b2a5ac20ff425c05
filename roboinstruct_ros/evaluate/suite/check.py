"""How a suite that brings its own worlds and checks judges a program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Checked:
    """How a program did in one world.

    Attributes:
        calls: a line each.
        fault: why it did not come to its end; "" when it did.
        why: what it did wrong; "" where it was right.
    """

    world: str
    calls: tuple[str, ...] = ()
    fault: str = ""
    why: str = ""


class Check(Protocol):
    """Runs a program in worlds of its own. A value: it may be sent to another process."""

    def runs_of(self, program: str) -> Sequence[Checked]:
        """How the program does in each world, in their order, up to one that ends it."""
