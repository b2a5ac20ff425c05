"""Times on the wall clock, also where it goes forward or back."""

from __future__ import annotations

from datetime import datetime, time, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from roboinstruct_ros.web.schedule.due_times import (
    NoSuchTime,
    first_due,
    instant_of,
    local_zone,
    next_daily,
    read_wall,
    wall_at,
)
from roboinstruct_ros.web.web_error import WebError

BERLIN = ZoneInfo("Europe/Berlin")


def utc(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=timezone.utc).timestamp()


def test_a_time_is_that_of_the_robots_wall_clock_in_summer_and_in_winter() -> None:
    assert instant_of(read_wall("2026-07-01T18:00"), BERLIN) == utc("2026-07-01T16:00")
    assert instant_of(read_wall("2026-12-01T18:00"), BERLIN) == utc("2026-12-01T17:00")
    assert wall_at(utc("2026-12-01T17:00"), BERLIN) == "2026-12-01T18:00"


def test_a_time_that_clocks_go_forward_over_does_not_exist() -> None:
    with pytest.raises(NoSuchTime, match=r"no 02:30 on 2026-03-29: clocks go forward"):
        instant_of(read_wall("2026-03-29T02:30"), BERLIN)


def test_where_clocks_go_back_the_first_of_the_two_counts_and_only_it() -> None:
    first = instant_of(read_wall("2026-10-25T02:30"), BERLIN)
    assert first == utc("2026-10-25T00:30")
    assert next_daily(time(2, 30), first, BERLIN) == utc("2026-10-26T01:30")


def test_daily_stays_at_its_hour_when_clocks_change_and_skips_an_hour_that_is_not_there() -> None:
    assert next_daily(time(18), utc("2026-10-24T16:00"), BERLIN) == utc("2026-10-25T17:00")
    before = utc("2026-03-28T01:30")
    assert next_daily(time(2, 30), before, BERLIN) == utc("2026-03-30T00:30")


def test_daily_is_today_where_it_is_still_to_come() -> None:
    assert next_daily(time(18), utc("2026-12-01T16:59"), BERLIN) == utc("2026-12-01T17:00")


@pytest.mark.parametrize(
    ("at", "why"),
    [
        ("tomorrow", "is no time"),
        ("2026-12-01T18:00+01:00", "is no time"),
        ("2026-12-01T18:01", "two minutes"),
        ("2026-11-30T18:00", "two minutes"),
        ("2029-12-01T18:00", "within a year"),
        ("0001-01-01T00:00", "bounds|two minutes"),
        ("9999-12-31T23:59", "bounds|within a year"),
    ],
)
def test_a_time_that_cannot_be_is_one_line(at: str, why: str) -> None:
    with pytest.raises(WebError, match=why):
        first_due(at, utc("2026-12-01T17:00"), BERLIN)


@pytest.mark.parametrize(
    "named",
    [
        "Europe/Berlin",
        ":Europe/Berlin",
        ":/usr/share/zoneinfo/Europe/Berlin",
        "CET-1CEST,M3.5.0,M10.5.0/3",
    ],
)
def test_the_zone_is_that_which_the_c_library_takes_for_tz(
    named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", named)
    for at in ("2026-07-01T16:00", "2026-12-01T17:00"):
        assert wall_at(utc(at), local_zone()) == wall_at(utc(at), BERLIN)


@pytest.mark.parametrize("named", ["Nowhere/Atall", "/dev/null", "../zone"])
def test_a_tz_that_cannot_be_read_is_told_and_leaves_the_zone_to_the_machine(
    named: str,
    localtime: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("TZ", named)
    assert str(local_zone(localtime)) == "Europe/Madrid"
    (line,) = caplog.messages
    assert line.startswith(f"TZ='{named}' is no time zone")


def test_without_tz_the_zone_is_that_of_the_machine(
    localtime: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv("TZ", raising=False)
    assert str(local_zone(localtime)) == "Europe/Madrid"
    assert local_zone(localtime.with_name("none")) is timezone.utc
    assert not caplog.messages


@pytest.fixture
def localtime(tmp_path: Path) -> Path:
    localtime = tmp_path / "localtime"
    localtime.symlink_to("/usr/share/zoneinfo/Europe/Madrid")
    return localtime
