"""The steps of a pipeline in order, and their interface."""

from __future__ import annotations

from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from roboinstruct_ros.domain.configuration import Strict
    from roboinstruct_ros.learn.pipeline.work import StepWork


class Step(str, Enum):
    """One step; the value names its folder, its options and its command."""

    TASKS = "tasks"
    PROGRAMS = "programs"
    ALIGNMENT = "alignment"
    CLEANING = "cleaning"
    TRAINING = "training"
    EXPORT = "export"
    EVALUATION = "evaluation"


TOLD = {
    Step.TASKS: "a model writes tasks, and those that are new are kept",
    Step.PROGRAMS: "a model writes programs for each, and those that verify are kept",
    Step.ALIGNMENT: "a model holds each instruction against its program, and rewrites it",
    Step.CLEANING: "no near duplicates, nothing of a test set, a part held out",
    Step.TRAINING: "the base is fine-tuned on the pairs",
    Step.EXPORT: "a GGUF with its card",
    Step.EVALUATION: "before and after on a suite, and the import",
}
"""What each step does, for people."""


class Does(Protocol):
    """Carries out a step.

    Attributes:
        version: of its code; raised whenever the same options and inputs give other records.
            Results of an older version are not reused.
    """

    name: Step
    version: int

    def check(self, config: Any, run: Path) -> None:
        """Check for anything that would make the step fail, before the first step begins.

        Args:
            config: `LearnConfig` with the options of every step.
            run: folder of the run.

        Raises:
            InputError, BackendError: it could not be done.
        """

    def run(self, work: StepWork) -> None:
        """Do everything that is left of it.

        Raises:
            InputError, BackendError, SpreadError: it cannot be done; finished records are kept.
        """


ROOMS = {step: f"roboinstruct_ros.learn.{step.value}.step" for step in Step}
"""The module of each step, which contains e.g. `TasksStep` and `TasksOptions`."""


def step_of(step: Step) -> Does:
    """The implementation of a step."""
    does: Does = _of_room(step, "Step")()
    return does


def options_of(step: Step) -> type[Strict]:
    """Its options, which all have defaults."""
    options: type[Strict] = _of_room(step, "Options")
    return options


def _of_room(step: Step, what: str) -> Any:
    room = import_module(ROOMS[step])
    return getattr(room, step.value.capitalize() + what)
