"""Makes a regression case of each failed run, in the background and at low priority."""

from __future__ import annotations

import atexit
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

_LIMIT = 300.0  # s per case
_END_LIMIT = 1.5  # s for which the end of the process waits for a case


class FailureCases:
    """Runs `roboinstruct trace promote` for each case in its own process, one at a time.

    Args:
        tell: receives one line on the result of each case.
    """

    def __init__(self, folder: Path, tell: Callable[[str], object]) -> None:
        self._folder, self._tell = folder, tell
        self._bags: list[Path] = []  # the first is being made
        self._guard = threading.Lock()
        self._worker = threading.Thread()

    def make(self, bag: Path) -> None:
        """Queue the case of a complete bag; it takes the bag's name."""
        with self._guard:
            self._bags.append(bag)
            if len(self._bags) == 1:
                self._worker = threading.Thread(target=self._work, daemon=True)
                self._worker.start()

    def close(self) -> None:
        """Drop the queued cases; the current one is completed, if need be after this process."""
        with self._guard:
            del self._bags[1:]
            if self._bags:
                # the shutdown of a node must not take as long
                atexit.register(self._finish, self._bags[0])

    def _finish(self, bag: Path) -> None:
        self._worker.join(_END_LIMIT)
        if self._worker.is_alive():
            self._tell(f"the regression case of {bag} is still being made; it will be there soon")

    def _work(self) -> None:
        while True:
            self._make(self._bags[0])
            with self._guard:
                del self._bags[0]
                if not self._bags:
                    return

    def _make(self, bag: Path) -> None:
        command = ("trace", "promote", str(bag), bag.name, "--to", str(self._folder))
        try:
            made = subprocess.run(
                ["nice", sys.executable, "-P", "-m", "roboinstruct_ros.cli", *command],
                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_LIMIT,
                check=False, start_new_session=True,  # signals that end this node do not end it
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            self._tell(f"no regression case was made of {bag}: {error}")
            return
        if made.returncode:
            died = subprocess.CalledProcessError(made.returncode, "roboinstruct trace promote")
            self._tell(f"no regression case was made of {bag}: {made.stderr.strip() or died}")
        else:
            case = made.stdout.partition("\n")[0]
            self._tell(f"the failed run is a regression case: {case}")
