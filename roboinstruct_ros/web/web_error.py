"""What the kiosk answers when it cannot do what a request asks."""

from __future__ import annotations

from enum import IntEnum

from roboinstruct_ros.domain.task_error import TaskErrorCode


class WebErrorCode(IntEnum):
    """Closed list of faults of a request itself; the numbers do not meet `TaskErrorCode`."""

    BAD_REQUEST = 900
    NOT_FOUND = 901
    FOREIGN_ORIGIN = 902
    TOO_LARGE = 903
    NODE_MISSING = 904
    WRONG_PHASE = 905
    TOO_MANY = 906
    TOO_LATE = 907
    LIBRARY_FAILED = 908
    NOT_PAIRED = 909
    NOT_ALLOWED = 910
    NOT_IN_CONTROL = 911
    WRONG_PIN = 912
    TOO_OFTEN = 913
    PLAN_WAITS = 914
    NOT_SAVED = 915
    DEVICES_FAILED = 916


STATUS: dict[IntEnum, int] = {
    WebErrorCode.NOT_FOUND: 404,
    WebErrorCode.FOREIGN_ORIGIN: 403,
    WebErrorCode.TOO_LARGE: 413,
    WebErrorCode.NODE_MISSING: 503,
    WebErrorCode.WRONG_PHASE: 409,
    WebErrorCode.TOO_MANY: 503,
    WebErrorCode.TOO_LATE: 408,
    WebErrorCode.LIBRARY_FAILED: 503,
    WebErrorCode.NOT_PAIRED: 401,
    WebErrorCode.NOT_ALLOWED: 403,
    WebErrorCode.NOT_IN_CONTROL: 409,
    WebErrorCode.PLAN_WAITS: 409,
    WebErrorCode.WRONG_PIN: 403,
    WebErrorCode.TOO_OFTEN: 429,
    WebErrorCode.NOT_SAVED: 503,
    WebErrorCode.DEVICES_FAILED: 503,
    TaskErrorCode.BUSY: 409,
    TaskErrorCode.HASH_MISMATCH: 409,
    TaskErrorCode.UNKNOWN: 500,
}


class WebError(Exception):
    """A request that is refused: `code`, and `message` in one line of plain English."""

    def __init__(self, code: IntEnum, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    @property
    def status(self) -> int:
        """The HTTP status."""
        return STATUS.get(self.code, 422)

    def as_json(self) -> dict[str, object]:
        """The body of the answer."""
        return error_json(self.code, self.message)


def error_json(code: IntEnum, message: str) -> dict[str, object]:
    """An error as the kiosk's API writes it, on one line; what is no UTF-8 becomes "?"."""
    shown = " ".join(message.encode("utf-8", "replace").decode().split())
    return {"error_code": int(code), "error_name": code.name, "message": shown}


def error_name(code: int) -> str:
    """The name of a task error's number; a number of a newer stack counts as UNKNOWN."""
    try:
        return TaskErrorCode(code).name
    except ValueError:
        return TaskErrorCode.UNKNOWN.name
