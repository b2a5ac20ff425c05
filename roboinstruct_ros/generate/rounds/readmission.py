"""Verifies an earlier program again under the current rules, without writing anything."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.domain.task_version import Steering, TaskVersion
from roboinstruct_ros.generate.generation import (
    DraftVerified,
    Generation,
    Offer,
    OnEvent,
    TokensWritten,
)
from roboinstruct_ros.generate.program_text import HEAD
from roboinstruct_ros.program.narrate import narrate
from roboinstruct_ros.program.task_program import TaskProgram
from roboinstruct_ros.verify.verdict import Verdict


def readmitted(
    version: TaskVersion, verify: Callable[[str], Verdict], on_event: OnEvent
) -> Generation:
    """The verdict of `verify` on a version today, as the result of a generation.

    Map and policies may have changed since the version was accepted.
    """
    again = _judged_again(version.source, f"version {version.number}", verify, on_event)
    return replace(again, steering=Steering.RETURN.value, parent_sha256=again.sha256)


def chosen(offer: Offer, verify: Callable[[str], Verdict], on_event: OnEvent) -> Generation:
    """The program of an offered choice, verified again."""
    again = _judged_again(offer.source, "what was chosen", verify, on_event)
    notes = offer.notes if again.accepted else ()
    return replace(again, notes=notes, now=offer.now, deferred=offer.deferred)


def brought_back(
    change: Instruction, source: str, verify: Callable[[str], Verdict], on_event: OnEvent
) -> Generation:
    """The program of a follow-up that only comes back, which no model has to write."""
    judged = _judged_again(source, "the task with the way back", verify, on_event)
    parent = change.reference.sha256 if change.reference else ""
    return replace(judged, steering=Steering.EXTEND.value, words=change.words, parent_sha256=parent)


def _judged_again(
    source: str, name: str, verify: Callable[[str], Verdict], on_event: OnEvent
) -> Generation:
    begun = time.monotonic()
    program = TaskProgram.from_text(source)
    on_event(TokensWritten(1, source.removeprefix(HEAD), 0))
    verdict = verify(source)
    on_event(DraftVerified(1, source, verdict))
    return Generation(
        source=source,
        sha256=program.sha256,
        verdict=verdict,
        plan=narrate(program) if verdict.accepted else (),
        attempts=1,
        prompt_tokens=0,
        generated_tokens=0,
        duration=time.monotonic() - begun,
        error_code=TaskErrorCode.NONE if verdict.accepted else TaskErrorCode.NO_ACCEPTED_PROGRAM,
        error_msg="" if verdict.accepted else _why_not(name, verdict),
    )


def _why_not(name: str, verdict: Verdict) -> str:
    if not verdict.violations:
        return f"{name} could not be judged. {verdict.why_not}"
    return f"{name} is not accepted any more under the present map and policies: {verdict.why_not}"
