"""The one thread that calls `BasicNavigator`, which is a node and spins itself."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable

from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.skill_servers.kit.fault import Fault
from roboinstruct_ros.skill_servers.nav2.drive import (
    Drive,
    DriveSettings,
    Nav2Calls,
    Navigator,
    carry_out,
)

STUCK = 5.0
"""s that Nav2 gets to end a cancelled goal before this node gives up on its navigator."""


class Nav2Driver:
    """Carries drives out, one at a time.

    Args:
        make: makes the navigator, in the driver's thread.
        ready: looks whether Nav2 can take a goal; gives why not. Blocks for a bounded time.
        settings: gives those in force.
    """

    def __init__(
        self,
        make: Callable[[], Navigator],
        ready: Callable[[Drive], Fault | None],
        settings: Callable[[], DriveSettings],
        calls: Nav2Calls,
    ) -> None:
        self._make, self._ready, self._settings, self._calls = make, ready, settings, calls
        self._waiting: queue.SimpleQueue[Drive | None] = queue.SimpleQueue()
        self._drive: Drive | None = None
        self._navigator: Navigator | None = None
        self._thread = threading.Thread(target=self._run, name="nav2_driver", daemon=True)

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def begin(self, drive: Drive) -> bool:
        """Takes a drive; False when Nav2 has not ended the one before. The caller holds a lock."""
        if self._drive is not None and not self._drive.done.is_set():
            return False
        self._drive = drive
        self._waiting.put(drive)
        return True

    def cancel(self) -> None:
        """Gives up the drive under way, if there is one, and its goal; returns at once."""
        if self._drive is None or self._drive.done.is_set():
            return
        self._drive.cancel()
        handle = self._navigator.goal_handle if self._navigator is not None else None
        if handle is not None:
            self._calls.end(handle.goal_id)

    def settled(self, limit: float) -> bool:
        """Whether Nav2 has ended the drive, or does so within `limit` s."""
        return self._drive is None or self._drive.done.wait(limit)

    @property
    def stuck(self) -> bool:
        """Whether Nav2 has left a cancelled goal unanswered for longer than `STUCK`."""
        drive = self._drive
        if drive is None or drive.done.is_set() or not drive.cancelled.is_set():
            return False
        return time.monotonic() - drive.cancelled_at > STUCK

    def end(self, limit: float) -> bool:
        """Ends the thread; False when its navigator takes longer than `limit` s."""
        self._waiting.put(None)
        self._thread.join(limit)
        return not self._thread.is_alive()

    def _run(self) -> None:
        navigator = self._navigator = self._make()
        while (drive := self._waiting.get()) is not None:
            fault = self._carry_out(navigator, drive)
            drive.done.set()
            drive.on_end(fault)
        navigator.destroy_node()

    def _carry_out(self, navigator: Navigator, drive: Drive) -> Fault | None:
        try:
            fault = self._ready(drive)
            if fault is not None or drive.cancelled.is_set():
                return fault
            return carry_out(navigator, drive, self._settings(), self._calls)
        except Exception as error:  # whatever it was, the robot must not drive on
            self._calls.halt()
            message = f"driving to the {drive.room} failed: {type(error).__name__}: {error}"
            self._calls.log(message)
            return Fault(SkillErrorCode.UNKNOWN, message)
