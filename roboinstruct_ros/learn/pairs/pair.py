"""One example of what a model learns: a scene, an instruction and the program that does it."""

from __future__ import annotations

from dataclasses import dataclass

from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.generate.prompts.prompt import RobotTask
from roboinstruct_ros.generate.prompts.surroundings import NOWHERE, Surroundings
from roboinstruct_ros.learn.pairs.scene import Scene


@dataclass(frozen=True)
class Pair:
    """What a person types in a scene, and what the model is to answer.

    Attributes:
        family: The parts that the pair is composed of, joined by `+`.
        program: The whole function; an answer that is no program has a body of one comment.
    """

    family: str
    scene: Scene
    instruction: str
    program: str

    @property
    def prompt(self) -> str:
        """What the model is given."""
        return prompt_for(self.scene, self.instruction)

    @property
    def completion(self) -> str:
        """What the model has to write: the body of the function."""
        return self.program.split("\n", 1)[1]


def prompt_for(scene: Scene, instruction: str) -> str:
    """The prompt of the format `robot_task`."""
    there = Surroundings(
        rooms=scene.rooms,
        objects=scene.things,
        people=scene.people,
        here=scene.here,
        holding=scene.holding,
    )
    return str(RobotTask(there if scene.told else NOWHERE).first(Instruction(instruction)))
