"""The recorder node, which writes each run to its own MCAP bag."""

from __future__ import annotations

import itertools
import struct
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Odometry
from rclpy.node import Node
from rclpy.qos import QoSProfile
from rclpy.serialization import deserialize_message
from visualization_msgs.msg import MarkerArray

from roboinstruct_msgs.msg import Event, StopRequest, TaskState
from roboinstruct_ros import names
from roboinstruct_ros.domain.arrival import read_object
from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.files.file_names import file_name
from roboinstruct_ros.domain.skills import domain_named
from roboinstruct_ros.nodes.events import EventPublisher
from roboinstruct_ros.nodes.failure_cases import FailureCases
from roboinstruct_ros.nodes.hearing import Untold, hear
from roboinstruct_ros.nodes.metrics_file import MetricsFile
from roboinstruct_ros.nodes.node_process import run_node
from roboinstruct_ros.nodes.parameters import GIVEN, declare
from roboinstruct_ros.nodes.qos import EVENTS, LATCHED, STREAM
from roboinstruct_ros.nodes.recorder_options import RecorderOptions
from roboinstruct_ros.nodes.stop_link import StopLink
from roboinstruct_ros.trace.bag import DEFAULT_FOLDER, BagError, BagWriter
from roboinstruct_ros.trace.retention import delete_superfluous

_END_LIMIT = 1.0  # s for the end of a run to arrive when all nodes end
_GONE_LIMIT = 10.0  # s of silence after which the executor of a run will not end it any more
_BEGINNINGS = (EventKind.PROGRAM_VERIFIED.value, EventKind.RUN_STARTED.value)
_REMEMBERED = 4000  # events kept until it is known which run they belong to

_HEARD: tuple[tuple[str, Any, QoSProfile], ...] = (
    (names.EVENTS_TOPIC, Event, EVENTS),
    (names.TASK_STATE_TOPIC, TaskState, LATCHED),
    (names.STOP_REQUEST_TOPIC, StopRequest, STREAM),
    (names.MARKERS_TOPIC, MarkerArray, LATCHED),
)

_MOTION: dict[str, Any] = {
    names.ODOMETRY_TOPIC: Odometry,
    names.ROBOT_POSE_TOPIC: PoseStamped,
}
"""High-rate topics, polled ten times a second and only while a run is recorded: waking for every
message would cost more than everything else."""

_TYPES = {name: kind for name, kind, _ in _HEARD} | _MOTION

_ODOMETRY_PERIOD = 100_000_000
"""Least time (ns, by message stamps) between two recorded odometry messages: robots send up to
100 a second, each with 72 covariance values."""

_MOTION_PERIOD = 0.1  # s
_UNTAKEN = QoSProfile(depth=100)  # depth for the messages of one period


