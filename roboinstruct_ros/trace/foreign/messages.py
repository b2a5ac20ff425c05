"""Reads messages of any rosbag2 bag, by its own definitions or those of the `rosbags` library."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from rosbags.interfaces import Connection, MessageDefinitionFormat
from rosbags.typesys import Stores, get_types_from_idl, get_types_from_msg, get_typestore
from rosbags.typesys.store import Typestore

from roboinstruct_ros.trace.bag import BagError, one_line, opened

_IDL = "=" * 80 + "\nIDL: "


class ForeignBag:
    """A bag of another robot: a folder with a metadata.yaml or a single file, or a file.

    Attributes:
        topics: name to type, for all topics.
        unknown: topics of a wanted type without any definition.
        damaged: number of unreadable messages by topic.
    """

    def __init__(self, place: Path) -> None:
        self.place = place
        self.topics: dict[str, str] = {}
        self.unknown: list[str] = []
        self.damaged: Counter[str] = Counter()

    def messages(self, kinds: Collection[str]) -> Iterator[tuple[str, str, float, Any]]:
        """Messages of some types, in order: topic, type, time in s since the epoch, and the
        message.

        Raises:
            BagError: it is not a bag, or not a complete one.
        """
        try:
            with opened(self.place, ".db3") as reader:
                self.topics = {one.topic: one.msgtype for one in reader.connections}
                wanted = [one for one in reader.connections if one.msgtype in kinds]
                stores = {one.id: types for one in wanted if (types := _types_of(one))}
                self.unknown = [one.topic for one in wanted if one.id not in stores]
                wanted = [one for one in wanted if one.id in stores]
                # for an empty list, the library returns all messages
                for connection, stamp, cdr in reader.messages(wanted) if wanted else ():
                    try:
                        store = stores[connection.id]
                        message: Any = store.deserialize_cdr(cdr, connection.msgtype)
                    except Exception:  # for invalid bytes the library may raise anything
                        self.damaged[connection.topic] += 1
                        continue
                    yield connection.topic, connection.msgtype, stamp * 1e-9, message
        except Exception as error:
            reason = one_line(error)
            raise BagError(f"{self.place}: not a complete rosbag2 bag: {reason}") from error


def _types_of(connection: Connection) -> Typestore | None:
    """A definition in the bag takes precedence: another version has other fields."""
    kind, definition = connection.msgtype, connection.msgdef
    if definition.format is MessageDefinitionFormat.NONE:
        known = get_typestore(Stores.ROS2_JAZZY)
        return known if kind in known.types else None
    found: dict[str, Any] = {}
    if definition.format is MessageDefinitionFormat.MSG:
        found.update(get_types_from_msg(definition.data, kind))
    elif definition.data.startswith(_IDL):
        for part in definition.data.removeprefix(_IDL).split(_IDL):
            found.update(get_types_from_idl(part.partition("\n")[2]))
    else:
        found.update(get_types_from_idl(definition.data))
    store = get_typestore(Stores.EMPTY)
    store.register(found)
    return store
