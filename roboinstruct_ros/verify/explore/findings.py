"""The findings of an exploration so far: violations, ends of paths, omissions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from roboinstruct_ros.domain.violation_code import ViolationCode
from roboinstruct_ros.program.violation import Violation
from roboinstruct_ros.verify.explore.line_watch import Reached
from roboinstruct_ros.verify.world.assumptions import Assumed

Sequence = tuple[int, ...]
"""The choices of a path."""


@dataclass
class Exploration:
    """The findings in all worlds so far.

    Attributes:
        violations: by code and line, each with the shortest story.
        finished: number of worlds in which the program ended.
        frontier: the first choice sequence that was not tried; None if all were.
        advice: (line, warning) to whether the call was useful in some world.
        assumed: what some world took for granted.
        slow_line: the line at which time ran out, 0 between two worlds; None if it did not.
        left_out: (line, reason) why worlds were left out; line 0 for the whole program.
    """

    violations: dict[tuple[ViolationCode, int], Violation] = field(default_factory=dict)
    paths: int = 0
    finished: int = 0
    exhaustive: bool = False
    frontier: tuple[int, ...] | None = None
    slow_line: int | None = None
    waited: bool = False
    holds: dict[str, None] = field(default_factory=dict)
    advice: dict[tuple[int, str], bool] = field(default_factory=dict)
    assumed: dict[Assumed, None] = field(default_factory=dict)
    reached: Reached = field(default_factory=Reached)
    left_out: dict[tuple[int, str], None] = field(default_factory=dict)


@dataclass(frozen=True)
class PathEnd:
    """The end of a path.

    Attributes:
        choices: of that path.
        text: plain English, one line.
        goal: choices that lead to the state from which the path would continue; None if it ended
            for good.
    """

    choices: Sequence
    text: str
    goal: Sequence | None = None
    is_violation: bool = False


@dataclass
class PathEnds:
    """The ends of all paths.

    Attributes:
        all: the paths that were tried to their end.
        rounds: loop states to which paths returned, each with the violation to report if no path
            leads out.
    """

    all: list[PathEnd] = field(default_factory=list)
    rounds: dict[Sequence, Violation] = field(default_factory=dict)

    def endless(self, violated: Iterable[Sequence]) -> Iterator[Violation]:
        """Yield the violations for loops that no path leaves.

        Args:
            violated: the choices of violations, which end a path too.
        """
        over = [*(end.choices for end in self.all if end.goal is None), *violated]
        ways = [(end.choices, end.goal) for end in self.all if end.goal is not None]
        for state, violation in self.rounds.items():
            origins = _reached(state, ways)
            if not any(begins(end, origin) for end in over for origin in origins):
                yield violation


def begins(sequence: Sequence, start: Sequence) -> bool:
    """Whether a path passed through the state that the choices `start` lead to."""
    return sequence[: len(start)] == start


def _reached(state: Sequence, ways: list[tuple[Sequence, Sequence]]) -> set[Sequence]:
    """The states in which paths from this one continue."""
    origins, left = {state}, [state]
    while left:
        origin = left.pop()
        for end, goal in ways:  # a path that ended there continues here
            if goal not in origins and begins(end, origin):
                origins.add(goal)
                left.append(goal)
    return origins
