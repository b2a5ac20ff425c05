"""Decides what a path leaves open: facts, options, chance and time.

Each decision is a choice. A loop that asks again may get another answer.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from roboinstruct_ros.domain.skills import HERE
from roboinstruct_ros.sandbox.chance import Chance
from roboinstruct_ros.sandbox.namespace import program_line
from roboinstruct_ros.verify.explore.choices import Choices
from roboinstruct_ros.verify.world.path import Path
from roboinstruct_ros.verify.world.skill_arguments import Call
from roboinstruct_ros.verify.world.world import Literal, World

Answer = TypeVar("Answer", bound=Hashable)
Site = tuple[int, Hashable]
"""A line of a waiting loop, and the question asked there."""

FEW = 6
"""Up to this number, all outcomes are tried; of more, the first, the middle and the last."""

_SOON, _LATE = 1.0, 86_400.0  # s between two readings of the clock
_SOME_TIME = 1_700_000_000.0  # s since the epoch


@dataclass(eq=False)
class OpenQuestions:
    """The open questions of one path.

    Attributes:
        tired: no further answers are tried: each question of a waiting loop gets its least recent
            answer.
    """

    _path: Path
    _world: World
    tired: bool = False
    _given: dict[Site, list[Hashable]] = field(default_factory=dict)
    """The answers given in waiting loops."""

    def __post_init__(self) -> None:
        self._waiting = self._path.question.facts.waiting_lines

    @property
    def sites(self) -> frozenset[Hashable]:
        """Where something was asked, so that asking again may give another answer."""
        return frozenset(self._given)

    def decide(self, question: str, alternatives: int) -> int:
        """One of `alternatives` outcomes of chance or time."""
        return self._decided(program_line(), question, list(range(alternatives)), question)

    def option(self, call: Call) -> str:
        """The option that a person chooses."""
        options: list[str] = list(dict.fromkeys(call.skill.options_in(call.arguments)))
        here = self._world.argument_of(HERE)
        question = (str(call.arguments.get("question")), tuple(options), here)
        return self._decided(self._path.line, question, options, "answer")

    def truth(self, literal: Literal) -> bool:
        """The truth of a literal, which becomes part of the world."""
        line = self._path.line
        asked_before = line in self._waiting and (line, literal) in self._given
        if line in self._waiting:
            self._world.read.asked.add((line, literal))
        self._world.changing |= asked_before  # time has passed since the last answer
        known = None if asked_before else self._world.value(literal, surely=True)
        if known is not None:
            self.note(line, literal, known)
            return known
        known = self._decided(line, literal, [True, False], literal)
        self._world.set(literal, known)
        return known

    def note(self, line: int, question: Hashable, answer: Hashable) -> None:
        """Remember an answer."""
        if line in self._waiting:
            self._given.setdefault((line, question), []).append(answer)

    def forget(self, question: Hashable) -> None:
        """Forget the answers: the robot itself has changed the fact in question."""
        for site in [site for site in self._given if site[1] == question]:
            del self._given[site]

    def _decided(
        self, line: int, question: Hashable, answers: list[Answer], about: object
    ) -> Answer:
        if self.tired and line in self._waiting and len(answers) > 1:
            answers = [self._longest_ago(line, question, answers)]
        taken = answers[self._path.choices.choose(len(answers), answers, about)]
        self.note(line, question, taken)
        return taken

    def _longest_ago(self, line: int, question: Hashable, answers: list[Answer]) -> Answer:
        choices = self._path.choices
        if choices.tries_all:
            choices.leave_out(self._path.line or program_line(), "this may be asked more often")
        self._world.read.is_all = True
        given = self._given.get((line, question), [])[::-1]
        return max(answers, key=lambda one: given.index(one) if one in given else len(given))


def imagined_chance(questions: OpenQuestions, choices: Choices) -> Chance:
    """`random`, in which each outcome is a world of its own."""
    return Chance(partial(_index, questions, choices), partial(_some, questions, choices))


def _index(questions: OpenQuestions, choices: Choices, count: int) -> int:
    if count <= FEW:
        return questions.decide("random", count)
    choices.leave_out(program_line(), f"of {count} random outcomes, three are tried")
    return (0, count // 2, count - 1)[questions.decide("random", 3)]


def _some(questions: OpenQuestions, choices: Choices) -> float:
    """Tries both ends and the middle."""
    choices.leave_out(program_line(), "of all random numbers, three are tried")
    return (0.0, 0.5, 1.0 - 2.0**-53)[questions.decide("random", 3)]


@dataclass(eq=False)
class ImaginedClock:
    """Implements `time.time`: between two readings, a moment or a day passes.

    Attributes:
        slept: s that the program has waited.

    Args:
        _real: returns what the real run read here, s since the epoch; None if unknown.
    """

    _questions: OpenQuestions
    _path: Path
    _real: Callable[[], float | None]
    slept: float = 0.0
    _now: float = _SOME_TIME
    _looked: bool = False

    def state(self) -> object:
        """What the next reading depends on; None before the first reading."""
        return self._now if self._looked else None

    def sleep(self, seconds: float) -> None:
        self._now += seconds
        self.slept += seconds

    def time(self) -> float:
        """s since the epoch."""
        real = self._real()
        if real is None:
            self._path.choices.leave_out(program_line(), "a clock may show any time")
            if self._looked:
                self._now += (_SOON, _LATE)[self._questions.decide("time", 2)]
        self._now = self._now if real is None else real
        self._looked = True
        return self._now
