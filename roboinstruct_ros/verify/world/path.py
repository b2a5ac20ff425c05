"""One path through a program: the choices, calls and story so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn

from roboinstruct_ros.domain.violation_code import ViolationCode
from roboinstruct_ros.program.wording import sentence
from roboinstruct_ros.verify.explore.choices import Choices
from roboinstruct_ros.verify.question import Question
from roboinstruct_ros.verify.story import Made, Tell, shortened


@dataclass(eq=False)
class ViolationFound(BaseException):
    """Ends a path. A BaseException, so that no handler of the program catches it."""

    code: ViolationCode
    line: int
    column: int
    message: str


@dataclass
class Path:
    """Shared by all parts that take part in a path.

    Attributes:
        calls: the skill calls so far.
        told: the story so far.
        line: of the current call.
    """

    question: Question
    choices: Choices
    calls: list[Made] = field(default_factory=list)
    told: list[Tell] = field(default_factory=list)
    line: int = 0

    def tell(self, tell: Tell) -> None:
        """Append a sentence to the story."""
        self.told.append(tell)

    def leave_out(self, reason: str) -> None:
        """Record that some world is not tried because of the current line."""
        self.choices.leave_out(self.line, reason)

    def fail(self, skill: str, code: ViolationCode, message: str) -> NoReturn:
        """End the path at a call of this skill in the current line. Raises ViolationFound."""
        column = self.question.facts.columns.get((self.line, skill), 0)
        raise ViolationFound(code, self.line, column, sentence(shortened(message, 400)))
