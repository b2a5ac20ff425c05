"""Makes a regression case of each failed run, in the background and at low priority."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

_LIMIT = 300.0  # s per case


class FailureCases:
    """Runs `roboinstruct trace promote` for each case in its own process, one at a time.

    Args:
        tell: receives one line on the result of each case.
    """

    def __init__(self, folder: Path, tell: Callable[[str], object]) -> None:
        self._folder, self._tell = folder, tell
        self._one_by_one = ThreadPoolExecutor(1, "failure_cases")

    def make(self, bag: Path) -> None:
        """Queue the case of a complete bag; it takes the bag's name."""
        self._one_by_one.submit(self._make, bag)

    def close(self) -> None:
        """Drop the queued cases; the current one is completed."""
        self._one_by_one.shutdown(wait=False, cancel_futures=True)

    def _make(self, bag: Path) -> None:
        command = ("trace", "promote", str(bag), bag.name, "--to", str(self._folder))
        try:
            made = subprocess.run(
                ["nice", sys.executable, "-P", "-m", "roboinstruct_ros.cli", *command],
                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_LIMIT,
                check=False,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            self._tell(f"no regression case was made of {bag}: {error}")
            return
        if made.returncode:
            self._tell(f"no regression case was made of {bag}: {made.stderr.strip()}")
        else:
            self._tell(f"the failed run is a regression case: {made.stdout.splitlines()[0]}")
