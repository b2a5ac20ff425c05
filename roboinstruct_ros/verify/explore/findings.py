"""What an exploration has found so far: violations, how each path has ended, what was left out."""

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
    """What was found in all worlds so far.

    Attributes:
        violations: the one with the shortest story for each code and line.
        finished: worlds in which the program came to its end.
        frontier: the first choice sequence that was not tried; None when all were.
        advice: (line, warning) to whether the call was of use in some world.
        assumed: what some world took for granted.
        slow_line: where the time ended, 0 between two worlds; None where it did not.
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
    """How a path has ended.

    Attributes:
        choices: of that path.
        text: plain English, one line.
        goal: choices that lead to the state from which it would go on; None where it is over.
    """

    choices: Sequence
    text: str
    goal: Sequence | None = None
    is_violation: bool = False


@dataclass
class PathEnds:
    """How each path has ended.

    Attributes:
        all: of those that were tried to their end.
        rounds: states of loops that paths came back to, with what to say if no way leads out.
    """

    all: list[PathEnd] = field(default_factory=list)
    rounds: dict[Sequence, Violation] = field(default_factory=dict)

    def endless(self, violated: Iterable[Sequence]) -> Iterator[Violation]:
        """The loops from which no way leads out.

        Args:
            violated: the choices of what was found wrong, which is an end too.
        """
        over = [*(end.choices for end in self.all if end.goal is None), *violated]
        ways = [(end.choices, end.goal) for end in self.all if end.goal is not None]
        for state, violation in self.rounds.items():
            origins = _reached(state, ways)
            if not any(begins(end, origin) for end in over for origin in origins):
                yield violation


def begins(sequence: Sequence, start: Sequence) -> bool:
    """Whether a path came through the state that the choices `start` lead to."""
    return sequence[: len(start)] == start


def _reached(state: Sequence, ways: list[tuple[Sequence, Sequence]]) -> set[Sequence]:
    """The states that paths from this one go on in."""
    origins, left = {state}, [state]
    while left:
        origin = left.pop()
        for end, goal in ways:  # what ended there goes on here
            if goal not in origins and begins(end, origin):
                origins.add(goal)
                left.append(goal)
    return origins
