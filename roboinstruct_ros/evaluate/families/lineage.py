"""Which task was made of which, by what, as a graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from roboinstruct_ros.evaluate.families.task import Change


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


class Lineage:
    """The steps to every task that is no root."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self._steps = {step.task: step for step in steps}

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
        lineage = cls(steps)
        for step in steps:
            lineage.path(step.task)
        return lineage

    @property
    def steps(self) -> tuple[Step, ...]:
        """In the order in which they were made."""
        return tuple(self._steps.values())

    def path(self, task: str) -> list[Step]:
        """The steps from its root to the task; none for a root.

        Raises:
            ValueError: it goes round in a circle.
        """
        steps: list[Step] = []
        while step := self._steps.get(task):
            if step in steps:
                raise ValueError(f"lineage: {task} is made of itself")
            steps.insert(0, step)
            task = step.parent
        return steps

    def root(self, task: str) -> str:
        """The task that it all began with."""
        path = self.path(task)
        return path[0].parent if path else task

    def changes(self, task: str) -> frozenset[Change]:
        """The kinds of changes between the root and the task."""
        return frozenset(step.change for step in self.path(task))

    def mermaid(self) -> str:
        """The graph, as Markdown viewers draw it."""
        lines = ["graph LR"]
        for step in self.steps:
            told = ", ".join(_told(value) for value in step.arguments.values())
            label = f"{step.operator} {told}".strip().replace('"', "'")
            style = _ARROWS[step.change]
            lines.append(f'    {step.parent} {style}|"{label}"| {step.task}')
        return "\n".join(lines) + "\n"


_ARROWS = {Change.SEMANTIC: "-->", Change.WORLD: "-.->", Change.BEHAVIOUR: "==>"}


def _told(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
