"""Compares our judgement of stored programs with the benchmark's own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from roboinstruct_ros.evaluate.readers.roboeval.checkout import read
from roboinstruct_ros.evaluate.readers.roboeval.completions import Stored, read_stored


@dataclass(frozen=True)
class Compared:
    """A stored program that was judged again.

    Attributes:
        why: what is wrong with it now; "" if it passes.
    """

    stored: Stored
    why: str

    @property
    def agrees(self) -> bool:
        """Whether both judgements are equal."""
        return self.stored.is_sat == (not self.why)

    def __str__(self) -> str:
        one = self.stored
        then = "passed" if one.is_sat else f"failed ({one.error or 'no message'})"
        return f"{one.task}_{one.phrasing}, sample {one.sample}: {then}, now {self.why or 'passes'}"


def compared(checkout: Path, place: Path) -> Iterator[Compared]:
    """Judge each stored program that comes with its original judgement again.

    Raises:
        OSError: there is no checkout, or no such file.
        ValueError: the programs have another form, or belong to a task that the checkout lacks.
    """
    checks = {case.name: case.check for case in read(checkout).cases}
    for one in read_stored(place):
        check = checks.get(one.task)
        if check is None:
            raise ValueError(f"{place}: the checkout has no task {one.task!r}")
        if one.is_sat is not None:
            faults = (run.why for run in check.runs_of(one.program) if run.why)
            yield Compared(one, next(faults, ""))
