"""Tasks approved in advance for a future time on one robot: a table of the task library."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from roboinstruct_ros.library.task_library import NoSuchTask, TaskLibrary

_FIELDS = (
    "s.id, v.task_id, v.number, v.words, v.sha256, s.approved_by, s.device, s.approved,"
    " s.held, s.at, s.daily, s.due"
)
_ALL = f"SELECT {_FIELDS} FROM schedule s JOIN versions v ON v.id = s.version"


@dataclass(frozen=True)
class ScheduledTask:
    """An approval in advance of one program, for one time or daily.

    Attributes:
        task_id, number: version in the library with this program.
        words: the complete request.
        sha256: hash of the approved program.
        approved_by: name of the approver; `device` is the device id, "local" for this machine.
        approved: time of approval, s since the Unix epoch.
        at: the first start, in local time of the robot: "2026-11-24T18:00".
        daily: repeat at that time of each day.
        due: the next start, s since the Unix epoch.
        held: a person has pressed Stop since; nothing starts until released.
    """

    id: str
    task_id: str
    number: int
    words: str
    sha256: str
    approved_by: str
    device: str
    approved: float
    at: str
    daily: bool
    due: float
    held: bool = False


class ScheduleTable:
    """Reads and writes what is of the library's robot; its kiosk alone follows that.

    Every method raises LibraryError if the file cannot be read or written now.
    """

    def __init__(self, library: TaskLibrary) -> None:
        self._library = library

    def all(self) -> tuple[ScheduledTask, ...]:
        """All scheduled tasks, next due first."""
        with self._library.reading() as database:
            query = f"{_ALL} WHERE s.robot = ? ORDER BY s.due, s.id"
            rows = database.execute(query, (self._library.robot,)).fetchall()
        return tuple(map(_task, rows))

    def add(self, new: ScheduledTask) -> None:
        """Store an approval in advance.

        Raises:
            NoSuchTask: the library has no such version, or it has another program.
        """
        with self._library.changing() as database:
            row = database.execute(
                "SELECT id FROM versions WHERE task_id = ? AND number = ? AND sha256 = ?",
                (new.task_id, new.number, new.sha256),
            ).fetchone()
            if row is None:
                raise NoSuchTask(f"task '{new.task_id[:40]}' is not kept any more")
            database.execute(
                "INSERT INTO schedule (id, version, approved_by, device, approved, held, at,"
                " daily, due, robot) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    new.id, row["id"], new.approved_by, new.device, new.approved, new.held,
                    new.at, new.daily, new.due, self._library.robot,
                ),
            )  # fmt: skip

    def move(self, name: str, due: float | None) -> bool:
        """Set the next start; None deletes the task. Returns whether the task exists."""
        with self._library.changing() as database:
            if due is None:
                query = "DELETE FROM schedule WHERE id = ? AND robot = ?"
                change = database.execute(query, (name, self._library.robot))
            else:
                query = "UPDATE schedule SET due = ? WHERE id = ? AND robot = ?"
                change = database.execute(query, (due, name, self._library.robot))
        return change.rowcount > 0

    def hold(self, held: bool) -> None:
        """Hold or release all scheduled tasks."""
        with self._library.changing() as database:
            query = "UPDATE schedule SET held = ? WHERE robot = ?"
            database.execute(query, (held, self._library.robot))


def _task(row: sqlite3.Row) -> ScheduledTask:
    plain = {field: row[field] for field in ScheduledTask.__dataclass_fields__}
    plain |= {"daily": bool(row["daily"]), "held": bool(row["held"])}
    return ScheduledTask(**plain)
