"""Every pair is right under the verifier's semantics, in every world."""

from __future__ import annotations

from itertools import islice

import pytest

from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.learn.draw import Split
from roboinstruct_ros.learn.families.families import pairs
from roboinstruct_ros.verify.verifier import verify


@pytest.mark.parametrize("split", list(Split))
def test_the_verifier_accepts_the_pairs(split: Split) -> None:
    domain = load_domain()
    for pair in islice(pairs(21, split), 100):
        verdict = verify(pair.program, domain)
        assert verdict.accepted, (pair.instruction, pair.program, verdict.violations)
