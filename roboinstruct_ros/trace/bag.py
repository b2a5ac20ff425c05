"""One MCAP bag a run, written and read by the `rosbags` library; needs no ROS.

Source: rosbag2 storage version 9; the bags open in Foxglove and with `ros2 bag`.
"""

from __future__ import annotations

import fcntl
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from rosbags.interfaces import Connection
from rosbags.rosbag2 import Reader, StoragePlugin, Writer
from rosbags.typesys import Stores, get_types_from_msg, get_typestore
from rosbags.typesys.store import Typestore

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.domain.shared_files import shared_file
from roboinstruct_ros.names import EVENTS_TOPIC, MARKERS_TOPIC, ROBOT_POSE_TOPIC

EVENT_TYPE = "roboinstruct_msgs/msg/Event"
DEFAULT_FOLDER = "~/.ros/roboinstruct/runs"
"""Where the recorder puts its bags unless it is told otherwise."""

KEPT_EVERY = 1.0
"""s from one time that all is brought to the disk to the next."""

SET_BACK = 10**9
"""ns; a message that is earlier than one before it by more shows that the clock was set."""

_LONGEST_REASON = 300  # characters
_TYPES = {
    EVENTS_TOPIC: EVENT_TYPE,
    ROBOT_POSE_TOPIC: "geometry_msgs/msg/PoseStamped",
    MARKERS_TOPIC: "visualization_msgs/msg/MarkerArray",
}


class BagError(InputError):
    """A bag cannot be written or read; one line for a person."""


@dataclass(frozen=True)
class RecordedEvent:
    """An event of the stack as the bag has it; `stamp` in s since the epoch."""

    seq: int
    source: str
    session: str
    stamp: float
    task_id: str
    kind: str
    data: dict[str, Any]


class BagWriter:
    """Writes serialized messages; closing makes the bag complete."""

    def __init__(self, folder: Path, topics: dict[str, str]) -> None:
        """Open a new bag.

        Args:
            folder: must not exist yet.
            topics: topic name to type name, e.g. `nav_msgs/msg/Odometry`.

        Raises:
            BagError: the folder cannot be made.
        """
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            self._writer = Writer(folder, version=9, storage_plugin=StoragePlugin.MCAP)
            self._writer.open()
            storage: Any = self._writer.storage
            fcntl.flock(storage.bio, fcntl.LOCK_EX)  # until it is closed, or this process ends
        except Exception as error:
            raise BagError(f"{folder}: the bag cannot be opened: {error}") from error
        self.folder = folder
        self._kept_until = time.monotonic()
        self._latest = self._set_back = 0  # ns
        self._connections: dict[str, Connection] = {
            topic: self._writer.add_connection(topic, kind, typestore=typestore())
            for topic, kind in topics.items()
        }

    def write(self, topic: str, nanoseconds: int, cdr: bytes) -> None:
        """Write one message, serialized as CDR, with its time since the epoch in ns.

        Readers give messages by their times: where the clock is set back, the bag's own runs on.
        A loss of power costs what was written in the last second.

        Raises:
            BagError: the disk takes no more; what it took is there for a repair.
        """
        try:
            self._writer.write(self._connections[topic], self._in_order(nanoseconds), cdr)
            if time.monotonic() - self._kept_until >= KEPT_EVERY:
                self._keep()
        except OSError as error:
            raise self._given_up(error) from error

    def _in_order(self, nanoseconds: int) -> int:
        stamp = nanoseconds + self._set_back
        if stamp < self._latest - SET_BACK:
            self._set_back += self._latest - stamp
            stamp = self._latest
        self._latest = max(self._latest, stamp)
        return stamp

    def _keep(self) -> None:
        """Bring all to the disk, which the library does for each MiB only."""
        storage: Any = self._writer.storage
        if storage.chunk.bio.tell():
            storage.close_chunk()
        storage.bio.flush()
        os.fsync(storage.bio.fileno())
        self._kept_until = time.monotonic()

    def close(self) -> None:
        """Complete the bag; one that was given up stays as it is.

        Raises:
            BagError: the disk takes no more.
        """
        if self._writer.storage is None:
            return
        try:
            self._writer.close()
        except OSError as error:
            raise self._given_up(error) from error

    def _given_up(self, error: OSError) -> BagError:
        with suppress(OSError):  # of what it would still write
            self._writer.abort()
        return BagError(f"{self.folder}: {error.strerror or error}")


