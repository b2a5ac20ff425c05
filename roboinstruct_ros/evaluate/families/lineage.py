"""Which task was made of which, by what, as a graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any


class Change(str, Enum):
    """What of a task a variation changes.

    SEMANTIC: the words, and what they name. WORLD: where things are, who answers what, what fails;
    the words stay. BEHAVIOUR: the calls that a right program makes.
    """

    SEMANTIC = "semantic"
    WORLD = "world"
    BEHAVIOUR = "behaviour"


@dataclass(frozen=True)
class Step:
    """A task and how it was made of its parent.

    Attributes:
        operator: its name, as the documentation lists them.
        arguments: what it was given.
    """

    task: str
    parent: str
    change: Change
    operator: str
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """As the suite's YAML has it."""
        told = {"task": self.task, "parent": self.parent, "change": self.change.value}
        return {**told, "operator": self.operator, "arguments": dict(self.arguments)}


@dataclass(frozen=True)
class Lineage:
    """The step to every task that is no root, in the order in which they were made."""

    steps: tuple[Step, ...] = ()

    @classmethod
    def read(cls, rows: Sequence[Mapping[str, Any]]) -> Lineage:
        """What a suite's `lineage` says.

        Raises:
            ValueError: a row is of another form, or tasks are made of each other in a circle.
        """
        try:
            steps = [Step(**{**row, "change": Change(row["change"])}) for row in rows]
        except (TypeError, KeyError, ValueError) as error:
            raise ValueError(f"lineage: {error}") from None
        lineage = cls(tuple(steps))
        for step in steps:
            lineage.path(step.task)
        return lineage

    @cached_property
    def _by_task(self) -> dict[str, Step]:
        return {step.task: step for step in self.steps}

    def path(self, task: str) -> list[Step]:
        """The steps from its root to the task; none for a root.

        Raises:
            ValueError: it goes round in a circle.
        """
        steps: list[Step] = []
        while step := self._by_task.get(task):
            if step in steps:
                raise ValueError(f"lineage: {task} is made of itself")
            steps.insert(0, step)
            task = step.parent
        return steps

    def root(self, task: str) -> str:
        """The task that it all began with."""
        path = self.path(task)
        return path[0].parent if path else task

    def mermaid(self) -> str:
        """The graph, as Markdown viewers draw it."""
        lines = ["graph LR"]
        for step in self.steps:
            told = ", ".join(_told(value) for value in step.arguments.values())
            label = f"{step.operator} {told}".strip().replace('"', "'")
            lines.append(f'    {step.parent} {_ARROWS[step.change]}|"{label}"| {step.task}')
        return "\n".join(lines) + "\n"


NO_LINEAGE = Lineage()

_ARROWS = {Change.SEMANTIC: "-->", Change.WORLD: "-.->", Change.BEHAVIOUR: "==>"}


def _told(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
