"""The tasks written so far, each with its versions: the source of follow-ups and examples."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.domain.robot_name import RobotName
from roboinstruct_ros.domain.task_version import Steering, TaskVersion
from roboinstruct_ros.domain.whole_text import whole_text
from roboinstruct_ros.generate.prompts.example_choice import Example
from roboinstruct_ros.library.library_file import (
    OFF,
    LibraryError,
    default_path,
    open_file,
    open_memory,
)
from roboinstruct_ros.program.summary import summary_of
from roboinstruct_ros.program.task_program import sha256_of

MOST_VERSIONS = 2000
"""Most versions of all tasks together, about 4 MB; the oldest unapproved ones are deleted first."""

LAST = "last"
"""Stands for the last task, in place of an id."""

_SUCCEEDED = (
    "(SELECT coalesce(sum(runs), 0) FROM successes"
    " WHERE version = v.id AND ? IN (robot, '')) AS succeeded"
)
_VERSIONS = f"SELECT v.*, {_SUCCEEDED} FROM versions v"
_OF_REQUEST = "sha256 = ? AND id = (SELECT version FROM requests WHERE request_id = ?)"

SHORTEST_ID = 4  # least characters of an id that identify a task
MOST_DIGITS = 9  # of the number of a version


class NoSuchTask(InputError, LookupError):
    """A task or version that is not in the library; `str()` is one line."""


@dataclass(frozen=True)
class NewVersion:
    """A newly accepted program; fields as in `TaskVersion`.

    Attributes:
        request_id: The request that it was written for.
        task_id: The task that it belongs to; for a new task, the id of the request.
    """

    request_id: str
    task_id: str
    said: str
    words: str
    source: str
    steering: Steering | None = None
    parent: int = 0
    worlds: int = 0
    exhaustive: bool = False
    asked_by: str = ""
    deferred: str = ""


@dataclass(frozen=True)
class TaskEntry:
    """A task in a list.

    Attributes:
        words: The complete request of its last version.
        versions: Number of versions.
        created: s since the Unix epoch, like `changed`.
        succeeded: Number of successful runs of any version, on the library's robot.
        favourite: Whether it is marked as a favourite.
    """

    task_id: str
    words: str
    versions: int
    created: float
    changed: float
    asked_by: str
    succeeded: int
    favourite: int = 0


class TaskLibrary:
    """Keeps tasks in one SQLite file, or in memory; thread-safe.

    Every method raises LibraryError if the file cannot be read or written now (locked, disk full,
    damaged); the library stays usable.

    Attributes:
        robot: Name of the robot that the runs, approvals in advance and attempts are of; the tasks
            are of all robots. Empty for none: then the successes of all robots count.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        place: str,
        most: int = MOST_VERSIONS,
        robot: RobotName | None = None,
    ) -> None:
        self.place, self.robot = place, str(robot or "")
        self._connection = connection
        self._most = most
        self._lock = threading.RLock()

    @classmethod
    def open(
        cls, place: str = "", most: int = MOST_VERSIONS, robot: RobotName | None = None
    ) -> TaskLibrary:
        """Open the library in a file.

        Args:
            place: Path; "" is the user's own, "none" keeps nothing beyond this process.
            most: Versions to keep.
            robot: Whose library it is; None for no robot, such as in a command.

        Raises:
            LibraryError: See `open_file`.
        """
        if place == OFF:
            return cls(open_memory(), "memory", most, robot)
        path = Path(place).expanduser() if place else default_path()
        return cls(open_file(path, robot), str(path), most, robot)

    @classmethod
    def open_or_forget(
        cls, place: str, warn: Callable[[str], object], robot: RobotName | None = None
    ) -> TaskLibrary:
        """Open the library in a file, or one in memory after calling `warn` with the reason."""
        try:
            return cls.open(place, robot=robot)
        except LibraryError as error:
            warn(f"{error}; tasks are remembered only until this process ends")
            return cls.open(OFF, robot=robot)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def record(self, new: NewVersion, now: float) -> tuple[TaskVersion, bool]:
        """Store an accepted program.

        Args:
            now: s since the Unix epoch.

        Returns:
            The version, and whether the task had this program already; if so, no version is added
            and the existing one is returned.
        """
        with self.changing() as database:
            database.execute(
                "INSERT OR IGNORE INTO tasks (task_id, created, asked_by) VALUES (?, ?, ?)",
                (new.task_id, now, new.asked_by),
            )
            known = database.execute(
                "SELECT id FROM versions WHERE task_id = ? AND sha256 = ?",
                (new.task_id, sha256_of(new.source)),
            ).fetchone()
            row_id = known["id"] if known else self._insert(database, new, now)
            database.execute(
                "INSERT OR REPLACE INTO requests VALUES (?, ?)", (new.request_id, row_id)
            )
            self._trim(database, row_id)
            query = f"{_VERSIONS} WHERE id = ?"
            row = database.execute(query, (self.robot, row_id)).fetchone()
            return _version(row), known is not None

    def has_request(self, request_id: str) -> bool:
        """Whether a program of that request is stored."""
        with self.reading() as database:
            query = "SELECT 1 FROM requests WHERE request_id = ?"
            return database.execute(query, (request_id,)).fetchone() is not None

    def again(self, name: str, request_id: str) -> TaskVersion:
        """Attach a request to an existing version, which becomes the last one used.

        Raises:
            NoSuchTask: As `find`.
        """
        version = self.find(name)
        with self.changing() as database:
            database.execute(
                "INSERT OR REPLACE INTO requests (request_id, version)"
                " SELECT ?, id FROM versions WHERE task_id = ? AND number = ?",
                (request_id, version.task_id, version.number),
            )
        return version

    def versions(self, task_id: str) -> tuple[TaskVersion, ...]:
        """All versions of a task, in order; none if the task is unknown."""
        with self.reading() as database:
            query = f"{_VERSIONS} WHERE task_id = ? ORDER BY number"
            rows = database.execute(query, (self.robot, task_id)).fetchall()
            return tuple(_version(row) for row in rows)

    def find(self, name: str) -> TaskVersion:
        """Find a version by a user's or client's name for it.

        Args:
            name: `last`; a task id or its prefix, for the version last written or returned to; the
                id of a later request, for its version; or `TASK/NUMBER`.

        Raises:
            NoSuchTask: There is none, or the prefix is ambiguous.
        """
        task, slash, number = whole_text(name).strip().partition("/")
        if slash and not (number.isdecimal() and len(number) <= MOST_DIGITS):
            raise NoSuchTask(f"'{name[:60]}' names no version; say TASK/NUMBER, for example a1b2/2")
        with self.reading() as database:
            found = self._found(database, task)
        versions = self.versions(found["task_id"])
        wanted = int(number) if slash else found["number"]
        for version in versions:
            if version.number == wanted:
                return version
        there = ", ".join(str(version.number) for version in versions)
        raise NoSuchTask(f"task '{task[:40]}' has no version {number}; there are {there}")

    def tasks(self) -> tuple[TaskEntry, ...]:
        """All tasks, most recently changed first."""
        with self.reading() as database:
            rows = database.execute(
                "SELECT t.task_id, t.created, t.asked_by, t.favourite, count(*) AS versions,"
                " max(v.created) AS changed, sum(v.succeeded) AS succeeded,"
                " (SELECT words FROM versions WHERE task_id = t.task_id"
                "  ORDER BY number DESC LIMIT 1) AS words, max(v.id) AS newest"
                f" FROM tasks t JOIN ({_VERSIONS}) v USING (task_id) GROUP BY t.task_id"
                " ORDER BY newest DESC",
                (self.robot,),
            ).fetchall()
        return tuple(
            TaskEntry(**{field: row[field] for field in TaskEntry.__dataclass_fields__})
            for row in rows
        )

    def forget(self, name: str) -> str:
        """Delete a task with all its versions. Returns its id. Raises NoSuchTask."""
        task_id = self.find(name).task_id
        with self.changing() as database:
            database.execute("DELETE FROM tasks WHERE task_id = ?", (task_id,))
        return task_id

    def mark(self, name: str, favourite: bool) -> None:
        """Set or clear a task's favourite mark. Raises NoSuchTask."""
        task_id = self.find(name).task_id
        with self.changing() as database:
            query = "UPDATE tasks SET favourite = ? WHERE task_id = ?"
            database.execute(query, (favourite, task_id))

    def approved(self, request_id: str, sha256: str) -> None:
        """Count an approval for the version of that request, if its program has this hash."""
        with self.changing() as database:
            query = f"UPDATE versions SET approved = approved + 1 WHERE {_OF_REQUEST}"
            database.execute(query, (sha256, request_id))

    def succeeded(self, request_id: str, sha256: str) -> None:
        """Count a successful run for the version of that request, if its program has this hash."""
        with self.changing() as database:
            database.execute(
                f"INSERT INTO successes SELECT id, ?, 1 FROM versions WHERE {_OF_REQUEST}"
                " ON CONFLICT DO UPDATE SET runs = runs + 1",
                (self.robot, sha256, request_id),
            )

    def examples(self) -> tuple[Example, ...]:
        """Programs that were approved, succeeded and deferred nothing; oldest first, each once."""
        with self.reading() as database:
            rows = database.execute(
                "SELECT words, source FROM versions WHERE id IN (SELECT min(id) FROM versions"
                " WHERE approved > 0 AND id IN (SELECT version FROM successes)"
                " AND deferred = '' GROUP BY sha256) ORDER BY id"
            ).fetchall()
        return tuple(Example(row["words"], row["source"]) for row in rows)

    def _insert(self, database: sqlite3.Connection, new: NewVersion, now: float) -> int:
        number = database.execute(
            "UPDATE tasks SET next_number = next_number + 1 WHERE task_id = ?"
            " RETURNING next_number - 1",
            (new.task_id,),
        ).fetchone()[0]
        steering = new.steering.value if new.steering else ""
        # What it was made of may have been deleted meanwhile, and the numbers begun anew.
        parent = database.execute(
            "SELECT coalesce(max(number), 0) FROM versions WHERE task_id = ? AND number = ?",
            (new.task_id, new.parent),
        ).fetchone()[0]
        cursor = database.execute(
            "INSERT INTO versions (task_id, number, parent, said, words, steering, source, sha256,"
            " summary, deferred, worlds, exhaustive, created)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                new.task_id, number, parent, new.said, new.words, steering, new.source,
                sha256_of(new.source), summary_of(new.source), new.deferred, new.worlds,
                new.exhaustive, now,
            ),
        )  # fmt: skip
        return int(cursor.lastrowid or 0)

    def _trim(self, database: sqlite3.Connection, newest: int) -> None:
        """Delete the oldest versions, unapproved ones first, favourites and scheduled ones last;
        children of a deleted version are attached to its parent."""
        count = database.execute("SELECT count(*) FROM versions").fetchone()[0]
        rows = database.execute(
            "SELECT id, task_id, number, parent FROM versions WHERE id != ?"
            " ORDER BY id IN (SELECT version FROM schedule),"
            " task_id IN (SELECT task_id FROM tasks WHERE favourite > 0), approved > 0, id LIMIT ?",
            (newest, max(0, count - self._most)),
        ).fetchall()
        for row in rows:
            parent = database.execute(
                "SELECT parent FROM versions WHERE id = ?", (row["id"],)
            ).fetchone()[0]
            database.execute(
                "UPDATE versions SET parent = ? WHERE task_id = ? AND parent = ?",
                (parent, row["task_id"], row["number"]),
            )
            database.execute("DELETE FROM versions WHERE id = ?", (row["id"],))
        database.execute("DELETE FROM tasks WHERE task_id NOT IN (SELECT task_id FROM versions)")

    def _found(self, database: sqlite3.Connection, task: str) -> sqlite3.Row:
        """Task id and number of the version that `task` refers to."""
        # The version last written or returned to is the one in front of the user.
        found = (
            "SELECT v.task_id, v.number FROM versions v JOIN requests r ON r.version = v.id"
            " WHERE {} ORDER BY r.rowid DESC LIMIT 1"
        )
        wanted = ["? != ''"] if task == LAST else ["v.task_id = ?", "r.request_id = ?"]
        queries = [found.format(condition) for condition in wanted]
        for query in queries:
            if row := database.execute(query, (task,)).fetchone():
                return row  # type: ignore[no-any-return]
        begun = [
            row["task_id"]
            for row in database.execute("SELECT task_id FROM tasks")
            if len(task) >= SHORTEST_ID and row["task_id"].startswith(task)
        ]
        if len(begun) == 1:
            return self._found(database, begun[0])
        if begun:
            raise NoSuchTask(f"{len(begun)} tasks begin with '{task}'; give more of the id")
        where = "the library is empty" if task == LAST else f"the library has no task '{task[:40]}'"
        raise NoSuchTask(f"{where}; 'roboinstruct tasks list' shows what there is")

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The connection; SQLite errors become LibraryError."""
        with self._lock:
            try:
                yield self._connection
            except sqlite3.Error as error:
                raise LibraryError(f"{self.place}: {error}") from None
            except (ValueError, IndexError, TypeError) as error:  # rows that we never wrote
                raise LibraryError(f"{self.place}: the library is damaged: {error}") from None

    @contextmanager
    def changing(self) -> Iterator[sqlite3.Connection]:
        """A transaction: everything in the block is committed, or nothing."""
        with self.reading() as database:
            database.execute("BEGIN IMMEDIATE")
            try:
                yield database
                database.execute("COMMIT")
            except BaseException:
                if database.in_transaction:
                    database.execute("ROLLBACK")
                raise


def _version(row: sqlite3.Row) -> TaskVersion:
    plain = {
        field: row[field]
        for field in TaskVersion.__dataclass_fields__
        if field not in ("steering", "exhaustive")
    }
    steering = Steering(row["steering"]) if row["steering"] else None
    return TaskVersion(**plain, steering=steering, exhaustive=bool(row["exhaustive"]))
