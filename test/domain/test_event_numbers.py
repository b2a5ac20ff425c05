"""A gap in the numbers of a node is a lost event; a new start is none."""

from __future__ import annotations

from roboinstruct_ros.domain.events import EventNumbers


def missed(*events: tuple[str, str, int]) -> list[int]:
    numbers = EventNumbers()
    return [numbers.missed(*event) for event in events]


def test_a_gap_is_told_once_with_its_size() -> None:
    told = missed(("executor", "a", 7), ("executor", "a", 8), ("executor", "a", 12),
                  ("executor", "a", 13))  # fmt: skip
    assert told == [0, 0, 3, 0]


def test_each_node_has_numbers_of_its_own() -> None:
    assert missed(("executor", "a", 0), ("generator", "b", 40), ("executor", "a", 1)) == [0, 0, 0]


def test_a_node_that_is_started_anew_counts_from_0() -> None:
    assert missed(("executor", "a", 90), ("executor", "b", 0), ("executor", "b", 1)) == [0, 0, 0]
    assert missed(("executor", "a", 90), ("executor", "b", 2)) == [0, 2]


def test_an_event_that_comes_late_is_no_gap() -> None:
    told = missed(("executor", "a", 5), ("executor", "a", 7), ("executor", "a", 6),
                  ("executor", "a", 8))  # fmt: skip
    assert told == [0, 1, 0, 0]
