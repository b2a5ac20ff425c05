"""Figures about programs: which are invalid and why, which run to their end, what they reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.evaluate.figures.estimate import Estimate, share
from roboinstruct_ros.evaluate.runs.record import Record
from roboinstruct_ros.evaluate.suite.outcome import WorldRecord


@dataclass(frozen=True)
class Invalid:
    """Shares of programs that the verifier rejects, of the instructions for which one was written.

    Attributes:
        first: of the first drafts, i.e. before any repair.
        last: if nothing was accepted in the end.
        causes: number of programs with each violation code, first and last; a program may have
            several.
    """

    first: Estimate
    last: Estimate
    causes: dict[str, tuple[int, int]]


def invalid(records: Sequence[Record]) -> Invalid:
    """Before and after repair."""
    written = [one for one in records if one.attempts or one.first_codes or one.codes]
    first = Counter(code for one in written for code in set(one.first_codes))
    last = Counter(code for one in written for code in set(one.codes))
    ordered = sorted({*first, *last}, key=lambda code: (-first[code], -last[code], code))
    return Invalid(
        share((one.key.task, bool(one.first_codes)) for one in written),
        share((one.key.task, bool(one.codes)) for one in written),
        {code: (first[code], last[code]) for code in ordered},
    )


def executability(records: Sequence[Record]) -> Estimate:
    """Of the programs that ran, the share that ends normally in all worlds."""
    return share(
        (one.key.task, not any(world.fault for world in one.worlds))
        for one in records
        if one.worlds
    )


def goals_reached(records: Sequence[Record]) -> tuple[Estimate, Estimate]:
    """Goal-condition recall, and success rate.

    The recall is the share of a world's goals that hold at the end of the run; the success rate is
    the share of runs in which all of them hold. An instruction with several worlds has their mean.
    If no program ran, no goal holds. Tasks whose worlds are known to have no goals are not counted.

    Source: I. Singh et al., ProgPrompt, 2023: GCR and SR.
    """
    with_goals = [one for one in records if _runs(one)]
    without = {one.key.task for one in records if one.worlds and not _runs(one)}
    none_ran = [
        one
        for one in records
        if one.is_task and not one.worlds and with_goals and one.key.task not in without
    ]
    nothing = [(one.key.task, 0.0) for one in none_ran]
    recall = [(one.key.task, _mean([held / of for held, of in _runs(one)])) for one in with_goals]
    success = [(one.key.task, _mean([held == of for held, of in _runs(one)])) for one in with_goals]
    return share([*recall, *nothing]), share([*success, *nothing])


def wrong_of_accepted(records: Sequence[Record]) -> Estimate:
    """Of the accepted programs, the share that is wrong."""
    return share(
        (one.key.task, not one.right) for one in records if one.answer is AnswerKind.PROGRAM
    )


def _runs(record: Record) -> list[tuple[int, int]]:
    return [world.goals for world in record.worlds if _has_goals(world)]


def _has_goals(world: WorldRecord) -> bool:
    return world.goals[1] > 0


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
