"""One recorded run read from its bag: request, program, conditions and result."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.skill_call import SkillCall, SkillErrorCode
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.run_setting import RunSetting
from roboinstruct_ros.names import EVENTS_TOPIC
from roboinstruct_ros.trace.bag import (
    DEFAULT_FOLDER,
    SET_BACK,
    BagError,
    RecordedEvent,
    read_messages,
)
from roboinstruct_ros.verify.verdict import Verdict

RECORDED = re.compile(r"\d{8}T\d{6}Z_")
"""Prefix of bag names given by the recorder: start time, UTC."""


@dataclass(frozen=True)
class RecoveryStep:
    """A retry by the executor: the error, and what it said first."""

    error: SkillErrorCode
    say: str = ""


@dataclass(frozen=True)
class Pause:
    """A time for which the run was held, s since the epoch; `end` is 0 if the bag ends in it."""

    start: float
    end: float = 0.0


@dataclass(frozen=True)
class TracedCall:
    """A skill call and what happened since the previous one.

    Attributes:
        call: times by the executor's clock; `end` is 0 if the bag ends before the call does.
        clock: readings by the program since the previous call, s since the epoch.
        tries: recovery steps before it ended.
        lost_node: the node whose loss failed it.
        pauses: those within it; a pause holds the run at a call, or interrupts a drive.
    """

    call: SkillCall
    clock: tuple[float, ...] = ()
    tries: tuple[RecoveryStep, ...] = ()
    lost_node: str = ""
    pauses: tuple[Pause, ...] = ()

    @property
    def paused(self) -> float:
        """Duration of the pauses that ended, s."""
        return sum((one.end - one.start for one in self.pauses if one.end), 0.0)


@dataclass(frozen=True)
class Words:
    """The input from which the model wrote the program.

    Attributes:
        here, holding: the robot's room, and the object in its hand.
        follows: task that the words change; empty for none.
        found: findings of earlier rounds of the task.
        sha256: hash of the resulting program; empty for none.
    """

    text: str
    here: str = ""
    holding: str = ""
    follows: str = ""
    found: tuple[str, ...] = ()
    sha256: str = ""


@dataclass(frozen=True)
class RunTrace:
    """A run as recorded in its bag.

    Attributes:
        begun, ended: s since the epoch; `ended` is 0 if the bag was cut off.
        outcome: `TaskState` by name; empty if the bag was cut off.
        words: None if no model wrote the program.
        setting: None in bags without it.
        later: settings after a change of the map or the policies in the run, each with the number
            of calls that had ended.
        resumed: calls replayed from an interrupted run; they are not in this bag.
        start: the robot's initial room, if a policy required it.
        clock: readings after the last call, s since the epoch.
        hazards: whether the executor saw that the rest of the program could go wrong.
    """

    folder: Path
    task_id: str = ""
    instruction: str = ""
    source: str = ""
    begun: float = 0.0
    ended: float = 0.0
    outcome: str = ""
    error_code: int = 0
    message: str = ""
    seed: int = 0
    resumed: int = 0
    start: str = ""
    approved_by: str = ""
    words: Words | None = None
    verdict: Verdict | None = None
    setting: RunSetting | None = None
    later: tuple[tuple[int, RunSetting], ...] = ()
    calls: tuple[TracedCall, ...] = ()
    clock: tuple[float, ...] = ()
    hazards: bool = False

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def when(self) -> str:
        """Start time, UTC."""
        return datetime.fromtimestamp(self.begun, timezone.utc).strftime("%Y-%m-%d %H:%M:%S")


def read_trace(folder: Path) -> RunTrace:
    """Read the run of one bag.

    Raises:
        BagError: it is not a bag, not a complete one, or contains no run.
    """
    trace = RunTrace(folder)
    try:
        for event in _in_one_time(folder):
            trace = _after(trace, event)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise BagError(f"{folder}: not a run as this version records it: {reason}") from None
    if not trace.begun:
        raise BagError(f"{folder}: no run in it")
    return trace


def duration(calls: Sequence[TracedCall]) -> float:
    """From the beginning of the first call to the end of the last one, without pauses, s."""
    return calls[-1].call.end - calls[0].call.start - sum(one.paused for one in calls)


def bag_named(text: str) -> Path:
    """The folder for a user's input: a path, or a unique prefix of a recorder's bag name; `last` is
    the latest of these.

    Raises:
        BagError: there is none, or the prefix is ambiguous.
    """
    place, recorded = Path(text).expanduser(), Path(DEFAULT_FOLDER).expanduser()
    if place.exists():
        return place if place.name not in ("", "..") else place.resolve()
    named = [bag for bag in sorted(recorded.glob("*")) if bag.name.startswith(text)]
    named = [bag for bag in named if bag.name == text] or named
    if text == "last":
        bags = bags_under(recorded) if recorded.is_dir() else []
        named = [bag for bag in bags if RECORDED.match(bag.name)][-1:]
    if not named:
        raise BagError(f"{text}: no such folder, and no bag in {recorded} whose name begins so")
    if len(named) > 1:
        some = ", ".join(bag.name for bag in named[:3])
        raise BagError(f"{text}: {len(named)} bags begin so ({some} ...); give more of the name")
    return named[0]


def bags_under(place: Path) -> list[Path]:
    """The bags in a folder, oldest first; the folder itself if it is a bag.

    Raises:
        BagError: there is no such folder.
    """
    if not place.is_dir():
        raise BagError(f"{place}: no such folder; a bag is a folder with one .mcap in it")
    if list(place.glob("*.mcap")):
        return [place]
    return sorted({path.parent for path in place.glob("*/*.mcap")})


def _in_one_time(folder: Path) -> Iterator[RecordedEvent]:
    """The events of a bag; once the executor's clock was set back, with the time of the bag, which
    continues (`BagWriter.write`)."""
    executor, last, ahead, is_set_back = "", 0.0, 0.0, False
    for _, nanoseconds, event in read_messages(folder, (EVENTS_TOPIC,)):
        now = nanoseconds * 1e-9
        if event.kind == EventKind.RUN_STARTED:
            executor, last, ahead = event.source, event.stamp, now - event.stamp
        if event.source == executor:
            is_set_back = is_set_back or event.stamp < last - SET_BACK * 1e-9
            last = event.stamp
        yield replace(event, stamp=now - ahead) if is_set_back else event


def _after(trace: RunTrace, event: RecordedEvent) -> RunTrace:
    data = event.data
    match event.kind:
        case EventKind.GENERATION_STARTED:
            return replace(trace, words=_words(data))
        case EventKind.GENERATION_FINISHED if trace.words:
            return replace(trace, words=replace(trace.words, sha256=data["program_sha256"]))
        case EventKind.PROGRAM_VERIFIED:
            return replace(trace, verdict=Verdict.model_validate(data["verdict"]))
        case EventKind.PROGRAM_APPROVED:
            return replace(trace, approved_by=data["approved_by"])
        case EventKind.RUN_SETTING:
            setting = RunSetting.model_validate(data["setting"])
            if trace.begun:
                count = sum(bool(one.call.end) for one in trace.calls)
                return replace(trace, later=(*trace.later, (count, setting)))
            return replace(trace, source=data["source"], setting=setting)
        case EventKind.RUN_STARTED:
            return replace(
                trace,
                task_id=event.task_id,
                instruction=data["instruction"],
                seed=data["seed"],
                resumed=data["resumed"],
                begun=event.stamp,
            )
        case _ if not trace.begun or event.task_id != trace.task_id:
            return trace
        case EventKind.START_FOUND:
            return replace(trace, start=data["room"])
        case EventKind.RUN_FINISHED:
            return replace(
                trace,
                ended=event.stamp,
                outcome=data["outcome"],
                error_code=int(TaskErrorCode(data["error_code"])),
                message=data["error_msg"],
                clock=tuple(data.get("clock", ())),
            )
        case EventKind.SKILL_STARTED:
            call = TracedCall(_call(data, start=event.stamp), tuple(data.get("clock", ())))
            return replace(trace, calls=(*trace.calls, call))
        case EventKind.RECOVERY_TRIED if trace.calls:  # else of the question where it begins
            step = RecoveryStep(SkillErrorCode[data["error"].upper()], data["say"])
            return _with_last(trace, tries=(*trace.calls[-1].tries, step))
        case EventKind.HAZARD_SEEN:
            return replace(trace, hazards=True)
        case EventKind.NODE_LOST if trace.calls:
            return _with_last(trace, lost_node=data["node"])
        case EventKind.RUN_PAUSED if trace.calls and data["paused"]:
            return _with_last(trace, pauses=(*trace.calls[-1].pauses, Pause(event.stamp)))
        case EventKind.RUN_PAUSED if trace.calls:
            return _with_last(trace, pauses=_ended(trace.calls[-1].pauses, event.stamp))
        case EventKind.SKILL_FINISHED:
            pauses = _ended(trace.calls[-1].pauses, event.stamp)  # a stop ends a pause silently
            ended = _call(data, trace.calls[-1].call.start, event.stamp)
            return _with_last(trace, call=ended, pauses=pauses)
    return trace


def _with_last(trace: RunTrace, **changes: Any) -> RunTrace:
    """The trace, its last call with these fields."""
    return replace(trace, calls=(*trace.calls[:-1], replace(trace.calls[-1], **changes)))


def _ended(pauses: tuple[Pause, ...], stamp: float) -> tuple[Pause, ...]:
    return tuple(replace(one, end=one.end or stamp) for one in pauses)


def _words(data: dict[str, Any]) -> Words:
    named = {name: data.get(name, "") for name in ("here", "holding", "follows")}
    return Words(data["instruction"], found=tuple(data.get("found", ())), **named)


def _call(data: dict[str, Any], start: float, end: float = 0.0) -> SkillCall:
    return SkillCall(
        data["index"],
        data["skill"],
        tuple(data["arguments"]),
        data["line"],
        data.get("result"),
        int(SkillErrorCode(data.get("error_code", 0))),
        data.get("error_msg", ""),
        start,
        end,
    )
