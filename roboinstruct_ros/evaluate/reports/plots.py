"""The drawings of a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log10

from markupsafe import Markup

from roboinstruct_ros.evaluate.figures.calibration import Calibration
from roboinstruct_ros.evaluate.figures.estimate import Estimate, share
from roboinstruct_ros.evaluate.figures.figures import Figures
from roboinstruct_ros.evaluate.reports.svg import Dot, bars, dots, logarithmic
from roboinstruct_ros.evaluate.runs.record import Record
from roboinstruct_ros.evaluate.suite.outcome import Outcome

_BINS = 8
_MOST_MARKS = 1000
"""Most items with individual marks; more would merge into a bar."""


@dataclass(frozen=True)
class Plot:
    """A drawing with its heading and caption."""

    title: str
    drawing: Markup
    caption: str = ""


def plots(figures: Figures, records: Sequence[Record]) -> Iterator[Plot]:
    """The drawings for which there is data."""
    for outcome, title in (
        (Outcome.RIGHT, "Right, by kind"),
        (Outcome.WRONG, "Wrong and accepted without a note, by kind"),
    ):
        yield Plot(title, bars([(row.name, row.outcomes[outcome]) for row in figures.rows]))
    if len(figures.pass_at) > 1:
        yield Plot("One of k samples right, and all of them", bars(_passing(figures)))
    if figures.generalization:
        below = "Further from the root the more steps; intervals draw whole families."
        shown = [(group.name, group.right) for group in figures.generalization]
        yield Plot("Right, by kind of change and distance from the root", bars(shown), below)
    if len(figures.by_attempt) > 1:
        attempts = [(_within(attempt), one) for attempt, one in figures.by_attempt.items()]
        yield Plot("Tasks right, by attempt", bars(attempts))
    if drawn := _latency(records):
        below = "Dots are of equally many items. Marks: above, items that are right; below, others."
        yield Plot("Right, by the time it took", drawn, below)
    if figures.calibration is not None:
        below = "The larger a dot, the more items. On the line, confidence is what comes true."
        yield Plot("Right, by confidence", _reliability(figures.calibration), below)


def differences(by_kind: dict[str, Estimate], all_of_it: Estimate) -> Markup:
    """B minus A by kind, in points, on an axis that includes every interval."""
    rows = [*by_kind.items(), ("all", all_of_it)]
    widest = max((max(-one.low, one.high) for _, one in rows), default=1.0)
    half = next(half for half in (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0) if half >= min(widest, 1.0))
    return bars(rows, (-half, half), Estimate.points)


def _passing(figures: Figures) -> list[tuple[str, Estimate]]:
    at = [(f"pass@{k}", one) for k, one in figures.pass_at.items()]
    return at + [(f"pass^{k}", one) for k, one in figures.pass_all.items() if k > 1]


def _within(attempt: int) -> str:
    return "at the first" if attempt == 1 else f"within {attempt}"


def _latency(records: Sequence[Record]) -> Markup | None:
    """At most a fixed number of dots, each for as many items, from the fastest to the slowest."""
    timed = sorted((one for one in records if one.seconds > 0), key=lambda one: one.seconds)
    if not timed or timed[0].seconds == timed[-1].seconds:
        return None
    count = min(_BINS, len(timed))
    edges = [len(timed) * number // count for number in range(count + 1)]
    bins = [timed[low:high] for low, high in pairwise(edges)]
    low, high = timed[0].seconds, timed[-1].seconds
    marks: tuple[list[float], list[float]] = ([], [])
    if len(timed) <= _MOST_MARKS:
        for one in timed:
            marks[not one.right].append(log10(one.seconds))
    names = ("seconds", "right, %")
    ends = (log10(low), log10(high))
    return dots([_slow(some) for some in bins], ends, logarithmic(low, high), names, strips=marks)


def _slow(some: Sequence[Record]) -> Dot:
    one = share((record.key.task, record.right) for record in some)
    median = some[len(some) // 2].seconds
    title = f"{some[0].seconds:g} to {some[-1].seconds:g} s: {one.percent()}, {one.count} items"
    return Dot(log10(median), one, title)


def _reliability(calibration: Calibration) -> Markup:
    shown = [
        Dot(one.confidence, one.right, f"{one.low} to {one.high}: {one.right.percent()}, "
            f"{one.right.count} items")
        for one in calibration.ranges
    ]  # fmt: skip
    ticks = [(tick / 100, str(tick)) for tick in (0, 25, 50, 75, 100)]
    return dots(shown, (0.0, 1.0), ticks, ("confidence, %", "right, %"), diagonal=True)
