"""What the steps of a run hand on to each other, each one line of JSON in `STEP/records.jsonl`."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


class Source(str, Enum):
    """Where a task comes from."""

    SEED = "seed"
    WRITTEN = "written"  # by a model
    COMPOSED = "composed"  # of sentence patterns
    FILE = "file"


class Aligned(str, Enum):
    """What became of an instruction that was held against its program."""

    KEPT = "kept"
    REWRITTEN = "rewritten"
    DROPPED = "dropped"


class Why(str, Enum):
    """Why a step throws something away."""

    UNREADABLE = "unreadable"  # the model wrote no task, program or judgement
    NO_ANSWER = "no_answer"  # the model or its server gave up
    TOO_SIMILAR = "too_similar"
    TOO_LONG = "too_long"
    REJECTED = "rejected"  # no program was accepted, up to the limit
    MISALIGNED = "misaligned"  # the program does something else
    UNLIKELY = "unlikely"  # the instruction, given the program
    NEAR_DUPLICATE = "near_duplicate"
    IN_TEST_SET = "in_test_set"
    UNBALANCED = "unbalanced"  # more than enough programs of that structure


@dataclass(frozen=True)
class Task:
    """An instruction that programs are to be written for.

    Attributes:
        topic: What the writer was asked for, as `NAME+NAME`; "" where nothing.
        similarity: To the nearest task before it, 0 to 1.
    """

    id: str
    text: str
    source: Source
    topic: str = ""
    similarity: float = 0.0


@dataclass(frozen=True)
class Sample:
    """A program that a model wrote for a task, and what the verifier found.

    Attributes:
        task: `Task.id`.
        number: 0-based, among those of its task.
        codes: Of the first violation.
        reason: Of the first violation, in one line.
        behaviour: A digest of what it does in the sampled worlds; "" where it was not run.
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
        task: The text before alignment rewrote it.
        scores: `judge`, how well both fit as a model sees it, 0 to 1; `back`, mean log p of the
            instruction's tokens given the program; `agreement`, share of its task's candidates
            that behave as this one.
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
    """What a step threw away.

    Attributes:
        id: Of the record; several lines may share it.
        step: Its name.
        text: The example itself.
    """

    id: str
    step: str
    why: Why
    text: str
