"""The prompt of chat models: functions and rules, the domain file's examples as turns, then the
place and the instruction.

All prompts for a robot begin alike, wherever it is, and a model evaluates that beginning once. The
place opens the turn of the instruction, so that it too is evaluated once while it stays the same.
The model's own template marks the turns, see `chat_template.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from roboinstruct_ros.domain.instruction import Instruction, one_line
from roboinstruct_ros.domain.simulation import Example, Scene
from roboinstruct_ros.generate.backends.conversation import Conversation, Role, Turn
from roboinstruct_ros.generate.program_text import HEAD
from roboinstruct_ros.generate.prompts.prompt import (
    KINDS,
    FeedbackDesign,
    Rejected,
    error_lines,
)
from roboinstruct_ros.generate.prompts.robot_words import RobotWords, example_text
from roboinstruct_ros.generate.prompts.surroundings import NOWHERE, Surroundings, scene_lines

TASK = "You write Python programs for a robot. It has these functions and no others:"
RULES = """\
Answer each instruction with one function, `def task_program():`, in plain text: no explanation, \
no Markdown, no imports. Besides the robot's functions there are loops, conditions, lists, strings \
and time.sleep(seconds). Do all that the instruction says, in its order, and nothing else. Use \
names as they are listed before the instruction.

Saying that something is to be done does not do it. What none of the functions does, what may mean \
several of the names, and what is no task gets one comment as the body of the function:
# Cannot: what the robot cannot do, and what it can do instead
# Question: which one is meant | one choice | another choice
# Reply: a short answer to what is no task
"""

NOT_CORRECT = "This program was not correct."
FIX = "Please fix the errors."
KIND = "Kind:"

# The marks by which templates separate turns. A blank inside makes them harmless.
_MARKS = (
    (re.compile(r"<(?=[|\uff5c<])"), "< "),  # <|im_end|>, <<SYS>>
    (re.compile(r"(?<=[|\uff5c>])>"), " >"),
    (re.compile(r"<(?=/?[A-Za-z_][\w.\- ]{0,40}>)"), "< "),  # </s>, <start_of_turn>
    (re.compile(r"\[(?=/?[A-Z][A-Z_]*\])"), "[ "),  # [INST]
    (re.compile(r"(?<=[#@])(?=[#@])"), " "),  # ### Response, @@ Response
)


class Chat:
    """The format `chat`. Source: ROBO-INSTRUCT, A.5.2 for the order; CLAIRIFY for the repair."""

    def __init__(self, surroundings: Surroundings = NOWHERE) -> None:
        robot = surroundings.robot
        shown = (turn for example in robot.shown for turn in _turns_of(example))
        self._opening = (_system(robot), *shown)
        self.examples = [example_text(one) for one in robot.shown if not one.is_answer]
        self._chosen = _chosen(surroundings.examples)
        # given the room's name, the model would drive there instead of back to its start
        self._surroundings = replace(surroundings, here="")

    @property
    def beginning(self) -> Conversation:
        return Conversation(self._opening)

    def first(self, instruction: Instruction) -> Conversation:
        return self._asked(self._task(instruction))

    def revise(self, instruction: Instruction) -> Conversation:
        """The old task and its program are separate turns; the change is the next one."""
        old = instruction.reference
        if old is None:
            return self.first(instruction)
        names = [f"- These names: {', '.join(old.names)}."] if old.names else []
        kept = [*(f"- {line}" for line in old.keep), *names]
        keep = "".join(f"\n{line}" for line in ("Keep in the changed program:", *kept) if kept)
        return self._asked(
            self._task(Instruction(old.instruction)),
            _assistant(old.source),
            _user(f"Change the program: {instruction.text}{keep}"),
        )

    def kind_question(self, instruction: str, follow_up: str) -> Conversation:
        """The examples of kinds are turns; the answer begins like theirs."""
        rules, *lines = KINDS.replace("\n# Task: ", "\n\n# Task: ").split("\n\n")
        turns = [_system_turn(_without_marks(rules))]
        for line in lines:
            task, _, kind = _without_marks(line).partition(KIND)
            turns += [_user(task), _assistant(f"{KIND}{kind}")]
        asked = _user(f"Task: {instruction} Follow-up: {follow_up}")
        return Conversation((*turns, asked), KIND)

    def repair(
        self, instruction: Instruction, rejected: Sequence[Rejected], design: FeedbackDesign
    ) -> Conversation | None:
        """A model that is shown its program sees it as its own turn."""
        task, wrong = self._task(instruction), _assistant(rejected[-1].source)
        if design is FeedbackDesign.NAIVE:
            return self._asked(task, wrong, _user(f"{NOT_CORRECT} {FIX}"))
        told = rejected if design is FeedbackDesign.ALL_ERRORS else rejected[-1:]
        errors = "\n".join(error_lines(told))
        if design is FeedbackDesign.PROGRAM_AND_ERRORS:
            words = f"{NOT_CORRECT} There were the errors:\n{errors}\n{FIX}"
            return self._asked(task, wrong, _user(words))
        words = f"In earlier programs there were the errors:\n{errors}\n{FIX}"
        return self._asked(_user(f"{task.text}\n\n{words}"))

    def _task(self, instruction: Instruction) -> Turn:
        return _asked_in(self._surroundings, instruction)

    def _asked(self, *turns: Turn) -> Conversation:
        return Conversation((*self._opening, *self._chosen, *turns), HEAD)


def defused(text: str) -> str:
    """`text` with a blank in everything that templates use to mark turns, such as `<|im_end|>`.

    A model in this process never takes words for control tokens (see `llama_chat.py`). But some
    templates mark turns with plain text, and a server tokenizes in its own way.
    """
    for mark, broken in _MARKS:
        text = mark.sub(broken, text)
    return text


def _system(robot: RobotWords) -> Turn:
    return _system_turn("\n".join([TASK, robot.functions, "", RULES]))


def _system_turn(text: str) -> Turn:
    return Turn(Role.SYSTEM, defused(text.strip()))


def _without_marks(comments: str) -> str:
    return "\n".join(line.removeprefix("# ") for line in comments.splitlines())


def _turns_of(example: Example) -> tuple[Turn, Turn]:
    scene = example.scene or Scene()
    there = Surroundings(scene.rooms, scene.things, scene.people)
    asked = _asked_in(there, Instruction(one_line(example.instruction)))
    return asked, _assistant(example.program)


def _asked_in(there: Surroundings, instruction: Instruction) -> Turn:
    """The place, what earlier rounds of the task have found out, and the instruction."""
    place = _without_marks(scene_lines(there, instruction.words)).splitlines()
    found = (f"Found: {sentence}" for sentence in instruction.found)
    return _user("\n".join([*place, *found, f"Instruction: {instruction.words}"]))


def _chosen(examples: Sequence[str]) -> list[Turn]:
    """Completed tasks, as turns."""
    turns = []
    for example in examples:
        task, _, program = example.partition("\n")
        turns += [_user(task.removeprefix("# ")), _assistant(program)]
    return turns


def _user(text: str) -> Turn:
    return Turn(Role.USER, defused(text.strip()))


def _assistant(text: str) -> Turn:
    return Turn(Role.ASSISTANT, defused(text.strip()))
