"""Prompts, one class a format; a GGUF names its own under `roboinstruct.prompt_format`."""

from __future__ import annotations

from collections.abc import Sequence
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


class PromptFormat(Protocol):
    """How an instruction is put to a model."""

    def first(self, instruction: Instruction) -> str:
        """The prompt for a first attempt; ends with the head of the function."""

    def repair(
        self, instruction: Instruction, source: str, violations: Sequence[Violation]
    ) -> str | None:
        """The prompt that shows a rejected program and why; None when the model cannot read it."""


class InstructionComment:
    """The shipped model's own format: the instruction as a comment, then the function's head.

    The model was trained on nothing else, so it cannot read feedback and is sampled again instead.
    """

    def first(self, instruction: Instruction) -> str:
        return f"# Instruction: {instruction.text}\n{HEAD}"

    def repair(
        self, instruction: Instruction, source: str, violations: Sequence[Violation]
    ) -> str | None:
        return None


class Completion:
    """For any other model: the robot's functions, six examples, the instruction (seed 000, A.5.2).

    Repair shows the last program with all its errors, the design that repaired every program in
    seed 001 (Table III).
    """

    def first(self, instruction: Instruction) -> str:
        return f"{self._prefix()}# Instruction: {instruction.text}\n{HEAD}"

    def repair(
        self, instruction: Instruction, source: str, violations: Sequence[Violation]
    ) -> str | None:
        errors = "".join(f"# - {_as_comment(violation)}\n" for violation in violations)
        return (
            f"{self._prefix()}# Instruction: {instruction.text}\n{source.rstrip()}\n"
            "# This program was not correct.\n"
            f"# There were the errors:\n{errors}"
            "# Please fix the errors.\n\n"
            f"# Instruction: {instruction.text}\n{HEAD}"
        )

    def _prefix(self) -> str:
        return API + "\n" + "\n".join(EXAMPLES) + "\n"


FORMATS: dict[str, PromptFormat] = {
    "instruction_comment": InstructionComment(),
    "completion": Completion(),
}
DEFAULT_FORMAT = "completion"


def prompt_format(name: str) -> PromptFormat:
    """The format called `name`; the one for models of unknown training when there is none."""
    return FORMATS.get(name, FORMATS[DEFAULT_FORMAT])


def _as_comment(violation: Violation) -> str:
    where = f"line {violation.line}: " if violation.line else ""
    return " ".join(f"{where}{violation.message}".split())
