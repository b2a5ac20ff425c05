"""Drawings show what they are given, where it belongs."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from roboinstruct_ros.evaluate.figures.estimate import Estimate
from roboinstruct_ros.evaluate.reports.svg import Dot, bars, dots, logarithmic


def drawn(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def of_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [one for one in root.iter() if name in one.get("class", "").split()]


def test_a_bar_is_as_long_as_its_share_and_its_interval_goes_over_its_end() -> None:
    half, whole = Estimate(0.5, 0.4, 0.6, 10), Estimate(1.0, 0.7, 1.0, 10)
    root = drawn(bars([("half", half), ("whole", whole), ("none", Estimate(None, 0, 1, 0))]))
    first, second = (float(bar.get("width", "")) for bar in of_class(root, "bar"))
    assert second == pytest.approx(2 * first)
    bar, interval = of_class(root, "bar")[0], of_class(root, "interval")[0]
    end = float(bar.get("x", "")) + first
    assert float(interval.get("x1", "")) < end < float(interval.get("x2", ""))
    assert [one.text for one in of_class(root, "value")] == ["50 % (40 to 60)", "100 % (70 to 100)"]


def test_a_bar_below_zero_goes_to_the_left() -> None:
    worse = Estimate(-0.1, -0.2, 0.0, 10)
    root = drawn(bars([("worse", worse)], (-0.2, 0.2), Estimate.points))
    (bar,), (zero,) = of_class(root, "bar"), of_class(root, "axis")
    assert float(bar.get("x", "")) + float(bar.get("width", "")) == float(zero.get("x1", ""))


def test_a_dot_stands_on_the_diagonal_where_confidence_comes_true() -> None:
    dot = Dot(0.7, Estimate(0.7, 0.5, 0.9, 10), "<0.7>")
    root = drawn(dots([dot], (0, 1), [(0, "0"), (1, "100")], ("sure", "right"), diagonal=True))
    (circle,), (line,) = of_class(root, "dot"), of_class(root, "diagonal")
    x1, x2, y1, y2 = (float(line.get(name, "")) for name in ("x1", "x2", "y1", "y2"))
    assert float(circle.get("cx", "")) == pytest.approx(x1 + 0.7 * (x2 - x1), abs=0.1)
    assert float(circle.get("cy", "")) == pytest.approx(y1 + 0.7 * (y2 - y1), abs=0.1)
    assert y2 < float(circle.get("cy", "")) < (y1 + y2) / 2  # SVG counts from the top
    assert circle[0].text == "<0.7>"


def test_the_numbers_under_a_logarithmic_axis_are_round() -> None:
    assert [word for _, word in logarithmic(0.3, 12)] == ["0.5", "1", "2", "5", "10"]
