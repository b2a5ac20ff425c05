"""Reads and writes one MCAP bag per run with the `rosbags` library; needs no ROS.

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
from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.names import EVENTS_TOPIC, MARKERS_TOPIC, ROBOT_POSE_TOPIC

EVENT_TYPE = "roboinstruct_msgs/msg/Event"
DEFAULT_FOLDER = "~/.ros/roboinstruct/runs"
"""Default folder of the recorder's bags."""

KEPT_EVERY = 1.0
"""Interval (s) between flushes to disk."""

SET_BACK = 10**9
"""Largest step back in time (ns) between two messages that does not count as a set clock."""

_TYPES = {
    EVENTS_TOPIC: EVENT_TYPE,
    ROBOT_POSE_TOPIC: "geometry_msgs/msg/PoseStamped",
    MARKERS_TOPIC: "visualization_msgs/msg/MarkerArray",
}


class BagError(InputError):
    """A bag cannot be written or read; one line for a person."""


@dataclass(frozen=True)
class RecordedEvent:
    """An event of the stack in a bag; `stamp` in s since the epoch."""

    seq: int
    source: str
    session: str
    stamp: float
    task_id: str
    kind: str
    data: dict[str, Any]


class BagWriter:
    """Writes serialized messages; `close` completes the bag."""

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
            fcntl.flock(storage.bio, fcntl.LOCK_EX)  # until the file is closed or this process ends
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
        """Write one CDR message with its time (ns since the epoch).

        Readers sort messages by time: if the clock is set back, the bag's own time continues. A
        power loss costs at most the last second.

        Raises:
            BagError: the disk is full or failed; the part written can be repaired.
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
        """Flush to disk; the library itself does so only once per MiB."""
        storage: Any = self._writer.storage
        if storage.chunk.bio.tell():
            storage.close_chunk()
        storage.bio.flush()
        os.fsync(storage.bio.fileno())
        self._kept_until = time.monotonic()

    def close(self) -> None:
        """Complete the bag; one that has failed stays as it is.

        Raises:
            BagError: the disk is full or failed.
        """
        if self._writer.storage is None:
            return
        try:
            self._writer.close()
        except OSError as error:
            raise self._given_up(error) from error

    def _given_up(self, error: OSError) -> BagError:
        with suppress(OSError):  # pending writes fail again
            self._writer.abort()
        return BagError(f"{self.folder}: {error.strerror or error}")


def being_recorded(folder: Path) -> bool:
    """Whether a process on this machine is writing to the bag."""
    for path in folder.glob("*.mcap"):
        try:
            with path.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:  # just deleted, or not readable for this user
            continue
    return False


def fingerprint(folder: Path) -> tuple[int, int]:
    """Size (bytes) and time of last change (ns since the epoch), to recognise an unchanged bag."""
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
    """The messages on some topics, in order: topic, time in ns, and the event or message.

    Args:
        topics: topics of events, poses or markers, without the namespace of the recording.

    Raises:
        BagError: it is not a bag, or not a complete one.
    """
    try:
        with opened(folder) as reader:
            wanted = [c for c in reader.connections if _own_name(c.topic, topics)]
            # for an empty list, the library returns all messages
            for connection, stamp, cdr in reader.messages(wanted) if wanted else ():
                topic, kind = _own_name(connection.topic, topics), connection.msgtype
                if kind != _TYPES[topic]:
                    raise BagError(f"{folder}: '{connection.topic}' is {kind}, not {_TYPES[topic]}")
                yield topic, stamp, deserialized(cdr, kind)
    except BagError:
        raise
    except Exception as error:
        reason = one_line(error)
        hint = "; 'roboinstruct trace repair' may save what is in it" if folder.is_dir() else ""
        if being_recorded(folder):
            reason, hint = "it is being recorded", ""
        raise BagError(f"{folder}: not a complete bag: {reason}{hint}") from error


def opened(place: Path, *suffixes: str) -> Reader:
    """Open the single file of a bag, which takes a tenth of the time of metadata.yaml."""
    files = [path for path in place.glob("*.*") if path.suffix in (".mcap", *suffixes)]
    return Reader(files[0] if len(files) == 1 else place)


def one_line(error: Exception) -> str:
    """What the library says, for a message to a person."""
    told = f"unknown: {error}" if isinstance(error, KeyError) else f"{error}"
    return " ".join(told.split())[:300]


def deserialized(cdr: bytes | memoryview, kind: str) -> Any:
    """An event, or a message of `typestore`; invalid bytes raise what the library raises."""
    message: Any = typestore().deserialize_cdr(cdr, kind)
    return _event(message) if kind == EVENT_TYPE else message


def serialized(message: Any) -> bytes:
    """Serialize an event or a message of `typestore` as CDR."""
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
    """The message types of ROS 2 Jazzy and of this stack."""
    store = get_typestore(Stores.ROS2_JAZZY)
    types: dict[str, Any] = {}
    for path in sorted(_message_folder().glob("*.msg")):
        types.update(get_types_from_msg(path.read_text(), f"roboinstruct_msgs/msg/{path.stem}"))
    store.register(types)
    return store


def _message_folder() -> Path:
    """Folder of our .msg files: in the installed interface package, or in the source checkout."""
    for installed in (Path(entry).parents[2] for entry in sys.path if "site-packages" in entry):
        folder = installed / "share" / "roboinstruct_msgs" / "msg"
        if folder.is_dir():
            return folder
    return shared_file("roboinstruct_msgs/msg/Event.msg").parent
