"""A skill goal being carried out, and everything from outside that can end it early."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.names import HEARTBEAT_TIMEOUT
from roboinstruct_ros.skill_servers.fault import Fault
from roboinstruct_ros.skill_servers.floor_plan import Motion, Velocity

LONGEST_TICK = 0.05
"""The most silence that one tick may count, s: a process that slept itself heard nobody."""

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
    motion: Motion | None = None
    elapsed: float = 0.0
    """Simulated s since it began."""
    patience: float = 0.0
    """With no duration: s (wall clock) to wait for the end from outside."""
    out_of_patience: Fault = NO_ANSWER
    """How it ends when patience does."""
    patience_left: float = 0.0
    answer: str = ""
    watched: bool = False
    """The executor was alive during this goal, so its silence ends it."""
    over: threading.Event = field(default_factory=threading.Event)
    fault: Fault | None = None
    _linked: list[threading.Event] = field(default_factory=list)

    @property
    def time_left(self) -> float:
        """Simulated s until it is done."""
        return max(0.0, (self.duration or 0.0) - self.elapsed)

    @property
    def velocity(self) -> Velocity:
        """How the robot moves for this goal now."""
        if self.motion is None or self.over.is_set():
            return Velocity()
        return self.motion.velocity_at(self.elapsed)

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
    """The goals under way. Not thread-safe: the caller holds one lock around it."""

    def __init__(self) -> None:
        """Begins with none, and with an executor never heard of."""
        self.running: list[Activity] = []
        self.last_stop: Fault | None = None
        self._silence: float | None = None

    def begin(self, activity: Activity) -> Fault | None:
        """Adds a goal, unless one that needs the same body part is under way."""
        for other in self.running:
            if other.moves == activity.moves:
                message = f"{other.skill} is under way; cancel it or wait for its end"
                return Fault(SkillErrorCode.BUSY, message)
        activity.watched = self._silence is not None and self._silence <= HEARTBEAT_TIMEOUT
        self.running.append(activity)
        return None

    def finish(self, activity: Activity) -> None:
        """Removes a goal."""
        if activity in self.running:
            self.running.remove(activity)

    def end_all(self, fault: Fault) -> None:
        """Ends every goal, for a stop that concerns whoever is there."""
        self.last_stop = fault
        for activity in self.running:
            activity.end(fault)

    def heard_executor(self) -> None:
        """Notes a heartbeat of the executor."""
        self._silence = 0.0
        for activity in self.running:
            activity.watched = True

    def watch_executor(self, passed: float, lost: Callable[[], None]) -> None:
        """Lets `passed` s (wall clock) of silence pass; ends what the executor left behind."""
        if self._silence is None:
            return
        self._silence += min(passed, LONGEST_TICK)
        if self._silence <= HEARTBEAT_TIMEOUT:
            return
        fault = Fault(
            SkillErrorCode.EXECUTOR_LOST,
            f"the executor has not been heard for {HEARTBEAT_TIMEOUT:g} s; the robot stands still",
        )
        left_behind = [a for a in self.running if a.watched and not a.over.is_set()]
        if left_behind:
            lost()
        for activity in left_behind:
            activity.end(fault)
