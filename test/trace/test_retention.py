"""Old runs make room: those that succeeded first, those that somebody marked never."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded_runs import recorded
from stage import BLOCKED, FakeSkills

from roboinstruct_ros.trace.bag import EVENT_TYPE, BagWriter
from roboinstruct_ros.trace.promoted import promote
from roboinstruct_ros.trace.retention import (
    RecordedRun,
    RetentionOptions,
    delete_superfluous,
    mark,
    superfluous,
)

DAY, GB = 86_400, 10**9
NOW = 1_000 * DAY


def run(day: float, succeeded: bool = True, size: int = GB, marked: bool = False) -> RecordedRun:
    """One that ended some days ago."""
    return RecordedRun(Path(f"{day}"), NOW - day * DAY, size, succeeded, marked)


def gone(runs: list[RecordedRun], **options: float) -> list[float]:
    """The ages of what goes, in days."""
    chosen = RetentionOptions(**{"keep_gigabytes": 0.0, **options})  # type: ignore[arg-type]
    return [float(one.folder.name) for one, _ in superfluous(runs, chosen, NOW)]


def test_without_limits_all_is_kept() -> None:
    assert gone([run(day) for day in range(900)]) == []


def test_of_too_many_the_oldest_that_succeeded_goes() -> None:
    runs = [run(4, succeeded=False), run(3), run(2), run(1)]
    assert gone(runs, keep_runs=3) == [3]


def test_successes_never_take_the_place_of_a_failure() -> None:
    failures = [run(day + 10, succeeded=False) for day in range(3)]
    runs = [*failures, run(3), run(2), run(1)]
    assert gone(runs, keep_runs=3) == [2, 3]  # and the last run stays to be looked at
    assert gone(runs, keep_gigabytes=3) == [2, 3]


def test_a_failure_goes_for_younger_failures_only() -> None:
    runs = [run(day, succeeded=False) for day in range(5)]
    assert gone(runs, keep_runs=2) == [2, 3, 4]


def test_age_counts_for_each_kind_by_itself() -> None:
    runs = [run(8), run(9, succeeded=False), run(40, succeeded=False), run(1)]
    assert gone(runs, keep_days=7) == [8]
    assert gone(runs, keep_days=7, keep_failed_days=30) == [40, 8]


def test_one_that_is_too_big_goes_and_the_small_ones_stay() -> None:
    assert gone([run(3), run(2, size=50 * GB), run(1)], keep_gigabytes=10) == [2]


runs_of_all_kinds = st.lists(
    st.builds(run, st.floats(0, 900), st.booleans(), st.integers(0, 9 * GB), st.booleans()),
    max_size=12, unique_by=lambda one: one.folder,
)  # fmt: skip


@settings(max_examples=60)
@given(runs_of_all_kinds, st.integers(0, 12), st.floats(0, 40), st.floats(0, 900))
def test_marked_runs_and_the_last_stay_and_no_failure_goes_for_a_success(
    runs: list[RecordedRun], count: int, gigabytes: float, days: float
) -> None:
    limits = {"keep_runs": count, "keep_gigabytes": gigabytes, "keep_days": days}
    going = set(gone(runs, **limits))
    assert not [one for one in runs if one.marked and float(one.folder.name) in going]
    assert not runs or len(going) < len(runs)
    alone = [one for one in runs if one.marked or not one.succeeded]
    last = max(alone, key=lambda one: one.ended, default=None)  # stays where it is alone
    failures = {float(one.folder.name) for one in alone if one is not last}
    assert failures & going == failures & set(gone(alone, **limits))


@pytest.fixture
def place(tmp_path: Path) -> Path:
    place = tmp_path / "runs"
    for number in range(1, 5):
        skills = FakeSkills({"go_to": BLOCKED}) if number == 2 else None
        bag, _ = recorded(place / f"2026010{number}T080000Z_t", 'go_to("kitchen")', skills)
        os.utime(next(bag.glob("*.mcap")), (number, number))
    return place


def left(place: Path) -> list[str]:
    return sorted(path.name.partition("T")[0][-1] for path in place.iterdir())


def test_what_goes_is_deleted_from_the_disk_and_told(place: Path) -> None:
    lines: list[str] = []
    delete_superfluous(place, RetentionOptions(keep_runs=2), 100.0, lines.append, pytest.fail)
    assert left(place) == ["2", "4"]
    assert [line.partition(": ")[2] for line in lines] == ["deleted, more than 2 runs"] * 2


def test_what_is_promoted_or_marked_stays(place: Path, tmp_path: Path) -> None:
    promote(place / "20260101T080000Z_t", tmp_path / "case", {})
    mark(place / "20260103T080000Z_t")
    delete_superfluous(place, RetentionOptions(keep_runs=1), 100.0, print, print)
    assert left(place) == ["1", "3", "4"]
    mark(place / "20260103T080000Z_t", kept=False)
    delete_superfluous(place, RetentionOptions(keep_runs=1), 100.0, print, print)
    assert left(place) == ["1", "4"]


def test_a_run_that_is_being_recorded_and_folders_of_others_stay(place: Path) -> None:
    writer = BagWriter(place / "20251231T080000Z_t", {"/roboinstruct/events": EVENT_TYPE})
    (place / "20260101T080000Z_t").rename(place / "my best run 1")
    delete_superfluous(place, RetentionOptions(keep_runs=1), 100.0, print, print)
    assert sorted(path.name for path in place.iterdir()) == [
        "20251231T080000Z_t", "20260102T080000Z_t", "20260104T080000Z_t", "my best run 1",
    ]  # fmt: skip
    writer.close()


def test_a_run_whose_bag_was_cut_off_is_kept_as_a_failure_is(place: Path) -> None:
    torn = next((place / "20260101T080000Z_t").glob("*.mcap"))
    torn.write_bytes(torn.read_bytes()[:2000])
    os.utime(torn, (1, 1))
    delete_superfluous(place, RetentionOptions(keep_runs=2), 100.0, print, print)
    assert left(place) == ["1", "2", "4"]
