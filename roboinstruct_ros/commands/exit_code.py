"""Exit codes of the command line."""

from enum import IntEnum


class ExitCode(IntEnum):
    SUCCESS = 0
    FAILED = 1
    BAD_INPUT = 2
    INTERRUPTED = 130
