"""Logs one structured line per state transition and per ended call of the executor."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from roboinstruct_ros.domain.skill_call import SkillCall, SkillErrorCode
from roboinstruct_ros.execute.task_run import TaskOrder, TaskRun
from roboinstruct_ros.execute.task_state import TaskState

_PLAIN = re.compile(r"[^\s\"=\\\x00-\x1f\x7f]+")


class TransitionLog:
    """Writes logfmt: `task=t1 state=running from=verifying line=0 sha=3fa2b11c msg=""`.

    Args:
        info: receives a line for each transition and each ended order.
        debug: receives a line for each ended call.

    Attributes:
        line: program line, 1-based; 0 for none.
    """

    def __init__(self, info: Callable[[str], object], debug: Callable[[str], object]) -> None:
        self._info = info
        self._debug = debug
        self.state = TaskState.IDLE
        self.task_id = ""
        self.line = 0

    def told(self, state: TaskState, order: TaskOrder, line: int, message: str) -> bool:
        """Log what the runner reports. Returns whether the state changed."""
        before, self.state = self.state, state
        changed = state is not before or order.task_id != self.task_id
        self.task_id, self.line = order.task_id, line
        if changed:
            fields = {"task": order.task_id, "state": state.value, "from": before.value}
            sha = order.program_sha256[:8]
            self._info(logfmt(**fields, line=line, sha=sha, msg=message))
        return changed

    def called(self, call: SkillCall) -> None:
        """Log a call that has ended; one that has just begun writes nothing."""
        if not call.end:
            return
        code = SkillErrorCode(call.error_code).name.lower()
        seconds = f"{max(0.0, call.end - call.start):.3f}"
        self._debug(
            logfmt(
                task=self.task_id, call=call.index, skill=call.skill, code=code, seconds=seconds,
                line=call.line, msg=call.error_msg,
            )
        )  # fmt: skip

    def ended(self, order: TaskOrder, run: TaskRun) -> None:
        """Log how an order ended, including one that never ran."""
        self._info(
            logfmt(
                task=order.task_id, outcome=run.outcome.value, error=run.error_code.name.lower(),
                calls=len(run.calls), seconds=f"{run.duration:.3f}", msg=run.message,
            )
        )  # fmt: skip


def logfmt(**fields: Any) -> str:
    """`key=value` pairs in one line; `msg` and any value that is not a plain word are quoted."""
    return " ".join(f"{name}={_quoted(name, str(value))}" for name, value in fields.items())


def _quoted(name: str, value: str) -> str:
    if name != "msg" and _PLAIN.fullmatch(value):
        return value
    # some characters that json leaves unescaped still end a line, e.g. U+2028
    quoted = json.dumps(value, ensure_ascii=False)
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in quoted)
