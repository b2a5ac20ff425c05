"""Runs the tests in five parts side by side, so that two cores have work.

    python tools/both_cores.py [arguments of pytest]

The parts `stack` and `nodes` start, stop and measure a robot's nodes, all together and one by one;
they mostly wait, and have priority where others want a core too. `page` is the kiosk's page, `rest`
is commands, models, evaluation and whatever else there is. `computing` is what only computes
(marker `computes`), in the scheduling class SCHED_IDLE: the kernel gives it a core that nobody else
wants and takes it away at once. A test that is marked so fails if it starts a process, waits or
opens a connection.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import IO

from pytest import ExitCode

GOOD = {ExitCode.OK, ExitCode.NO_TESTS_COLLECTED}
BEHIND = 5  # of niceness, of the parts that measure nothing

Part = tuple[str, subprocess.Popen[bytes], IO[bytes]]


def main(arguments: list[str]) -> int:
    """0 when all parts are, else the exit code of pytest."""
    pytest = [sys.executable, "-m", "pytest", *arguments]
    with ExitStack() as stack:
        beside = [
            stack.enter_context(_begun("nodes", pytest)),
            stack.enter_context(_begun("page", pytest, lambda: os.nice(BEHIND))),
            stack.enter_context(_begun("rest", pytest, lambda: os.nice(BEHIND))),
            stack.enter_context(_begun("computing", [*pytest, "--timeout=7200"], _in_idle_time)),
        ]
        codes = {subprocess.run([*pytest, "--part=stack"]).returncode}
        for part, process, told in beside:
            with suppress(PermissionError):  # nobody is held up any more; not everyone may say so
                os.sched_setscheduler(process.pid, os.SCHED_OTHER, os.sched_param(0))
            codes.add(process.wait())
            told.seek(0)
            print(f"beside it, the part {part}:", told.read().decode(), sep="\n", flush=True)
    bad = codes - GOOD
    return max(bad) if bad else min(codes)


@contextmanager
def _begun(
    part: str, pytest: list[str], before: Callable[[], object] | None = None
) -> Iterator[Part]:
    """A part that goes on beside, with the file that it writes to; killed if it is not awaited."""
    with tempfile.TemporaryFile() as told:
        process = subprocess.Popen(
            [*pytest, f"--part={part}", "-p", "no:cacheprovider"],
            stdout=told,
            stderr=subprocess.STDOUT,
            preexec_fn=before,
        )
        try:
            yield part, process, told
        finally:
            process.kill()
            process.wait()


def _in_idle_time() -> None:
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
