"""Whether the generator can write programs, for `/diagnostics`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from roboinstruct_ros.domain.diagnosis import Diagnosis, Level


class ModelState(str, Enum):
    """What has become of the model."""

    LOADED = "loaded"
    LOADING = "loading"
    NOT_LOADED = "not loaded"
    FAILED = "failed"


_LEVELS = {
    ModelState.LOADED: Level.OK,
    ModelState.LOADING: Level.WARN,
    ModelState.NOT_LOADED: Level.WARN,
    ModelState.FAILED: Level.ERROR,
}


@dataclass(frozen=True)
class GeneratorHealth:
    """What the generator's diagnosis is made from.

    Attributes:
        why_not: why the model is not loaded; empty when nothing is wrong.
        tokens_per_second: of the last request; None before one has drawn any.
        library: file of the tasks; "memory" when they are forgotten with the process.
        library_fault: why the file that was asked for is not used; empty when it is.
    """

    model: str
    state: ModelState
    why_not: str = ""
    tokens_per_second: float | None = None
    library: str = ""
    library_fault: str = ""


def generator_diagnoses(health: GeneratorHealth) -> list[Diagnosis]:
    """One diagnosis for the model, one for the library."""
    speed = health.tokens_per_second
    values = {
        "model": health.model,
        "state": health.state.value,
        "tokens per second": "" if speed is None else f"{speed:.1f}",
    }
    told = health.why_not or health.state.value
    return [Diagnosis("model", _LEVELS[health.state], told, values), _library(health)]


def _library(health: GeneratorHealth) -> Diagnosis:
    values = {"place": health.library}
    if health.library_fault:
        return Diagnosis("library", Level.WARN, health.library_fault, values)
    return Diagnosis("library", Level.OK, "in use", values)
