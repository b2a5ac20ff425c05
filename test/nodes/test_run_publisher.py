"""What a run tells is told whole and in order, beside the run."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from roboinstruct_ros.nodes.executor.run_publisher import Teller

LIMIT = 60.0  # s


@pytest.fixture
def faults() -> list[str]:
    return []


@pytest.fixture
def teller(faults: list[str]) -> Iterator[Teller]:
    teller = Teller(faults.append)
    yield teller
    teller.close()


def test_everything_is_told_once_and_in_order(teller: Teller) -> None:
    told: list[int] = []
    for number in range(1000):
        teller.tell(told.append, number)
    assert teller.told(LIMIT)
    assert told == list(range(1000))


def test_whoever_tells_does_not_wait_for_it(teller: Teller) -> None:
    go_on = threading.Event()
    teller.tell(go_on.wait, LIMIT)
    teller.tell(int)
    assert not teller.told(0.0)
    go_on.set()
    assert teller.told(LIMIT)


def test_one_that_cannot_be_told_is_reported_and_the_next_is_told(
    teller: Teller, faults: list[str]
) -> None:
    told: list[str] = []
    teller.tell(int, "no number")
    teller.tell(told.append, "next")
    assert teller.told(LIMIT)
    assert told == ["next"]
    assert len(faults) == 1 and "no number" in faults[0]


def test_the_rest_is_told_at_the_end(faults: list[str]) -> None:
    teller, told = Teller(faults.append), []
    for number in range(100):
        teller.tell(told.append, number)
    teller.close()
    assert told == list(range(100))
