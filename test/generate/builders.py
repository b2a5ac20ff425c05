"""Verdicts and verifiers for tests of what surrounds them."""

from __future__ import annotations

import hashlib
import threading

from roboinstruct_ros.program.violation import Violation, ViolationCode
from roboinstruct_ros.verify.verdict import Verdict

GOOD = '    go_to("kitchen")\n    say("I am here")\n'


def verdict_on(source: str, accepted: bool) -> Verdict:
    """A verdict with one violation, in line 3, when not accepted."""
    reason = Violation(code=next(iter(ViolationCode)), line=3, column=4, message="the hand is full")
    return Verdict(
        status="accepted" if accepted else "rejected",
        program_sha256=hashlib.sha256(source.encode()).hexdigest(),
        paths=1,
        exhaustive=True,
        duration=0.0,
        violations=() if accepted else (reason,),
        warnings=(),
    )


LIMIT = 60.0  # s, for what should happen soon


class OnlyGood:
    """A verifier that accepts `GOOD` alone, once it is `released`."""

    def __init__(self) -> None:
        self.released = threading.Event()
        self.released.set()
        self.entered = threading.Event()
        self.closed = False
        self.rules_sha256 = ""

    def verify(self, source: str) -> Verdict:
        self.entered.set()
        self.released.wait(LIMIT)
        return verdict_on(source, source.endswith(GOOD))

    def close(self) -> None:
        self.closed = True
        self.released.set()
