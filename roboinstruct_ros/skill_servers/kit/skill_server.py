"""The node that every skill server is: goals, cancels, stops, heartbeats, and an orderly end."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable
from typing import Any

from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.node import Node

from roboinstruct_ros.domain.diagnosis import Diagnosis, Level
from roboinstruct_ros.nodes.diagnostics import Diagnostics
from roboinstruct_ros.nodes.hearing import hear
from roboinstruct_ros.nodes.node_process import run_node
from roboinstruct_ros.nodes.parameters import current, declare
from roboinstruct_ros.skill_servers.kit.activity import Activities
from roboinstruct_ros.skill_servers.kit.goal_runner import GoalRunner
from roboinstruct_ros.skill_servers.kit.goal_watch import GoalWatch, MovingPart
from roboinstruct_ros.skill_servers.kit.internal_fault import offer_service
from roboinstruct_ros.skill_servers.kit.motion_guard import MotionGuard
from roboinstruct_ros.skill_servers.kit.work import Work

THREADS = 8
"""A goal blocks one; the rest answer cancels, stops and services."""


SETTLED = 0.3
"""s that a function gets to return at the end of the node, before its motion is cancelled."""


class SkillServer(Node):
    """Serves skills; a subclass says how they are carried out and how motion is taken away.

    Its `__init__` makes what moves the robot and calls `serve` last: from then on stops and goals
    may come.

    Args:
        name: of the node, as the executor's `skill_server_nodes` has it.
        parameters: a dataclass of options.

    Attributes:
        parameters: the values of now.
        lock: reentrant; guards the activities and what goals share.
        activities: the goals under way.
        goals: carries goals out that only wait for what happens elsewhere.
        work: carries goals out by functions that block.
        watch: stops and heartbeats.
        guard: of a server that moves the robot by actions of other nodes; see `motion_guard`.

    Raises:
        ParameterException: a parameter has the wrong type or is out of range.
    """

    goals_limit = 0.4
    """s that goals get to end when the node does."""
    exit_code = 0
    """Of its process; not 0 where whoever watches it must see that."""

    def __init__(self, name: str, parameters: type) -> None:
        super().__init__(name)
        self._defaults = parameters()
        self.parameters: Any = declare(self, self._defaults)
        self.lock = threading.RLock()
        self.activities = Activities()
        self.work = Work(self)
        self.guard: MotionGuard | None = None

    def stop_motion(self) -> None:
        """Take every motion away at once, whoever began it: a stop, or an executor that is lost.

        From any thread; it must neither wait nor take a lock that somebody holds who waits.
        """

    def end_motion(self) -> None:
        """Take the motion of its own goal away at once: a cancel. As `stop_motion`."""
        self.stop_motion()

    def ailment(self) -> str:
        """What a person has to mend before the skills work, for `/diagnostics`; else empty."""
        return ""

    def tick(self, passed: float) -> None:
        """Called 20 times a second with the s that passed, on the heartbeats' thread."""

    def serve(
        self,
        actions: Iterable[tuple[Any, str, Callable[[Any], Any]]],
        services: Iterable[tuple[Any, str, Callable[[Any, Any], Any]]] = (),
    ) -> None:
        """Begin: heartbeats first, so that an executor that sees the skills hears them already.

        Args:
            actions: type, name, and what carries a goal out: of `work`, or with `goals.carry_out`.
            services: type, name, and what fills the response in, or returns a `Fault`.
        """
        body = MovingPart(self._stop_motion, self._end_motion, self.lock, self._executor_lost)
        self.watch = GoalWatch(self, body, self.activities, self.tick)
        self.goals = GoalRunner(body, self.activities, self.watch)
        group = ReentrantCallbackGroup()
        for kind, name, run in actions:
            self.goals.offer(self, kind, name, run, group)
        for kind, name, answer in services:
            offer_service(self, kind, name, answer, group)
        self.add_post_set_parameters_callback(self._parameters_set)
        Diagnostics(self, self._diagnose)

    def hear(self, kind: Any, topic: str, heard: Callable[[Any], None], qos: Any = 10) -> None:
        """Subscribe; one message is taken after another."""
        hear(self, kind, topic, heard, qos)

    def parameters_changed(self, names: set[str]) -> None:
        """Called when `parameters` have changed; the lock is held."""

    def leave(self, code: int) -> None:
        """End the process in good order, from any thread."""
        self.exit_code = code
        os.kill(os.getpid(), signal.SIGTERM)

    def halt(self) -> None:
        """Stand still and end every goal: the end of the node, while it is still spun."""
        self.goals.close(f"{self.get_name()} is shutting down", self.goals_limit)
        if self.guard is not None and self.work.settled(SETTLED):
            self.guard.dismiss()

    def close(self) -> None:
        """Free what the node holds, when it is spun no more."""
        self.watch.close()

    def _stop_motion(self) -> None:
        self.work.halts += 1
        self.stop_motion()

    def _executor_lost(self) -> None:
        self._stop_motion()
        if self.guard is not None:  # which has heard no stop
            self.guard.cancel()

    def _end_motion(self) -> None:
        self.work.halts += 1
        self.end_motion()

    def _diagnose(self) -> list[Diagnosis]:
        ailment = self.ailment()
        under_way = ", ".join(one.skill for one in list(self.activities.running))
        level = Level.WARN if ailment else Level.OK
        return [Diagnosis("skills", level, ailment or under_way or "waiting for goals")]

    def _parameters_set(self, changed: list[Any]) -> None:
        with self.lock:
            self.parameters = current(self, self._defaults)
            self.parameters_changed({one.name for one in changed})


def run_server(
    make: Callable[[], SkillServer], args: list[str] | None = None, name: str = ""
) -> int:
    """Run a server until SIGINT or SIGTERM; the arguments are those of `run_node`.

    Returns:
        0; 1 when it wants to be started again; 2 when it cannot be started as asked.
    """
    made: list[SkillServer] = []

    def keep() -> SkillServer:
        made.append(make())
        return made[0]

    code = run_node(keep, THREADS, args, name)
    return code or (made[0].exit_code if made else 0)
