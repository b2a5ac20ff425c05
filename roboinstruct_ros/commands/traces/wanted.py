"""Which recorded runs are asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from functools import partial

from roboinstruct_ros.domain.configuration import ConfigError, nearest_name
from roboinstruct_ros.domain.semantic_map import folded
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.trace.summary import Summary

CUT_OFF = "cut_off"
"""What a run is called whose bag has no end."""

_OUTCOMES = ("succeeded", "failed", "cancelled", CUT_OFF)
_ERRORS = tuple(
    dict.fromkeys(code.name.lower() for code in (*TaskErrorCode, *SkillErrorCode) if code)
)
_AGO = re.compile(r"(\d{1,6})([mhd])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


@dataclass(frozen=True)
class Wanted:
    """What runs have to be; what is empty does not matter.

    Attributes:
        outcome: one of `_OUTCOMES`.
        error: of the run, or of a skill in it.
        since, until: times between which it began, s since the epoch.
    """

    outcome: str = ""
    error: str = ""
    room: str = ""
    person: str = ""
    words: str = ""
    since: float = 0.0
    until: float = 0.0

    def fits(self, run: Summary) -> bool:
        """Whether a run is one of them."""
        return (
            self.outcome in ("", run.outcome or CUT_OFF)
            and (not self.error or self.error in (run.error_code, *run.errors))
            and (not self.room or folded(self.room) in map(folded, run.rooms))
            and (not self.person or folded(self.person) in map(folded, run.named))
            and self.words.casefold() in run.instruction.casefold()
            and run.begun >= self.since
            and not (self.until and run.begun >= self.until)
        )


def wanted(
    outcome: str, error: str, room: str, person: str, words: str, since: str, until: str
) -> Wanted:
    """What the options of the command line mean.

    Raises:
        ConfigError: there is no such outcome or error, or a time that is none.
    """
    return Wanted(
        _known("--outcome", outcome, _OUTCOMES),
        _known("--error", error, _ERRORS),
        room,
        person,
        words,
        _time("--since", since),
        _time("--until", until),
    )


def _known(option: str, given: str, known: Sequence[str]) -> str:
    text = given.strip().lower().replace(" ", "_").replace("-", "_")
    if text and text not in known:
        near = nearest_name(text, known)
        told = f"there is no '{given}'" + ("" if near else f"; there are {', '.join(known)}")
        raise ConfigError(option, 0, "", told, near)
    return text


def _time(option: str, given: str) -> float:
    """s since the epoch; 0 for none. A day means its beginning."""
    ago = _AGO.fullmatch(given.strip())
    made: Callable[[], datetime] = partial(datetime.fromisoformat, given.strip())
    if ago:
        made = partial(_before_now, **{_UNITS[ago[2]]: int(ago[1])})
    try:
        when = made() if given else None
    except (ValueError, OverflowError):
        told = f"'{given}' is no time; right are 2026-11-22, 2026-11-22T18:30 (UTC) and 12h (ago)"
        raise ConfigError(option, 0, "", told) from None
    if when is None:
        return 0.0
    return (when if when.tzinfo else when.replace(tzinfo=timezone.utc)).timestamp()


def _before_now(**span: int) -> datetime:
    return datetime.now(timezone.utc) - timedelta(**span)
