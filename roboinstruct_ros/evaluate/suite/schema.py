"""The YAML format of a suite of tasks; `docs/evaluation.md` explains every field."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field, model_validator

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.domain.configuration import FieldFault, Strict
from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.domain.policies import ConditionText, Rule, Shape
from roboinstruct_ros.domain.said_words import has_words
from roboinstruct_ros.domain.semantic_map import Name
from roboinstruct_ros.domain.skill_call import SKILL_ERRORS
from roboinstruct_ros.evaluate.families.lineage import Change

FAILURES: Mapping[str, tuple[str, ...]] = {
    "go_to": ("navigation_blocked", "not_localized"),
    "pick": ("grasp_failed", "object_not_found"),
    "place": ("place_failed",),
    "say": ("speech_failed",),
    "ask": ("person_not_found", "person_left", "no_answer"),
}
"""The errors with which a skill may fail although its preconditions hold."""

_ANY_SKILL = ("unknown", "timeout", "server_unavailable", "busy")


def program_text(text: str) -> str:
    """The program of a text: a complete function, or the body of `task_program()`.

    Raises:
        ValueError: it is not Python.
    """
    try:
        whole = any(
            isinstance(node, ast.FunctionDef) and node.name == "task_program"
            for node in ast.parse(text).body
        )
    except SyntaxError as error:
        raise ValueError(f"not Python: {error.msg}, in line {error.lineno} of it") from None
    body = textwrap.indent(text.rstrip(), "    ")
    return text.rstrip() + "\n" if whole else f"def task_program():\n{body}\n"


def _asked(text: str) -> str:
    return Instruction.checked(text).text


def _words(text: str) -> str:
    try:
        has_words("", text)
    except re.error as error:
        raise ValueError(f"'{text}' has no regular expression: {error}") from None
    return text


def _thing(text: str) -> str:
    if not re.fullmatch(r"[^@|]+(\|[^@|]+)*(@\d+)?", text):
        raise ValueError(f"'{text}' is no thing; write it as cup, cup|mug or Alice@3")
    return text


Text = Annotated[str, AfterValidator(_asked)]
ThingText = Annotated[str, AfterValidator(_thing)]
Program = Annotated[str, AfterValidator(program_text)]
Words = Annotated[str, Field(min_length=1), AfterValidator(_words)]


class RunCondition(Rule):
    """A condition on a run.

    Attributes:
        says: words that all messages together have, see `said_words.py`.
    """

    shapes: ClassVar[tuple[Shape, ...]] = (*Rule.shapes, ("says",))
    says: Words | None = None


class FailEntry(Strict):
    """The first `times` calls of the skill with a matching argument fail."""

    skill: Literal["go_to", "pick", "place", "say", "ask"]
    argument: str = "*"
    times: int = Field(default=1, ge=1)
    code: Annotated[str, AfterValidator(str.lower)]

    @model_validator(mode="after")
    def _code_is_of_the_skill(self) -> FailEntry:
        known = (*FAILURES[self.skill], *_ANY_SKILL)
        if self.code not in known:
            told = "is no error" if self.code not in SKILL_ERRORS else "is none of its own"
            message = f"{self.skill} fails with {', '.join(known)}; '{self.code}' {told}"
            raise FieldFault(("code",), message, self.code, known)
        return self


class WorldEntry(Strict):
    """A world of a task.

    Attributes:
        start: the room where the robot is; by default the place's.
        objects: things by room; `cup|mug` has either name, `Alice@3` is there from the third
            look on.
        people: the room of each, `Alice@3` as above.
        answers: of each person one after the other; "" stands for any person.
        goals: have to hold when the program has ended; a call in one has to be made.
        waits: total sleep of the program in s, to a tenth.
    """

    name: str = Field(min_length=1, max_length=100)
    start: Name | None = None
    objects: dict[Name, tuple[ThingText, ...]] = Field(default_factory=dict)
    people: dict[ThingText, Name] = Field(default_factory=dict)
    answers: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    holding: ThingText | Literal[""] = ""
    fails: tuple[FailEntry, ...] = ()
    goals: tuple[ConditionText, ...] = ()
    conditions: tuple[RunCondition, ...] = ()
    waits: float | None = Field(default=None, ge=0)


class TaskEntry(Strict):
    """A task, said in several ways."""

    name: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)
    kind: str = Field(min_length=1)
    place: str
    parts: int = Field(default=0, ge=0, le=3)
    phrasings: tuple[Text, ...] = Field(min_length=1)
    answer: AnswerKind = AnswerKind.PROGRAM
    choices: tuple[str, ...] = ()
    program: Program | None = None
    conditions: tuple[RunCondition, ...] = ()
    worlds: tuple[WorldEntry, ...] = ()

    @model_validator(mode="after")
    def _has_what_its_answer_needs(self) -> TaskEntry:
        if self.answer is AnswerKind.PROGRAM:
            self._check_program()
        for field in ("program", "conditions", "worlds"):
            if self.answer is not AnswerKind.PROGRAM and getattr(self, field):
                message = f"nothing runs where the answer is '{self.answer.value}'"
                raise FieldFault((field,), message)
        if self.choices and self.answer is not AnswerKind.QUESTION:
            raise FieldFault(("choices",), "only a question has choices; set 'answer: question'")
        names = [world.name for world in self.worlds]
        for index, name in enumerate(names):
            if name in names[:index]:
                raise FieldFault(("worlds", index, "name"), f"'{name}' is given twice")
        return self

    def _check_program(self) -> None:
        if self.program is None:
            raise FieldFault((), "field 'program' is missing; give the reference, or an 'answer'")
        if not self.worlds:
            raise FieldFault((), "field 'worlds' is missing; a program is judged in worlds")
        for index, world in enumerate(self.worlds):
            if not (self.conditions or world.goals or world.conditions or world.waits):
                message = "any program is right here; give the world goals or conditions"
                raise FieldFault(("worlds", index), message)


class PlaceEntry(Strict):
    """A map of a suite's own. People and things that are left out are open.

    Attributes:
        rooms: with their aliases.
        start: by default the first room.
    """

    rooms: dict[Name, tuple[Name, ...]] = Field(min_length=1)
    start: Name | None = None
    people: tuple[Name, ...] | None = None
    things: tuple[Name, ...] | None = None


class StepEntry(Strict):
    """How a task was made from another one; `roboinstruct eval families` writes it."""

    task: str
    parent: str
    change: Change
    operator: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class SuiteEntry(Strict):
    """A complete file.

    Attributes:
        lineage: of the tasks of families.
    """

    suite: str = Field(min_length=1)
    places: dict[str, PlaceEntry] = Field(default_factory=dict)
    lineage: tuple[StepEntry, ...] = ()
    tasks: tuple[TaskEntry, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _lineage_is_of_its_tasks(self) -> SuiteEntry:
        names = [task.name for task in self.tasks]
        for index, step in enumerate(self.lineage):
            if step.task not in names:
                message = f"there is no task '{step.task}'"
                raise FieldFault(("lineage", index, "task"), message, step.task, names)
            if step.parent not in names[: names.index(step.task)]:
                message = f"'{step.parent}' is no task before '{step.task}'"
                raise FieldFault(("lineage", index, "parent"), message, step.parent, names)
        return self
