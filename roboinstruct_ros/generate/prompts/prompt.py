"""Prompt formats, one class each; a GGUF names its own under `roboinstruct.prompt_format`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from roboinstruct_ros.domain.instruction import Instruction, one_line
from roboinstruct_ros.generate.backends.conversation import Prompt
from roboinstruct_ros.generate.program_text import HEAD
from roboinstruct_ros.generate.prompts.surroundings import (
    NOWHERE,
    Surroundings,
    scene_lines,
    steady_lines,
)
from roboinstruct_ros.program.violation import Violation
from roboinstruct_ros.verify.verdict import Assumption

KINDS = """\
# A follow-up changes a robot's task in one of five ways: tweak (other values in the same steps),
# extend (more steps), modify (the same goal in another way), pivot (another goal with the same
# things), fresh (a new task).
# Task: Bring the apple from the kitchen to the study. Follow-up: a pear would be better
# Kind: tweak
# Task: Go to the kitchen and look for a person. Follow-up: greet whoever you find
# Kind: extend
# Task: Go to Bob's office and put the parcel there. Follow-up: he has to agree
# Kind: modify
# Task: Bring three chairs to the lab. Follow-up: count the chairs that are in the lab
# Kind: pivot
# Task: Say hello in every office. Follow-up: water the plant in the lobby
# Kind: fresh
"""
"""The prompt for naming the kind of a follow-up. Source: RoboPlayground, II.D."""

TOLD_STEPS = 6
"""Steps of a counterexample in a prompt, counted from its end."""


class FeedbackDesign(str, Enum):
    """The feedback to a model after a rejected program. Source: CLAIRIFY, Table III.

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
    """A program that was not accepted, and why; chat models also get its assumptions.

    Attributes:
        notes: of an accepted program, what in it does not fit the instruction.
    """

    source: str
    violations: Sequence[Violation]
    assumptions: Sequence[Assumption] = ()
    notes: Sequence[str] = ()


class PromptFormat(Protocol):
    """Formats instructions as prompts."""

    @property
    def examples(self) -> Sequence[str] | None:
        """Texts of the fixed examples in all prompts; None if the format has no examples at all."""

    @property
    def beginning(self) -> Prompt:
        """The common beginning of all prompts; "" if it is not worth evaluating ahead."""

    def first(self, instruction: Instruction) -> Prompt:
        """The prompt for a first attempt; ends with the head of the function."""

    def revise(self, instruction: Instruction) -> Prompt | None:
        """The prompt for a change of `instruction.reference`; None if the model cannot read it.

        Ends with the head of the function: the model writes the complete changed program.
        """

    def repair(
        self, instruction: Instruction, rejected: Sequence[Rejected], design: FeedbackDesign
    ) -> Prompt | None:
        """The prompt with the errors of earlier programs; None if the model cannot read it.

        Args:
            rejected: All rejected programs in order, at least one.
        """


class InstructionComment:
    """For a small model trained to write: the instruction, then the function's head.

    It was trained on nothing else, so it cannot read feedback and is sampled again instead.
    """

    beginning = ""
    examples = None

    def first(self, instruction: Instruction) -> str:
        return f"{_asked(instruction.words)}{HEAD}"

    def revise(self, instruction: Instruction) -> str | None:
        return None

    def repair(
        self, instruction: Instruction, rejected: Sequence[Rejected], design: FeedbackDesign
    ) -> str | None:
        return None


class RobotTask(InstructionComment):
    """For a small model trained to write for a known place.

    The scene's lines come first; without a scene there are none. The same class makes the prompts
    for training, with the names of a made-up scene as its surroundings.
    """

    def __init__(self, surroundings: Surroundings = NOWHERE) -> None:
        self._surroundings = surroundings
        self.beginning = steady_lines(surroundings)

    def first(self, instruction: Instruction) -> str:
        return self._scene(instruction) + super().first(instruction)

    def _scene(self, instruction: Instruction) -> str:
        return scene_lines(self._surroundings, instruction.words)


