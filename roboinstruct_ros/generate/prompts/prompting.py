"""The prompts of one generation: a new program, a change, a repair, and the fallbacks if one
does not fit into the model's context or the model cannot read it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from roboinstruct_ros.domain.instruction import Instruction, Reference
from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.domain.task_error import TaskError, TaskErrorCode
from roboinstruct_ros.domain.task_version import Steering
from roboinstruct_ros.generate.backends.backend import Backend
from roboinstruct_ros.generate.backends.conversation import Prompt
from roboinstruct_ros.generate.prompts.appended_program import appended
from roboinstruct_ros.generate.prompts.prompt import (
    PromptFormat,
    Rejected,
    knows_places,
    prompt_format,
)
from roboinstruct_ros.generate.site import Site
from roboinstruct_ros.generate.words.alignment import entities_of
from roboinstruct_ros.generate.writing_options import WritingOptions

LEAST_ROOM = 64  # tokens that must be left for a program
GROWTH = 1.25  # growth of a program that is changed or repaired, for which room must be left


class PromptError(TaskError):
    """There is no prompt of the request for this model; `str()` says what to do instead."""


class Prompting:
    """Makes the prompts of one instruction for one model.

    Args:
        site: Provides the names of the place, and completed tasks.
        options: Select which of them a prompt contains, and which feedback on a rejected program.
        fell_back: Called with one line: what was left out of a prompt, and what was done instead.

    Attributes:
        examples: Number of chosen examples in the last prompt.
        note: To the person, if a program that should have been changed had to be rewritten.
    """

    def __init__(
        self,
        instruction: Instruction,
        backend: Backend,
        site: Site,
        options: WritingOptions,
        fell_back: Callable[[str], None],
    ) -> None:
        self._instruction = instruction
        self._backend = backend
        self._fell_back = fell_back
        self._feedback = options.feedback
        known = backend.describe()
        self._context = known.context
        old = instruction.reference.source if instruction.reference else ""
        places = options.map_in_prompt or knows_places(known.prompt_format)
        told = site.surroundings if places else site.surroundings.robot_alone
        plain = prompt_format(known.prompt_format, told)
        shown, most = plain.examples, options.examples
        tells = shown is not None and most
        examples = site.examples(instruction.words, most, old, shown or ()) if tells else ()
        self.examples = len(examples)
        self.note = ""
        self._formats: list[PromptFormat] = [plain]
        if examples:
            self._formats.insert(
                0, prompt_format(known.prompt_format, replace(told, examples=examples))
            )
        if knows_places(known.prompt_format) and told != told.robot_alone:
            self._formats.append(prompt_format(known.prompt_format, told.robot_alone))
        self._first: Prompt | None = None
        self._appends = False

    def first(self) -> Prompt:
        """The prompt for a new program.

        Raises:
            PromptError: The instruction is a change, and this model can read neither the old
                program nor an instruction that combines both.
        """
        if self._first is None:
            change = self._instruction.reference is not None
            self._first = self._change() if change else self._plain(self._instruction)
        return self._first

    def repair(self, rejected: Sequence[Rejected]) -> Prompt | None:
        """The prompt with the errors; None if the model cannot read it or it does not fit."""
        if self._appends:  # the model has not written the complete program
            return None
        room = self._room_for(rejected[-1].source)
        design = self._feedback
        told = [form.repair(self._instruction, rejected, design) for form in self._formats]
        prompts = [prompt for prompt in told if prompt is not None]
        if not prompts:
            return None
        fitting = self._fitting(prompts, room)
        if fitting is None:
            self._fell_back(
                f"the rejected program and its errors do not fit into {self._context} tokens; "
                "another program was drawn instead"
            )
        return fitting

    def _plain(self, instruction: Instruction) -> Prompt:
        prompts = [form.first(instruction) for form in self._formats]
        if len(prompts) == 1:
            return prompts[0]
        # The backend refuses a prompt that does not fit at all, with the right code.
        return self._fitting(prompts, LEAST_ROOM) or prompts[-1]

    def _change(self) -> Prompt:
        reference = self._instruction.reference
        assert reference is not None
        told = [form.revise(self._instruction) for form in self._formats]
        prompts = [prompt for prompt in told if prompt is not None]
        fitting = self._fitting(prompts, self._room_for(reference.source)) if prompts else None
        if fitting is not None:
            return fitting
        if prompts:
            self._fell_back(
                f"the program to change does not fit into {self._context} tokens; a new one was "
                "written for old and new words together"
            )
            self.note = (
                "The program was too long to be changed and is written anew: compare it with the "
                "one before."
            )
        if not prompts and self._can_append(reference):
            self._appends = True
            return self._plain(Instruction(self._instruction.text))
        if reference.merged:
            return self._plain(Instruction(reference.merged))
        if prompts:
            raise PromptError(
                TaskErrorCode.INSTRUCTION_TOO_LONG,
                f"the program to change does not fit into the {self._context} tokens that this "
                "model reads; say the whole task as you want it now",
            )
        raise PromptError(TaskErrorCode.NO_ACCEPTED_PROGRAM, str(phrase("told.unchangeable")))

    def whole(self, program: str) -> str:
        """The requested program, made from the model's text."""
        reference = self._instruction.reference
        if not self._appends or reference is None or not program:
            return program
        return appended(reference.source, program)

    def _can_append(self, reference: Reference) -> bool:
        """Whether the new words are an instruction of their own, to be done after the old one."""
        more = self._instruction.steering is Steering.EXTEND and bool(reference.merged)
        return more and bool(appended(reference.source, reference.source))

    def _fitting(self, prompts: Sequence[Prompt], room: int) -> Prompt | None:
        """The first prompt that leaves `room` tokens; later ones contain less."""
        for place, prompt in enumerate(prompts):
            if self._backend.count_tokens(prompt) + room <= self._context:
                if place:
                    what = "chosen examples" if self.examples else "names of the place"
                    self._fell_back(f"the {what} do not fit and were left out")
                    self.examples = 0
                return prompt
        return None

    def _room_for(self, source: str) -> int:
        return max(LEAST_ROOM, int(GROWTH * self._backend.count_tokens(source)))


def notes_on_change(instruction: Instruction, source: str, site: Site) -> tuple[str, ...]:
    """What in an accepted program does not fit the instruction, or the task that it changes.

    The program may name what is held. For a follow-up, it may also name what the old words and the
    old program named. It must differ from the old program, and must still name what the new words
    do not mention.
    """
    old, held = instruction.reference, site.surroundings.holding
    if old is None:
        return site.notes_on(instruction.text, source, held)
    named = entities_of(source)
    context = " ".join((held, old.instruction, instruction.text, *entities_of(old.source)))
    lost = tuple(
        f"The program no longer uses '{name}', which the change does not speak of."
        for name in old.names
        if name not in named
    )
    same = ("The program is the one from before.",) if source == old.source else ()
    return (*same, *site.notes_on(old.wanted, source, context), *lost)
