"""A skill goal in progress, and everything outside that can end it early."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.names import HEARTBEAT_TIMEOUT
from roboinstruct_ros.skill_servers.kit.fault import Fault

NO_ANSWER = Fault(SkillErrorCode.NO_ANSWER, "nobody answered in time")


@dataclass(eq=False)
class Activity:
    """One goal; its `over` event wakes the thread that carries it out."""

    skill: str
    moves: bool = False
    duration: float | None = 0.0
    """Duration in simulated s; None if only something outside ends the goal."""
    ending: Fault | None = None
    """The result if nothing ends it early; None for success."""
    motion: Any = None
    """The motion that carries it out, for servers whose `halt` removes it."""
    elapsed: float = 0.0
    """Simulated s since the goal began."""
    patience: float = 0.0
    """Without a duration: wall-clock time (s) to wait for the end from outside."""
    out_of_patience: Fault = NO_ANSWER
    """The result when `patience` has passed."""
    patience_left: float = 0.0
    answer: str = ""
    session: str = ""
    """Session of the node whose silence ends the goal; empty for none."""
    over: threading.Event = field(default_factory=threading.Event)
    fault: Fault | None = None
    _linked: list[threading.Event] = field(default_factory=list)

    @property
    def time_left(self) -> float:
        """Simulated s."""
        return max(0.0, (self.duration or 0.0) - self.elapsed)

    def advance(self, passed: float) -> None:
        """Advance simulated time by `passed` s (infinity: to the end); ends the goal when done."""
        if self.duration is None or self.over.is_set():
            return
        self.elapsed = min(self.duration, self.elapsed + passed)
        if self.elapsed >= self.duration:
            self.end(self.ending)

    def end(self, fault: Fault | None = None) -> None:
        """End the goal; only the first reason counts."""
        if not self.over.is_set():
            self.fault = fault
            self.over.set()
            for event in self._linked:
                event.set()

    def linked(self) -> threading.Event:
        """A new event that is also set when the goal ends."""
        event = threading.Event()
        self._linked.append(event)
        if self.over.is_set():
            event.set()
        return event


class Activities:
    """The goals in progress. Not thread-safe: the caller holds a lock.

    Attributes:
        begun: set when a goal begins; the waiting thread clears it.
    """

    def __init__(self) -> None:
        self.running: list[Activity] = []
        self.begun = threading.Event()

    def begin(self, activity: Activity) -> Fault | None:
        """Add a goal, unless one that needs the same body part is in progress."""
        for other in self.running:
            if other.moves == activity.moves:
                message = f"{other.skill} is under way; cancel it or wait for its end"
                return Fault(SkillErrorCode.BUSY, message)
        self.running.append(activity)
        self.begun.set()
        return None

    def finish(self, activity: Activity) -> None:
        if activity in self.running:
            self.running.remove(activity)

    def end_all(self, fault: Fault) -> None:
        for activity in self.running:
            activity.end(fault)

    def end_left_behind(self, silence: Callable[[str], float], lost: Callable[[], None]) -> None:
        """End the goals whose sender is gone; `silence` is that of a session (s).

        If there are any, `lost` is called first.
        """
        left_behind = [
            activity
            for activity in self.running
            if activity.session
            and not activity.over.is_set()
            and silence(activity.session) > HEARTBEAT_TIMEOUT
        ]
        if left_behind:
            lost()
        fault = Fault(
            SkillErrorCode.EXECUTOR_LOST,
            f"the executor has not been heard for {HEARTBEAT_TIMEOUT:g} s; the robot stands still",
        )
        for activity in left_behind:
            activity.end(fault)
