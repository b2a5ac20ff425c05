"""How each event of the stack, and the end of a goal of this kiosk, changes a task.

What an event says is shown, and never more: anybody on the network can publish one. A program that
may be approved comes from the result of the goal that this kiosk sent (`written`), the verdict
beside it from the executor (`judged`).
"""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.instruction import MAX_CHARACTERS
from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.confidence import confidence_told
from roboinstruct_ros.web.plan import plan_of
from roboinstruct_ros.web.robot_link import JobEnded, RobotEvent
from roboinstruct_ros.web.shown import shown, shown_text, shown_texts, shown_verdict
from roboinstruct_ros.web.task_view import (
    IN_RUN,
    MAX_CALLS,
    Call,
    Phase,
    Said,
    Step,
    TaskError,
    TaskView,
)

_log = logging.getLogger(__name__)


class _OncePerSecond(logging.Filter):
    """Whoever sends what is malformed does not fill the log with it."""

    last = -math.inf

    def filter(self, record: logging.LogRecord) -> bool:
        due = record.created - self.last >= 1.0
        self.last = record.created if due else self.last
        return due


_log.addFilter(_OncePerSecond())

MAX_SOURCE = 20_000
"""Characters of a program's text; no longer one is ever accepted."""
MALFORMED = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What is raised by data of another shape than its kind has."""
MAX_STEPS = 2000
"""Steps of a plan that somebody else has made."""
MAX_ARGUMENTS = 10
"""Arguments of one call; no skill has more than three."""
_AT_LINE = re.compile(r"\(line (\d+)\)$")
MAX_REJECTED = 8
"""Rejected programs of one task that are kept, the last ones."""
_BEGINNINGS = {
    EventKind.GENERATION_STARTED.value: Phase.WRITING,
    EventKind.PROGRAM_VERIFIED.value: Phase.RUNNING,
    EventKind.RUN_STARTED.value: Phase.RUNNING,
}
"""Where a task of another client is, by the first event that is heard of it."""


def begun_elsewhere(event: RobotEvent) -> TaskView | None:
    """The task of another client of the stack that begins with this event; None for others."""
    phase = _BEGINNINGS.get(event.kind)
    if phase is None:
        return None
    return TaskView(
        id=event.task_id,
        text=shown_text(event.data.get("instruction")),
        created=event.stamp,
        author=shown_text(event.data.get("asked_by"), 200),
        here=False,
        phase=phase,
    )


def after(task: TaskView, event: RobotEvent) -> TaskView:
    """The task after one of its events; an event that says nothing new gives the same task."""
    change = _CHANGES.get(event.kind)
    if change is None:
        return task
    try:
        return change(task, event)
    except MALFORMED as error:
        why = shown_text(repr(error), 200)
        _log.warning("event %s of %s is malformed: %s", event.kind, event.source[:60], why)
        return task


def _generation_started(task: TaskView, event: RobotEvent) -> TaskView:
    return task.changed(model=shown_text(event.data.get("model")))


def _still_written(task: TaskView) -> bool:
    """Events and the goal's result come by different ways: late text must not grow a whole one."""
    return task.phase is Phase.WRITING and not task.sha256


def _draft_started(task: TaskView, event: RobotEvent) -> TaskView:
    if not _still_written(task):
        return task
    draft, attempt = int(event.data["draft"]), int(event.data.get("attempt", 1))
    return task.changed(draft=draft, attempt=attempt, source="", steps=(), tokens=0, verdict=None)


def _tokens(task: TaskView, event: RobotEvent) -> TaskView:
    if not _still_written(task):
        return task
    text = str(event.data["text"])
    source = (task.source + text)[:MAX_SOURCE]
    tokens = int(event.data.get("tokens", 0))
    steps = task.steps
    if "\n" in text:  # what ends in the middle of a statement has no plan yet
        steps = plan_of(source[: source.rfind("\n") + 1]) or steps
    return task.changed(source=source, steps=steps, tokens=tokens)


def _draft_verified(task: TaskView, event: RobotEvent) -> TaskView:
    verdict = shown_verdict(event.data["verdict"])
    source = str(event.data["source"])[:MAX_SOURCE]
    if verdict is not None and verdict["status"] != "accepted":
        one = {"draft": int(event.data["draft"]), "source": source, "verdict": verdict}
        task = task.changed(rejected=(*task.rejected, one)[-MAX_REJECTED:])
    if not _still_written(task):
        return task
    return task.changed(source=source, verdict=verdict, steps=plan_of(source))


def _generation_finished(task: TaskView, event: RobotEvent) -> TaskView:
    if not task.here:
        return written(task, event.data) if task.phase is Phase.WRITING else task
    # What the goal's result does not know; it may come before the event or after it.
    if task.sha256 and task.sha256 != event.data.get("program_sha256"):
        return task
    return task.changed(
        now=shown_text(event.data.get("now")) or task.now, **_place(task, event.data)
    )


