"""A JSON lines file of records that survives SIGKILL and a full disk."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.learn.records import Dropped, Pair, Sample, Task

Record = TypeVar("Record", Task, Sample, Pair, Dropped)


class RecordFile(Generic[Record]):
    """Records in the order in which they were added; each is on disk before `add` returns.

    An incomplete line, left by a killed process or a full disk, is removed before the next record
    is added. A record that is added again is stored once, so work that was killed between two files
    can be repeated.
    """

    def __init__(self, path: Path, kind: type[Record]) -> None:
        """Raises InputError: a line is not such a record."""
        self.path = path
        self._type: TypeAdapter[Record] = TypeAdapter(kind)
        self._records: dict[bytes, Record] = {}
        self._file: int | None = None
        self._end = 0
        for line, record in self._on_disk():
            self._records[line] = record
            self._end += len(line)

    def __iter__(self) -> Iterator[Record]:
        return iter(list(self._records.values()))

    def __len__(self) -> int:
        return len(self._records)

    @property
    def done_ids(self) -> frozenset[str]:
        """Ids of the records; for samples, of their tasks."""
        return frozenset(_id(record) for record in self)

    def add(self, *records: Record) -> None:
        """Write the records to disk, except those already stored. Raises InputError."""
        lines = {self._type.dump_json(one) + b"\n": one for one in records}
        new = {line: one for line, one in lines.items() if line not in self._records}
        if not new:
            return
        try:
            self._write(b"".join(new))
        except OSError as error:
            raise InputError(
                f"{self.path}: cannot be written: {error.strerror}; mend it, then give the same "
                "command again"
            ) from None
        self._records |= new
        self._end += sum(map(len, new))

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _write(self, text: bytes) -> None:
        if self._file is None:
            self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT, 0o644)
        os.ftruncate(self._file, self._end)
        os.lseek(self._file, self._end, os.SEEK_SET)
        rest = memoryview(text)
        while rest:
            rest = rest[os.write(self._file, rest) :]
        os.fdatasync(self._file)

    def _on_disk(self) -> Iterator[tuple[bytes, Record]]:
        if not self.path.exists():
            return
        with self.path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.endswith(b"\n"):
                    return
                try:
                    yield line, self._type.validate_json(line)
                except ValidationError as error:
                    fault = " ".join(str(error).split())[:200]
                    raise InputError(f"{self.path}: line {number} is none: {fault}") from None


def _id(record: Task | Sample | Pair | Dropped) -> str:
    return record.task if isinstance(record, Sample) else record.id
