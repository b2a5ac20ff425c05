"""Past-time temporal logic over the moments of a run, evaluated step by step.

A monitor keeps one truth value (or count) for each temporal part of its formula, so a step costs
the same at the thousandth moment as at the first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Moment = Any
Memory = dict[int, Any]
Atom = Callable[[Moment], bool]


@dataclass(frozen=True, eq=False)
class Now:
    """Something that the moment itself shows."""

    atom: Atom

    def step(self, moment: Moment, memory: Memory) -> bool:
        return self.atom(moment)


@dataclass(frozen=True, eq=False)
class Opposite:
    """Not."""

    inner: Formula

    def step(self, moment: Moment, memory: Memory) -> bool:
        return not self.inner.step(moment, memory)


@dataclass(frozen=True, eq=False)
class AllOf:
    """And."""

    left: Formula
    right: Formula

    def step(self, moment: Moment, memory: Memory) -> bool:
        left = self.left.step(moment, memory)
        right = _step(self.right, left, moment, memory)
        return left and right


@dataclass(frozen=True, eq=False)
class Earlier:
    """`held` at some moment before this one, and `unless` at none since then."""

    held: Formula
    unless: Formula | None = None

    def step(self, moment: Moment, memory: Memory) -> bool:
        before = bool(memory.get(id(self), False))
        ended = self.unless is not None and _step(self.unless, before, moment, memory)
        kept = before and not ended
        now = _step(self.held, not kept, moment, memory)
        memory[id(self)] = kept or now
        return before


@dataclass(frozen=True, eq=False)
class MoreThan:
    """`counted` has held at more than `limit` moments, this one the last."""

    limit: int
    counted: Formula

    def step(self, moment: Moment, memory: Memory) -> bool:
        now = self.counted.step(moment, memory)
        memory[id(self)] = memory.get(id(self), 0) + now
        return now and bool(memory[id(self)] > self.limit)


@dataclass(frozen=True, eq=False)
class Reached:
    """`counted` has held at `limit` moments or more, this one among them."""

    limit: int
    counted: Formula

    def step(self, moment: Moment, memory: Memory) -> bool:
        before = memory.get(id(self), 0)
        memory[id(self)] = min(self.limit, before + self.counted.step(moment, memory))
        return bool(memory[id(self)] >= self.limit)


def _step(formula: Formula, decides: bool, moment: Moment, memory: Memory) -> bool:
    """What looks back must see every moment; the rest is looked at only when it decides."""
    return (decides or _looks_back(formula)) and formula.step(moment, memory)


def _looks_back(formula: Formula) -> bool:
    match formula:
        case Opposite(inner):
            return _looks_back(inner)
        case AllOf(left, right):
            return _looks_back(left) or _looks_back(right)
    return isinstance(formula, (Earlier, MoreThan, Reached))


Formula = Now | Opposite | AllOf | Earlier | MoreThan | Reached
