"""The world that a simulated robot is in, where nothing but the domain file describes the robot."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from roboinstruct_ros.domain.answer import answer_in
from roboinstruct_ros.domain.configuration import Strict, Unit
from roboinstruct_ros.domain.literal_pattern import LiteralText


class Simulation(Strict):
    """What is so before the first task; what is not named here is drawn from a seed.

    Attributes:
        holds, holds_not: facts, such as `on_table(cup)`.
        chance: that a fact which is not named holds; 0 makes this a whole list.
        quantities: where they stand, such as `angle(left hand): 0.1`.
        seconds: that a skill takes which changes something.
    """

    holds: tuple[LiteralText, ...] = ()
    holds_not: tuple[LiteralText, ...] = ()
    chance: Annotated[float, Field(ge=0, le=1)] = 0.5
    quantities: dict[LiteralText, float] = Field(default_factory=dict)
    seconds: Annotated[float, Field(ge=0, le=3600), Unit("s")] = 1.0


class Scene(Strict):
    """Names of what is there, as far as they are known."""

    rooms: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    things: tuple[str, ...] = ()


class Example(Strict):
    """A task in words, and what is right to write for it, for prompts and for people to try.

    Attributes:
        program: the whole function; of an answer in words its body is one comment, see
            `domain/answer.py`.
        scene: where it is said; people cannot try it elsewhere.
    """

    instruction: str
    program: str
    scene: Scene | None = None

    @property
    def is_answer(self) -> bool:
        """Whether it is answered in words instead of a program."""
        return answer_in(self.program.partition("\n")[2]) is not None
