"""The explored worlds as a tree: paths with the same beginning share it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from pydantic import BaseModel, ConfigDict

from roboinstruct_ros.verify.budget import Budget
from roboinstruct_ros.verify.explore.choices import Choices
from roboinstruct_ros.verify.explore.explorer import Explorer
from roboinstruct_ros.verify.explore.findings import PathEnd
from roboinstruct_ros.verify.explore.line_watch import LineWatch
from roboinstruct_ros.verify.question import Question
from roboinstruct_ros.verify.world.simulated_skills import SimulatedSkills

ROOT = 0


class NodeKind(str, Enum):
    """A step of a path, or a way for paths to end."""

    STEP = "step"
    ENDS = "ends"
    VIOLATION = "violation"
    AGAIN = "again"
    LEFT_OUT = "left_out"
    FOLDED = "folded"


class Node(BaseModel):
    """A step that paths have in common, or the end of some of them.

    Attributes:
        parent: index of the parent node; the root has its own index.
        text: plain English, one line.
        worlds: number of paths through this node; `violations` of them end with one.
        target: the node at which a path that returned to a state continues; else None.
    """

    kind: NodeKind
    parent: int
    text: str
    worlds: int = 0
    violations: int = 0
    target: int | None = None


class Tree(BaseModel):
    """The nodes, each after its parent; the first one is the root."""

    model_config = ConfigDict(frozen=True)
    nodes: tuple[Node, ...]


@dataclass
class TracedChoices(Choices):
    """Records the position in the story at which each question came up.

    Attributes:
        told: steps of the story so far.
        asked: (steps before it, subject, alternative taken, number of alternatives).
    """

    told: Callable[[], int] = lambda: 0
    asked: list[tuple[int, object, int, int]] = field(default_factory=list)

    def choose(self, alternatives: int, names: object = (), about: object = "") -> int:
        picked = super().choose(alternatives)
        if alternatives > 1:
            self.asked.append((self.told(), about, picked, alternatives))
        return picked

    def skip(self) -> None:
        super().skip()
        self.asked.append((self.told(), "rounds", 0, 1))


_NO_FURTHER = PathEnd((), "not tried further")


class TreeExplorer(Explorer):
    """Explores like `Explorer`, and records what the paths did.

    Args:
        most: nodes after which new ones are only counted.
    """

    def __init__(self, question: Question, budget: Budget, most: int) -> None:
        self._most = most
        super().__init__(question, budget)

    @property
    def tree(self) -> Tree:
        return Tree(nodes=tuple(self._growth.nodes))

    def _begin(self) -> None:
        super()._begin()
        self._growth = _Growth(self._most)

    def _choices(self, prefix: tuple[int, ...]) -> Choices:
        return TracedChoices(prefix, limit=self._budget.choices)

    def run(self, choices: Choices) -> SimulatedSkills:
        paths, ended = self.found.paths, len(self._ends.all)
        skills = super().run(choices)
        if self.found.paths > paths:
            end = self._ends.all[-1] if len(self._ends.all) > ended else _NO_FURTHER
            self._growth.add(choices, list(_steps(skills, choices)), end)
        return skills

    def _judge_endless(self) -> None:
        super()._judge_endless()
        for one in self.found.violations.values():
            if one.counterexample is not None:
                text = f"Line {one.line}: {one.code.value}: {one.message}"
                self._growth.is_bad(one.counterexample.choices, text)

    def _namespace(self, skills: SimulatedSkills, watch: LineWatch) -> dict[str, Any]:
        if isinstance(skills.choices, TracedChoices):
            skills.choices.told = lambda: skills.length
        return super()._namespace(skills, watch)


def _asked(choices: Choices) -> list[tuple[int, object, int, int]]:
    return choices.asked if isinstance(choices, TracedChoices) else []


def _steps(skills: SimulatedSkills, choices: Choices) -> Iterator[str]:
    """The story, including the decisions of chance and clock."""
    asked = list(_asked(choices))
    for number, step in enumerate((*skills.steps, "")):
        while asked and asked[0][0] <= number:
            spoken = _spoken(*asked.pop(0)[1:])
            if spoken:
                yield spoken
        if step:
            yield step


def _places(choices: Choices) -> Iterator[tuple[tuple[int, ...], int]]:
    """The choices before each question, and the number of our steps told by then."""
    spoken = 0
    for number, (told, about, picked, alternatives) in enumerate(_asked(choices)):
        yield choices.sequence[:number], told + spoken
        spoken += bool(_spoken(about, picked, alternatives))


def _spoken(about: object, picked: int, alternatives: int) -> str:
    """A choice in words; "" if a skill call tells of it."""
    if about == "random":
        return f"Chance: outcome {picked + 1} of {alternatives}."
    if about == "time":
        return f"Clock: {('a moment', 'a day')[picked]} later."
    return ""


class _Growth:
    """A tree under construction."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.nodes = [Node(kind=NodeKind.STEP, parent=ROOT, text="The program begins.")]
        self._children: dict[tuple[int, NodeKind, str, int | None], int] = {}
        self._asked_at: dict[tuple[int, ...], int] = {}
        self._ways: dict[tuple[int, ...], list[int]] = {}

    def add(self, choices: Choices, steps: list[str], end: PathEnd) -> None:
        """Add one path."""
        way = self._ways[choices.sequence] = [ROOT]
        if all(self._grow(way, NodeKind.STEP, step) for step in steps):
            for chosen, step in _places(choices):
                self._asked_at.setdefault(chosen, way[step])
            target = None if end.goal is None else self._asked_at.get(end.goal)
            self._grow(way, _kind(end), end.text, target)
        for node in way:
            self.nodes[node].worlds += 1
            self.nodes[node].violations += end.is_violation

    def is_bad(self, chosen: tuple[int, ...], text: str) -> None:
        """Mark the path of these choices as a violation."""
        way = self._ways.get(chosen, [ROOT])
        if self.nodes[way[-1]].kind in (NodeKind.AGAIN, NodeKind.LEFT_OUT):
            self.nodes[way[-1]].kind, self.nodes[way[-1]].text = NodeKind.VIOLATION, text
            for node in way:
                self.nodes[node].violations += 1

    def _grow(self, way: list[int], kind: NodeKind, text: str, target: int | None = None) -> bool:
        """Add a node; returns False if the tree is full."""
        key = (way[-1], kind, text, target)
        full = key not in self._children and len(self.nodes) >= self._most
        if full:
            kind, text, target = NodeKind.FOLDED, "", None
            key = (way[-1], kind, text, target)
        if key not in self._children:
            self._children[key] = len(self.nodes)
            self.nodes.append(Node(kind=kind, parent=way[-1], text=text, target=target))
        way.append(self._children[key])
        return not full


def _kind(end: PathEnd) -> NodeKind:
    if end.is_violation:
        return NodeKind.VIOLATION
    if end.goal is not None:
        return NodeKind.AGAIN
    return NodeKind.LEFT_OUT if end is _NO_FURTHER else NodeKind.ENDS
