"""What a path leaves open is decided here: facts, options, chance and time."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, TypeVar

from roboinstruct_ros.domain.skills import HERE, Skill
from roboinstruct_ros.verify.explore.line_watch import program_line
from roboinstruct_ros.verify.world.fairness import FairAnswers
from roboinstruct_ros.verify.world.path import Path
from roboinstruct_ros.verify.world.world import Literal, World

Answer = TypeVar("Answer", bound=Hashable)


class OpenQuestions:
    """Each is a choice, and a loop that asks again may get another answer.

    Attributes:
        fair: what waiting loops were answered.
    """

    def __init__(self, path: Path, world: World) -> None:
        self._path = path
        self._world = world
        self.fair = FairAnswers(path.question.facts.waiting_lines, self._tired, world.read)

    def decide(self, question: str, alternatives: int) -> int:
        """One of so many outcomes of chance or time."""
        return self._decided(program_line(), question, list(range(alternatives)), question)

    def option(self, skill: Skill, arguments: dict[str, Any]) -> str:
        """What a person answers."""
        (name,) = (p.name for p in skill.parameters if p.type == "options")
        options: list[str] = list(dict.fromkeys(arguments[name]))
        question = (str(arguments.get("question")), tuple(options), self._world.argument_of(HERE))
        return self._decided(self._path.line, question, options, "answer")

    def truth(self, literal: Literal) -> bool:
        """What the world says, which grows by it."""
        line = self._path.line
        changed = self.fair.waits_for(line, literal)
        self._world.changing |= changed
        known = None if changed else self._world.value(literal, surely=True)
        if known is not None:
            self.fair.note(line, literal, known)
            return known
        known = self._decided(line, literal, [True, False], literal)
        self._world.set(literal, known)
        return known

    def _decided(
        self, line: int, question: Hashable, answers: list[Answer], about: object
    ) -> Answer:
        allowed = self.fair.allowed(line, question, answers)
        taken = allowed[self._path.choices.choose(len(allowed), allowed, about)]
        self.fair.note(line, question, taken)
        return taken

    def _tired(self) -> None:
        if self._path.choices.tries_all:
            line = self._path.line or program_line()
            self._path.choices.leave_out(line, "this may be asked more often")
