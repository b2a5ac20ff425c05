"""Quantities within a range and slots on timelines, along one path.

Source: seed paper, appendix A.7.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from roboinstruct_ros.domain.skill_limits import Addition, Booking
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.domain.value_types import duration, time_of_day
from roboinstruct_ros.verify.story import filled, named

_TOLERANCE = 1e-9
"""Three times pi/6 is not exactly pi/2; rounding must not stop a robot."""

_DAY = 24 * 60.0  # min


@dataclass(frozen=True)
class Slot:
    """A part of a timeline, in minutes since midnight."""

    what: str
    start: float
    end: float


@dataclass
class Limits:
    """The possible values of each quantity, and the slots that are taken.

    Initial values are unknown, so each quantity is an interval of the values that remain possible
    after the changes so far (angelic, as for literals).
    """

    domain: Domain
    _intervals: dict[tuple[str, ...], tuple[float, float]] = field(default_factory=dict)
    _slots: dict[str, list[Slot]] = field(default_factory=dict)

    def copy(self) -> Limits:
        """An independent copy."""
        slots = {timeline: list(taken) for timeline, taken in self._slots.items()}
        return Limits(self.domain, dict(self._intervals), slots)

    def stands(self, quantity: tuple[str, ...]) -> float | None:
        """The value of a quantity; None if it is not known."""
        low, high = self._intervals.get(quantity, (0.0, 1.0))
        return high if high - low <= _TOLERANCE else None

    def known(self) -> tuple[tuple[str, ...], ...]:
        """The quantities whose interval has been narrowed."""
        return tuple(self._intervals)

    def place(self, quantity: tuple[str, ...], value: float) -> None:
        """Set a quantity to a known value."""
        self._intervals[quantity] = (value, value)

    def add(
        self,
        addition: Addition,
        quantity: tuple[str, ...],
        arguments: Mapping[str, Any],
        entities: Mapping[str, str],
    ) -> str:
        """Change a quantity; returns why no initial value keeps it within bounds, or ""."""
        bounds = self.domain.quantity(quantity[0])
        low, high = self._intervals.get(quantity, (bounds.low, bounds.high))
        amount = float(arguments[addition.amount])
        lowest, highest = max(low + amount, bounds.low), min(high + amount, bounds.high)
        if lowest > highest + _TOLERANCE:
            return addition.message.format(
                **filled(entities, arguments),
                now=_range_text(low, high),
                low=_range_text(bounds.low, bounds.low),
                high=_range_text(bounds.high, bounds.high),
            )
        self._intervals[quantity] = (min(lowest, highest), highest)
        return ""

    def book(
        self, booking: Booking, arguments: Mapping[str, Any], entities: Mapping[str, str]
    ) -> str:
        """Take a slot; returns a message about the conflicting slot, or ""."""
        start = time_of_day(arguments[booking.start]) or 0.0
        end = start + (duration(arguments[booking.duration]) or 0.0)
        slot = Slot(entities[booking.what], start, end)
        taken = self._slots.setdefault(booking.timeline, [])
        for other in taken:
            if slot.start < other.end and other.start < slot.end:
                return booking.message.format(
                    **filled(entities, arguments),
                    other=named(other.what),
                    other_start=_clock_text(other.start),
                    other_end=_clock_text(other.end),
                )
        taken.append(slot)
        return ""

    def taken(self) -> dict[str, list[str]]:
        """The slots of each timeline, in words."""
        return {
            timeline: [
                f"{slot.what}: {_clock_text(slot.start)} to {_clock_text(slot.end)}"
                for slot in sorted(slots, key=lambda slot: slot.start)
            ]
            for timeline, slots in self._slots.items()
        }

    def state(self) -> object:
        """A value that is equal only if nothing has changed."""
        slots = [(timeline, *taken) for timeline, taken in self._slots.items()]
        return tuple(sorted(self._intervals.items())), tuple(slots)


def _clock_text(minutes: float) -> str:
    """Minutes since midnight as `9:30 am`; later times are marked `the next day`."""
    whole = int(minutes % _DAY)
    hour, minute = divmod(whole, 60)
    half = "am" if hour < 12 else "pm"
    later = " the next day" if minutes >= _DAY else ""
    return f"{hour % 12 or 12}:{minute:02d} {half}{later}"


def _range_text(low: float, high: float) -> str:
    """An interval as a phrase: `0.524`, or `-0.1 to 0.524`."""
    if abs(high - low) <= _TOLERANCE:
        return f"{high:.3g}"
    return f"{low:.3g} to {high:.3g}"
