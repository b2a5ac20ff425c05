"""One MCAP bag a run, written and read by the `rosbags` library; needs no ROS.

Source: rosbag2 storage version 9; the bags open in Foxglove and with `ros2 bag`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from rosbags.interfaces import Connection
from rosbags.rosbag2 import Reader, StoragePlugin, Writer
from rosbags.typesys import Stores, get_types_from_msg, get_typestore
from rosbags.typesys.store import Typestore

from roboinstruct_ros.domain.shared_files import shared_file
from roboinstruct_ros.names import EVENTS_TOPIC

EVENT_TYPE = "roboinstruct_msgs/msg/Event"
DEFAULT_FOLDER = "~/.ros/roboinstruct/runs"
"""Where the recorder puts its bags unless it is told otherwise."""

_LONGEST_REASON = 300  # characters


class BagError(Exception):
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
        except Exception as error:
            raise BagError(f"{folder}: the bag cannot be opened: {error}") from error
        self.folder = folder
        self._connections: dict[str, Connection] = {
            topic: self._writer.add_connection(topic, kind, typestore=typestore())
            for topic, kind in topics.items()
        }

    def write(self, topic: str, nanoseconds: int, cdr: bytes) -> None:
        """Write one message, serialized as CDR, with its time since the epoch in ns.

        Raises:
            BagError: the disk takes no more.
        """
        try:
            self._writer.write(self._connections[topic], nanoseconds, cdr)
        except OSError as error:
            raise BagError(f"{self.folder}: {error.strerror or error}") from error

    def close(self) -> None:
        """Complete the bag.

        Raises:
            BagError: the disk takes no more.
        """
        try:
            self._writer.close()
        except OSError as error:
            raise BagError(f"{self.folder}: {error.strerror or error}") from error


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
        topics: without the namespace that they were recorded in.

    Raises:
        BagError: it is not a bag, or not a complete one.
    """
    store = typestore()
    try:
        with Reader(folder) as reader:
            wanted = [c for c in reader.connections if _own_name(c.topic, topics)]
            for connection, stamp, cdr in reader.messages(wanted):
                message = store.deserialize_cdr(cdr, connection.msgtype)
                event = connection.msgtype == EVENT_TYPE
                topic = _own_name(connection.topic, topics)
                yield topic, stamp, _event(message) if event else message
    except BagError:
        raise
    except Exception as error:
        reason = " ".join(f"{error}".split())[:_LONGEST_REASON]
        raise BagError(f"{folder}: not a complete bag: {reason}") from error


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
