"""What a step is given to work with: its folder, its options, and who does the work."""

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
    """A step cannot be done as it was asked for; `str()` is one line for a person."""


class Progress(Protocol):
    """Is told how far a step is."""

    def total(self, count: int) -> None:
        """So many pieces there are, with those that were done before."""

    def advance(self, count: int = 1) -> None:
        """So many more are done."""

    def note(self, text: str) -> None:
        """A line for a person, and for the log."""


class Costs(Protocol):
    """What a step took of models, where they tell, and what else it counts; steps add to it."""

    tokens_read: int
    tokens_written: int
    counts: dict[str, int]


@dataclass(frozen=True)
class StepWork:
    """One step's work.

    Attributes:
        folder: is the step's own, and exists.
        options: of the step, in its own model.
        run: folder of the whole run.
        spread: who does pieces of work: processes of this machine, or a cluster.
        costs: the step adds the tokens that it takes.
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
        """The folder of a step before.

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
        """A file of this step that records are added to; `DROPPED` for what is thrown away.

        Raises:
            LearnError: it holds something else.
        """
        return RecordFile(self.folder / name, kind)

    def read(self, step: Step, kind: type[Record], name: str = RECORDS) -> list[Record]:
        """What a step before has made. Raises LearnError."""
        return list(RecordFile(self.given(step) / name, kind))
