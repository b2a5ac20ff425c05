"""The reasons for rejecting a program: a closed list shared by domain files and verdicts."""

from __future__ import annotations

from enum import Enum


class ViolationCode(str, Enum):
    """Closed list of reasons for rejecting a program."""

    # found in the text alone
    SYNTAX_ERROR = "syntax_error"
    TOO_LONG = "too_long"
    NO_TASK_PROGRAM = "no_task_program"
    TASK_PROGRAM_PARAMETERS = "task_program_parameters"
    FORBIDDEN_CONSTRUCT = "forbidden_construct"
    UNKNOWN_NAME = "unknown_name"
    UNKNOWN_SKILL = "unknown_skill"
    # found in the text or in a world
    WRONG_ARGUMENTS = "wrong_arguments"
    ENTITY_TYPE_CONFLICT = "entity_type_conflict"
    UNKNOWN_LOCATION = "unknown_location"
    UNKNOWN_OBJECT = "unknown_object"
    UNKNOWN_PERSON = "unknown_person"
    UNKNOWN_ENTITY = "unknown_entity"
    # preconditions and limits of skills
    OBJECT_ABSENT = "object_absent"
    PERSON_ABSENT = "person_absent"
    HAND_FULL = "hand_full"
    HAND_EMPTY = "hand_empty"
    NOT_HELD = "not_held"
    OUT_OF_RANGE = "out_of_range"
    SLOT_TAKEN = "slot_taken"
    PRECONDITION_FAILED = "precondition_failed"
    # a rule of the operator
    POLICY_BROKEN = "policy_broken"
    # Python errors and execution budgets
    PYTHON_ERROR = "python_error"
    MISUSED_RESULT = "misused_result"
    NON_TERMINATION = "non_termination"
    STEP_BUDGET = "step_budget"
    MEMORY_BUDGET = "memory_budget"