def written(task: TaskView, data: Mapping[str, Any]) -> TaskView:
    """The task when the writing of its program has ended.

    Args:
        data: as of `generation_finished`.

    Raises:
        ArithmeticError, AttributeError, LookupError, TypeError, ValueError: it is malformed.
    """
    code = int(data["error_code"])
    said = _said(data.get("answer"))
    source = str(data.get("source") or ("" if said else task.source))
    ended = task.changed(
        source=source,
        sha256=str(data.get("program_sha256", "")),
        verdict=shown_verdict(data.get("verdict")) or (task.verdict if source else None),
        steps=plan_of(source) or _numbered(data.get("plan", ())),
        notes=shown_texts(data.get("notes", ())),
        **_place(task, data),
        written_in=float(data.get("duration", 0.0)),
        now=shown_text(data.get("now")) or task.now,
        left=shown_text(data.get("deferred")),
        answer=said,
        phase=_written(code, data.get("verdict")),
    )
    if said and ended.left and not source:
        return ended.changed(phase=Phase.ASKING)
    if said:
        return ended.changed(phase=Phase.ANSWERED)
    return ended.changed(error=_error(code, shown_text(data.get("error_msg"))))


def _said(answer: Any) -> Said | None:
    if not answer:
        return None
    words, choices = shown_text(answer["words"]), shown_texts(answer.get("choices", ()))
    return Said(kind=AnswerKind(answer["kind"]), words=words, choices=choices)


def _place(task: TaskView, data: Mapping[str, Any]) -> dict[str, Any]:
    """Where the program stands among the versions of its task, and how sure one may be of it."""
    sure = confidence_told(data.get("confidence"), data.get("agreed"))
    steering = shown_text(data.get("steering") or task.steering)
    return {
        "words": (shown_text(data.get("words"), MAX_CHARACTERS) or task.words) if steering else "",
        "task": shown_text(data.get("task") or task.task),
        "version": int(data.get("version") or task.version),
        "succeeded": int(data.get("succeeded") or task.succeeded),
        "steering": steering,
        "parent_sha256": shown_text(data.get("parent_sha256") or task.parent_sha256),
        "confidence": sure or task.confidence,
    }


def _written(code: int, verdict: Any) -> Phase:
    if code in (TaskErrorCode.CANCELED, TaskErrorCode.STOPPED):
        return Phase.CANCELLED
    if code == TaskErrorCode.NONE:
        accepted = isinstance(verdict, Mapping) and verdict.get("status") == "accepted"
        return Phase.READY if accepted else Phase.REJECTED
    return Phase.REJECTED if code == TaskErrorCode.NO_ACCEPTED_PROGRAM else Phase.FAILED


def _program_verified(task: TaskView, event: RobotEvent) -> TaskView:
    # The executor's verdict at the start of a run; that of an approval it has told before.
    if task.here and task.phase not in IN_RUN:
        return task
    plan = task.steps or _numbered(event.data.get("plan", ()))
    sha256 = task.sha256 or shown_text(event.data.get("program_sha256"))
    return task.changed(verdict=shown_verdict(event.data["verdict"]), steps=plan, sha256=sha256)


def _run_started(task: TaskView, event: RobotEvent) -> TaskView:
    if task.here and task.phase in (Phase.WRITING, Phase.ASKING):
        return task  # nobody has approved it
    text = task.text or shown_text(event.data.get("instruction"))
    sha256 = task.sha256 or shown_text(event.data.get("program_sha256"))
    phase = Phase.STOPPING if task.phase is Phase.STOPPING else Phase.RUNNING
    return task.changed(
        text=text, sha256=sha256, phase=phase, run_started=event.stamp, line=0, error=None,
        calls=(), calls_before=0, printed=(), printed_before=0,
    )  # fmt: skip


def _skill_started(task: TaskView, event: RobotEvent) -> TaskView:
    if task.phase not in IN_RUN:
        return task  # the run's result, which has every call, came before
    call = Call.model_validate({**_call(event.data), "started": event.stamp})
    return task.changed(calls=(*task.calls, call), line=call.line).bounded()


def _skill_finished(task: TaskView, event: RobotEvent) -> TaskView:
    end = {**_call(event.data), "ended": event.stamp}
    calls = tuple(
        Call.model_validate({**call.model_dump(), **end})
        if call.index == end["index"] and not call.ended
        else call
        for call in task.calls
    )
    return task.changed(calls=calls)


def _call(data: Mapping[str, Any]) -> dict[str, Any]:
    """What a page shows of a call; how it ended where that is known."""
    arguments = data.get("arguments") or ()
    return {
        **{key: data[key] for key in ("line", "error_code", "started", "ended") if key in data},
        "index": int(data["index"]),
        "skill": shown_text(data["skill"], 60),
        "arguments": tuple(shown(one) for one in arguments[:MAX_ARGUMENTS]),
        "result": shown(data.get("result")),
        "error_msg": shown_text(data.get("error_msg")),
    }


def _program_printed(task: TaskView, event: RobotEvent) -> TaskView:
    return task.changed(printed=(*task.printed, shown_text(event.data["text"]))).bounded()


def _stop_requested(task: TaskView, event: RobotEvent) -> TaskView:
    return task.changed(phase=Phase.STOPPING) if task.phase in IN_RUN else task


