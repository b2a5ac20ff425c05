"""Grows families: variations of each task of a suite, and variations of these."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from roboinstruct_ros.evaluate.families import elsewhere, stages, words
from roboinstruct_ros.evaluate.families.lineage import Change, Lineage, Step
from roboinstruct_ros.evaluate.families.task import Operator, Task, Variant, changed
from roboinstruct_ros.evaluate.suite.case import Place

OPERATORS: dict[Change, tuple[str, ...]] = {
    Change.SEMANTIC: tuple(words.OPERATORS),
    Change.WORLD: tuple(elsewhere.CHANGES),
    Change.BEHAVIOUR: tuple(stages.OPERATORS),
}
"""Names of the operators of each kind."""

_OF_WORDS_AND_STAGES: dict[str, Operator] = {**words.OPERATORS, **stages.OPERATORS}


class Admit(Protocol):
    """Judges variations."""

    def __call__(self, task: Task) -> str:
        """Why the task is not admitted; "" if it is."""

    def is_right(self, task: Task) -> bool:
        """Whether the reference is right in all the task's worlds."""


_MOST_TRIES = 4
"""Most variants of one operator that are checked, per parent."""


@dataclass(frozen=True)
class Families:
    """The result of growing.

    Attributes:
        tasks: roots and variations, each after its parent.
        refused: number of refused variations, by operator and reason.
    """

    tasks: tuple[Task, ...]
    lineage: Lineage
    refused: Counter[tuple[str, str]] = field(default_factory=Counter)


def grow(
    roots: Mapping[str, tuple[Task, Place]], admit: Admit, each: int, depth: int, seed: int
) -> Families:
    """Grow families from these roots.

    Args:
        roots: tasks whose answer is a program, by name, with their places.
        each: variations of each kind of change, per parent; fewer if fewer are admitted.
        depth: steps from the root to the last generation.
        seed: the same seed gives the same families.
    """
    growth = _Growth(admit, each, seed)
    for name, (task, place) in roots.items():
        growth.begin(task)
        parents = [name]
        for _ in range(depth):
            parents = [child for parent in parents for child in growth.children(parent, place)]
    return Families(tuple(growth.tasks.values()), Lineage(tuple(growth.steps)), growth.refused)


class _Growth:
    def __init__(self, admit: Admit, each: int, seed: int) -> None:
        self._admit, self._each, self._seed = admit, each, seed
        self.tasks: dict[str, Task] = {}
        self.steps: list[Step] = []
        self.refused: Counter[tuple[str, str]] = Counter()
        self._seen: set[str] = set()

    def begin(self, root: Task) -> None:
        self.tasks[root["name"]] = root
        self._seen.add(_digest(root))

    def children(self, parent: str, place: Place) -> list[str]:
        """Names of the admitted variations, of every kind of change."""
        return [name for change in Change for name in self._of_a_kind(change, parent, place)]

    def _of_a_kind(self, change: Change, parent: str, place: Place) -> Iterator[str]:
        chance = random.Random(f"{self._seed} {parent} {change.value}")
        operators = OPERATORS[change]
        admitted = 0
        for operator in chance.sample(operators, len(operators)):
            if admitted == self._each:
                return
            if name := self._first(change, operator, parent, place, chance):
                admitted += 1
                yield name

    def _first(
        self, change: Change, operator: str, parent: str, place: Place, chance: random.Random
    ) -> str:
        """Name of the first admitted variation by an operator; "" if there is none."""
        tries = 0
        for variant in self._variants(operator, self.tasks[parent], place, chance):
            digest = _digest(variant.task)
            if digest in self._seen:
                continue
            self._seen.add(digest)
            name = f"{parent}-{operator}"
            task = changed(variant.task, name=name)
            if why := self._admit(task):
                self.refused[operator, why] += 1
            else:
                self.tasks[name] = task
                self.steps.append(Step(name, parent, change, operator, variant.arguments))
                return name
            tries += 1
            if tries == _MOST_TRIES:
                break
        return ""

    def _variants(
        self, operator: str, task: Task, place: Place, chance: random.Random
    ) -> Iterator[Variant]:
        if operator in _OF_WORDS_AND_STAGES:
            return _OF_WORDS_AND_STAGES[operator](task, place, chance)
        change = elsewhere.CHANGES[operator]
        return elsewhere.other_worlds(change, task, place, chance, self._admit.is_right)


def _digest(task: Task) -> str:
    """Equal for tasks that differ in name only: a change that leads back is not a variation."""
    told: dict[str, Any] = {field: task[field] for field in task if field != "name"}
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
