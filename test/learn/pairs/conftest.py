"""How thoroughly pairs are verified."""

from __future__ import annotations

import pytest

from roboinstruct_ros.verify.budget import Budget

FEW = Budget(paths=300, samples=30)
"""Explores 97 % of the pairs completely, in a third of the time that the whole budget takes."""


@pytest.fixture
def budget(long: bool) -> Budget | None:
    """A robot's whole budget in the long version."""
    return None if long else FEW
