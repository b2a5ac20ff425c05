"""Runs the tests on two cores: those that only compute beside those that wait, start and measure.

    python tools/both_cores.py [arguments of pytest]

What only computes (marker `computes`) has the scheduling class SCHED_IDLE: the kernel gives it a
core that nobody else wants, and takes it away at once. So no test that measures is held up by it.
It fails if it starts a process, waits or opens a connection: such a test belongs to the others.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import suppress

from pytest import ExitCode

GOOD = {ExitCode.OK, ExitCode.NO_TESTS_COLLECTED}


def main(arguments: list[str]) -> int:
    """0 when both parts are, else the exit code of pytest."""
    pytest = [sys.executable, "-m", "pytest", *arguments]
    with tempfile.TemporaryFile() as told:
        computing = subprocess.Popen(
            [*pytest, "--part=computing", "--timeout=7200", "-p", "no:cacheprovider"],
            stdout=told,
            stderr=subprocess.STDOUT,
            preexec_fn=_only_in_idle_time,
        )
        try:
            others = subprocess.run([*pytest, "--part=others"]).returncode
            with suppress(PermissionError):  # nobody is held up any more; not everyone may say so
                os.sched_setscheduler(computing.pid, os.SCHED_OTHER, os.sched_param(0))
            codes = {others, computing.wait()}
        finally:
            computing.kill()
        told.seek(0)
        print("beside them, those that only compute:", told.read().decode(), sep="\n")
    bad = codes - GOOD
    return max(bad) if bad else min(codes)


def _only_in_idle_time() -> None:
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
