"""McNemar's test tells luck from a difference."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roboinstruct_ros.evaluate.figures.mcnemar import mcnemar


@pytest.mark.parametrize(
    ("one", "other", "exact", "mid"),
    [
        # Fagerland, Lydersen and Laake, 2013: airway hyper-responsiveness, complete response
        (1, 7, 0.0703, 0.0391),
        (6, 16, 0.0525, 0.0347),
        # scipy 1.17.1: stats.binomtest(3, 15).pvalue, and that less stats.binom.pmf(3, 15, 0.5)
        (3, 12, 0.035156, 0.021271),
        (40, 70, 0.005447, 0.004196),
        (0, 12, 0.000488, 0.000244),
    ],
)
def test_the_p_values_are_the_published_ones(
    one: int, other: int, exact: float, mid: float
) -> None:
    found = mcnemar(one, other)
    assert (found.exact, found.mid) == pytest.approx((exact, mid), abs=5e-5)


@given(st.integers(0, 60), st.integers(0, 60))
def test_they_are_those_of_a_fair_coin_whichever_is_first(one: int, other: int) -> None:
    tosses = one + other
    upto = Fraction(sum(comb(tosses, heads) for heads in range(min(one, other) + 1)), 2**tosses)
    found = mcnemar(one, other)
    assert found == mcnemar(other, one)
    assert found.exact == pytest.approx(float(min(Fraction(1), 2 * upto)))
    half = Fraction(comb(tosses, one), 2**tosses)
    assert found.mid == pytest.approx(float(2 * upto - half) if tosses else 1.0)


def test_two_that_differ_in_nothing_or_as_often_either_way_do_not_differ() -> None:
    assert mcnemar(0, 0).exact == mcnemar(0, 0).mid == mcnemar(9, 9).exact == 1.0
    assert mcnemar(500_000, 500_000).mid == pytest.approx(1.0)
    assert mcnemar(400_000, 600_000).exact < 1e-9
