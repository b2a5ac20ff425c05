"""The records that steps of a run pass on, one line of JSON each in `STEP/records.jsonl`."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


class Source(str, Enum):
    """The origin of a task."""

    SEED = "seed"
    WRITTEN = "written"  # by a model
    COMPOSED = "composed"  # from sentence patterns
    FILE = "file"


class Aligned(str, Enum):
    """The result of aligning an instruction with its program."""

    KEPT = "kept"
    REWRITTEN = "rewritten"
    DROPPED = "dropped"


class Why(str, Enum):
    """Why a step drops something."""

    UNREADABLE = "unreadable"  # the model wrote no task, program or judgement
    NO_ANSWER = "no_answer"  # the model or its server gave up
    TOO_SIMILAR = "too_similar"
    TOO_LONG = "too_long"
    REJECTED = "rejected"  # no program was accepted within the limit
    MISALIGNED = "misaligned"  # the program does something else
    UNLIKELY = "unlikely"  # the instruction, given the program
    NEAR_DUPLICATE = "near_duplicate"
    IN_TEST_SET = "in_test_set"
    UNBALANCED = "unbalanced"  # too many programs of that structure


@dataclass(frozen=True)
class Task:
    """An instruction for which programs are to be written.

    Attributes:
        topic: The topics that the writer was asked for, as `NAME+NAME`; "" for none.
        similarity: To the nearest earlier task, 0 to 1.
    """

    id: str
    text: str
    source: Source
    topic: str = ""
    similarity: float = 0.0


@dataclass(frozen=True)
class Sample:
    """A program that a model wrote for a task, and the verifier's result.

    Attributes:
        task: `Task.id`.
        number: 0-based index among those of its task.
        codes: Of the first violation.
        reason: Of the first violation, in one line.
        behaviour: A digest of its behaviour in the sampled worlds; "" if it was not run.
    """

    task: str
    number: int
    program: str
    accepted: bool
    codes: tuple[str, ...] = ()
    reason: str = ""
    behaviour: str = ""


@dataclass(frozen=True)
class Pair:
    """An instruction and a program that carries it out.

    Attributes:
        task: The instruction before alignment rewrote it.
        scores: `judge`, how well both fit according to a model, 0 to 1; `back`, mean log p of the
            instruction's tokens given the program; `agreement`, share of its task's candidates
            with the same behaviour.
        origin: What wrote the program.
    """

    id: str
    instruction: str
    program: str
    task: str
    aligned: Aligned
    scores: dict[str, float] = field(default_factory=dict)
    origin: str = ""


@dataclass(frozen=True)
class Dropped:
    """A dropped record.

    Attributes:
        id: Of the record; several lines may share it.
        step: The step's name.
        text: The example itself.
    """

    id: str
    step: str
    why: Why
    text: str
