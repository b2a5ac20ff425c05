"""Looks in every direction before it says that something is not there. No ROS and no clock."""

from __future__ import annotations

import math
from collections.abc import Sequence
from threading import Event
from typing import Protocol

from roboinstruct_ros.skill_servers.kit.fault import Fault

OVERLAP = 0.1
"""Part of each view that the next one shows again: a thing at the edge is in one of them."""
POLL = 0.05
"""s between two looks at what came, if nothing wakes the waiter."""


class Turner(Protocol):
    """What turns the camera: the base, a head, or nothing."""

    def turn_to(self, angle: float, cancelled: Event) -> Fault | None:
        """Turns to an angle (rad from where the look began); blocks, and gives why it failed."""

    def end(self) -> None:
        """Ends its own turn at once; from any thread."""


class Eyes(Protocol):
    """What comes from the cameras while one question is answered."""

    def begin_turn(self) -> None:
        """Takes no frames from now on: they are blurred, and the pose lags behind."""

    def begin_view(self) -> None:
        """Lets only frames from now on count."""

    def found(self) -> bool:
        """Whether the thing is there."""

    def complete(self) -> bool:
        """Whether every camera has shown this view often enough for a no."""

    def silent(self) -> Fault | None:
        """Why no frames come, or None."""

    def wait(self, limit: float) -> None:
        """Waits for the next frame, at most `limit` s."""


def headings(arc: float, field_of_view: float) -> tuple[float, ...]:
    """Return the angles to look at (rad from the present one, which is the first).

    Args:
        arc: how much must be seen; 2 pi is all around, 0 only what is in view now.
        field_of_view: of the camera, horizontally.

    A full circle goes on in one direction; a part of one goes to both sides in turn, nearest first.
    """
    if arc <= field_of_view:
        return (0.0,)
    step = field_of_view * (1.0 - OVERLAP)
    if arc >= 2 * math.pi - 1e-6:
        count = math.ceil(2 * math.pi / step)
        return tuple(2 * math.pi * i / count for i in range(count))
    aside = math.ceil((arc - field_of_view) / 2 / step)
    widest = (arc - field_of_view) / 2
    sides = [widest * (i + 1) / aside for i in range(aside)]
    return (0.0, *sides, *(-angle for angle in sides))


def look_around(
    eyes: Eyes, turner: Turner | None, angles: Sequence[float], cancelled: Event
) -> bool | Fault | None:
    """Looks until the thing is found; False only when every view was seen without it.

    Returns:
        Whether it is there; the fault that kept it from looking; None when it was cancelled.
    """
    for angle in angles:
        if angle != 0.0 and turner is not None:
            eyes.begin_turn()
            fault = turner.turn_to(angle, cancelled)
            if cancelled.is_set() or fault is not None:
                return None if cancelled.is_set() else fault
        seen = _view(eyes, cancelled)
        if seen is not False:
            return seen
    return False


def _view(eyes: Eyes, cancelled: Event) -> bool | Fault | None:
    eyes.begin_view()
    while not cancelled.is_set():
        if eyes.found():
            return True
        fault = eyes.silent()
        if fault is not None:
            return fault
        if eyes.complete():
            return False
        eyes.wait(POLL)
    return None