class Completion:
    """For any other model: the robot's functions, six examples, the instruction.

    With surroundings, the names of the place precede the examples, so that they are part of the
    beginning that is evaluated once; examples chosen for the instruction follow it. Source:
    ROBO-INSTRUCT, A.5.2; ProgPrompt for the names; RoboPlayground, A8 for a change.
    """

    def __init__(self, surroundings: Surroundings = NOWHERE) -> None:
        self._surroundings = surroundings
        self.examples = surroundings.robot.examples

    @property
    def beginning(self) -> str:
        robot = self._surroundings.robot
        return (
            robot.api
            + "".join(f"{line}\n" for line in name_lines(self._surroundings))
            + "\n"
            + "\n".join(self.examples)
            + "\n"
        )

    def first(self, instruction: Instruction) -> str:
        return f"{self._prefix()}{_task(instruction)}{HEAD}"

    def revise(self, instruction: Instruction) -> str | None:
        old = instruction.reference
        if old is None:
            return self.first(instruction)
        kept = "".join(f"# - {line}\n" for line in (*old.keep, *_names_kept(old.names)))
        keep = f"# Keep in the changed program:\n{kept}" if kept else ""
        program = f"# Instruction: {old.instruction}\n{old.source.rstrip()}\n"
        return f"{self._prefix()}{program}{keep}# Change: {instruction.text}\n{HEAD}"

    def kind_question(self, instruction: str, follow_up: str) -> str:
        """The prompt after which the model names the kind of a follow-up in one word."""
        # It shares the beginning of every prompt, so that the model need not evaluate that again.
        asked = f"# Task: {instruction} Follow-up: {follow_up}\n# Kind:"
        return f"{self.beginning}{KINDS}{asked}"

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
        return f"{self._prefix()}{task}{told}{fix}{task}{HEAD}"

    def _prefix(self) -> str:
        return self.beginning + "".join(f"{example}\n" for example in self._surroundings.examples)


def _chat(surroundings: Surroundings) -> PromptFormat:
    from roboinstruct_ros.generate.prompts.chat_format import Chat  # it uses the texts above

    return Chat(surroundings)


FORMATS: dict[str, Callable[[Surroundings], PromptFormat]] = {
    "instruction_comment": lambda surroundings: InstructionComment(),
    "robot_task": RobotTask,
    "completion": Completion,
    "chat": _chat,
}
DEFAULT_FORMAT = "completion"


def knows_places(name: str) -> bool:
    """Whether prompts always describe the place, and the model may answer in words."""
    return name in ("robot_task", "chat")


def offers_answers(name: str) -> bool:
    """Whether models with this format were trained to suggest answers to an open question."""
    return name == "robot_task"


def prompt_format(name: str, surroundings: Surroundings = NOWHERE) -> PromptFormat:
    """The format called `name`; the one for models of unknown training if there is none."""
    return FORMATS.get(name, FORMATS[DEFAULT_FORMAT])(surroundings)


def _asked(words: str) -> str:
    """The words as one comment, even if they contain line breaks."""
    return f"# Instruction: {one_line(words)}\n"


def _task(instruction: Instruction) -> str:
    """The instruction, after what earlier rounds of the task have found out."""
    found = "".join(f"# Found: {sentence}\n" for sentence in instruction.found)
    return f"{found}# Instruction: {instruction.words}\n"


def name_lines(surroundings: Surroundings) -> list[str]:
    """The names of the place, as comments."""
    lists = {
        "rooms": surroundings.rooms,
        "objects": surroundings.objects,
        "people": surroundings.people,
    }
    return [f"# {kind} = {list(names)}" for kind, names in lists.items() if names]


def _program(rejected: Rejected) -> str:
    return f"{rejected.source.rstrip()}\n# This program was not correct.\n"


def _errors(rejected: Sequence[Rejected]) -> str:
    return "# There were the errors:\n" + "".join(f"# {line}\n" for line in error_lines(rejected))


def _names_kept(names: Sequence[str]) -> tuple[str, ...]:
    return (f"These names: {', '.join(names)}.",) if names else ()


def error_lines(rejected: Sequence[Rejected]) -> list[str]:
    """The errors of the programs, without duplicates."""
    lines = [line for one in rejected for violation in one.violations for line in _told(violation)]
    lines += [f"- {note}" for one in rejected for note in one.notes]
    taken = (assumption for one in rejected for assumption in one.assumptions)
    lines += [f"- line {one.line} takes it that {one.clause}, and has not looked" for one in taken]
    return list(dict.fromkeys(lines))


def _told(violation: Violation) -> list[str]:
    """The violation, and the end of its counterexample."""
    where = f"line {violation.line}: " if violation.line else ""
    story = violation.counterexample.steps[:-1] if violation.counterexample else ()
    texts = [f"- {where}{violation.message}", *(f"    {step}" for step in story[-TOLD_STEPS:])]
    return [text[:4].replace("\n", " ") + " ".join(text[4:].split()) for text in texts]
