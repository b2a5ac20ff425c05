"""Converts a recorded run to one JSON object: request, program, trajectory, and every call."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from roboinstruct_ros import names
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.program.narrate import narrate
from roboinstruct_ros.program.task_program import TaskProgram
from roboinstruct_ros.trace.bag import RecordedEvent, read_messages
from roboinstruct_ros.trace.run_trace import RunTrace, TracedCall, read_trace
from roboinstruct_ros.trace.summary import summary_of

MOST_POSES, MOST_WORLDS = 6000, 200
"""Limit on poses; beyond it, every second, fourth, ... is kept."""

_TOPICS = (names.EVENTS_TOPIC, names.ROBOT_POSE_TOPIC, names.MARKERS_TOPIC)
_ADD = 0  # visualization_msgs/Marker
_LAYERS = ("doors", "objects", "people")


def document_of(bag: Path) -> dict[str, Any]:
    """Everything that a viewer needs; times in s since the start, lengths in m, angles in rad.

    Raises:
        BagError: it is not a bag, not a complete one, or contains no run.
    """
    trace = read_trace(bag)
    drafts, poses, worlds = [], _Thinned(MOST_POSES), _Thinned(MOST_WORLDS)
    for topic, stamp, message in read_messages(bag, _TOPICS):
        at = round(stamp * 1e-9 - trace.begun, 3)
        if isinstance(message, RecordedEvent):
            drafts += _draft(message)
        elif topic == names.ROBOT_POSE_TOPIC:
            for pose in _pose(at, message.pose):
                poses.add(pose)
        else:
            worlds.add({"at": at, **_world(message.markers)})
    return {
        **told(trace),
        "program": trace.source,
        "steps": [{**asdict(step), "text": step.text} for step in _steps(trace.source)],
        "verdict": trace.verdict.model_dump(mode="json") if trace.verdict else None,
        "drafts": drafts,
        "setting": trace.setting.model_dump(mode="json") if trace.setting else None,
        "rooms": _rooms(trace),
        "calls": [_call(trace, traced) for traced in trace.calls],
        "poses": poses.kept,
        "worlds": worlds.kept,
    }


def told(trace: RunTrace) -> dict[str, Any]:
    """The entry of a run in a list of runs."""
    return {"bag": str(trace.folder), **summary_of(trace).model_dump(mode="json")}


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
        "paused": round(traced.paused, 3),
        "pauses": [
            {"began": round(one.start - trace.begun, 3),
             "ended": round(one.end - trace.begun, 3) if one.end else None}
            for one in traced.pauses
        ],
        "tries": [{"error": one.error.name.lower(), "say": one.say} for one in traced.tries],
    }  # fmt: skip


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


class _Thinned:
    """Keeps at most `most` values: every one, then every second, every fourth, ..."""

    def __init__(self, most: int) -> None:
        self.kept: list[Any] = []
        self._most, self._every, self._seen = most, 1, 0

    def add(self, value: Any) -> None:
        if self._seen % self._every == 0:
            self.kept.append(value)
        self._seen += 1
        if len(self.kept) > self._most:
            del self.kept[1::2]
            self._every *= 2
