"""Limits on the difference between times of a simulated replay and recorded times."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from pydantic import Field

from roboinstruct_ros.domain.configuration import Strict, Unit, load_yaml
from roboinstruct_ros.trace.compared import Timing


class Bound(Strict):
    """Permitted deviation: in s, or as a fraction of the recorded time; the larger applies."""

    seconds: Annotated[float, Unit("s"), Field(ge=0)] = 0.0
    share: Annotated[float, Field(ge=0)] = 0.0

    def holds(self, timing: Timing) -> bool:
        """Whether the time is within the bound."""
        allowed = max(self.seconds, self.share * timing.recorded)
        return abs(timing.now - timing.recorded) <= allowed

    def __str__(self) -> str:
        return f"{self.seconds:g} s or {self.share:.0%}"


class Tolerances(Strict):
    """Bounds for the run, and for its calls by skill; `*` stands for all skills that are not named,
    and anything else is not compared."""

    run: Bound | None = None
    calls: dict[str, Bound] = Field(default_factory=dict)

    def exceeded(self, times: Iterable[Timing]) -> str:
        """The first time out of bounds, in words; empty for none."""
        for timing in times:
            named = self.calls.get(timing.skill, self.calls.get("*"))
            bound = named if timing.call else self.run
            if bound is not None and not bound.holds(timing):
                what = f"call {timing.call}, {timing.skill}," if timing.call else "the run"
                return (
                    f"{what} took {timing.recorded:.1f} s and takes {timing.now:.1f} s "
                    f"(allowed: {bound})"
                )
        return ""


NOT_COMPARED = Tolerances()


def read_tolerances(path: str) -> Tolerances:
    """Read tolerances from a file; none for an empty path.

    Raises:
        ConfigError: the file cannot be used; one line says where and why.
    """
    return load_yaml(Path(path).expanduser(), Tolerances) if path else NOT_COMPARED
