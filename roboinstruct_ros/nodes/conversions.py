"""Conversions between the stack's types and ROS messages."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from builtin_interfaces.msg import Time
from pydantic import TypeAdapter, ValidationError

from roboinstruct_msgs.action import ExecuteProgram
from roboinstruct_msgs.msg import Event, InterruptedRun
from roboinstruct_msgs.msg import SkillCall as SkillCallMsg
from roboinstruct_msgs.msg import Verdict as VerdictMsg
from roboinstruct_msgs.msg import Violation as ViolationMsg
from roboinstruct_ros.domain.arrival import read_object
from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.execute.journal import RecordedRun
from roboinstruct_ros.execute.task_run import TaskRun
from roboinstruct_ros.program.violation import Violation
from roboinstruct_ros.verify.verdict import Verdict

if TYPE_CHECKING:  # the command line needs no actions of rclpy
    from rclpy.action.server import ServerGoalHandle

_SKILL_CALL = TypeAdapter(SkillCall)


def time_to_msg(seconds: float) -> Time:
    """Convert seconds since the epoch to a `Time` message."""
    fraction, whole = math.modf(seconds)
    return Time(sec=int(whole), nanosec=int(fraction * 1e9))


def seconds_of(stamp: Time) -> float:
    """A `Time` message in seconds since the epoch."""
    return float(stamp.sec + stamp.nanosec * 1e-9)


def violation_to_msg(violation: Violation) -> ViolationMsg:
    """Convert a violation with its counterexample, one step per line."""
    story = violation.counterexample.steps if violation.counterexample else ()
    return ViolationMsg(
        code=violation.code.value,
        line=violation.line,
        column=violation.column,
        message=violation.message,
        counterexample=list(story),
    )


def verdict_to_msg(verdict: Verdict) -> VerdictMsg:
    """Convert a verdict; its duration is in s."""
    return VerdictMsg(
        status=verdict.status.value,
        program_sha256=verdict.program_sha256,
        paths=verdict.paths,
        exhaustive=verdict.exhaustive,
        duration=verdict.duration,
        violations=[violation_to_msg(violation) for violation in verdict.violations],
        warnings=[str(warning) for warning in verdict.warnings],
        assumptions=[assumption.message for assumption in verdict.assumptions],
    )


def interrupted_run_to_msg(run: RecordedRun) -> InterruptedRun:
    begun = run.in_flight
    words = f"{begun.skill}({', '.join(map(repr, begun.arguments))})" if begun else ""
    return InterruptedRun(
        task_id=run.order.task_id,
        instruction=run.order.instruction,
        source=run.order.source,
        program_sha256=run.order.program_sha256,
        approved_by=run.order.approved_by,
        calls=len(run.calls),
        in_flight=words,
        begun=time_to_msg(run.begun),
    )


def run_to_msg(run: TaskRun) -> ExecuteProgram.Result:
    """Convert an ended run; its duration is in s."""
    result = ExecuteProgram.Result(
        outcome=run.outcome.value,
        calls=[skill_call_to_msg(call) for call in run.calls],
        duration=run.duration,
        error_code=int(run.error_code),
        error_msg=run.message,
    )
    if run.verdict is not None:
        result.verdict = verdict_to_msg(run.verdict)
    return result


def end_goal(goal: ServerGoalHandle, succeeded: bool) -> None:
    """Set the final status of a goal."""
    if succeeded:
        goal.succeed()
    elif goal.is_cancel_requested:
        goal.canceled()
    else:
        goal.abort()


def skill_call_to_msg(call: SkillCall) -> SkillCallMsg:
    """Convert a skill call; arguments and result become JSON, times are s since the epoch."""
    return SkillCallMsg(
        index=call.index,
        skill=call.skill,
        arguments=[json.dumps(argument) for argument in call.arguments],
        result="" if call.error_code else json.dumps(call.result),
        error_code=call.error_code,
        error_msg=call.error_msg,
        line=call.line,
        start=time_to_msg(call.start),
        end=time_to_msg(call.end),
    )


def event_object(event: Event) -> dict[str, Any]:
    """An event as a JSON object, for scripts; data that is not JSON becomes its text."""
    try:
        data = read_object(event.data, f"event {event.kind}")
    except ValueError:
        data = {"text": event.data}
    return {
        "seq": event.seq,
        "t": round(seconds_of(event.stamp), 6),
        "source": event.source,
        "task_id": event.task_id,
        "kind": event.kind,
        "data": data,
    }


def skill_call_from_event(data: str) -> SkillCall:
    """The call in a `skill_finished` event.

    Raises:
        ValueError: the data does not fit such an event.
    """
    told = {"line": 0, **read_object(data, "the event")}
    try:
        return _SKILL_CALL.validate_python(told)
    except ValidationError as error:
        fault = error.errors()[0]
        raise ValueError(f"the event tells no call: {fault['loc']}: {fault['msg']}") from None
