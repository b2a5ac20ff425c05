"""A skill goal being carried out, and everything from outside that can end it early."""

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
    """One goal; its `over` event wakes whoever carries it out."""

    skill: str
    moves: bool = False
    duration: float | None = 0.0
    """Simulated s until it is done; None when only something outside ends it."""
    ending: Fault | None = None
    """How it ends when nothing ends it early; None is success."""
    motion: Any = None
    """What carries it out, for a server of which `halt` takes it away."""
    elapsed: float = 0.0
    """Simulated s since it began."""
    patience: float = 0.0
    """With no duration: s (wall clock) to wait for the end from outside."""
    out_of_patience: Fault = NO_ANSWER
    """How it ends when patience does."""
    patience_left: float = 0.0
    answer: str = ""
    session: str = ""
    """Start of the node whose silence ends it; empty for nobody's."""
    over: threading.Event = field(default_factory=threading.Event)
    fault: Fault | None = None
    _linked: list[threading.Event] = field(default_factory=list)

    @property
    def time_left(self) -> float:
        """Simulated s until it is done."""
        return max(0.0, (self.duration or 0.0) - self.elapsed)

    def advance(self, passed: float) -> None:
        """Lets simulated time pass (s; infinite is as fast as possible); ends it when done."""
        if self.duration is None or self.over.is_set():
            return
        self.elapsed = min(self.duration, self.elapsed + passed)
        if self.elapsed >= self.duration:
            self.end(self.ending)

    def end(self, fault: Fault | None = None) -> None:
        """Ends the goal; the first reason stays."""
        if not self.over.is_set():
            self.fault = fault
            self.over.set()
            for event in self._linked:
                event.set()

    def linked(self) -> threading.Event:
        """An event of its own that is set at the end of the goal too."""
        event = threading.Event()
        self._linked.append(event)
        if self.over.is_set():
            event.set()
        return event


class Activities:
    """The goals under way. Not thread-safe: the caller holds one lock around it.

    Attributes:
        begun: set when a goal begins; whoever waits for it clears it.
    """

    def __init__(self) -> None:
        """Begins with none."""
        self.running: list[Activity] = []
        self.begun = threading.Event()

    def begin(self, activity: Activity) -> Fault | None:
        """Adds a goal, unless one that needs the same body part is under way."""
        for other in self.running:
            if other.moves == activity.moves:
                message = f"{other.skill} is under way; cancel it or wait for its end"
                return Fault(SkillErrorCode.BUSY, message)
        self.running.append(activity)
        self.begun.set()
        return None

    def finish(self, activity: Activity) -> None:
        """Removes a goal."""
        if activity in self.running:
            self.running.remove(activity)

    def end_all(self, fault: Fault) -> None:
        """Ends every goal, for a stop that concerns whoever is there."""
        for activity in self.running:
            activity.end(fault)

    def end_left_behind(self, silence: Callable[[str], float], lost: Callable[[], None]) -> None:
        """Ends the goals whose sender is gone.

        Args:
            silence: of a session, s.
            lost: called first when there are any.
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
