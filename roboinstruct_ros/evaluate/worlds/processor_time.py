"""A bound on the processor time that a program takes, which no load of the machine changes."""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import FrameType

_AGAIN = 0.002
"""s after which a time-out that the program has caught is raised again."""


class TimeUp(BaseException):
    """A run has taken as long as it may."""


def in_time(work: Callable[[], None], seconds: float, file: str) -> None:
    """Call it, in the main thread of a child.

    Args:
        seconds: s of processor time.
        file: the name under which the program was compiled.

    Raises:
        TimeUp: it took longer; again and again where the program has caught it.
    """

    def over(_: int, frame: FrameType | None) -> None:
        while frame is not None:  # never in our own code, which may be past the program by now
            if frame.f_code.co_filename == file:
                raise TimeUp
            frame = frame.f_back

    signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, seconds, _AGAIN)
    try:
        work()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
