"""The signals that ask a process to end in good order."""

from __future__ import annotations

import signal


def end_signals() -> tuple[signal.Signals, ...]:
    """SIGINT, SIGTERM, and SIGHUP of a closed terminal, unless it is ignored, as under nohup."""
    ending = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    return ending if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN else ending[:2]
