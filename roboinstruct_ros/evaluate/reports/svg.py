"""Drawings as inline SVG: bars and dots with intervals. The page sets the colours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import log10, sqrt

from markupsafe import Markup

from roboinstruct_ros.evaluate.figures.estimate import Estimate

# px
_ROW, _FOOT = 26, 26
_LABEL, _BARS, _LETTER = 140, 180, 6.4
_EDGE, _WIDE, _HIGH = 44, 360, 300


@dataclass(frozen=True)
class Dot:
    """A share at a number, with its interval."""

    at: float
    share: Estimate
    title: str


def bars(
    rows: Sequence[tuple[str, Estimate]],
    span: tuple[float, float] = (0.0, 1.0),
    told: Callable[[Estimate], str] = Estimate.percent,
) -> Markup:
    """A bar from zero for each row, with its interval, and the figure on the right.

    Args:
        span: the values at the ends of the axis.
        told: formats a figure.
    """
    shown = [(name, one, one.value) for name, one in rows if one.value is not None]
    low, high = span

    def x(value: float) -> float:
        return _LABEL + _BARS * (value - low) / (high - low)

    foot = _ROW * len(shown)
    width = _LABEL + _BARS + 14 + _LETTER * max((len(told(one)) for _, one, _ in shown), default=0)
    parts = [
        _line(x(tick), 0, x(tick), foot, "axis" if tick == 0 else "grid")
        + _text(x(tick), foot + 17, f"{100 * tick:.0f}", "tick middle")
        for tick in _ticks(low, high)
    ]
    for row, (name, one, value) in enumerate(shown):
        middle = _ROW * (row + 0.5)
        (left, right), ends = sorted((x(0), x(value))), (one.low, one.high)
        parts += [
            _text(_LABEL - 8, middle + 4, _cut(name), "label end"),
            _element("rect", x=left, y=middle - 7, width=right - left, height=14, css="bar"),
            _line(x(one.low), middle, x(one.high), middle, "interval"),
            *(_line(x(end), middle - 4, x(end), middle + 4, "interval") for end in ends),
            _text(_LABEL + _BARS + 10, middle + 4, told(one), "value"),
            _title(middle - _ROW / 2, width, f"{name}: {told(one)}, {one.count} items"),
        ]
    return _drawing(width, foot + _FOOT, parts)


def dots(
    shown: Sequence[Dot],
    ends: tuple[float, float],
    ticks: Sequence[tuple[float, str]],
    names: tuple[str, str],
    diagonal: bool = False,
    strips: tuple[Sequence[float], Sequence[float]] = ((), ()),
) -> Markup:
    """Shares from 0 to 1 over numbers; the size of a dot shows its number of items.

    Args:
        ends: the numbers at the ends of the axis.
        ticks: numbers below it, with their labels.
        names: of the axes.
        diagonal: draw the line on which share and number are equal.
        strips: numbers that are marked above and below the drawing.
    """
    most = max((dot.share.count for dot in shown), default=1)

    def x(number: float) -> float:
        return _EDGE + _WIDE * (number - ends[0]) / (ends[1] - ends[0])

    def y(share: float) -> float:
        return 12 + _HIGH * (1 - share)

    parts = _frame(x, y, ends, ticks, names)
    if diagonal:
        parts.append(_line(x(ends[0]), y(0), x(ends[1]), y(1), "diagonal"))
    for numbers, top, css in ((strips[0], 2, "right"), (strips[1], y(0) + 2, "wrong")):
        parts += [_line(x(number), top, x(number), top + 7, f"strip {css}") for number in numbers]
    for dot in shown:
        if dot.share.value is None:
            continue
        parts += [
            _line(x(dot.at), y(dot.share.low), x(dot.at), y(dot.share.high), "interval"),
            _element(
                "circle",
                cx=x(dot.at),
                cy=y(dot.share.value),
                r=3 + 6 * sqrt(dot.share.count / most),
                css="dot",
                inside=f"<title>{escape(dot.title)}</title>",
            ),
        ]
    return _drawing(_EDGE + _WIDE + 16, _HIGH + 64, parts)


def curves(
    lines: Sequence[tuple[str, Sequence[tuple[float, float]]]], names: tuple[str, str]
) -> Markup:
    """Lines through non-negative points; each line's name is at its end.

    Args:
        lines: by their names, in the order of x.
        names: of the axes.
    """
    points = [point for _, some in lines for point in some]
    most = max((y for _, y in points), default=1.0) or 1.0
    ends = min(x for x, _ in points), max(max(x for x, _ in points), min(x for x, _ in points) + 1)

    def x(number: float) -> float:
        return _EDGE + _WIDE * (number - ends[0]) / (ends[1] - ends[0])

    def y(value: float) -> float:
        return 12 + _HIGH * (1 - value / most)

    ticks = [(tick, f"{tick:.0f}") for tick in _ticks(*ends)]
    parts = _frame(
        x, lambda share: y(share * most), ends, ticks, names, lambda share: f"{share * most:.2g}"
    )
    for number, (name, some) in enumerate(lines):
        through = " ".join(f"{x(at):.1f},{y(value):.1f}" for at, value in some)
        at, value = some[-1]
        parts.append(f'<polyline class="curve curve{number}" points="{through}"/>')
        parts.append(_text(x(at) - 4, y(value) - 6, f"{name} {value:.3f}", "tick end"))
    return _drawing(_EDGE + _WIDE + 16, _HIGH + 64, parts)


def logarithmic(low: float, high: float) -> list[tuple[float, str]]:
    """The positions of 1, 2, 5, 10, ... between two positive numbers."""
    numbers = [digit * 10.0**power for power in range(-4, 6) for digit in (1, 2, 5)]
    return [(log10(number), f"{number:g}") for number in numbers if low <= number <= high]


def _frame(
    x: Callable[[float], float],
    y: Callable[[float], float],
    ends: tuple[float, float],
    ticks: Iterable[tuple[float, str]],
    names: tuple[str, str],
    told: Callable[[float], str] = lambda share: f"{100 * share:.0f}",
) -> list[str]:
    parts = []
    for share in (0, 0.25, 0.5, 0.75, 1):
        parts.append(_line(x(ends[0]), y(share), x(ends[1]), y(share), "grid"))
        parts.append(_text(x(ends[0]) - 6, y(share) + 4, told(share), "tick end"))
    for number, word in ticks:
        parts.append(_line(x(number), y(0), x(number), y(0) + 4, "axis"))
        parts.append(_text(x(number), y(0) + 24, word, "tick middle"))
    parts.append(_text((x(ends[0]) + x(ends[1])) / 2, y(0) + 46, names[0], "label middle"))
    parts.append(
        f'<text class="label middle" transform="translate(12 {y(0.5):.1f}) rotate(-90)">'
        f"{escape(names[1])}</text>"
    )
    return parts


def _ticks(low: float, high: float) -> list[float]:
    """Quarters of the axis, including zero."""
    return [low + (high - low) * quarter / 4 for quarter in range(5)]


def _drawing(width: float, height: float, parts: Iterable[str]) -> Markup:
    inside = "\n".join(parts)
    return Markup(  # every text in it has been escaped
        f'<svg viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" '
        f'role="img">\n{inside}\n</svg>'
    )


def _element(name: str, css: str, inside: str = "", **numbers: float) -> str:
    placed = " ".join(f'{key}="{number:.1f}"' for key, number in numbers.items())
    return f'<{name} class="{css}" {placed}>{inside}</{name}>'


def _line(x1: float, y1: float, x2: float, y2: float, css: str) -> str:
    return _element("line", css, x1=x1, y1=y1, x2=x2, y2=y2)


def _text(x: float, y: float, text: str, css: str) -> str:
    return _element("text", css, escape(text), x=x, y=y)


def _title(y: float, width: float, text: str) -> str:
    """The tooltip of a row."""
    inside = f"<title>{escape(text)}</title>"
    return _element("rect", "over", inside, x=0, y=y, width=width, height=_ROW)


def _cut(name: str, most: int = 22) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"
