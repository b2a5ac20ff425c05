"""The resources of a step: its folder, its options, and the workers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.learn.pipeline.record_file import Record, RecordFile
from roboinstruct_ros.learn.pipeline.step import Step
from roboinstruct_ros.spread.work import Spread

if TYPE_CHECKING:
    from roboinstruct_ros.learn.pipeline.config import LearnConfig

RECORDS, DROPPED = "records.jsonl", "dropped.jsonl"


class LearnError(InputError):
    """A step cannot be done as requested; `str()` is one line for a person."""


class Progress(Protocol):
    """Receives the progress of a step."""

    def total(self, count: int) -> None:
        """Set the total number of pieces, including those already done."""

    def advance(self, count: int = 1) -> None:
        """Report `count` more pieces as done."""

    def note(self, text: str) -> None:
        """Show a line to the person, and log it."""


class Costs(Protocol):
    """A step's token counts, if models report them, and its other counts; steps add to them."""

    tokens_read: int
    tokens_written: int
    counts: dict[str, int]


@dataclass(frozen=True)
class StepWork:
    """One step's work.

    Attributes:
        folder: the step's own, exists already.
        options: of the step, in its own model.
        run: folder of the run.
        spread: distributes pieces of work over processes of this machine, or a cluster.
        costs: the step adds its tokens here.
    """

    folder: Path
    options: Any
    config: LearnConfig
    progress: Progress
    spread: Spread[Any, Any]
    costs: Costs

    @property
    def run(self) -> Path:
        return self.folder.parent

    def given(self, step: Step) -> Path:
        """The folder of an earlier step.

        Raises:
            LearnError: it was not done.
        """
        folder = self.run / step.value
        if not folder.is_dir():
            raise LearnError(
                f"{self.run}: step {self.folder.name} needs {step.value}, which is not done there"
            )
        return folder

    def records(self, kind: type[Record], name: str = RECORDS) -> RecordFile[Record]:
        """Open a record file of this step; `DROPPED` for discarded records.

        Raises:
            LearnError: it holds something else.
        """
        return RecordFile(self.folder / name, kind)

    def read(self, step: Step, kind: type[Record], name: str = RECORDS) -> list[Record]:
        """The records of an earlier step. Raises LearnError."""
        return list(RecordFile(self.given(step) / name, kind))
