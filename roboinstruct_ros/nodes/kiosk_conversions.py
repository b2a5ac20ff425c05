"""What the kiosk hears, out of ROS messages."""

from __future__ import annotations

import json
from typing import Any

from visualization_msgs.msg import Marker

from roboinstruct_msgs.msg import InterruptedRun as InterruptedRunMsg
from roboinstruct_msgs.msg import Verdict as VerdictMsg
from roboinstruct_ros.domain.arrival import read_object
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.web.robot_link import InterruptedRun, Thing


def interrupted_run(run: InterruptedRunMsg) -> InterruptedRun:
    return InterruptedRun(
        task_id=run.task_id,
        text=run.instruction,
        source=run.source,
        sha256=run.program_sha256,
        calls=run.calls,
        in_flight=run.in_flight,
        begun=run.begun.sec + run.begun.nanosec * 1e-9,
    )


def json_object(text: str) -> dict[str, Any] | None:
    try:
        return read_object(text, "it")
    except ValueError:
        return None


def things(markers: list[Marker], namespace: str) -> tuple[Thing, ...]:
    return tuple(
        Thing(
            marker.text,
            round(marker.pose.position.x, 3),
            round(marker.pose.position.y, 3),
            # The simulated robot draws a closed door red.
            open=marker.ns != "doors" or marker.color.g >= marker.color.r,
        )
        for marker in markers
        if marker.ns == namespace
    )


def result_data(result: Any, kind: EventKind) -> dict[str, Any]:
    """A goal's result with the keys of the event that says the same."""
    data = {
        "duration": float(result.duration),
        "error_code": int(result.error_code),
        "error_msg": result.error_msg,
    }
    if kind is EventKind.RUN_FINISHED:
        return {**data, "outcome": result.outcome or "failed", "made": _calls_data(result.calls)}
    return {
        **data,
        "source": result.source,
        "program_sha256": result.program_sha256,
        "verdict": _verdict_data(result.verdict),
        "plan": list(result.plan),
        "notes": list(result.notes),
        "steering": result.steering,
        "parent_sha256": result.parent_sha256,
        "question": result.question,
        "deferred": result.deferred,
    }


def _calls_data(calls: list[Any]) -> list[dict[str, Any]]:
    """All calls of a run; the events that told them one by one may come after its result."""
    return [
        {
            "index": call.index,
            "skill": call.skill,
            "arguments": [json.loads(argument) for argument in call.arguments],
            "line": call.line,
            "result": json.loads(call.result) if call.result else None,
            "error_code": call.error_code,
            "error_msg": call.error_msg,
            "started": call.start.sec + call.start.nanosec * 1e-9,
            "ended": call.end.sec + call.end.nanosec * 1e-9,
        }
        for call in calls
    ]


def _verdict_data(verdict: VerdictMsg) -> dict[str, Any] | None:
    if not verdict.status:
        return None
    return {
        "status": verdict.status,
        "program_sha256": verdict.program_sha256,
        "paths": verdict.paths,
        "exhaustive": verdict.exhaustive,
        "duration": float(verdict.duration),
        "violations": [
            {
                "code": violation.code,
                "line": violation.line,
                "column": violation.column,
                "message": violation.message,
                "counterexample": {"steps": list(violation.counterexample)},
            }
            for violation in verdict.violations
        ],
        "warnings": list(verdict.warnings),
    }
