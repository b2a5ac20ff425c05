"""Repairs an incomplete bag: saves every message that reached the disk.

Source: the MCAP specification, records Schema, Channel, Message and Chunk.
"""

from __future__ import annotations

import shutil
import struct
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from roboinstruct_ros.trace.bag import BagError, BagWriter, deserialized, typestore

_MAGIC = b"\x89MCAP0\r\n"
_SCHEMA, _CHANNEL, _MESSAGE, _CHUNK, _DATA_END = 0x03, 0x04, 0x05, 0x06, 0x0F
_HEAD = struct.Struct("<BQ")  # opcode, length
_CHUNK_HEAD, _MESSAGE_HEAD = struct.Struct("<QQQI"), struct.Struct("<HIQQ")
_LONGEST = 64 * 2**20  # bytes of a record; our chunks close at 1 MiB


@dataclass(frozen=True)
class Repaired:
    """The new bag, its number of messages, and the number of unreadable ones."""

    folder: Path
    messages: int
    left_out: int


def repair(bag: Path, to: Path) -> Repaired:
    """Write the readable part of a bag to a new one; the old bag is not changed.

    Args:
        to: folder to make.

    Raises:
        BagError: there is not exactly one .mcap, nothing in it is readable, or the new bag cannot
            be written.
    """
    files = sorted(bag.glob("*.mcap")) if bag.is_dir() else []
    if len(files) != 1:
        raise BagError(f"{bag}: not a bag: a folder with one .mcap in it")
    try:
        with files[0].open("rb") as file:
            topics = {topic: kind for topic, kind, _, _ in _Torn().messages(file)}
            if not topics:
                raise BagError(f"{bag}: nothing in it can be read")
            torn, count = _Torn(), 0
            writer = BagWriter(to, dict(sorted(topics.items())))
            try:
                with closing(writer):
                    for topic, _, stamp, cdr in torn.messages(file):
                        writer.write(topic, stamp, cdr)
                        count += 1
            except BaseException:  # a full disk, Ctrl-C: the next try needs the name
                shutil.rmtree(to, ignore_errors=True)
                raise
    except OSError as error:
        raise BagError(f"{bag}: cannot be read: {error.strerror}") from None
    return Repaired(to, count, torn.left_out)


_Message = tuple[str, str, int, bytes]
"""Topic, type, time in ns, and CDR."""


@dataclass
class _Torn:
    """What is known of a file so far.

    Attributes:
        left_out: number of messages that cannot be read.
    """

    left_out: int = 0
    _types: dict[int, str] = field(default_factory=dict)
    _channels: dict[int, tuple[str, str]] = field(default_factory=dict)

    def messages(self, file: BinaryIO) -> Iterator[_Message]:
        """The readable messages, in the order of the file."""
        file.seek(0)
        if file.read(len(_MAGIC)) != _MAGIC:
            return
        for code, _, content in _records(file):
            if code == _DATA_END:
                return
            if code == _CHUNK:
                yield from self._in_chunk(content)
            else:
                yield from self._record(code, content)

    def _in_chunk(self, content: bytes) -> Iterator[_Message]:
        """The complete records of a chunk, which may be cut off."""
        compression, at = _text(content, _CHUNK_HEAD.size)
        if compression:
            self.left_out += 1
            return
        for code, length, record in _records(BytesIO(content[at + 8 :])):
            if len(record) == length:
                yield from self._record(code, record)

    def _record(self, code: int, content: bytes) -> Iterator[_Message]:
        if code == _SCHEMA and len(content) > 2:
            self._types[_number(content, 0)] = _text(content, 2)[0]
        elif code == _CHANNEL and len(content) > 4:
            kind = self._types.get(_number(content, 2), "")
            if kind in typestore().types:
                self._channels.setdefault(_number(content, 0), (_text(content, 4)[0], kind))
        elif code == _MESSAGE and len(content) >= _MESSAGE_HEAD.size:
            channel, _, stamp, _ = _MESSAGE_HEAD.unpack_from(content)
            cdr = content[_MESSAGE_HEAD.size :]
            topic, kind = self._channels.get(channel, ("", ""))
            if kind and _is_whole(cdr, kind):
                yield topic, kind, stamp, cdr
            else:
                self.left_out += 1


def _records(file: BinaryIO) -> Iterator[tuple[int, int, bytes]]:
    """Code, length and content of the records; the last one may be incomplete."""
    while len(head := file.read(_HEAD.size)) == _HEAD.size:
        code, length = _HEAD.unpack(head)
        yield code, length, file.read(min(length, _LONGEST))
        if length > _LONGEST:
            file.seek(length - _LONGEST, 1)


def _is_whole(cdr: bytes, kind: str) -> bool:
    try:
        deserialized(cdr, kind)
    except Exception:  # for invalid bytes the library may raise anything
        return False
    return True


def _number(content: bytes, at: int) -> int:
    return int.from_bytes(content[at : at + 2], "little")


def _text(content: bytes, at: int) -> tuple[str, int]:
    """A string and the offset of its end."""
    length = int.from_bytes(content[at : at + 4], "little")
    end = at + 4 + length
    return content[at + 4 : end].decode("utf-8", "replace"), end
