"""Ends a skill server's goals from outside: a stop, or an executor that fell silent."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rclpy.node import Node

from roboinstruct_msgs.msg import Admission as AdmissionMsg
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.stop_number import Admission
from roboinstruct_ros.nodes.lifeline import Lifeline, Stopped
from roboinstruct_ros.skill_servers.kit.activity import Activities
from roboinstruct_ros.skill_servers.kit.fault import Fault


@dataclass(frozen=True)
class MovingPart:
    """What carries the goals out, from any thread.

    Attributes:
        halt: takes every motion away at once, whoever began it: a stop.
        end: takes the motion of its own goal away at once, and nobody else's: a cancel.
        lock: reentrant; guards the activities.
        lost: as `halt`, when the executor is lost; `halt` itself where it is None.
    """

    halt: Callable[[], None]
    end: Callable[[], None]
    lock: Any = field(default_factory=threading.RLock)
    lost: Callable[[], None] | None = None


class GoalWatch:
    """Listens, and sends the node's own heartbeats, in threads that no callback can delay.

    Make it before the skills are offered: an executor that sees those is then heard already.

    Args:
        body: halted first of all, before any lock is taken.
        tick: called often, with the s that passed.

    Attributes:
        last_stop: what a goal is told that came too late for it.
    """

    def __init__(
        self,
        node: Node,
        body: MovingPart,
        activities: Activities,
        tick: Callable[[float], object] = lambda passed: None,
    ) -> None:
        self._body, self._activities, self._also = body, activities, tick
        self.last_stop = Fault(SkillErrorCode.STOPPED, "the robot was stopped before")
        self._lifeline = Lifeline(node, self._stopped, self._tick)

    def admit(self, admission: AdmissionMsg) -> Admission:
        """Let a goal in that was admitted elsewhere; it is set at once after a newer stop."""
        self._lifeline.learn(admission.stop_number, "the sender of a goal")
        self._lifeline.heard.silence(admission.session)  # counts from now where it is new
        return self._lifeline.stops.admit(admission.stop_number)

    def stop(self, source: str, reason: str) -> None:
        """Stop the whole robot."""
        self._lifeline.stop(source, reason)

    def close(self) -> None:
        """Ends the threads and the heartbeats."""
        self._lifeline.close()

    def _stopped(self, stopped: Stopped) -> None:
        self.last_stop = Fault(SkillErrorCode.STOPPED, str(stopped))  # for who begins just now
        self._body.halt()
        with self._body.lock:
            self._activities.end_all(self.last_stop)

    def _tick(self, passed: float) -> None:
        with self._body.lock:
            lost = self._body.lost or self._body.halt
            self._activities.end_left_behind(self._lifeline.heard.silence, lost)
        self._also(passed)
