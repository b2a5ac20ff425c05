"""Journal of a run on disk, so that a crash loses nothing.

One file per run, one record per line: checksum, space, JSON object. Each record is complete and on
disk (`fdatasync`) before the run continues; reading stops at the first damaged record, such as a
line cut off by a power loss.
"""

from __future__ import annotations

import fcntl
import json
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, Field

from roboinstruct_ros.domain.robot_name import RobotName
from roboinstruct_ros.domain.skill_call import SkillCall, SkillErrorCode, clock_read, seeded
from roboinstruct_ros.domain.task_error import TaskError, TaskErrorCode
from roboinstruct_ros.execute.task_run import TaskOrder
from roboinstruct_ros.verify.world.remains import Remains

SUFFIX = ".journal"
_HEAD = 9  # characters of the checksum and the space
_TAIL = 200  # bytes; more than an end record needs


class JournalError(TaskError):
    """A journal cannot be written or read; `str()` is one line that begins with the path."""

    def __init__(self, message: str) -> None:
        super().__init__(TaskErrorCode.JOURNAL_FAILED, message)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Raise a JournalError in the place of an OSError."""
    try:
        yield
    except BlockingIOError:
        raise JournalError(f"{path}: another executor is writing this journal") from None
    except OSError as error:
        raise JournalError(f"{path}: the journal cannot be written: {error.strerror}") from None


@dataclass(frozen=True)
class RecordedRun:
    """Contents of a journal, or a run that is about to begin.

    Attributes:
        path: of the journal; empty for a run that has none yet.
        in_flight: the call that had begun when the journal ended; its outcome is unknown.
        clock: `time.time` readings given to the program, in s since the epoch.
        happened: all that the program was given, in order, for the verdict on the rest.
        begun: start of the run, in s since the epoch.
        start: the robot's room then; empty if nothing asked for it.
        damaged: the last record was cut off.
        rules_sha256: hash of the last rules in force, as in verdicts; empty if the journal has
            none.
        remains: facts left by earlier runs when this one began.
        robot: None if the journal names none.
    """

    path: Path
    order: TaskOrder
    seed: int
    begun: float
    calls: tuple[SkillCall, ...] = ()
    in_flight: SkillCall | None = None
    clock: tuple[float, ...] = ()
    happened: tuple[SkillCall, ...] = ()
    start: str = ""
    ended: bool = False
    damaged: bool = False
    rules_sha256: str = ""
    remains: Remains = ()
    robot: RobotName | None = None


class RunJournal:
    """The journal of one run, locked for writing by this process only."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor

    @classmethod
    def begin(
        cls,
        path: Path,
        order: TaskOrder,
        seed: int,
        now: float,
        rules_sha256: str = "",
        remains: Remains = (),
        robot: RobotName | None = None,
    ) -> RunJournal:
        """Create a journal with its first record.

        Raises:
            JournalError: it cannot be written; no file is left.
        """
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = _locked(path, os.O_CREAT)
            os.ftruncate(descriptor, 0)
            _sync_folder(path.parent)
        journal = cls(path, descriptor)
        state = {"rules": rules_sha256, "remains": remains, "robot": robot and asdict(robot)}
        try:
            journal._write({"begin": asdict(order), "seed": seed, "at": now, **state})
        except JournalError:
            journal.close()
            path.unlink(missing_ok=True)
            raise
        return journal

    @classmethod
    def go_on(
        cls, recorded: RecordedRun, order: TaskOrder, now: float, rules_sha256: str = ""
    ) -> RunJournal:
        """Reopen the journal of an interrupted run after its last complete record.

        Raises:
            JournalError: it cannot be written.
        """
        with writing(recorded.path):
            descriptor = _locked(recorded.path)
            os.ftruncate(descriptor, _whole(recorded.path.read_bytes()))
        journal = cls(recorded.path, descriptor)
        try:
            journal._write({"go_on": asdict(order), "at": now, "rules": rules_sha256})
        except JournalError:
            journal.close()
            raise
        return journal

    def call_begun(self, call: SkillCall) -> None:
        """Record a call before it is made. On JournalError the call must not be made."""
        self._write({"call": asdict(call)})

    def call_ended(self, call: SkillCall) -> None:
        """Record the result of a call. Raises JournalError."""
        self._write({"answer": asdict(call)})

    def clock_read(self, seconds: float) -> None:
        """Record a clock reading given to the program. Raises JournalError."""
        self._write({"clock": seconds})

    def start_found(self, room: str) -> None:
        """Record the robot's room at the start of the run. Raises JournalError."""
        self._write({"start": room})

    def rules_changed(self, rules_sha256: str) -> None:
        """Record a change of rules. Raises JournalError."""
        self._write({"rules": rules_sha256})

    def end(self, outcome: str) -> None:
        """Record the end of the run and close the file. Raises JournalError."""
        try:
            self._write({"end": outcome})
        finally:
            self.close()

    def close(self) -> None:
        """Close the file without an end record. Idempotent."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _write(self, record: dict[str, Any]) -> None:
        text = json.dumps(record, separators=(",", ":"))
        line = f"{zlib.crc32(text.encode()):08x} {text}\n".encode()
        with writing(self.path):
            if os.write(self._descriptor, line) != len(line):
                raise OSError(0, "the disk took a part of it only")
            os.fdatasync(self._descriptor)


def read_journal(path: Path) -> RecordedRun:
    """Read a journal up to its first damaged record.

    Raises:
        JournalError: it cannot be read or has no valid first record.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise JournalError(f"{path}: the journal cannot be read: {error.strerror}") from None
    whole = content[: _whole(content)]
    try:
        first, *later = (json.loads(line[_HEAD:]) for line in whole.splitlines())
        head, records = _Head.model_validate(first), list(map(_Record.model_validate, later))
    except (ValueError, RecursionError):
        raise JournalError(f"{path}: not a journal of a run") from None
    made = [record for record in records if record.call or record.answer]
    return RecordedRun(
        path,
        order=[head.begin, *(one.go_on for one in records if one.go_on)][-1],
        seed=head.seed,
        begun=head.at,
        calls=tuple(one.answer for one in records if one.answer),
        in_flight=made[-1].call if made else None,
        clock=tuple(one.clock for one in records if one.clock is not None),
        happened=tuple(_happened(head.seed, records)),
        start=next((one.start for one in records if one.start), ""),
        ended=any(one.end is not None for one in records),
        damaged=len(whole) < len(content),
        rules_sha256=[head.rules, *(one.rules for one in records if one.rules is not None)][-1],
        remains=head.remains,
        robot=head.robot,
    )


