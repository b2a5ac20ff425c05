"""A task as the page shows it, and how each event of the stack changes it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from pydantic import BaseModel, ConfigDict

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.web.robot_link import RobotEvent
from roboinstruct_ros.web.web_error import error_name

_log = logging.getLogger(__name__)

MAX_PRINTED = 200
"""Lines of output that the page keeps of one run; a program may print without end."""


class Phase(str, Enum):
    """Where a task stands; the last four are its ends. ASKING waits for words of a person."""

    WRITING = "writing"
    ASKING = "asking"
    READY = "ready"
    REJECTED = "rejected"
    RUNNING = "running"
    PAUSED = "paused"
    STOPPING = "stopping"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    DISCARDED = "discarded"


IN_RUN = frozenset({Phase.RUNNING, Phase.PAUSED, Phase.STOPPING})
BUSY = IN_RUN | {Phase.WRITING}


class Step(BaseModel):
    """One step of the plan: `number` as "3.1", `line` 1-based, 0 when unknown."""

    model_config = ConfigDict(frozen=True)
    number: str
    line: int
    text: str


class TaskError(BaseModel):
    """Why a task ended without success."""

    model_config = ConfigDict(frozen=True)
    error_code: int
    error_name: str
    message: str


class Call(BaseModel):
    """One call of a skill; times in s since the Unix epoch, `ended` 0 while it goes on."""

    model_config = ConfigDict(frozen=True)
    index: int
    skill: str
    arguments: tuple[Any, ...] = ()
    line: int = 0
    result: Any = None
    error_code: int = 0
    error_msg: str = ""
    started: float = 0.0
    ended: float = 0.0


class RoundView(BaseModel):
    """A round of a task that is over.

    Attributes:
        words: what its program was written for.
        approved_by: who, and with which approval.
    """

    model_config = ConfigDict(frozen=True)
    round: int
    words: str
    sha256: str
    approved_by: str


class TaskView(BaseModel):
    """Everything about one task of this session.

    Attributes:
        created: s since the Unix epoch, like all times here.
        here: asked for at this kiosk, not by another client of the stack.
        source: program text so far; `sha256` stands when it is complete.
        tokens: written in this attempt so far.
        rejected: attempt, source and verdict of each program that was not accepted.
        notes: what in the program does not fit the words, as far as names tell.
        task: of the library that the program is a version of; that of this one for a new task.
        version: its number in the task, from 1; 0 when it is not kept.
        follows: id of the task of this session that the words are a follow-up to; empty for none.
        steering: how a follow-up was read.
        parent_sha256: of the program that it was built upon.
        diff: mark ("+", "-", " ") and text of each line, against version `diff_from`.
        line: in execution, 1-based; 0 when none.
        ahead: what could go wrong further on, after what has really happened.
        resumes: it goes on with an interrupted run.
        duration: of the run, s.
        round: number of the program that is written, read or run.
        began: when the writing of it began; 0 is `created`.
        now: the words that it is for, where they are not all.
        left: what comes in later rounds.
        question: what the person has to say before the next program can be written.
        found: what earlier rounds have found out.
        approved_by: who has approved the program of this round; empty until then.
        earlier: the rounds that are over.
    """

    model_config = ConfigDict(frozen=True)
    id: str
    text: str
    created: float
    here: bool = True
    phase: Phase = Phase.WRITING
    model: str = ""
    source: str = ""
    sha256: str = ""
    verdict: dict[str, Any] | None = None
    steps: tuple[Step, ...] = ()
    notes: tuple[str, ...] = ()
    task: str = ""
    version: int = 0
    follows: str = ""
    steering: str = ""
    parent_sha256: str = ""
    diff: tuple[tuple[str, str], ...] = ()
    diff_from: int = 0
    attempt: int = 0
    tokens: int = 0
    rejected: tuple[dict[str, Any], ...] = ()
    written_in: float = 0.0
    line: int = 0
    ahead: str = ""
    resumes: bool = False
    calls: tuple[Call, ...] = ()
    printed: tuple[str, ...] = ()
    run_started: float = 0.0
    duration: float = 0.0
    error: TaskError | None = None
    round: int = 1
    began: float = 0.0
    now: str = ""
    left: str = ""
    question: str = ""
    found: tuple[str, ...] = ()
    approved_by: str = ""
    earlier: tuple[RoundView, ...] = ()

    def changed(self, **fields: Any) -> TaskView:
        """This task with other values in some fields."""
        return self.model_copy(update=fields)

    @property
    def changeable(self) -> bool:
        """Whether a follow-up may build upon its program."""
        accepted = self.verdict is not None and self.verdict.get("status") == "accepted"
        # What a later round does depends on what was found: it is no version of the task.
        whole = accepted and self.round <= 1 and bool(self.sha256 and self.source)
        return whole and self.phase not in BUSY

    @property
    def name(self) -> str:
        """What the program writer's library knows it by."""
        return f"{self.task}/{self.version}" if self.task and self.version else self.id


