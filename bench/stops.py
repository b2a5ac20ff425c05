"""How long the robot still moves after a stop, while both cores are busy."""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from executor_process import ExecutorProcess, wait_until
from graph import Processes, own_graph
from nav_msgs.msg import Odometry

from roboinstruct_ros import names

STOPS = 60
BUSY = 2
"""Processes that compute and do nothing else."""

_PATROL = """\
def task_program():
    for n in range(1000):
        go_to("kitchen")
        go_to("garage")
"""


def stop_latencies(stops: int = STOPS) -> tuple[float, ...]:
    """From the call of the service `stop` to the robot's first word of standing still, s.

    The robot says how fast it drives at 50 Hz and at a halt, with its own stamp; both clocks are
    this machine's.
    """
    with own_graph() as processes, tempfile.TemporaryDirectory() as journals:
        processes.start(
            "-m", "roboinstruct_ros.skill_servers.sim.node", "--ros-args",
            "-p", "navigation_blocked:=0.0", "-p", "grasp_slipped:=0.0",
        )  # fmt: skip
        with ExecutorProcess(processes, Path(journals)) as executor, busy(processes):
            odometry = _Odometry(executor)
            return tuple(_stop(executor, odometry) for _ in range(stops))


def _stop(executor: ExecutorProcess, odometry: _Odometry) -> float:
    handle = executor.begin(_PATROL)
    begun = time.time()
    wait_until(lambda: odometry.drives_since(begun), "the robot drives")
    asked = time.time()
    answered = threading.Thread(target=executor.stop)
    answered.start()
    wait_until(lambda: odometry.stood_at(asked) > 0, "the robot stands still")
    answered.join()
    executor.result(handle)
    return odometry.stood_at(asked) - asked


class _Odometry:
    """What the robot says of its speed, by its own stamps in s since the epoch."""

    def __init__(self, executor: ExecutorProcess) -> None:
        self._told: list[tuple[float, bool]] = []
        executor.node.create_subscription(Odometry, names.ODOMETRY_TOPIC, self._hear, 50)

    def drives_since(self, moment: float) -> bool:
        later = [moves for when, moves in self._told if when > moment]
        return len(later) > 5 and all(later[-5:])

    def stood_at(self, moment: float) -> float:
        """When it first stood still after the moment; 0 when it has not yet."""
        return next((when for when, moves in self._told if when > moment and not moves), 0.0)

    def _hear(self, message: Odometry) -> None:
        stamp, twist = message.header.stamp, message.twist.twist
        seconds = stamp.sec + stamp.nanosec * 1e-9
        self._told.append((seconds, bool(twist.linear.x or twist.angular.z)))


@contextmanager
def busy(processes: Processes) -> Iterator[None]:
    """Processes that leave no core free, for as long as this is open."""
    computing = [processes.start("-c", "while True: pass") for _ in range(BUSY)]
    try:
        yield
    finally:
        for process in computing:
            process.kill()


if __name__ == "__main__":
    print(*(f"{latency * 1e3:.0f}" for latency in stop_latencies(int(sys.argv[1]))))
