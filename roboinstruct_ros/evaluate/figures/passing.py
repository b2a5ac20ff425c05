"""pass@k and pass^k: whether one of k samples is right, and whether all are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import comb

from roboinstruct_ros.evaluate.figures.estimate import Estimate, share
from roboinstruct_ros.evaluate.runs.record import Record

_KS = (1, 2, 5, 10, 20, 50, 100, 200)


def one_of(samples: int, right: int, k: int) -> float:
    """Unbiased estimate of the probability that one of `k` samples is right.

    Source: M. Chen et al., Evaluating Large Language Models Trained on Code, 2021, equation 1.
    """
    return 1 - comb(samples - right, k) / comb(samples, k)


def all_of(samples: int, right: int, k: int) -> float:
    """Unbiased estimate of the probability that all of `k` samples are right.

    Source: S. Yao et al., tau-bench, 2024, pass^k.
    """
    return comb(right, k) / comb(samples, k)


def passing(records: Sequence[Record]) -> tuple[dict[int, Estimate], dict[int, Estimate]]:
    """pass@k and pass^k by k, each the mean over the phrasings, for every k up to the smallest
    number of samples."""
    phrasings: dict[tuple[str, int], list[bool]] = defaultdict(list)
    for record in records:
        phrasings[record.key.task, record.key.phrasing].append(record.right)
    least = min(map(len, phrasings.values()), default=0)
    at, hat = (
        {
            k: share((task, of(len(some), sum(some), k)) for (task, _), some in phrasings.items())
            for k in sorted({least, *_KS})
            if 0 < k <= least
        }
        for of in (one_of, all_of)
    )
    return at, hat
