"""Selects recorded runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from roboinstruct_ros.domain.configuration import ConfigError, nearest_name
from roboinstruct_ros.domain.option import option
from roboinstruct_ros.domain.semantic_map import folded
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.trace.summary import Summary

CUT_OFF = "cut_off"
"""Outcome shown for a run whose bag has no end."""

_OUTCOMES = ("succeeded", "failed", "cancelled", CUT_OFF)
_ERRORS = tuple(
    dict.fromkeys(code.name.lower() for code in (*TaskErrorCode, *SkillErrorCode) if code)
)
_AGO = re.compile(r"(\d{1,6})([mhd])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Criteria for runs; empty ones match all."""

    outcome: str = option(
        "", "only runs with this outcome: succeeded, failed, cancelled or cut_off"
    )
    error: str = option("", "only runs that ended with this error, or had a skill that did")
    room: str = option("", "only runs that were in this room")
    person: str = option("", "only runs whose calls name this person")
    words: str = option("", "only runs whose instruction contains these words")
    since: str = option(
        "", "only runs that began after this time: 2026-11-22, 2026-11-22T18:30 (UTC), or 90m, "
        "12h, 7d ago",
    )  # fmt: skip
    until: str = option("", "only runs that began before this time")

    def fits(self) -> Callable[[Summary], bool]:
        """The predicate for these criteria.

        Raises:
            ConfigError: no such outcome or error, or not a time.
        """
        outcome = _known("--outcome", self.outcome, _OUTCOMES)
        error = _known("--error", self.error, _ERRORS)
        since, until = _time("--since", self.since), _time("--until", self.until)
        return lambda run: (
            outcome in ("", run.outcome or CUT_OFF)
            and (not error or error in (run.error_code, *run.errors))
            and (not self.room or folded(self.room) in map(folded, run.rooms))
            and (not self.person or folded(self.person) in map(folded, run.named))
            and self.words.casefold() in run.instruction.casefold()
            and run.begun >= since
            and not (until and run.begun >= until)
        )


def _known(option: str, given: str, known: Sequence[str]) -> str:
    text = given.strip().lower().replace(" ", "_").replace("-", "_")
    if text and text not in known:
        near = nearest_name(text, known)
        told = f"there is no '{given}'" + ("" if near else f"; there are {', '.join(known)}")
        raise ConfigError(option, 0, "", told, near)
    return text


def _time(option: str, given: str) -> float:
    """Parse a time to s since the epoch; 0 for none. A day stands for its beginning."""
    if not given:
        return 0.0
    ago = _AGO.fullmatch(given.strip())
    try:
        if ago:
            when = datetime.now(timezone.utc) - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
        else:
            when = datetime.fromisoformat(given.strip())
    except (ValueError, OverflowError):
        told = f"'{given}' is no time; right are 2026-11-22, 2026-11-22T18:30 (UTC) and 12h (ago)"
        raise ConfigError(option, 0, "", told) from None
    return (when if when.tzinfo else when.replace(tzinfo=timezone.utc)).timestamp()