def _run_paused(task: TaskView, event: RobotEvent) -> TaskView:
    if task.phase not in (Phase.RUNNING, Phase.PAUSED):
        return task
    return task.changed(phase=Phase.PAUSED if event.data["paused"] else Phase.RUNNING)


def _hazard_seen(task: TaskView, event: RobotEvent) -> TaskView:
    if task.phase not in IN_RUN:
        return task
    line, message = int(event.data["line"]), event.data["message"]
    told = phrase("told.at_line", n=line, why=message) if line else message
    return task.changed(ahead=shown_text(told))


def _run_finished(task: TaskView, event: RobotEvent) -> TaskView:
    unseen = task.phase is Phase.READY and task.round == 1
    return ran(task, event.data) if task.phase in IN_RUN or unseen else task


def ran(task: TaskView, data: Mapping[str, Any]) -> TaskView:
    """The task when the run of its program has ended.

    Args:
        data: as of `run_finished`; with `made`, all calls, where a goal's result has told it.

    Raises:
        ArithmeticError, AttributeError, LookupError, TypeError, ValueError: it is malformed.
    """
    error = _error(int(data.get("error_code", 0)), shown_text(data.get("error_msg")))
    if "made" in data:
        made = data["made"]
        calls = tuple(Call.model_validate(_call(call)) for call in made[-MAX_CALLS:])
        task = task.changed(calls=calls, calls_before=len(made) - len(calls))
    return task.changed(
        phase=Phase(data["outcome"]),
        line=0,
        duration=float(data.get("duration", 0.0)),
        error=error and _at_step(error, task.steps),
    )


def ended(task: TaskView, job: JobEnded) -> TaskView:
    """The task when a goal of this kiosk has ended; the same task when it knows that already.

    A program that was accepted is READY here, and has still to be `judged`.
    """
    writes = job.kind is EventKind.GENERATION_FINISHED
    if task.phase is not Phase.WRITING if writes else task.phase not in IN_RUN:
        return task
    try:
        return written(task, job.data) if writes else ran(task, job.data)
    except MALFORMED as error:
        _log.warning("the end of %s is malformed: %s", task.id, shown_text(repr(error), 200))
        message = "what the robot answered cannot be read; try again"
        return task.changed(phase=Phase.FAILED, error=TaskError.of(TaskErrorCode.UNKNOWN, message))


def left(task: TaskView) -> TaskView:
    """The task when nothing runs any more: its run, if it is in one, was lost with the executor."""
    if task.phase not in IN_RUN:
        return task
    message = "the program runner was lost during the run"
    error = TaskError.of(TaskErrorCode.PROGRAM_LOST, message)
    return task.changed(phase=Phase.FAILED, line=0, error=error)


def unwritten(task: TaskView) -> TaskView:
    """The task when the program writer is lost: of another client's, nobody tells the end."""
    if task.here or task.phase is not Phase.WRITING:
        return task
    message = "the program writer was lost while it wrote; it restarts, so try again soon"
    return task.changed(phase=Phase.FAILED, error=TaskError.of(TaskErrorCode.MODEL_FAILED, message))


def judged(task: TaskView, verdict: dict[str, Any] | None, code: int, message: str) -> TaskView:
    """The task when the executor has said what it thinks of the program that was written.

    Args:
        verdict: the executor's; None when it could not say, and `code` and `message` why not.
    """
    if verdict is None:
        return task.changed(phase=Phase.FAILED, verdict=None, error=_error(code, message))
    if verdict["status"] == "accepted" and verdict["program_sha256"] == task.sha256:
        return task.changed(phase=Phase.READY, verdict=verdict)
    message = "the robot's own verifier does not accept the program that was written"
    error = TaskError.of(TaskErrorCode.NOT_VERIFIED, message)
    return task.changed(phase=Phase.REJECTED, verdict=verdict, error=error)


def _error(code: int, message: str) -> TaskError | None:
    return None if code == TaskErrorCode.NONE else TaskError.of(code, message)


def _at_step(error: TaskError, steps: tuple[Step, ...]) -> TaskError:
    """With the step of the plan in the place of the line: that is what people read."""
    found = _AT_LINE.search(error.message)
    line = int(found[1]) if found else 0
    before = [step for step in steps if 0 < step.line <= line]
    if not before:
        return error
    message = _AT_LINE.sub(f"(step {before[-1].number})", error.message)
    return error.model_copy(update={"message": message, "line": line})


def _numbered(plan: Any) -> tuple[Step, ...]:
    """A plan of text lines ("3.1 Pick the apple up.") as steps whose line nobody knows."""
    parts = (line.partition(" ") for line in shown_texts(plan, MAX_STEPS))
    return tuple(Step(number=number, line=0, text=text) for number, _, text in parts)


_CHANGES: dict[str, Callable[[TaskView, RobotEvent], TaskView]] = {
    EventKind.GENERATION_STARTED.value: _generation_started,
    EventKind.DRAFT_STARTED.value: _draft_started,
    EventKind.TOKENS.value: _tokens,
    EventKind.DRAFT_VERIFIED.value: _draft_verified,
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