def _possible(call: SkillCall) -> SkillCall:
    """The call, if a ROS message can carry its fields. Raises ValueError otherwise."""
    SkillErrorCode(call.error_code)
    if not all(0 <= moment < _LATEST for moment in (call.start, call.end)):
        raise ValueError("a moment that no ROS time stamp can express")
    return call


_LATEST = 2**31  # s since the epoch, the end of ROS time stamps
_Moment = Annotated[float, Field(ge=0, lt=_LATEST)]
_Call = Annotated[SkillCall, AfterValidator(_possible)]


class _Head(BaseModel):
    """First record of a journal."""

    begin: TaskOrder
    seed: Annotated[int, Field(ge=0, lt=2**63)]
    at: _Moment
    rules: str = ""
    remains: Remains = ()
    robot: RobotName | None = None


class _Record(BaseModel):
    """Any later record."""

    call: _Call | None = None
    answer: _Call | None = None
    clock: _Moment | None = None
    go_on: TaskOrder | None = None
    rules: str | None = None
    start: str | None = None
    end: str | None = None


def _happened(seed: int, records: list[_Record]) -> Iterator[SkillCall]:
    yield seeded(seed)
    given = (one for one in records if one.answer or one.clock is not None)
    for is_call, group in groupby(given, key=lambda one: one.answer is not None):
        if is_call:
            yield from (one.answer for one in group if one.answer)
        else:
            yield clock_read(one.clock for one in group if one.clock is not None)


def _whole(content: bytes) -> int:
    """Length in bytes of the records before the first damaged one."""
    end = 0
    for line in content.splitlines(keepends=True):
        if not line.endswith(b"\n") or line[: _HEAD - 1] != b"%08x" % zlib.crc32(line[_HEAD:-1]):
            break
        end += len(line)
    return end


def has_ended(path: Path) -> bool:
    """Whether the last record marks the end. Reads only the tail of the file."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - _TAIL))
            last = file.read().splitlines(keepends=True)[-1:]
        records = [json.loads(line[_HEAD:]) for line in last if _whole(line)]
        return any(isinstance(record, dict) and "end" in record for record in records)
    except (OSError, ValueError, RecursionError):
        return False


def is_written(path: Path) -> bool:
    """Whether a run has the journal open, in this process or another."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    return False


def _locked(path: Path, flags: int = 0) -> int:
    """Open a journal for writing, by this process only. The kernel unlocks it, whatever happens."""
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | flags, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
