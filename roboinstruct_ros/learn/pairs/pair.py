"""One training example: a scene, an instruction and the program that carries it out."""

from __future__ import annotations

from dataclasses import dataclass

from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.generate.prompts.prompt import RobotTask
from roboinstruct_ros.generate.prompts.surroundings import NOWHERE, Surroundings
from roboinstruct_ros.learn.pairs.scene import Scene


@dataclass(frozen=True)
class Pair:
    """What a person types in a scene, and the expected answer of the model.

    Attributes:
        family: The parts of which the pair is composed, joined by `+`.
        program: The complete function; for an answer in words its body is one comment.
    """

    family: str
    scene: Scene
    instruction: str
    program: str

    @property
    def prompt(self) -> str:
        return prompt_for(self.scene, self.instruction)

    @property
    def completion(self) -> str:
        """The expected completion: the body of the function."""
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