class RecorderNode(Node):
    """Opens a bag when a run starts; closes it when the run has finished or its executor is gone.

    A run that goes on after an interruption has a bag of its own.

    Raises:
        ConfigError: a folder or file of its parameters cannot be written.
    """

    def __init__(self) -> None:
        super().__init__(names.RECORDER_NODE, **GIVEN)
        given = self._given = declare(self, RecorderOptions())
        domain, metrics = domain_named(given.domain), Path(given.metrics_file).expanduser()
        self._metrics = MetricsFile(self, metrics, domain) if given.metrics_file else None
        self._folder = _writable("directory", given.directory or DEFAULT_FOLDER)
        self._cases: FailureCases | None = None
        if given.failure_cases:
            folder = _writable("failure_cases", given.failure_cases)
            self._cases = FailureCases(folder, self.get_logger().warning)
        self._lock = threading.Condition()  # notified when a bag is not written any more
        self._bag: BagWriter | None = None
        self._task_id = self._executor = ""  # of the run; the executor by its session
        self._run = self._lost = ("", "", "")  # of the last one, and of one not recorded further
        self._before: deque[tuple[int, str, bytes]] = deque(maxlen=_REMEMBERED)
        self._markers: bytes = b""
        self._odometry_at = -_ODOMETRY_PERIOD
        self._publisher = EventPublisher(self)
        self._resolved = {name: self.resolve_topic_name(name) for name in _TYPES}
        self._motion = {
            name: Untold(self, kind, name, _UNTAKEN, raw=True) for name, kind in _MOTION.items()
        }
        for name, kind, qos in _HEARD:
            hear(self, kind, name, partial(self._hear, name), qos, raw=True)
        self._records, self._over = threading.Event(), threading.Event()
        self._taking = threading.Thread(target=self._take_motion, name="motion")
        self._taking.start()
        self._stop_link = StopLink(self)
        if self._metrics is not None:
            self._metrics.watch(self._stop_link.heard)

    def halt(self) -> None:
        """Complete the bag of a run, whose end may still be on its way, or has been aborted."""
        with self._lock:
            self._lock.wait_for(lambda: self._bag is None, _END_LIMIT)
        self._over.set()
        self._records.set()
        self._taking.join()
        with self._lock:
            self._close()
        if self._metrics is not None:
            self._metrics.write()

    def close(self) -> None:
        if self._cases is not None:
            self._cases.close()
        self._stop_link.close()

    def _take_motion(self) -> None:
        while not self._over.wait(_MOTION_PERIOD) and self._records.wait():
            with self._lock:
                self._write_motion()
                self._look_for_executor()

    def _look_for_executor(self) -> None:
        heard, node = self._stop_link.heard, names.EXECUTOR_NODE
        self._executor = self._executor or heard.session(node)
        if heard.restarted(node, self._executor) or heard.lost(node, _GONE_LIMIT):
            self._lost = self._run
            self._close()

    def _write_motion(self) -> None:
        now = self.get_clock().now().nanoseconds
        for name, cdr in self._taken():
            if name != names.ODOMETRY_TOPIC or self._is_due(cdr):
                self._write(name, now, cdr)

    def _taken(self) -> Iterator[tuple[str, bytes]]:
        """Messages since the last poll, as (topic, CDR)."""
        return ((name, bytes(cdr)) for name, one in self._motion.items() for cdr in one.take())

    def _hear(self, name: str, heard: Any) -> None:
        cdr = bytes(heard)
        now = self.get_clock().now().nanoseconds
        event = deserialize_message(cdr, Event) if name == names.EVENTS_TOPIC else None
        if event is not None and self._metrics is not None:
            self._metrics.note(event)
        with self._lock:
            if name == names.MARKERS_TOPIC:
                self._markers = cdr
            if event is not None and event.kind in _BEGINNINGS:
                self._close()  # of a run whose end was never told
                self._lost = ("", "", "")
            if event is not None and not self._is_recorded(event):
                if event.task_id and _run_of(event) == self._lost:
                    return  # the next run of the task has nothing of this one
                self._before.append((now, event.task_id, cdr))
                if event.kind == EventKind.RUN_STARTED.value:
                    self._run = _run_of(event)
                    self._open(event.task_id, now)
                return
            self._write(name, now, cdr)
            ended = (EventKind.RUN_FINISHED.value, self._task_id)
            if event is not None and (event.kind, event.task_id) == ended:
                self._write_motion()
                self._close(_has_failed(event))

    def _is_recorded(self, event: Event) -> bool:
        return self._bag is not None and event.task_id in ("", self._task_id)

    def _is_due(self, odometry: bytes) -> bool:
        """Whether the next recorded message is due, or its clock was set back."""
        sec, nanosec = struct.unpack_from("<iI" if odometry[1] else ">iI", odometry, 4)
        stamp = sec * 10**9 + nanosec
        if 0 <= stamp - self._odometry_at < _ODOMETRY_PERIOD:
            return False
        self._odometry_at = stamp
        return True

    def _open(self, task_id: str, now: int) -> None:
        stamp = datetime.now(timezone.utc).strftime("%Y%m%dT%H%M%SZ")
        topics = {self._resolved[name]: _type_name(kind) for name, kind in _TYPES.items()}
        folder = _free(self._folder / f"{stamp}_{file_name(task_id)}")
        deque(self._taken(), maxlen=0)  # discard messages from before the run
        try:
            self._bag = BagWriter(folder, topics)
        except BagError as error:
            self._before.pop()
            self._lost = self._run
            self._complain(error)
            return
        self._task_id, self._executor = task_id, ""
        self._records.set()
        for then, belongs_to, cdr in self._before:
            if belongs_to == task_id:
                self._write(names.EVENTS_TOPIC, then, cdr)
        self._before.clear()
        if self._markers:
            self._write(names.MARKERS_TOPIC, now, self._markers)

    def _write(self, name: str, now: int, cdr: bytes) -> None:
        if self._bag is None:
            return
        try:
            self._bag.write(self._resolved[name], now, cdr)
        except BagError as error:
            self._bag, self._lost = None, self._run
            self._lock.notify_all()
            self._complain(error)

    def _close(self, failed: bool = False) -> None:
        bag, self._bag = self._bag, None
        self._records.clear()
        if bag is None:
            return
        self._lock.notify_all()
        try:
            bag.close()
            self.get_logger().info(f"{bag.folder}: recorded")
            threading.Thread(target=self._make_room).start()
        except BagError as error:
            self._complain(error)
            return
        if failed and self._cases is not None:
            self._cases.make(bag.folder)

    def _make_room(self) -> None:
        """Delete bags beyond the retention limits, in parallel with the next recording."""
        log = self.get_logger()
        delete_superfluous(self._folder, self._given, time.time(), log.info, log.warning)

    def _complain(self, error: BagError) -> None:
        message = f"this run is not recorded further: {error}"
        self.get_logger().error(message)
        self._publisher.publish(EventKind.ERROR, {"error_code": 1, "error_msg": message})


def _run_of(event: Event) -> tuple[str, str, str]:
    """The task of a run, and who tells of it."""
    return event.task_id, event.source, event.session


def _has_failed(ended: Event) -> bool:
    with suppress(ValueError):  # whoever sent it
        return read_object(ended.data, "the end of a run").get("outcome") == "failed"
    return False


def _writable(option: str, name: str | Path) -> Path:
    """The folder, which is made if need be. Raises ConfigError: it cannot be written."""
    folder = Path(name).expanduser()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=folder).close()
    except OSError as error:
        message = f"{folder} is no folder that can be written: {error.strerror}"
        raise ConfigError(option, 0, "", message) from None
    return folder


def _free(folder: Path) -> Path:
    """The folder, numbered if it exists: one task may run several programs within a second."""
    numbered = (folder.with_name(f"{folder.name}-{number}") for number in itertools.count(2))
    return next(one for one in itertools.chain([folder], numbered) if not one.exists())


def _type_name(kind: Any) -> str:
    package, folder = kind.__module__.split(".")[:2]
    return f"{package}/{folder}/{kind.__name__}"


def main(args: list[str] | None = None) -> int:
    return run_node(RecorderNode, threads=2, args=args)


if __name__ == "__main__":
    sys.exit(main())
