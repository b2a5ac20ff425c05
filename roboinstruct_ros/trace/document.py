"""A recorded run as one JSON object: what was asked and written, the drive, and every call."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from roboinstruct_ros import names
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.program.narrate import narrate
from roboinstruct_ros.program.task_program import TaskProgram
from roboinstruct_ros.trace.bag import RecordedEvent, read_messages
from roboinstruct_ros.trace.run_trace import RunTrace, TracedCall, read_trace

MOST_POSES, MOST_WORLDS = 6000, 200
"""Of more, every second, third, ... is kept."""

_TOPICS = (names.EVENTS_TOPIC, names.ROBOT_POSE_TOPIC, names.MARKERS_TOPIC)
_ADD = 0  # visualization_msgs/Marker
_LAYERS = ("doors", "objects", "people")


def document_of(bag: Path) -> dict[str, Any]:
    """All that a viewer of the run needs; times in s since it began, lengths in m, angles in rad.

    Raises:
        BagError: it is no bag, not a complete one, or holds no run.
    """
    trace = read_trace(bag)
    drafts, poses, worlds = [], [], []
    for topic, stamp, message in read_messages(bag, _TOPICS):
        at = round(stamp * 1e-9 - trace.begun, 3)
        if isinstance(message, RecordedEvent):
            drafts += _draft(message)
        elif topic == names.ROBOT_POSE_TOPIC:
            poses += _pose(at, message.pose)
        else:
            worlds.append({"at": at, **_world(message.markers)})
    return {
        **told(trace),
        "program": trace.source,
        "steps": [vars(step) for step in _steps(trace.source)],
        "verdict": trace.verdict.model_dump(mode="json") if trace.verdict else None,
        "drafts": drafts,
        "setting": trace.setting.model_dump(mode="json") if trace.setting else None,
        "rooms": _rooms(trace),
        "calls": [_call(trace, traced) for traced in trace.calls],
        "poses": _thinned(poses, MOST_POSES),
        "worlds": _thinned(worlds, MOST_WORLDS),
    }


def told(trace: RunTrace) -> dict[str, Any]:
    """What a list of runs tells of one."""
    code = TaskErrorCode(trace.error_code).name.lower() if trace.error_code else ""
    return {
        "bag": str(trace.folder),
        "task_id": trace.task_id,
        "instruction": trace.instruction,
        "begun": trace.begun,
        "ended": trace.ended,
        "outcome": trace.outcome,
        "error_code": code,
        "error_msg": trace.message,
    }


def _steps(source: str) -> Iterator[Any]:
    program = TaskProgram.from_text(source)
    yield from narrate(program) if program.tree is not None else ()


def _rooms(trace: RunTrace) -> list[dict[str, Any]]:
    known = trace.setting.semantic_map if trace.setting else None
    return [asdict(room) for room in known.rooms] if known else []


def _call(trace: RunTrace, traced: TracedCall) -> dict[str, Any]:
    call = traced.call
    return {
        "index": call.index,
        "line": call.line,
        "skill": call.skill,
        "arguments": list(call.arguments),
        "began": round(call.start - trace.begun, 3),
        "ended": round(call.end - trace.begun, 3) if call.end else None,
        "result": call.result,
        "error": SkillErrorCode(call.error_code).name.lower() if call.error_code else "",
        "error_msg": call.error_msg,
        "tries": [{"error": one.error.name.lower(), "say": one.say} for one in traced.tries],
    }


def _draft(event: RecordedEvent) -> list[dict[str, Any]]:
    if event.kind != EventKind.DRAFT_VERIFIED.value:
        return []
    return [{key: event.data.get(key) for key in ("draft", "source", "verdict")}]


def _pose(at: float, pose: Any) -> list[list[float]]:
    z, w = pose.orientation.z, pose.orientation.w
    place = (pose.position.x, pose.position.y, math.atan2(2 * w * z, 1 - 2 * z * z))
    return [[at, *(round(one, 3) for one in place)]] if all(map(math.isfinite, place)) else []


def _world(markers: list[Any]) -> dict[str, Any]:
    shown = [one for one in markers if one.action == _ADD]
    held = next((one.text for one in shown if one.ns == "held"), "")
    return {layer: [_thing(one) for one in shown if one.ns == layer] for layer in _LAYERS} | {
        "held": held
    }


def _thing(marker: Any) -> dict[str, Any]:
    at = marker.pose.position
    # the simulated robot draws a closed door red
    is_open = marker.ns != "doors" or marker.color.g >= marker.color.r
    return {"name": marker.text, "x": round(at.x, 3), "y": round(at.y, 3), "open": bool(is_open)}


def _thinned(values: list[Any], most: int) -> list[Any]:
    return values[:: -(-len(values) // most) or 1]
