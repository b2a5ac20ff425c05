"""Verifies a program while it is being written, to abandon one that no continuation can save."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from roboinstruct_ros.domain.violation_code import ViolationCode
from roboinstruct_ros.generate.program_text import HEAD
from roboinstruct_ros.verify.verdict import Status, Verdict

SHARE = 0.05
"""Largest share of the model's writing time spent on checks; a fast model finishes before a
check pays off."""

USUAL_COST = 0.005
"""Assumed cost of a verification in s, before the first measurement."""

_CLAUSE = re.compile(r"    (else|elif|except|finally)\b")
_STATEMENT = re.compile(r"    \S")
_NOT_FINAL = frozenset(
    {
        ViolationCode.SYNTAX_ERROR,
        ViolationCode.POLICY_BROKEN,  # it may be a policy about the end
        ViolationCode.NON_TERMINATION,
        ViolationCode.STEP_BUDGET,
        ViolationCode.MEMORY_BUDGET,
    }
)


class PrefixCheck:
    """The check of one text.

    Only complete statements at the function's top level are checked: inside an unfinished loop,
    later code may make the next iteration correct.
    """

    def __init__(self, verify: Callable[[str], Verdict]) -> None:
        self._verify = verify
        self._begun = time.monotonic()
        self._spent = 0.0
        self._cost = USUAL_COST
        self._lines = 0

    def doomed(self, text: str) -> str:
        """The program so far if every continuation of it is rejected; else "".

        Args:
            text: All that the model wrote after the function's head.
        """
        lines = text.split("\n")[:-1]
        if len(lines) == self._lines:
            return ""
        self._lines = len(lines)
        body = _whole_statements(lines)
        if not body or not self._is_worth_it():
            return ""
        source = HEAD + "\n".join(body) + "\n"
        return source if self._is_final(source) else ""

    def _is_worth_it(self) -> bool:
        return self._spent + self._cost <= SHARE * (time.monotonic() - self._begun)

    def _is_final(self, source: str) -> bool:
        begun = time.monotonic()
        verdict = self._verify(source)
        self._cost = time.monotonic() - begun
        self._spent += self._cost
        if verdict.status is not Status.REJECTED:
            return False
        return any(violation.code not in _NOT_FINAL for violation in verdict.violations)


def _whole_statements(lines: list[str]) -> list[str]:
    """The lines, if the last one shows that all lines, or all lines before it, are complete
    statements; else none."""
    last = lines[-1] if lines else ""
    if not _STATEMENT.match(last) or _CLAUSE.match(last) or last.lstrip().startswith("#"):
        return []
    return lines[:-1] if last.rstrip().endswith((":", ",", "(", "[", "{", "\\")) else lines
