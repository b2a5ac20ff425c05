"""Rebuilds a simulated world from a recorded run."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator
from typing import Any

from roboinstruct_ros.domain.files.world_file import DurationsEntry, World, is_convex
from roboinstruct_ros.domain.semantic_map import Pose, Room, SemanticMap, contains, folded
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.thing_names import means_anybody
from roboinstruct_ros.trace.replay import CUT_SHORT, answers, was_ended
from roboinstruct_ros.trace.run_trace import RunTrace, TracedCall

_SLOWEST, _FASTEST = 0.02, 10.0  # m/s
_LONGEST = 600.0  # s
_HALF = 0.5  # m, half a side of a room without an outline that a world may have, at most
_APART = 3.0  # m, between rooms known by name only


def rebuilt_world(trace: RunTrace) -> World:
    """Rooms of the map, objects and people where they were met, and the recorded result of each
    call.

    Without doors: a recording does not show how rooms connect.
    """
    rooms = _rooms(trace)
    here = start = _start(trace, rooms)
    found: dict[tuple[str, str], Any] = {}
    people: dict[str, dict[str, Any]] = {}
    for traced in trace.calls:
        call = traced.call
        if call.error_code or not call.end:
            continue
        named = str(call.arguments[0]).strip() if call.arguments else ""
        if call.skill in ("go_to", "get_current_location"):
            here = rooms.resolve(str(call.result or named)) or here
        elif call.skill == "ask":
            person = people.setdefault(folded(named), _person(named, here))
            person["answers"] += ({"question": call.arguments[1], "answer": call.result},)
        elif (call.skill, call.result) == ("is_in_room", True) and _is_person(trace, named):
            people.setdefault(folded(named), _person(named, here))
        elif call.skill == "pick" or call.result is True:
            found[folded(named), here] = {"name": named, "room": here}
    return World.model_validate(
        {
            "name": "recorded",
            "start": start,
            "robot": {"speed": _speed(trace, rooms, start), "holds": held_at_first(trace)},
            "durations": _durations(trace),
            "rooms": [_entry(room, rooms) for room in rooms.rooms],
            "objects": tuple(found.values()),
            "people": tuple(people.values()),
            "known": {"objects": rooms.objects, "people": rooms.people},
            "recorded": tuple(_recorded(trace)),
        }
    )


def _rooms(trace: RunTrace) -> SemanticMap:
    known = trace.setting.semantic_map if trace.setting else None
    if known is not None:
        return known
    named: dict[str, str] = {}
    for traced in trace.calls:
        call = traced.call
        told = [*call.arguments] if call.skill == "go_to" else call.result
        for name in [told] if isinstance(told, str) else told or ():
            if call.skill in ("go_to", "get_current_location", "get_all_rooms"):
                named.setdefault(folded(str(name)), str(name).strip())
    spots = enumerate(filter(None, named.values()))
    rooms = [Room(name, (), Pose(_APART * number, 0.0, 0.0)) for number, name in spots]
    return SemanticMap(tuple(rooms or [Room("somewhere", (), Pose(0.0, 0.0, 0.0))]))


def _start(trace: RunTrace, rooms: SemanticMap) -> str:
    asked = (t.call.result for t in trace.calls if t.call.skill == "get_current_location")
    for told in (trace.start, next(asked, ""), trace.words.here if trace.words else ""):
        room = rooms.resolve(str(told or ""))
        if room:
            return room
    return rooms.room_names[0]


def held_at_first(trace: RunTrace) -> str:
    """The object in the hand when the run began; empty for none."""
    remains = trace.setting.remains if trace.setting else ()
    return next((fact[1] for fact, value in remains if fact[0] == "holding" and value), "")


def _speed(trace: RunTrace, rooms: SemanticMap, here: str) -> float:
    """Speed (m/s) at which straight drives take the recorded times."""
    speeds = []
    for traced in trace.calls:
        room = rooms.resolve(str(traced.call.arguments[0])) if traced.call.skill == "go_to" else ""
        if not room or traced.call.error_code:
            continue
        way = rooms.room(here).pose, rooms.room(room).pose
        distance = math.hypot(way[0].x - way[1].x, way[0].y - way[1].y)
        if distance and _took(traced):
            speeds.append(distance / _took(traced))
        here = room
    return min(max(statistics.median(speeds), _SLOWEST), _FASTEST) if speeds else 1.0


def _durations(trace: RunTrace) -> dict[str, float]:
    """Durations of the skills without motion, s."""
    found: dict[str, float] = {}
    for skill in DurationsEntry.model_fields:
        times = [_took(one) for one in trace.calls if one.call.skill == skill and _took(one)]
        if times:
            found[skill] = min(statistics.median(times), _LONGEST)
    return found


def _took(traced: TracedCall) -> float:
    """Duration of a call, s; 0 if it did not end or was retried."""
    call = traced.call
    return max(call.end - call.start, 0.0) if call.end and not traced.tries else 0.0


def _entry(room: Room, rooms: SemanticMap) -> dict[str, Any]:
    x, y = room.pose.x, room.pose.y
    others = [(other.pose.x, other.pose.y) for other in rooms.rooms if other is not room]
    near = min((max(abs(x - a), abs(y - b)) for a, b in others), default=math.inf)
    half = min(_HALF, near / 2)  # nobody stops in two rooms at once
    square = [
        (x - half, y - half),
        (x + half, y - half),
        (x + half, y + half),
        (x - half, y + half),
    ]
    alone = is_convex(room.polygon) and not any(contains(room.polygon, at) for at in others)
    return {
        "name": room.name,
        "aliases": room.aliases,
        "pose": vars(room.pose),
        "polygon": room.polygon if room.polygon and alone else square,
    }


def _person(name: str, room: str) -> dict[str, Any]:
    return {"name": name or "somebody", "room": room, "answers": ()}


def _is_person(trace: RunTrace, name: str) -> bool:
    known = trace.setting and trace.setting.semantic_map and trace.setting.semantic_map.people
    return means_anybody(name) or folded(name) in map(folded, known or ())


def _recorded(trace: RunTrace) -> Iterator[dict[str, Any]]:
    if trace.setting and trace.setting.policies.mention_start:
        lost = {"error_code": int(SkillErrorCode.NOT_LOCALIZED), "error_msg": "as recorded"}
        where = {"result": trace.start} if trace.start else lost
        yield {"skill": "get_current_location", **where}
    cut_short = CUT_SHORT if was_ended(trace) else ()
    for answer in answers(trace):
        told = {"skill": answer.skill, "arguments": answer.arguments}
        outcome = answer.outcome
        if outcome is None or outcome.error_code in cut_short:
            yield {**told, "ended": False}
        else:
            failed = {"error_code": int(outcome.error_code), "error_msg": outcome.message}
            yield {**told, **failed, "result": outcome.value}
