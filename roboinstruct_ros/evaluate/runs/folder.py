"""The folder of an evaluation: its manifest, and a line for each record.

    manifest.json   the parameters, the suite and model, the versions
    records.jsonl   a `Record` per line; in the order of the items once all are there

Each record is written to disk before the next one is awaited. An incomplete line left by a killed
process is removed when the folder is opened again.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.evaluate.runs.record import Key, Record

MANIFEST, RECORDS = "manifest.json", "records.jsonl"
NO_PROGRAM = "no program"


class FolderError(InputError):
    """A folder that cannot be read, written or resumed; `str()` is one clear line."""


class Manifest(BaseModel):
    """What the records belong to.

    Attributes:
        asked: as `Asked.values` returns it.
        sha256: hashes of the inputs by kind (`suite`, `model`, `programs`).
        items: number of records at the end.
        left_out: number of sentences of the suite left out, by reason, and of items without one of
            the given programs (`NO_PROGRAM`).
        lineage: of the suite's tasks, if they are families.
        versions: of the software that began it.
    """

    asked: dict[str, Any]
    sha256: dict[str, str]
    items: int
    left_out: dict[str, int] = {}
    lineage: tuple[dict[str, Any], ...] = ()
    versions: dict[str, str] = {}

    @property
    def suite(self) -> str:
        """Its name."""
        return str(self.asked["suite"])


def read_manifest(path: Path) -> Manifest:
    """Read the manifest. Raises FolderError."""
    try:
        return Manifest.model_validate_json((path / MANIFEST).read_text(encoding="utf-8"))
    except OSError as error:
        raise FolderError(f"{path}: holds no evaluation: {MANIFEST}: {error.strerror}") from None
    except ValueError as error:
        fault = " ".join(str(error).split())[:200]
        raise FolderError(f"{path / MANIFEST}: is not that of an evaluation: {fault}") from None


def read_records(path: Path) -> Iterator[Record]:
    """The stored records, in file order. Raises FolderError."""
    try:
        with (path / RECORDS).open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if line.endswith(b"\n"):
                    yield _record(path, number, line)
    except OSError as error:
        raise FolderError(f"{path / RECORDS}: cannot be read: {error.strerror}") from None


class Folder:
    """A folder to which one process at a time adds records.

    Attributes:
        done: keys of the stored records.
    """

    def __init__(self, path: Path) -> None:
        """Open a folder to resume it. Raises FolderError."""
        self.path, self.manifest = path, read_manifest(path)
        self._lock = _locked(path)
        self._places, end = _places(path)
        self._file = os.open(path / RECORDS, os.O_WRONLY | os.O_CREAT, 0o644)
        os.ftruncate(self._file, end)
        os.lseek(self._file, end, os.SEEK_SET)
        self._end = end

    @classmethod
    def make(cls, path: Path, manifest: Manifest) -> Folder:
        """Create a folder. Raises FolderError, also if it exists already."""
        if (path / MANIFEST).exists():
            raise FolderError(f"{path}: holds an evaluation already; go on with --resume {path}")
        try:
            path.mkdir(parents=True, exist_ok=True)
            _write(path / MANIFEST, [f"{manifest.model_dump_json(indent=2)}\n".encode()])
        except OSError as error:
            raise FolderError(f"{path}: cannot be written: {error.strerror}") from None
        return cls(path)

    @property
    def done(self) -> frozenset[Key]:
        return frozenset(self._places)

    def add(self, record: Record) -> None:
        """Write a record to disk. Raises FolderError."""
        line = record.model_dump_json().encode() + b"\n"
        try:
            rest = memoryview(line)
            while rest:
                rest = rest[os.write(self._file, rest) :]
            os.fdatasync(self._file)
        except OSError as error:
            raise FolderError(f"{self.path}: cannot be written: {error.strerror}") from None
        self._places[record.key] = (self._end, len(line))
        self._end += len(line)

    def finish(self, keys: Sequence[Key]) -> None:
        """Put the records into this order. Raises FolderError."""
        places = [self._places[key] for key in keys]
        if [place for place, _ in places] == sorted(place for place, _ in places):
            return
        records = self.path / RECORDS
        try:
            with records.open("rb") as unordered:
                _write(records, (os.pread(unordered.fileno(), size, at) for at, size in places))
        except OSError as error:
            raise FolderError(f"{self.path}: cannot be written: {error.strerror}") from None

    def discard(self) -> None:
        """Remove the folder if nothing was recorded."""
        for name in (MANIFEST, RECORDS):
            (self.path / name).unlink(missing_ok=True)
        with suppress(OSError):  # it may contain other files
            self.path.rmdir()

    def close(self) -> None:
        """Release the folder for other processes."""
        os.close(self._file)
        os.close(self._lock)


def _locked(path: Path) -> int:
    """The manifest, locked; open for writing, for NFS grants no exclusive lock otherwise."""
    try:
        lock = os.open(path / MANIFEST, os.O_RDWR)
    except OSError as error:
        raise FolderError(f"{path}: cannot be written: {error.strerror}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        taken = isinstance(error, BlockingIOError)
        told = "another process is at it" if taken else f"cannot be locked: {error.strerror}"
        raise FolderError(f"{path}: {told}") from None
    return lock


def _places(path: Path) -> tuple[dict[Key, tuple[int, int]], int]:
    """The offset and length of each record, and the end of the last complete one."""
    places: dict[Key, tuple[int, int]] = {}
    end = 0
    if (path / RECORDS).exists():
        with (path / RECORDS).open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if line.endswith(b"\n"):
                    places[_record(path, number, line).key] = (end, len(line))
                    end += len(line)
    return places, end


def _record(path: Path, number: int, line: bytes) -> Record:
    try:
        return Record.model_validate_json(line)
    except ValidationError as error:
        fault = " ".join(str(error).split())[:200]
        raise FolderError(f"{path / RECORDS}: line {number} is no record: {fault}") from None


def _write(file: Path, pieces: Iterable[bytes]) -> None:
    """Write atomically, even if the power fails."""
    made = file.with_name(f".{file.name}.new")
    with made.open("wb") as target:
        target.writelines(pieces)
        target.flush()
        os.fsync(target.fileno())
    made.replace(file)
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
