"""What samples tell: what a limit of resamplings throws away, and which programs agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from roboinstruct_ros.evaluate.figures.estimate import Estimate, share
from roboinstruct_ros.learn.records import Sample


def first_accepted(samples: Iterable[Sample], resamplings: int) -> dict[tuple[str, int], int]:
    """Of every wanted program, by its task and its number there, the resamplings that it took; one
    more than there may be where none was accepted.

    Args:
        resamplings: the limit that the samples were made with.
    """
    first: dict[tuple[str, int], int] = {}
    for sample in samples:
        wanted, attempt = divmod(sample.number, resamplings + 1)
        place = (sample.task, wanted)
        least = first.get(place, resamplings + 1)
        first[place] = min(least, attempt) if sample.accepted else least
    return first


def thrown_away(samples: Iterable[Sample], resamplings: int) -> tuple[Estimate, ...]:
    """The share of wanted programs that none was accepted for, at each limit from 0 up to that of
    the run. Source: ROBO-INSTRUCT, Fig. 7."""
    first = first_accepted(samples, resamplings)
    return tuple(
        share((task, float(attempt > limit)) for (task, _), attempt in first.items())
        for limit in range(resamplings + 1 if first else 0)
    )


def agreement(candidates: Sequence[Sample]) -> dict[int, float]:
    """Of each candidate of a task, by its number: the share of them that behave as it does."""
    groups = Counter(map(_behaves, candidates))
    return {one.number: groups[_behaves(one)] / len(candidates) for one in candidates}


def chosen(candidates: Sequence[Sample], most: int) -> list[tuple[Sample, float]]:
    """Candidates of a task that all behave otherwise, each with its agreement: those that most
    agree with first, the first of each group."""
    agreed = agreement(candidates)
    groups: dict[str, Sample] = {}
    for one in sorted(candidates, key=lambda one: one.number):
        groups.setdefault(_behaves(one), one)
    ordered = sorted(groups.values(), key=lambda one: -agreed[one.number])  # sorting is stable
    return [(one, agreed[one.number]) for one in ordered[:most]]


def _behaves(sample: Sample) -> str:
    """Its digest; the text itself where there is none."""
    return sample.behaviour or sample.program
