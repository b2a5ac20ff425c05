"""A program of earlier that is wanted again: nothing is written, everything is judged anew."""

from __future__ import annotations

import time
from collections.abc import Callable

from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.domain.task_version import Steering, TaskVersion
from roboinstruct_ros.generate.generation import (
    AttemptVerified,
    Generation,
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
    """What `verify` says of a version today, as the end of a generation.

    Map and policies may have changed since the version was accepted.
    """
    begun = time.monotonic()
    program = TaskProgram.from_text(version.source)
    on_event(TokensWritten(1, version.source.removeprefix(HEAD), 0))
    verdict = verify(version.source)
    on_event(AttemptVerified(1, version.source, verdict))
    return Generation(
        source=version.source,
        sha256=program.sha256,
        verdict=verdict,
        plan=narrate(program) if verdict.accepted else (),
        attempts=1,
        prompt_tokens=0,
        generated_tokens=0,
        duration=time.monotonic() - begun,
        error_code=TaskErrorCode.NONE if verdict.accepted else TaskErrorCode.NO_ACCEPTED_PROGRAM,
        error_msg="" if verdict.accepted else _why_not(version, verdict),
        steering=Steering.RETURN.value,
        parent_sha256=program.sha256,
    )


def _why_not(version: TaskVersion, verdict: Verdict) -> str:
    if not verdict.violations:
        reason = verdict.undecided_because or "The verifier came to no verdict."
        return f"version {version.number} could not be judged. {reason}"
    first = verdict.violations[0]
    where = f"line {first.line}: " if first.line else ""
    return (
        f"version {version.number} is not accepted any more, under the map and policies of now: "
        f"{where}{first.message}"
    )
