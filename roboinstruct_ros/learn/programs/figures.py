"""Statistics of samples: what a limit of resamplings discards, and which programs agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from roboinstruct_ros.evaluate.figures.estimate import Estimate, share
from roboinstruct_ros.learn.records import Sample


def first_accepted(samples: Iterable[Sample], resamplings: int) -> dict[tuple[str, int], int]:
    """For each program, by task and number, the resamplings until one was accepted; the limit plus
    one if none was.

    Args:
        resamplings: the limit with which the samples were made.
    """
    first: dict[tuple[str, int], int] = {}
    for sample in samples:
        wanted, attempt = divmod(sample.number, resamplings + 1)
        place = (sample.task, wanted)
        least = first.get(place, resamplings + 1)
        first[place] = min(least, attempt) if sample.accepted else least
    return first


def thrown_away(samples: Iterable[Sample], resamplings: int) -> tuple[Estimate, ...]:
    """The share of programs for which none was accepted, at each limit from 0 to that of the
    run. Source: ROBO-INSTRUCT, Fig. 7."""
    first = first_accepted(samples, resamplings)
    return tuple(
        share((task, float(attempt > limit)) for (task, _), attempt in first.items())
        for limit in range(resamplings + 1 if first else 0)
    )


def agreement(candidates: Sequence[Sample]) -> dict[int, float]:
    """For each candidate of a task, by number: the share of candidates with the same behaviour."""
    groups = Counter(map(_behaves, candidates))
    return {one.number: groups[_behaves(one)] / len(candidates) for one in candidates}


def chosen(candidates: Sequence[Sample], most: int) -> list[tuple[Sample, float]]:
    """Candidates of a task with different behaviour, each with its agreement: those with the
    highest agreement first, and the first candidate of each group."""
    agreed = agreement(candidates)
    groups: dict[str, Sample] = {}
    for one in sorted(candidates, key=lambda one: one.number):
        groups.setdefault(_behaves(one), one)
    ordered = sorted(groups.values(), key=lambda one: -agreed[one.number])  # sorting is stable
    return [(one, agreed[one.number]) for one in ordered[:most]]


def _behaves(sample: Sample) -> str:
    """Its behaviour digest; the text itself if there is none."""
    return sample.behaviour or sample.program
