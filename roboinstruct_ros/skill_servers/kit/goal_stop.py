"""Ends a skill server's goals on a stop or the loss of the executor."""

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
    """Controls the motion of a skill server, from any thread.

    Attributes:
        halt: stops all motion at once, whoever commanded it; for a stop.
        end: stops the motion of the server's own goal at once; for a cancel.
        lock: reentrant; guards the activities.
        lost: like `halt`, for the loss of the executor; None uses `halt`.
    """

    halt: Callable[[], None]
    end: Callable[[], None]
    lock: Any = field(default_factory=threading.RLock)
    lost: Callable[[], None] | None = None


class GoalStop:
    """Receives stops and sends the node's heartbeats, in threads that no callback can delay.

    Create it before offering the skills, so that an executor that sees them already hears the
    heartbeats.

    Args:
        body: halted first, before any lock is taken.
        tick: called often, with the elapsed time (s).

    Attributes:
        last_stop: fault for goals that arrive after it.
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
        """Admit a goal as its sender did; after a newer stop the result is already set."""
        self._lifeline.learn(admission.stop_number, "the sender of a goal")
        self._lifeline.heard.silence(admission.session)  # a new session's silence counts from now
        return self._lifeline.stops.admit(admission.stop_number)

    def stop(self, source: str, reason: str) -> None:
        self._lifeline.stop(source, reason)

    def close(self) -> None:
        self._lifeline.close()

    def _stopped(self, stopped: Stopped) -> None:
        self.last_stop = Fault(SkillErrorCode.STOPPED, str(stopped))  # for a goal just beginning
        self._body.halt()
        with self._body.lock:
            self._activities.end_all(self.last_stop)

    def _tick(self, passed: float) -> None:
        with self._body.lock:
            lost = self._body.lost or self._body.halt
            self._activities.end_left_behind(self._lifeline.heard.silence, lost)
        self._also(passed)
