"""When what was scheduled on the wall clock is due, also where clocks go forward or back."""

from __future__ import annotations

import logging
import os
from datetime import datetime, time, timedelta, timezone, tzinfo
from io import BytesIO
from pathlib import Path
from struct import pack
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from roboinstruct_ros.web.web_error import WebError, WebErrorCode

LOCALTIME = Path("/etc/localtime")
WALL = "%Y-%m-%dT%H:%M"
"""A time on the wall clock, as pages send and get it: "2026-11-24T18:00"."""
SOONEST = 120.0
"""Time between an approval in advance and the first start, at the least, s."""
LATEST = 366 * 86400.0
"""The same, at most, s."""
DAYS_AHEAD = 400
"""Days that are looked through for the next one that has the time at all."""

_NO_CHANGES = 2 * (pack(">5s15x6l", b"TZif2", 0, 0, 0, 0, 1, 4) + pack(">lbb4s", 0, 0, 0, b"UTC"))
"""A zone file (RFC 8536) up to the rule that holds after its last change, of which it has none."""

_log = logging.getLogger(__name__)


class NoSuchTime(ValueError):
    """The wall clock never shows that; `str()` is one line."""


def local_zone(localtime: Path = LOCALTIME) -> tzinfo:
    """The time zone of this machine: of the variable TZ, else of /etc/localtime, else UTC.

    A TZ that cannot be read is told in one line of the log.
    """
    named = os.environ.get("TZ", "").removeprefix(":")
    try:
        if named:
            return _zone_named(named)
    except (OSError, ValueError, ZoneInfoNotFoundError):
        told = "TZ=%r is no time zone, so times are those of %s; write it as Europe/Berlin"
        _log.warning(told, named, localtime)
    try:
        return _zone_in(localtime)
    except (OSError, ValueError):
        return timezone.utc


def _zone_named(name: str) -> tzinfo:
    """The zone that the C library takes for a TZ: of a file, a name, or a rule as CET-1CEST."""
    if name.startswith("/"):
        return _zone_in(Path(name))
    try:
        return ZoneInfo(name)
    except ZoneInfoNotFoundError:
        return ZoneInfo.from_file(BytesIO(b"%s\n%s\n" % (_NO_CHANGES, name.encode())), key=name)


def _zone_in(path: Path) -> tzinfo:
    with path.open("rb") as file:
        return ZoneInfo.from_file(file, key=str(path.resolve()).rpartition("zoneinfo/")[2])


def read_wall(text: str) -> datetime:
    """A time on the wall clock, without a zone. Raises NoSuchTime."""
    try:
        return datetime.strptime(text, WALL)
    except ValueError:
        raise NoSuchTime(f"'{text[:40]}' is no time; write it as 2026-11-24T18:00") from None


def wall_at(instant: float, zone: tzinfo) -> str:
    """What the wall clock shows at an instant, s since the Unix epoch."""
    return datetime.fromtimestamp(instant, zone).strftime(WALL)


def instant_of(wall: datetime, zone: tzinfo) -> float:
    """The first instant, s since the Unix epoch, at which the wall clock shows that.

    Raises:
        NoSuchTime: clocks go forward over it, or it is out of all bounds.
    """
    try:
        instant = wall.replace(tzinfo=zone, fold=0).timestamp()
        shown = wall_at(instant, zone)
    except (OverflowError, ValueError, OSError):
        raise NoSuchTime(f"the year {wall.year} is out of bounds") from None
    if shown != wall.strftime(WALL):
        raise NoSuchTime(
            f"there is no {wall:%H:%M} on {wall:%Y-%m-%d}: clocks go forward; choose another time"
        )
    return instant


def next_daily(at: time, after: float, zone: tzinfo) -> float:
    """The next instant after another at which the wall clock shows a time of day, s.

    On a day on which clocks go forward over it there is none; where they go back over it, the
    first of the two counts.
    """
    day = datetime.fromtimestamp(after, zone).date()
    for ahead in range(DAYS_AHEAD):
        try:
            instant = instant_of(datetime.combine(day + timedelta(days=ahead), at), zone)
        except NoSuchTime:
            continue
        if instant > after:
            return instant
    raise NoSuchTime(f"there is no {at:%H:%M} on any day of the next year")


def first_due(at: str, now: float, zone: tzinfo) -> float:
    """When what is approved now for a time on the wall clock is due, s since the Unix epoch.

    Raises:
        WebError: BAD_REQUEST, there is no such time, or it is too near or too far away.
    """
    try:
        due = instant_of(read_wall(at), zone)
    except NoSuchTime as error:
        raise WebError(WebErrorCode.BAD_REQUEST, str(error)) from None
    if due - now < SOONEST:
        message = "choose a time that is two minutes from now or later"
        raise WebError(WebErrorCode.BAD_REQUEST, message)
    if due - now > LATEST:
        raise WebError(WebErrorCode.BAD_REQUEST, "choose a time within a year from now")
    return due
