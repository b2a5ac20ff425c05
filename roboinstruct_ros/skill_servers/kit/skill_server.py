"""Base node of all skill servers: goals, cancels, stops, heartbeats and an orderly shutdown."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable
from typing import Any

from rclpy.node import Node

from roboinstruct_ros.domain.diagnosis import Diagnosis, Level
from roboinstruct_ros.nodes.diagnostics import Diagnostics
from roboinstruct_ros.nodes.hearing import hear
from roboinstruct_ros.nodes.node_process import run_node
from roboinstruct_ros.nodes.parameters import GIVEN, current, declare
from roboinstruct_ros.skill_servers.kit.activity import Activities
from roboinstruct_ros.skill_servers.kit.goal_runner import GoalRunner
from roboinstruct_ros.skill_servers.kit.motion_guard import MotionGuard
from roboinstruct_ros.skill_servers.kit.work import Work

THREADS = 8
"""A goal blocks one thread; the others serve cancels, stops and services."""
SETTLED = 0.3
"""Time (s) for a function to return at shutdown before its motion is cancelled."""


class SkillServer(Node):
    """Serves skills; subclasses define how to execute them and how to stop their motion.

    A subclass's `__init__` creates what moves the robot and calls `serve` last: stops and goals may
    arrive from then on.

    Args:
        name: node name, as in the executor's `skill_server_nodes`.
        parameters: a dataclass of options.

    Attributes:
        parameters: the current values.
        lock: reentrant; guards the activities and state shared by goals.
        activities: the goals in progress.
        goals: executes goals that only wait for events elsewhere; has the stops and heartbeats.
        work: executes goals by functions that block.
        guard: for a server that moves the robot through other nodes' actions; see `motion_guard`.

    Raises:
        ParameterException: a parameter has the wrong type or is out of range.
    """

    goals_limit = 0.4
    """Time (s) for goals to end at shutdown."""
    exit_code = 0
    """Exit code of the process; nonzero if its supervisor must react."""

    def __init__(self, name: str, parameters: type) -> None:
        super().__init__(name, **GIVEN)
        self._defaults = parameters()
        self.parameters: Any = declare(self, self._defaults)
        self.lock = threading.RLock()
        self.activities = Activities()
        self.work = Work(self)
        self.guard: MotionGuard | None = None

    def stop_motion(self) -> None:
        """Stop all motion at once, whoever commanded it: on a stop or the loss of the executor.

        Called from any thread; must not wait, nor take a lock whose holder waits.
        """

    def end_motion(self) -> None:
        """Like `stop_motion`, but for the motion of the server's own goal only: on a cancel."""
        self.stop_motion()

    def ailment(self) -> str:
        """What a person must fix before the skills work, for `/diagnostics`; empty for nothing."""
        return ""

    def tick(self, passed: float) -> None:
        """Called 20 times a second with the elapsed time (s), on the heartbeat thread."""

    def serve(
        self,
        actions: Iterable[tuple[Any, str, Callable[[Any], Any]]],
        services: Iterable[tuple[Any, str, Callable[[Any, Any], Any]]] = (),
    ) -> None:
        """Start serving.

        Args:
            actions: (type, name, function to execute a goal), from `work` or based on
                `goals.carry_out`.
            services: (type, name, function that fills in the response or returns a `Fault`).
        """
        self.goals = GoalRunner(self)
        for kind, name, run in actions:
            self.goals.offer(kind, name, run)
        for kind, name, answer in services:
            self.goals.offer_service(kind, name, answer)
        self.add_post_set_parameters_callback(self._parameters_set)
        Diagnostics(self, self._diagnose)

    def hear(self, kind: Any, topic: str, heard: Callable[[Any], None], qos: Any = 10) -> None:
        """Subscribe; messages are handled one at a time."""
        hear(self, kind, topic, heard, qos)

    def parameters_changed(self, names: set[str]) -> None:
        """Called after `parameters` have changed, with the lock held."""

    def leave(self, code: int) -> None:
        """End the process in an orderly way, from any thread."""
        self.exit_code = code
        os.kill(os.getpid(), signal.SIGTERM)

    def halt(self) -> None:
        """Stop motion and end every goal; called at shutdown while the node is still spun."""
        self.goals.close(f"{self.get_name()} is shutting down", self.goals_limit)
        if self.guard is not None and self.work.settled(SETTLED):
            self.guard.dismiss()

    def close(self) -> None:
        """Free the node's resources; called when it is no longer spun."""
        self.goals.stop_link.close()

    def stop_now(self) -> None:
        """`stop_motion`, counted; for the goal runner, as are the next two."""
        self.work.halts += 1
        self.stop_motion()

    def executor_lost(self) -> None:
        self.stop_now()
        if self.guard is not None:  # `motion_stop` has received no stop
            self.guard.cancel()

    def end_now(self) -> None:
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
    """Run a server until it is asked to end; arguments as for `run_node`.

    Returns 0, 1 to request a restart, or 2 if its configuration is unusable.
    """
    made: list[SkillServer] = []

    def keep() -> SkillServer:
        made.append(make())
        return made[0]

    return run_node(keep, THREADS, args, name) or made[0].exit_code