PlanOf = Callable[[str], tuple[Step, ...]]


def begun_elsewhere(event: RobotEvent) -> TaskView | None:
    """The task of another client of the stack that begins with this event; None for others."""
    begun = {EventKind.GENERATION_STARTED.value: Phase.WRITING}
    running = (EventKind.PROGRAM_VERIFIED.value, EventKind.RUN_STARTED.value)
    begun |= dict.fromkeys(running, Phase.RUNNING)
    if event.kind not in begun:
        return None
    return TaskView(
        id=event.task_id,
        text=str(event.data.get("instruction", "")),
        created=event.stamp,
        here=False,
        phase=begun[event.kind],
    )


def after(task: TaskView, event: RobotEvent, plan_of: PlanOf) -> TaskView:
    """The task after one of its events; an event that says nothing new gives the same task."""
    change = _CHANGES.get(event.kind)
    if change is None:
        return task
    try:
        return change(task, event, plan_of)
    except (KeyError, TypeError, ValueError) as error:
        _log.warning("event %s of %s is malformed: %r", event.kind, event.source, error)
        return task


def _generation_started(task: TaskView, event: RobotEvent, _: PlanOf) -> TaskView:
    return task.changed(model=str(event.data.get("model", "")))


def _attempt_started(task: TaskView, event: RobotEvent, _: PlanOf) -> TaskView:
    if task.phase is not Phase.WRITING:
        return task
    return task.changed(attempt=int(event.data["attempt"]), source="", tokens=0, verdict=None)


def _tokens(task: TaskView, event: RobotEvent, _: PlanOf) -> TaskView:
    # Events and the goal's result come by different ways; late text must not grow a finished one.
    if task.phase is not Phase.WRITING:
        return task
    source = task.source + str(event.data["text"])
    return task.changed(source=source, tokens=int(event.data.get("tokens", 0)))


def _attempt_verified(task: TaskView, event: RobotEvent, plan_of: PlanOf) -> TaskView:
    verdict, source = event.data["verdict"], str(event.data["source"])
    if verdict["status"] != "accepted":
        one = {"attempt": event.data["attempt"], "source": source, "verdict": verdict}
        task = task.changed(rejected=(*task.rejected, one))
    if task.phase is not Phase.WRITING:  # the goal's result was faster
        return task
    return task.changed(source=source, verdict=verdict, steps=plan_of(source))


def _generation_finished(task: TaskView, event: RobotEvent, plan_of: PlanOf) -> TaskView:
    notes = tuple(map(str, event.data.get("notes", ())))
    place = _place(task, event.data)
    if task.phase is not Phase.WRITING:
        # the goal's result, which knows less, may have come before the event
        same = task.sha256 and task.sha256 == event.data.get("program_sha256")
        words = str(event.data.get("now", "")) or task.now
        told = task.changed(notes=notes or task.notes, now=words, **place)
        return told if same and told != task else task
    data, code = event.data, int(event.data["error_code"])
    source = str(data.get("source") or task.source)
    ended = task.changed(
        source=source,
        sha256=str(data.get("program_sha256", "")),
        verdict=data.get("verdict") or task.verdict,
        steps=plan_of(source) or _numbered(data.get("plan", ())),
        notes=notes,
        **place,
        written_in=float(data.get("duration", 0.0)),
        now=str(data.get("now", "")),
        left=str(data.get("deferred", "")),
        question=str(data.get("question", "")),
        phase=_written(code, data.get("verdict")),
    )
    if ended.question and ended.left and not ended.source:
        return ended.changed(phase=Phase.ASKING)
    return ended.changed(error=_error(code, str(data.get("error_msg", ""))))


def _place(task: TaskView, data: Mapping[str, Any]) -> dict[str, Any]:
    """Where the program stands among the versions of its task."""
    return {
        "task": str(data.get("task") or task.task),
        "version": int(data.get("version") or task.version),
        "steering": str(data.get("steering") or task.steering),
        "parent_sha256": str(data.get("parent_sha256") or task.parent_sha256),
    }


def _written(code: int, verdict: Any) -> Phase:
    if code in (TaskErrorCode.CANCELED, TaskErrorCode.STOPPED):
        return Phase.CANCELLED
    if code == TaskErrorCode.NONE:
        accepted = isinstance(verdict, Mapping) and verdict.get("status") == "accepted"
        return Phase.READY if accepted else Phase.REJECTED
    return Phase.REJECTED if code == TaskErrorCode.NO_ACCEPTED_PROGRAM else Phase.FAILED


