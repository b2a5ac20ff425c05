"""Lets an order begin only with an approval of its exact text and a verdict made here."""

from __future__ import annotations

from collections.abc import Callable

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.domain.task_error import TaskError, TaskErrorCode
from roboinstruct_ros.execute.task_run import TaskOrder
from roboinstruct_ros.program.task_program import sha256_of
from roboinstruct_ros.program.wording import sentence
from roboinstruct_ros.verify.verdict import Verdict


class Refused(TaskError):
    """The order is rejected before anything has moved."""

    def __init__(self, code: TaskErrorCode, message: str, verdict: Verdict | None = None) -> None:
        super().__init__(code, message)
        self.verdict = verdict


def check_approval(order: TaskOrder) -> None:
    """Check that a person has approved exactly this program text.

    Raises:
        Refused: HASH_MISMATCH or NOT_APPROVED.
    """
    if sha256_of(order.source) != order.program_sha256:
        message = "the program is not the one that was approved: the hashes differ"
        raise Refused(TaskErrorCode.HASH_MISMATCH, message)
    if not order.approved_by.strip():
        raise Refused(TaskErrorCode.NOT_APPROVED, "nobody has approved this program")


def judged(
    order: TaskOrder,
    verify: Callable[[], Verdict],
    tell: Callable[[Verdict], None] = lambda verdict: None,
) -> Verdict:
    """Verify the program and return the accepting verdict.

    Args:
        verify: returns the verdict on the order's program.
        tell: receives every verdict, accepting or not.

    Raises:
        Refused: NOT_VERIFIED, with the verdict; without one if map or policies are unusable.
    """
    try:
        verdict = verify()
    except ConfigError as error:
        message = f"nothing starts while the map and the policies cannot be used: {error}"
        raise Refused(TaskErrorCode.NOT_VERIFIED, message) from None
    tell(verdict)
    if not verdict.paths and verdict.accepted:
        message = str(phrase("told.not_resumed"))
        raise Refused(TaskErrorCode.NOT_RESUMABLE, message, verdict)
    if verdict.program_sha256 != order.program_sha256 or not verdict.accepted:
        raise Refused(TaskErrorCode.NOT_VERIFIED, _why_not(verdict), verdict)
    return verdict


def _why_not(verdict: Verdict) -> str:
    if not verdict.violations:
        return str(phrase("told.unjudged", why=verdict.why_not.rstrip(".")))
    more = len(verdict.violations) - 1
    why = verdict.why_not.rstrip(".")
    told = phrase("told.rejected_many" if more else "told.rejected", why=why, n=more)
    return sentence(str(told)).rstrip(".")
