"""Why a program must not run, and the story that shows it."""

from __future__ import annotations

from enum import Enum

from pydantic import BaseModel, ConfigDict


class ViolationCode(str, Enum):
    """Closed list of reasons for which a program is rejected."""

    SYNTAX_ERROR = "syntax_error"
    TOO_LONG = "too_long"
    NO_TASK_PROGRAM = "no_task_program"
    TASK_PROGRAM_PARAMETERS = "task_program_parameters"
    FORBIDDEN_CONSTRUCT = "forbidden_construct"
    UNKNOWN_NAME = "unknown_name"
    WRONG_ARGUMENTS = "wrong_arguments"
    ENTITY_TYPE_CONFLICT = "entity_type_conflict"
    OBJECT_ABSENT = "object_absent"
    PERSON_ABSENT = "person_absent"
    HAND_FULL = "hand_full"
    HAND_EMPTY = "hand_empty"
    NOT_HELD = "not_held"
    PRECONDITION_FAILED = "precondition_failed"
    UNKNOWN_LOCATION = "unknown_location"
    PYTHON_ERROR = "python_error"
    NON_TERMINATION = "non_termination"
    TIME_BUDGET = "time_budget"


class Counterexample(BaseModel):
    """The choices that lead to a violation, and the same as sentences.

    Attributes:
        choices: index of the alternative taken at each open question, in order; replaying the
            program under them gives the same violation.
        steps: plain English, one sentence a step.
    """

    model_config = ConfigDict(frozen=True)
    choices: tuple[int, ...] = ()
    steps: tuple[str, ...] = ()


class Violation(BaseModel):
    """One reason, at one place of the program text.

    Attributes:
        line: 1-based; 0 when the whole program is meant.
        column: 0-based.
        message: plain English, for a person and a model alike.
        counterexample: None for what the text alone shows.
    """

    model_config = ConfigDict(frozen=True)
    code: ViolationCode
    line: int
    column: int = 0
    message: str
    counterexample: Counterexample | None = None
