"""pass@k and pass^k are what they say, without bias."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import pytest
from made_up import passed

from roboinstruct_ros.evaluate.figures.passing import all_of, one_of, passing

SMALL = [(n, c, k) for n in range(1, 7) for c in range(n + 1) for k in range(1, n + 1)]


@pytest.mark.parametrize(("samples", "right", "k"), SMALL)
def test_both_are_the_share_of_all_choices_of_k_samples(samples: int, right: int, k: int) -> None:
    chosen = list(combinations([True] * right + [False] * (samples - right), k))
    assert one_of(samples, right, k) == pytest.approx(sum(map(any, chosen)) / len(chosen))
    assert all_of(samples, right, k) == pytest.approx(sum(map(all, chosen)) / len(chosen))


def test_their_mean_over_all_that_may_be_drawn_is_the_true_one() -> None:
    chance, samples = Fraction(3, 10), 5
    for k in (1, 2, 3, 5):
        drawn = [
            (sum(some), chance ** sum(some) * (1 - chance) ** (samples - sum(some)))
            for some in product((0, 1), repeat=samples)
        ]
        at = sum(float(how) * one_of(samples, right, k) for right, how in drawn)
        hat = sum(float(how) * all_of(samples, right, k) for right, how in drawn)
        assert at == pytest.approx(float(1 - (1 - chance) ** k))
        assert hat == pytest.approx(float(chance**k))


def test_it_is_the_mean_over_phrasings_and_k_goes_as_far_as_all_have_samples() -> None:
    always = [passed("a", 0, True, sample) for sample in range(3)]
    once = [passed("b", 0, sample == 1, sample) for sample in range(2)]
    at, hat = passing([*always, *once])
    assert {k: one.value for k, one in at.items()} == {1: 0.75, 2: 1.0}
    assert {k: one.value for k, one in hat.items()} == {1: 0.75, 2: 0.5}
    assert passing([]) == ({}, {})


def test_a_phrasing_that_never_works_is_not_made_good_by_one_that_does() -> None:
    at, hat = passing(
        [passed("a", phrasing, phrasing == 0, n) for phrasing in (0, 1) for n in (0, 1)]
    )
    assert at[2].value == hat[2].value == 0.5
