"""Tasks that were approved in advance, for times to come: a table of the task library."""

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
    """An approval in advance: of one program, for one time or for one time of each day.

    Attributes:
        task_id, number: the version of the library whose program it is.
        words: all that was asked for.
        sha256: of the program that was approved.
        approved_by: name of who did; `device` is the id of the device, "local" for this machine.
        approved: when, s since the Unix epoch.
        at: the first time, on the wall clock where the robot is: "2026-11-24T18:00".
        daily: at that time of each day from then on.
        due: the next start, s since the Unix epoch.
        held: somebody has pressed Stop since; it starts nothing before it is let go on.
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
    """Reads and writes the table.

    Every method raises LibraryError when the file cannot be read or written just now.
    """

    def __init__(self, library: TaskLibrary) -> None:
        self._library = library

    def all(self) -> tuple[ScheduledTask, ...]:
        """The one that is due next first."""
        with self._library.reading() as database:
            rows = database.execute(f"{_ALL} ORDER BY s.due, s.id").fetchall()
        return tuple(map(_task, rows))

    def add(self, new: ScheduledTask) -> None:
        """Keep an approval in advance.

        Raises:
            NoSuchTask: the library has no such version, or another program in it.
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
                " daily, due) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    new.id, row["id"], new.approved_by, new.device, new.approved, new.held,
                    new.at, new.daily, new.due,
                ),
            )  # fmt: skip

    def move(self, name: str, due: float | None) -> bool:
        """The next start is another; None: there is none any more. Whether it was there."""
        with self._library.changing() as database:
            if due is None:
                change = database.execute("DELETE FROM schedule WHERE id = ?", (name,))
            else:
                query = "UPDATE schedule SET due = ? WHERE id = ?"
                change = database.execute(query, (due, name))
        return change.rowcount > 0

    def hold(self, held: bool) -> None:
        """None of them starts anything before they are let go on; or they are."""
        with self._library.changing() as database:
            database.execute("UPDATE schedule SET held = ?", (held,))


def _task(row: sqlite3.Row) -> ScheduledTask:
    plain = {field: row[field] for field in ScheduledTask.__dataclass_fields__}
    plain |= {"daily": bool(row["daily"]), "held": bool(row["held"])}
    return ScheduledTask(**plain)
