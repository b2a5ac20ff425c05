"""Whether the generator can write programs, for `/diagnostics`."""

from __future__ import annotations

from enum import Enum

from roboinstruct_ros.domain.diagnosis import Diagnosis, Level
from roboinstruct_ros.generate.generator import Generator


class ModelState(str, Enum):
    """The loading state of the model."""

    LOADED = "loaded"
    INACTIVE = "inactive"
    LOADING = "loading"
    NOT_LOADED = "not loaded"
    FAILED = "failed"


_LEVELS = {
    ModelState.LOADED: Level.OK,
    ModelState.INACTIVE: Level.WARN,
    ModelState.LOADING: Level.WARN,
    ModelState.NOT_LOADED: Level.WARN,
    ModelState.FAILED: Level.ERROR,
}


def model_state(generator: Generator) -> ModelState:
    if generator.loaded:
        return ModelState.LOADED if generator.active else ModelState.INACTIVE
    if generator.loading:
        return ModelState.LOADING
    return ModelState.FAILED if generator.fault else ModelState.NOT_LOADED


def generator_diagnoses(
    model: str,
    state: ModelState,
    why_not: str = "",
    tokens_per_second: float | None = None,
    library: str = "",
    library_fault: str = "",
) -> list[Diagnosis]:
    """One diagnosis for the model, one for the task library.

    Args:
        why_not: why the model is not loaded; empty if nothing is wrong.
        tokens_per_second: of the last request; None before the first one.
        library: file of the tasks; "memory" if they are lost with the process.
        library_fault: why the requested file is not used; empty if it is.
    """
    values = {
        "model": model,
        "state": state.value,
        "tokens per second": "" if tokens_per_second is None else f"{tokens_per_second:.1f}",
    }
    told = Diagnosis("model", _LEVELS[state], why_not or state.value, values)
    level = Level.WARN if library_fault else Level.OK
    return [told, Diagnosis("library", level, library_fault or "in use", {"place": library})]
