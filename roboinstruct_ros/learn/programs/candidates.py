"""Which samples of a task may become its pairs."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from roboinstruct_ros.learn.records import Sample
from roboinstruct_ros.program.task_program import TaskProgram


class Candidates(str, Enum):
    """What the verifier decides. Source: ROBO-INSTRUCT, Table 2."""

    ACCEPTED = "accepted"
    FIRST_OF_SOLVABLE = "first_of_solvable"  # the first, where any is accepted: + Reject Unsolvable
    FIRST = "first"  # nothing: Self-Instruct


def candidates(
    samples: Sequence[Sample], made_with: int, which: Candidates, limit: int | None = None
) -> list[Sample]:
    """Those of a task that may be chosen from; a first one that is no Python never is.

    Args:
        made_with: resamplings of each wanted program that the samples were made with.
        limit: resamplings that are looked at; None for all.
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
