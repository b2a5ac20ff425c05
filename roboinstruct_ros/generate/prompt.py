"""Prompts, one class a format; a GGUF names its own under `roboinstruct.prompt_format`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.generate.examples import EXAMPLES
from roboinstruct_ros.generate.program_text import HEAD
from roboinstruct_ros.program.violation import Violation

API = """\
# You are a helpful assistant. Here is a robot that has the following capabilities:
# - def get_current_location() -> str:
# - def get_all_rooms() -> list[str]:
# - def is_in_room(object : str) -> bool:
# - def go_to(location : str) -> None:
# - def ask(person : str, question : str, options: list[str]) -> str:
# - def say(message : str) -> None:
# - def pick(obj: str) -> None:
# - def place(obj: str) -> None:
# Write a Python function for each robot task that can be accomplished using the above
# capabilities.
"""

TOLD_STEPS = 6
"""Steps of a counterexample that a model is shown, the last ones."""


class FeedbackDesign(str, Enum):
    """What a model is told after a rejected program. Source: seed 001, Table III.

    NAIVE: the program, and that it is not correct. LAST_ERROR: the errors of the last program, not
    the program. ALL_ERRORS: the errors of all programs so far. PROGRAM_AND_ERRORS: the last program
    and its errors, the design that repaired every program there.
    """

    NAIVE = "naive"
    LAST_ERROR = "last_error"
    ALL_ERRORS = "all_errors"
    PROGRAM_AND_ERRORS = "program_and_errors"


@dataclass(frozen=True)
class Rejected:
    """A program that was not accepted, and why."""

    source: str
    violations: Sequence[Violation]


@dataclass(frozen=True)
class Surroundings:
    """Names of what is there, for a model that is told; empty where all is open."""

    rooms: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    people: tuple[str, ...] = ()


NOWHERE = Surroundings()


class PromptFormat(Protocol):
    """How an instruction is put to a model."""

    @property
    def beginning(self) -> str:
        """What all prompts begin with; "" where there is nothing worth reading ahead."""

    def first(self, instruction: Instruction) -> str:
        """The prompt for a first attempt; ends with the head of the function."""

    def repair(
        self, instruction: Instruction, rejected: Sequence[Rejected], design: FeedbackDesign
    ) -> str | None:
        """The prompt that tells what was wrong; None when the model cannot read it.

        Args:
            rejected: All rejected programs, at least one, the last one last.
        """


class InstructionComment:
    """The shipped model's own format: the instruction as a comment, then the function's head.

    The model was trained on nothing else, so it cannot read feedback and is sampled again instead.
    """

    beginning = ""

    def first(self, instruction: Instruction) -> str:
        return f"# Instruction: {instruction.text}\n{HEAD}"

    def repair(
        self, instruction: Instruction, rejected: Sequence[Rejected], design: FeedbackDesign
    ) -> str | None:
        return None


class Completion:
    """For any other model: the robot's functions, six examples, the instruction.

    With surroundings, the names of what is there stand before the examples, so that they are
    part of the beginning that is evaluated once. Source: seed 000, A.5.2; seed 003 for the names.
    """

    def __init__(self, surroundings: Surroundings = NOWHERE) -> None:
        self._surroundings = surroundings

    @property
    def beginning(self) -> str:
        return API + _names(self._surroundings) + "\n" + "\n".join(EXAMPLES) + "\n"

    def first(self, instruction: Instruction) -> str:
        return f"{self.beginning}{_task(instruction)}{HEAD}"

    def repair(
        self, instruction: Instruction, rejected: Sequence[Rejected], design: FeedbackDesign
    ) -> str | None:
        task = _task(instruction)
        told = {
            FeedbackDesign.NAIVE: _program(rejected[-1]),
            FeedbackDesign.LAST_ERROR: _errors(rejected[-1:]),
            FeedbackDesign.ALL_ERRORS: _errors(rejected),
            FeedbackDesign.PROGRAM_AND_ERRORS: _program(rejected[-1]) + _errors(rejected[-1:]),
        }[design]
        fix = "# Please fix the errors.\n\n"
        return f"{self.beginning}{task}{told}{fix}{task}{HEAD}"


FORMATS: dict[str, Callable[[Surroundings], PromptFormat]] = {
    "instruction_comment": lambda surroundings: InstructionComment(),
    "completion": Completion,
}
DEFAULT_FORMAT = "completion"


def prompt_format(name: str, surroundings: Surroundings = NOWHERE) -> PromptFormat:
    """The format called `name`; the one for models of unknown training when there is none."""
    return FORMATS.get(name, FORMATS[DEFAULT_FORMAT])(surroundings)


def _task(instruction: Instruction) -> str:
    """The instruction, after what earlier rounds of the task have found out."""
    found = "".join(f"# Found: {sentence}\n" for sentence in instruction.found)
    return f"{found}# Instruction: {instruction.text}\n"


def _names(surroundings: Surroundings) -> str:
    lists = {
        "rooms": surroundings.rooms,
        "objects": surroundings.objects,
        "people": surroundings.people,
    }
    return "".join(f"# {kind} = {list(names)}\n" for kind, names in lists.items() if names)


def _program(rejected: Rejected) -> str:
    return f"{rejected.source.rstrip()}\n# This program was not correct.\n"


def _errors(rejected: Sequence[Rejected]) -> str:
    lines = dict.fromkeys(
        line for one in rejected for violation in one.violations for line in _as_comment(violation)
    )
    return "# There were the errors:\n" + "".join(f"# {line}\n" for line in lines)


def _as_comment(violation: Violation) -> list[str]:
    """The violation, and the end of the story that leads there."""
    where = f"line {violation.line}: " if violation.line else ""
    story = violation.counterexample.steps[:-1] if violation.counterexample else ()
    texts = [f"- {where}{violation.message}", *(f"    {step}" for step in story[-TOLD_STEPS:])]
    return [text[:4].replace("\n", " ") + " ".join(text[4:].split()) for text in texts]
