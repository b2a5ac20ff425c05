"""A limit on a program's processor time, which does not depend on the load of the machine."""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import FrameType

_AGAIN = 0.002
"""s after which a timeout that the program has caught is raised again."""


class TimeUp(BaseException):
    """The time of a run is over."""


def in_time(work: Callable[[], None], seconds: float, file: str) -> None:
    """Call `work`, in the main thread of a child.

    Args:
        seconds: s of processor time.
        file: the name under which the program was compiled.

    Raises:
        TimeUp: it took longer; raised repeatedly if the program catches it.
    """

    def over(_: int, frame: FrameType | None) -> None:
        while frame is not None:  # never in our own code, which may run after the program
            if frame.f_code.co_filename == file:
                raise TimeUp
            frame = frame.f_back

    signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, seconds, _AGAIN)
    try:
        work()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
