"""The graph of tasks and the variations made from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any


class Change(str, Enum):
    """The part of a task that a variation changes.

    SEMANTIC: the words, and what they name. WORLD: where things are, who answers what, what fails;
    the words stay. BEHAVIOUR: the calls of a correct program.
    """

    SEMANTIC = "semantic"
    WORLD = "world"
    BEHAVIOUR = "behaviour"


@dataclass(frozen=True)
class Step:
    """A task and the operator that made it from its parent.

    Attributes:
        operator: its name in the documentation.
        arguments: its arguments.
    """

    task: str
    parent: str
    change: Change
    operator: str
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """The form used in the suite's YAML."""
        told = {"task": self.task, "parent": self.parent, "change": self.change.value}
        return {**told, "operator": self.operator, "arguments": dict(self.arguments)}


@dataclass(frozen=True)
class Lineage:
    """The step to every task that is not a root, in order of creation."""

    steps: tuple[Step, ...] = ()

    @classmethod
    def read(cls, rows: Sequence[Mapping[str, Any]]) -> Lineage:
        """Parse a suite's `lineage`.

        Raises:
            ValueError: a row has another form, or the graph has a cycle.
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
        """The steps from the root to the task; empty for a root.

        Raises:
            ValueError: the graph has a cycle.
        """
        steps: list[Step] = []
        while step := self._by_task.get(task):
            if step in steps:
                raise ValueError(f"lineage: {task} is made of itself")
            steps.insert(0, step)
            task = step.parent
        return steps

    def root(self, task: str) -> str:
        """The root of the task's family."""
        path = self.path(task)
        return path[0].parent if path else task

    def mermaid(self) -> str:
        """The graph in Mermaid notation, which Markdown viewers draw."""
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
