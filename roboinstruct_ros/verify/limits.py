"""Quantities within a range and slots on timelines, as one path knows them.

Source: seed paper, appendix A.7.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from roboinstruct_ros.domain.skills import Domain

_TOLERANCE = 1e-9
"""Three times pi/6 is not exactly pi/2; that is no reason to stop a robot."""

_DAY = 24 * 60.0  # min


@dataclass(frozen=True)
class Slot:
    """A part of a timeline, in minutes since midnight."""

    what: str
    start: float
    end: float


@dataclass
class Limits:
    """Where each quantity may stand, and which slots are taken.

    The values at the start are unknown, so each quantity is an interval: of all starts it keeps
    those that the changes so far allow (angelic, as for literals).
    """

    domain: Domain
    _intervals: dict[tuple[str, ...], tuple[float, float]] = field(default_factory=dict)
    _slots: dict[str, list[Slot]] = field(default_factory=dict)

    def now(self, quantity: tuple[str, ...]) -> tuple[float, float]:
        """Lowest and highest value that the quantity may have."""
        bounds = self.domain.quantity(quantity[0])
        return self._intervals.get(quantity, (bounds.low, bounds.high))

    def add(self, quantity: tuple[str, ...], amount: float) -> bool:
        """Change a quantity; False when no start lets it stay within its bounds."""
        bounds = self.domain.quantity(quantity[0])
        low, high = self.now(quantity)
        low, high = max(low + amount, bounds.low), min(high + amount, bounds.high)
        if low > high + _TOLERANCE:
            return False
        self._intervals[quantity] = (min(low, high), high)
        return True

    def book(self, timeline: str, what: str, start: float, minutes: float) -> Slot | None:
        """Take a slot; gives the one that is in the way, or None."""
        taken = self._slots.setdefault(timeline, [])
        slot = Slot(what, start, start + minutes)
        for other in taken:
            if slot.start < other.end and other.start < slot.end:
                return other
        taken.append(slot)
        return None

    def state(self) -> object:
        """The same again means that nothing has changed."""
        slots = [(timeline, *taken) for timeline, taken in self._slots.items()]
        return tuple(sorted(self._intervals.items())), tuple(slots)


def clock_text(minutes: float) -> str:
    """Minutes since midnight as `9:30 am`; the next day counts on."""
    whole = int(minutes % _DAY)
    hour, minute = divmod(whole, 60)
    half = "am" if hour < 12 else "pm"
    later = " the next day" if minutes >= _DAY else ""
    return f"{hour % 12 or 12}:{minute:02d} {half}{later}"


def range_text(low: float, high: float) -> str:
    """An interval as a phrase: `0.524`, or `-0.1 to 0.524`."""
    if abs(high - low) <= _TOLERANCE:
        return f"{high:.3g}"
    return f"{low:.3g} to {high:.3g}"
