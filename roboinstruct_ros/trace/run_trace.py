"""One recorded run, read from its bag: what was asked, what ran under what, and what came of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.skill_call import SkillCall, SkillErrorCode
from roboinstruct_ros.execute.run_setting import RunSetting
from roboinstruct_ros.trace.bag import DEFAULT_FOLDER, BagError, RecordedEvent, read_events
from roboinstruct_ros.verify.verdict import Verdict

RECORDED = re.compile(r"\d{8}T\d{6}Z_")
"""How the name of a bag begins that the recorder gave it: when it began, UTC."""


@dataclass(frozen=True)
class RecoveryStep:
    """A try of the executor after a failure: the error, and what it said before it tried again."""

    error: SkillErrorCode
    say: str = ""


@dataclass(frozen=True)
class TracedCall:
    """A skill call with what lay between it and the one before.

    Attributes:
        call: times by the executor's clock; `end` is 0 where the bag ends before the call does.
        clock: what the program had read since the call before, s since the epoch.
        tries: recovery steps before it ended.
        lost_node: whose loss made it fail.
    """

    call: SkillCall
    clock: tuple[float, ...] = ()
    tries: tuple[RecoveryStep, ...] = ()
    lost_node: str = ""


@dataclass(frozen=True)
class Words:
    """What the model wrote the program from.

    Attributes:
        here, holding: where the robot stood, and what was in its hand.
        follows: task that the words change; empty for none.
        found: what earlier rounds of the task had found out.
        sha256: of the program that came of it; empty for none.
    """

    text: str
    here: str = ""
    holding: str = ""
    follows: str = ""
    found: tuple[str, ...] = ()
    sha256: str = ""


@dataclass(frozen=True)
class RunTrace:
    """A run as its bag tells it.

    Attributes:
        begun, ended: s since the epoch; `ended` is 0 where the bag was cut off.
        outcome: `TaskState` by name; empty where the bag was cut off.
        words: None where no model wrote the program.
        setting: None in bags that do not tell it.
        resumed: calls that were played back from an interrupted run; they are not in this bag.
        start: room where the robot was, where a policy asked for it.
        clock: readings after the last call, s since the epoch.
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
    calls: tuple[TracedCall, ...] = ()
    clock: tuple[float, ...] = ()

    @property
    def name(self) -> str:
        """Of its folder."""
        return self.folder.name

    @property
    def when(self) -> str:
        """When it began, UTC."""
        return datetime.fromtimestamp(self.begun, timezone.utc).strftime("%Y-%m-%d %H:%M:%S")


def read_trace(folder: Path) -> RunTrace:
    """The run of one bag.

    Raises:
        BagError: it is no bag, not a complete one, or holds no run.
    """
    trace = RunTrace(folder)
    try:
        for event in read_events(folder):
            trace = _after(trace, event)
    except (AttributeError, LookupError, TypeError, ValueError, ValidationError) as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise BagError(f"{folder}: not a run as this version records it: {reason}") from None
    if not trace.begun:
        raise BagError(f"{folder}: no run in it")
    return trace


def bag_named(text: str) -> Path:
    """The folder that a person means: a path, or one of the recorder's bags by the beginning of its
    name; `last` is the latest of those.

    Raises:
        BagError: there is none, or several begin so.
    """
    place, recorded = Path(text).expanduser(), Path(DEFAULT_FOLDER).expanduser()
    if place.exists():
        return place
    named = [bag for bag in sorted(recorded.glob("*")) if bag.name.startswith(text)]
    if text == "last":
        named = bags_under(recorded)[-1:] if recorded.is_dir() else []
    if not named:
        raise BagError(f"{text}: no such folder, and no bag in {recorded} whose name begins so")
    if len(named) > 1:
        some = ", ".join(bag.name for bag in named[:3])
        raise BagError(f"{text}: {len(named)} bags begin so ({some} ...); give more of the name")
    return named[0]


def bags_under(place: Path) -> list[Path]:
    """The bags of a folder, the oldest first; the folder itself where it is one.

    Raises:
        BagError: there is no such folder.
    """
    if not place.is_dir():
        raise BagError(f"{place}: no such folder; a bag is a folder with one .mcap in it")
    if list(place.glob("*.mcap")):
        return [place]
    return sorted({path.parent for path in place.glob("*/*.mcap")})


def _after(trace: RunTrace, event: RecordedEvent) -> RunTrace:
    data, kind = event.data, event.kind
    if kind == EventKind.GENERATION_STARTED.value:
        return replace(trace, words=_words(data))
    if kind == EventKind.GENERATION_FINISHED.value and trace.words:
        return replace(trace, words=replace(trace.words, sha256=data["program_sha256"]))
    if kind == EventKind.PROGRAM_VERIFIED.value:
        return replace(trace, verdict=Verdict.model_validate(data["verdict"]))
    if kind == EventKind.PROGRAM_APPROVED.value:
        return replace(trace, approved_by=data["approved_by"])
    if kind == EventKind.RUN_SETTING.value:
        setting = RunSetting.model_validate(data["setting"])
        return replace(trace, source=data["source"], setting=setting)
    if kind == EventKind.RUN_STARTED.value:
        return replace(
            trace,
            task_id=event.task_id,
            instruction=data["instruction"],
            seed=data["seed"],
            resumed=data["resumed"],
            begun=event.stamp,
        )
    if not trace.begun or event.task_id != trace.task_id:
        return trace
    if kind == EventKind.START_FOUND.value:
        return replace(trace, start=data["room"])
    if kind == EventKind.RUN_FINISHED.value:
        return replace(
            trace,
            ended=event.stamp,
            outcome=data["outcome"],
            error_code=data["error_code"],
            message=data["error_msg"],
            clock=tuple(data.get("clock", ())),
        )
    return replace(trace, calls=_calls_after(trace.calls, event))


def _words(data: dict[str, Any]) -> Words:
    named = {name: data.get(name, "") for name in ("here", "holding", "follows")}
    return Words(data["instruction"], found=tuple(data.get("found", ())), **named)


def _calls_after(calls: tuple[TracedCall, ...], event: RecordedEvent) -> tuple[TracedCall, ...]:
    data = event.data
    if event.kind == EventKind.SKILL_STARTED.value:
        return (*calls, TracedCall(_call(data, start=event.stamp), tuple(data.get("clock", ()))))
    if event.kind == EventKind.RECOVERY_TRIED.value:
        step = RecoveryStep(SkillErrorCode[data["error"].upper()], data["say"])
        return (*calls[:-1], replace(calls[-1], tries=(*calls[-1].tries, step)))
    if event.kind == EventKind.NODE_LOST.value and calls:
        return (*calls[:-1], replace(calls[-1], lost_node=data["node"]))
    if event.kind == EventKind.SKILL_FINISHED.value:
        ended = _call(data, calls[-1].call.start, event.stamp)
        return (*calls[:-1], replace(calls[-1], call=ended))
    return calls


def _call(data: dict[str, Any], start: float, end: float = 0.0) -> SkillCall:
    return SkillCall(
        data["index"],
        data["skill"],
        tuple(data["arguments"]),
        data["line"],
        data.get("result"),
        data.get("error_code", 0),
        data.get("error_msg", ""),
        start,
        end,
    )
