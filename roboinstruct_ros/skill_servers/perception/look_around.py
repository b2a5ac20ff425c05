"""Looks in every direction before concluding that something is absent. No ROS and no clock."""

from __future__ import annotations

import math
from collections.abc import Sequence
from threading import Event
from typing import TYPE_CHECKING

from roboinstruct_ros.skill_servers.kit.fault import Fault

if TYPE_CHECKING:  # looking itself needs no ROS
    from roboinstruct_ros.skill_servers.perception.node import Question
    from roboinstruct_ros.skill_servers.perception.turners import ActionTurner

OVERLAP = 0.1
"""Overlap of neighbouring views, as a fraction: an object at an edge is complete in one of them."""
POLL = 0.05
"""Polling period (s) for frames, if no event arrives."""


def headings(arc: float, field_of_view: float, circles: bool = True) -> tuple[float, ...]:
    """The directions to look in (rad from the current one, which is the first).

    Args:
        arc: total angle to cover, rad; 2 pi is all around, 0 only the current view.
        field_of_view: horizontal field of view of the camera, rad.
        circles: what turns may go all around in one direction, as a joint may not.
    """
    if arc <= field_of_view:
        return (0.0,)
    step = field_of_view * (1.0 - OVERLAP)
    if circles and arc >= 2 * math.pi - 1e-6:
        count = math.ceil(2 * math.pi / step)
        return tuple(2 * math.pi * i / count for i in range(count))
    aside = math.ceil((arc - field_of_view) / 2 / step)
    widest = (arc - field_of_view) / 2
    sides = [widest * (i + 1) / aside for i in range(aside)]
    return (0.0, *sides, *(-angle for angle in sides))


def look_around(
    eyes: Question, turner: ActionTurner | None, angles: Sequence[float], cancelled: Event
) -> bool | Fault | None:
    """Look until the object is found; False only if every view was seen without it.

    Returns the fault if one prevented looking, and None if cancelled.
    """
    seen: bool | Fault | None = False
    if turner is not None and not turner.is_at(angles[0]):
        seen = _view(eyes, cancelled)  # whatever direction it is: a yes needs no turn
    for angle in angles:
        if seen is not False:
            break
        if turner is not None and not turner.is_at(angle):
            eyes.begin_turn()
            fault = turner.turn_to(angle, cancelled)
            if cancelled.is_set():
                return None
            if fault is not None:
                return fault
        seen = _view(eyes, cancelled)
    return seen


def _view(eyes: Question, cancelled: Event) -> bool | Fault | None:
    eyes.begin_view()
    seen = None
    while seen is None and not cancelled.is_set():
        seen = eyes.seen(POLL)
    return seen
