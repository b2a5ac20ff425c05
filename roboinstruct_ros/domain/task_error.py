"""The ways in which a generation or an execution can end."""

from __future__ import annotations

from enum import IntEnum


class TaskErrorCode(IntEnum):
    """Closed list with the values of `roboinstruct_msgs/msg/TaskErrorCode`."""

    NONE = 0
    UNKNOWN = 1
    CANCELED = 2
    STOPPED = 3
    TIMEOUT = 4
    BUSY = 5
    INSTRUCTION_EMPTY = 100
    INSTRUCTION_TOO_LONG = 101
    INSTRUCTION_SCRIPT = 102
    MODEL_NOT_LOADED = 110
    MODEL_FAILED = 111
    NO_ACCEPTED_PROGRAM = 112
    NOT_VERIFIED = 200
    HASH_MISMATCH = 201
    NOT_APPROVED = 202
    PROGRAM_FAILED = 210
    PROGRAM_LIMIT = 211
    PROGRAM_LOST = 212
    POLICY_BROKEN = 213
    HAZARD_AHEAD = 214
    JOURNAL_FAILED = 215
    NOT_RESUMABLE = 216
    CALL_REFUSED = 217
    ASSUMPTION_FAILED = 218
    SKILL_FAILED = 220
    SKILL_SERVER_LOST = 221


class TaskError(Exception):
    """The failure of a task; `str()` is one clear line.

    Attributes:
        code: Of the closed list.
        message: What is wrong and what would be right.
    """

    def __init__(self, code: TaskErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def __reduce__(self) -> tuple[type[TaskError], tuple[TaskErrorCode, str]]:
        return type(self), (self.code, self.message)  # for pickling between processes
