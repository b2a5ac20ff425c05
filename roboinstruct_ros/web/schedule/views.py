"""The schedule as pages get it, and what they send."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Annotated

from pydantic import BaseModel, Field

from roboinstruct_ros.domain.phrase import Phrase
from roboinstruct_ros.library.attempts import Attempt
from roboinstruct_ros.library.schedule_table import ScheduledTask
from roboinstruct_ros.web.api_models import ClosedValue
from roboinstruct_ros.web.own_sentences import own_phrase
from roboinstruct_ros.web.schedule.due_times import wall_at

MOST_TOLD = 3
"""Starts that were not made that pages are told of, the last ones."""


class NewSchedule(ClosedValue):
    """An approval in advance: of this program, for this time, or for its time of each day from
    then on. `at` is on the wall clock where the robot is."""

    sha256: str
    at: Annotated[str, Field(description="2026-11-24T18:00", max_length=40)]
    daily: bool = False


class NotNow(ClosedValue):
    """The one start that is left out: `due` as the schedule has it."""

    due: float


class Scheduled(BaseModel):
    """A task that was approved in advance: `due` in s since the Unix epoch, `local` the same on
    the wall clock where the robot is. `held`: Stop was pressed, and nobody has let it go on."""

    id: str
    task: str
    words: str
    sha256: str
    approved_by: str
    approved: float
    due: float
    local: str
    daily: bool
    held: bool


class Coming(BaseModel):
    """A start that is announced: `left` in s from now; in this time anybody can say not now.
    `aloud`: the robot has said it itself, or a page has to; None where that is not known yet."""

    id: str
    words: str
    due: float
    left: float
    approved_by: str
    aloud: bool | None = None


class NotRun(BaseModel):
    """A start that was due and was not made; `phrase` is `why` for other languages than English,
    where that is known."""

    words: str
    due: float
    local: str
    why: str
    phrase: Phrase | None = None


class ScheduleState(BaseModel):
    """What is approved in advance. `zone` is the robot's, `utc_offset` in s."""

    zone: str
    utc_offset: float
    held: bool
    coming: Coming | None
    tasks: list[Scheduled]
    not_run: list[NotRun]


def state_of(
    tasks: Sequence[ScheduledTask],
    announced: Collection[str],
    not_run: Sequence[Attempt],
    now: float,
    zone: tzinfo,
    aloud: Mapping[str, bool],
) -> ScheduleState:
    """What pages are told.

    Args:
        tasks: the one that is due next first.
        announced: ids of those whose start is announced.
        not_run: starts that were not made, the last one first.
        now: s since the Unix epoch.
        aloud: by id, whether the robot has said that it starts, where that is known.
    """
    coming = next((one for one in tasks if one.id in announced and not one.held), None)
    offset = datetime.fromtimestamp(now, zone).utcoffset()
    return ScheduleState(
        zone=str(zone),
        utc_offset=offset.total_seconds() if offset else 0.0,
        held=any(one.held for one in tasks),
        coming=_coming(coming, now, aloud.get(coming.id)) if coming else None,
        tasks=[scheduled_view(one, zone) for one in tasks],
        not_run=[_not_run(one, zone) for one in not_run[:MOST_TOLD]],
    )


def scheduled_view(one: ScheduledTask, zone: tzinfo) -> Scheduled:
    """It as pages get it."""
    return Scheduled(
        id=one.id, task=one.task_id, words=one.words, sha256=one.sha256,
        approved_by=one.approved_by, approved=one.approved, due=one.due, daily=one.daily,
        local=wall_at(one.due, zone), held=one.held,
    )  # fmt: skip


def _coming(one: ScheduledTask, now: float, aloud: bool | None) -> Coming:
    left, by = max(0.0, one.due - now), one.approved_by
    return Coming(id=one.id, words=one.words, due=one.due, left=left, approved_by=by, aloud=aloud)


def _not_run(one: Attempt, zone: tzinfo) -> NotRun:
    return NotRun(
        words=one.words, due=one.created, local=wall_at(one.created, zone), why=one.why,
        phrase=own_phrase(one.why),
    )  # fmt: skip
