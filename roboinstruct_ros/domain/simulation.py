"""The world of a simulated robot that is described by its domain file alone."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from roboinstruct_ros.domain.answer import answer_in
from roboinstruct_ros.domain.configuration import Strict, Unit
from roboinstruct_ros.domain.literal_pattern import LiteralText


class Simulation(Strict):
    """The state before the first task; unnamed facts and quantities are drawn from a seed.

    Attributes:
        holds, holds_not: facts, such as `on_table(cup)`.
        chance: probability that an unnamed fact holds; with 0 the list is complete.
        quantities: initial values, such as `angle(left hand): 0.1`.
        seconds: duration in s of a skill that changes something.
    """

    holds: tuple[LiteralText, ...] = ()
    holds_not: tuple[LiteralText, ...] = ()
    chance: Annotated[float, Field(ge=0, le=1)] = 0.5
    quantities: dict[LiteralText, float] = Field(default_factory=dict)
    seconds: Annotated[float, Field(ge=0, le=3600), Unit("s")] = 1.0


class Scene(Strict):
    """The names of what is present, as far as known."""

    rooms: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    things: tuple[str, ...] = ()


class Example(Strict):
    """A task in words and a correct program for it, for prompts and as a suggestion to people.

    Attributes:
        program: the complete function; for an answer in words its body is one comment, see
            `domain/answer.py`.
        scene: where the task is said; an example with a scene is not suggested to people.
    """

    instruction: str
    program: str
    scene: Scene | None = None

    @property
    def is_answer(self) -> bool:
        """Whether the task is answered in words instead of a program."""
        return answer_in(self.program.partition("\n")[2]) is not None
