"""An item is told apart from all others, and its seed depends on nothing else."""

from __future__ import annotations

from roboinstruct_ros.evaluate.runs.items import items_of
from roboinstruct_ros.evaluate.suite.case import Case, Place, Suite

PLACE = Place.of_names(["hall"], "hall")
SUITE = Suite(
    (
        Case("Go.", "driving", PLACE),
        Case("Go.", "driving", PLACE),
        Case("Say so.", "talking", PLACE, task="say-so", phrasing=0),
        Case("Tell it.", "talking", PLACE, task="say-so", phrasing=1),
    )
)


def test_sentences_that_come_twice_and_samples_have_keys_of_their_own() -> None:
    keys = [item.key for item in items_of(SUITE, 2)]
    assert len(set(keys)) == len(keys) == 8
    assert [(key.task, key.phrasing, key.sample) for key in keys[2:6]] == [
        ("Go.", 1, 0), ("Go.", 1, 1), ("say-so", 0, 0), ("say-so", 0, 1),
    ]  # fmt: skip


def test_tasks_are_taken_by_name_or_kind() -> None:
    assert [item.key.task for item in items_of(SUITE, tasks="say-*")] == ["say-so"] * 2
    assert [item.key.phrasing for item in items_of(SUITE, tasks="driving")] == [0, 1]


def test_a_seed_is_that_of_run_and_item() -> None:
    items = items_of(SUITE, 50)
    seeds = [item.seed(1) for item in items]
    assert len(set(seeds)) == len(items)
    assert seeds[:50] == [item.seed(1) for item in items_of(SUITE, 50, "driving")[:50]]
    assert not set(seeds) & {item.seed(2) for item in items}
    assert all(0 <= seed < 2**31 - 1000 for seed in seeds)
