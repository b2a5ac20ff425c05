"""Past-time temporal logic over the moments of a run, evaluated step by step.

A monitor keeps one truth value (or count) for each temporal part of its formula, so every step
costs the same.
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
    """A formula about the current moment alone."""

    atom: Atom

    def step(self, moment: Moment, memory: Memory) -> bool:
        return self.atom(moment)


@dataclass(frozen=True, eq=False)
class Opposite:
    inner: Formula

    def step(self, moment: Moment, memory: Memory) -> bool:
        return not self.inner.step(moment, memory)


@dataclass(frozen=True, eq=False)
class AllOf:
    left: Formula
    right: Formula

    def step(self, moment: Moment, memory: Memory) -> bool:
        left = self.left.step(moment, memory)
        right = _step(self.right, left, moment, memory)
        return left and right


@dataclass(frozen=True, eq=False)
class Earlier:
    """`held` was true at some earlier moment, and `unless` at no moment since."""

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
    """`counted` holds now, and has held at more than `limit` moments including this one."""

    limit: int
    counted: Formula

    def step(self, moment: Moment, memory: Memory) -> bool:
        now = self.counted.step(moment, memory)
        memory[id(self)] = memory.get(id(self), 0) + now
        return now and bool(memory[id(self)] > self.limit)


@dataclass(frozen=True, eq=False)
class Reached:
    """`counted` has held at `limit` or more moments up to and including this one."""

    limit: int
    counted: Formula

    def step(self, moment: Moment, memory: Memory) -> bool:
        before = memory.get(id(self), 0)
        memory[id(self)] = min(self.limit, before + self.counted.step(moment, memory))
        return bool(memory[id(self)] >= self.limit)


def _step(formula: Formula, decides: bool, moment: Moment, memory: Memory) -> bool:
    """Evaluate one step. Temporal parts must see every moment; other parts are evaluated only if
    they decide the result."""
    return (decides or _looks_back(formula)) and formula.step(moment, memory)


def _looks_back(formula: Formula) -> bool:
    match formula:
        case Opposite(inner):
            return _looks_back(inner)
        case AllOf(left, right):
            return _looks_back(left) or _looks_back(right)
    return isinstance(formula, (Earlier, MoreThan, Reached))


Formula = Now | Opposite | AllOf | Earlier | MoreThan | Reached