def being_recorded(folder: Path) -> bool:
    """Whether somebody on this machine writes into the bag now."""
    for path in folder.glob("*.mcap"):
        try:
            with path.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:  # it has just been deleted, or is not to be read by us
            continue
    return False


def fingerprint(folder: Path) -> tuple[int, int]:
    """Size in bytes, and ns since the epoch of the last change: the same again is the same bag."""
    found = [path.stat() for path in folder.glob("*.mcap")]
    return sum(one.st_size for one in found), max((one.st_mtime_ns for one in found), default=0)


def read_events(folder: Path) -> Iterator[RecordedEvent]:
    """The events of a bag, in order.

    Raises:
        BagError: it is not a bag, or not a complete one.
    """
    for _, _, event in read_messages(folder, (EVENTS_TOPIC,)):
        yield event


def read_messages(folder: Path, topics: tuple[str, ...]) -> Iterator[tuple[str, int, Any]]:
    """The messages of some topics, in order: topic, time in ns, and the event or what is in it.

    Args:
        topics: of events, poses or markers, without the namespace that they were recorded in.

    Raises:
        BagError: it is not a bag, or not a complete one.
    """
    try:
        with _opened(folder) as reader:
            wanted = [c for c in reader.connections if _own_name(c.topic, topics)]
            # of no connection, the library gives the messages of all
            for connection, stamp, cdr in reader.messages(wanted) if wanted else ():
                topic, kind = _own_name(connection.topic, topics), connection.msgtype
                if kind != _TYPES[topic]:
                    raise BagError(f"{folder}: '{connection.topic}' is {kind}, not {_TYPES[topic]}")
                yield topic, stamp, deserialized(cdr, kind)
    except BagError:
        raise
    except Exception as error:
        reason = " ".join(f"{error}".split())[:_LONGEST_REASON]
        hint = "; 'roboinstruct trace repair' may save what is in it" if folder.is_dir() else ""
        if being_recorded(folder):
            reason, hint = "it is being recorded", ""
        raise BagError(f"{folder}: not a complete bag: {reason}{hint}") from error


def _opened(folder: Path) -> Reader:
    """The one file of a bag: it tells what its metadata.yaml does, in a tenth of the time."""
    files = list(folder.glob("*.mcap"))
    return Reader(files[0] if len(files) == 1 else folder)


def deserialized(cdr: bytes | memoryview, kind: str) -> Any:
    """An event, or a message of `typestore`; raises whatever the library makes of other bytes."""
    message: Any = typestore().deserialize_cdr(cdr, kind)
    return _event(message) if kind == EVENT_TYPE else message


def serialized(message: Any) -> bytes:
    """As CDR: an event, or a message of `typestore`."""
    if not isinstance(message, RecordedEvent):
        return bytes(typestore().serialize_cdr(message, message.__msgtype__))
    types = typestore().types
    sec, rest = divmod(round(message.stamp * 1e9), 10**9)
    event = types[EVENT_TYPE](
        seq=message.seq,
        source=message.source,
        session=message.session,
        stamp=types["builtin_interfaces/msg/Time"](sec=sec, nanosec=rest),
        task_id=message.task_id,
        kind=message.kind,
        data=json.dumps(message.data),
    )
    return bytes(typestore().serialize_cdr(event, EVENT_TYPE))


def _own_name(topic: str, topics: tuple[str, ...]) -> str:
    return next((own for own in topics if f"/{topic}".endswith(f"/{own}")), "")


def _event(message: Any) -> RecordedEvent:
    return RecordedEvent(
        int(message.seq),
        message.source,
        message.session,
        message.stamp.sec + message.stamp.nanosec * 1e-9,
        message.task_id,
        message.kind,
        json.loads(message.data),
    )


@lru_cache(maxsize=1)
def typestore() -> Typestore:
    """The types of ROS 2 Jazzy and our own messages."""
    store = get_typestore(Stores.ROS2_JAZZY)
    types: dict[str, Any] = {}
    for path in sorted(_message_folder().glob("*.msg")):
        types.update(get_types_from_msg(path.read_text(), f"roboinstruct_msgs/msg/{path.stem}"))
    store.register(types)
    return store


def _message_folder() -> Path:
    """Our .msg files: installed with the interface package, or in the source checkout."""
    for installed in (Path(entry).parents[2] for entry in sys.path if "site-packages" in entry):
        folder = installed / "share" / "roboinstruct_msgs" / "msg"
        if folder.is_dir():
            return folder
    return shared_file("roboinstruct_msgs/msg/Event.msg").parent
