"""Selects the samples of a task that may become its pairs."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from roboinstruct_ros.learn.records import Sample
from roboinstruct_ros.program.task_program import TaskProgram


class Candidates(str, Enum):
    """The verifier's role in the selection. Source: ROBO-INSTRUCT, Table 2."""

    ACCEPTED = "accepted"
    FIRST_OF_SOLVABLE = "first_of_solvable"  # the first, if any is accepted: + Reject Unsolvable
    FIRST = "first"  # the first, unverified: Self-Instruct


def candidates(
    samples: Sequence[Sample], made_with: int, which: Candidates, limit: int | None = None
) -> list[Sample]:
    """The samples of a task to choose from; a first sample that is not Python is never included.

    Args:
        made_with: limit of resamplings per program with which the samples were made.
        limit: resamplings to consider; None for all.
    """
    attempts = made_with + 1
    within = [one for one in samples if limit is None or one.number % attempts <= limit]
    accepted = [one for one in within if one.accepted]
    if which is Candidates.ACCEPTED:
        return accepted
    if which is Candidates.FIRST_OF_SOLVABLE and not accepted:
        return []
    return [one for one in within if one.number % attempts == 0 and _is_python(one.program)]


def _is_python(program: str) -> bool:
    return bool(program) and TaskProgram.from_text(program).tree is not None