def _program_verified(task: TaskView, event: RobotEvent, _: PlanOf) -> TaskView:
    # The executor's own verdict; for a task of another client the only one there is.
    plan = task.steps or _numbered(event.data.get("plan", ()))
    sha256 = task.sha256 or str(event.data.get("program_sha256", ""))
    return task.changed(verdict=event.data["verdict"], steps=plan, sha256=sha256)


def _run_started(task: TaskView, event: RobotEvent, _: PlanOf) -> TaskView:
    text = task.text or str(event.data.get("instruction", ""))
    phase = Phase.STOPPING if task.phase is Phase.STOPPING else Phase.RUNNING
    return task.changed(
        text=text, phase=phase, run_started=event.stamp, calls=(), line=0, error=None
    )


def _skill_started(task: TaskView, event: RobotEvent, _: PlanOf) -> TaskView:
    data = event.data
    call = Call(
        index=data["index"],
        skill=data["skill"],
        arguments=tuple(data.get("arguments", ())),
        line=data.get("line", 0),
        started=event.stamp,
    )
    return task.changed(calls=(*task.calls, call), line=call.line)


def _skill_finished(task: TaskView, event: RobotEvent, _: PlanOf) -> TaskView:
    data = event.data
    end = {
        "result": data.get("result"),
        "error_code": int(data.get("error_code", 0)),
        "error_msg": str(data.get("error_msg", "")),
        "ended": event.stamp,
    }
    calls = tuple(
        call.model_copy(update=end) if call.index == data["index"] and not call.ended else call
        for call in task.calls
    )
    return task.changed(calls=calls)


def _program_printed(task: TaskView, event: RobotEvent, _: PlanOf) -> TaskView:
    printed = (*task.printed, str(event.data["text"]))[-MAX_PRINTED:]
    return task.changed(printed=printed)


def _stop_requested(task: TaskView, event: RobotEvent, _: PlanOf) -> TaskView:
    return task.changed(phase=Phase.STOPPING) if task.phase in IN_RUN else task


def _run_paused(task: TaskView, event: RobotEvent, _: PlanOf) -> TaskView:
    if task.phase not in (Phase.RUNNING, Phase.PAUSED):
        return task
    return task.changed(phase=Phase.PAUSED if event.data["paused"] else Phase.RUNNING)


def _hazard_seen(task: TaskView, event: RobotEvent, _: PlanOf) -> TaskView:
    place = f"line {event.data['line']}: " if event.data["line"] else ""
    return task.changed(ahead=f"{place}{event.data['message']}")


def _run_finished(task: TaskView, event: RobotEvent, _: PlanOf) -> TaskView:
    unseen = task.phase is Phase.READY and task.round == 1
    if task.phase not in IN_RUN and not unseen:
        return task
    data, code = event.data, int(event.data.get("error_code", 0))
    if "made" in data:
        task = task.changed(calls=tuple(Call.model_validate(call) for call in data["made"]))
    phase = Phase(data["outcome"])
    return task.changed(
        phase=phase,
        line=0,
        duration=float(data.get("duration", 0.0)),
        error=_error(code, str(data.get("error_msg", ""))),
    )


def _error(code: int, message: str) -> TaskError | None:
    if code == TaskErrorCode.NONE:
        return None
    return TaskError(error_code=code, error_name=error_name(code), message=message)


def _numbered(plan: Any) -> tuple[Step, ...]:
    """A plan of text lines ("3.1 Pick the apple up.") as steps whose line nobody knows."""
    parts = (str(line).partition(" ") for line in plan)
    return tuple(Step(number=number, line=0, text=text) for number, _, text in parts)


_CHANGES: dict[str, Callable[[TaskView, RobotEvent, PlanOf], TaskView]] = {
    EventKind.GENERATION_STARTED.value: _generation_started,
    EventKind.ATTEMPT_STARTED.value: _attempt_started,
    EventKind.TOKENS.value: _tokens,
    EventKind.ATTEMPT_VERIFIED.value: _attempt_verified,
    EventKind.GENERATION_FINISHED.value: _generation_finished,
    EventKind.PROGRAM_VERIFIED.value: _program_verified,
    EventKind.RUN_STARTED.value: _run_started,
    EventKind.SKILL_STARTED.value: _skill_started,
    EventKind.SKILL_FINISHED.value: _skill_finished,
    EventKind.PROGRAM_PRINTED.value: _program_printed,
    EventKind.STOP_REQUESTED.value: _stop_requested,
    EventKind.RUN_PAUSED.value: _run_paused,
    EventKind.HAZARD_SEEN.value: _hazard_seen,
    EventKind.RUN_FINISHED.value: _run_finished,
}
