"""The SQLite file of the task library: location, schema and checks.

A file that is not a task library is never written to, moved or deleted. A damaged library is moved
aside, complete, so that the next start can create a new one.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from pathlib import Path

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.domain.files.user_folders import data_folder
from roboinstruct_ros.domain.robot_name import RobotName
from roboinstruct_ros.domain.skills import Domain

APPLICATION_ID = 0x52424954
"""Application id in the header of the SQLite file (byte 68), which marks a task library."""

SCHEMA_VERSION = 3
OFF = "none"
"""Used as a path for a library that is not kept after the process."""

LOCK_LIMIT = 1.0  # s to wait for another process's lock
_MAGIC = b"SQLite format 3\x00"

_SCHEMA = f"""
    CREATE TABLE tasks (
        task_id TEXT PRIMARY KEY,
        created REAL NOT NULL,
        asked_by TEXT NOT NULL,
        next_number INTEGER NOT NULL DEFAULT 1
    );
    CREATE TABLE versions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        task_id TEXT NOT NULL REFERENCES tasks ON DELETE CASCADE,
        number INTEGER NOT NULL,
        parent INTEGER NOT NULL,
        said TEXT NOT NULL,
        words TEXT NOT NULL,
        steering TEXT NOT NULL,
        source TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        summary TEXT NOT NULL,
        deferred TEXT NOT NULL,
        worlds INTEGER NOT NULL,
        exhaustive INTEGER NOT NULL,
        created REAL NOT NULL,
        approved INTEGER NOT NULL DEFAULT 0,
        succeeded INTEGER NOT NULL DEFAULT 0,
        UNIQUE (task_id, number),
        UNIQUE (task_id, sha256)
    );
    CREATE TABLE requests (
        request_id TEXT PRIMARY KEY,
        version INTEGER NOT NULL REFERENCES versions ON DELETE CASCADE
    );
    CREATE INDEX requests_version ON requests (version);
    PRAGMA application_id = {APPLICATION_ID};
"""
_SECOND = """
    ALTER TABLE tasks ADD COLUMN favourite INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE schedule (
        id TEXT PRIMARY KEY,
        version INTEGER NOT NULL REFERENCES versions ON DELETE CASCADE,
        approved_by TEXT NOT NULL,
        device TEXT NOT NULL,
        approved REAL NOT NULL,
        held INTEGER NOT NULL DEFAULT 0,
        at TEXT NOT NULL,
        daily INTEGER NOT NULL,
        due REAL NOT NULL
    );
    CREATE TABLE attempts (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        created REAL NOT NULL,
        words TEXT NOT NULL,
        asked_by TEXT NOT NULL,
        outcome TEXT NOT NULL,
        why TEXT NOT NULL
    );
"""
"""Additions since the first schema."""
_THIRD = f"""
    ALTER TABLE schedule ADD COLUMN robot TEXT NOT NULL DEFAULT '';
    ALTER TABLE attempts ADD COLUMN robot TEXT NOT NULL DEFAULT '';
    CREATE TABLE successes (
        version INTEGER NOT NULL REFERENCES versions ON DELETE CASCADE,
        robot TEXT NOT NULL,
        runs INTEGER NOT NULL,
        PRIMARY KEY (version, robot)
    );
    INSERT INTO successes SELECT id, '', succeeded FROM versions WHERE succeeded > 0;
    ALTER TABLE versions DROP COLUMN succeeded;
    PRAGMA user_version = {SCHEMA_VERSION};
"""
"""Additions since the second one, which was of one robot; see `_claim`."""


class LibraryError(InputError):
    """The library cannot be used; `str()` is one line that begins with its path."""

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.splitlines()))


def default_path() -> Path:
    """`roboinstruct/library.sqlite` in the user's data folder."""
    return data_folder() / "library.sqlite"


def place_for(place: str, domain: Domain) -> str:
    """The given place, or, for any robot except the shipped one, a file of its own: the model is
    shown completed tasks as examples, which must come from the same robot."""
    if place or domain.is_service_robot:
        return place
    return str(default_path().with_name(f"library-{domain.name}.sqlite"))


def open_memory() -> sqlite3.Connection:
    """A library in memory."""
    connection = _connect(":memory:")
    _create(connection)
    return connection


def open_file(path: Path, robot: RobotName | None = None) -> sqlite3.Connection:
    """Open the library in `path`, for a robot; it is created if missing.

    Raises:
        LibraryError: The file is something else, damaged (and now moved aside), of a newer
            version, or inaccessible.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = not path.exists() or path.stat().st_size == 0
        if fresh:  # private: requests to the robot are for its owner only
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
        else:
            _check_ours(path)
    except OSError as error:
        raise LibraryError(f"{path}: cannot be opened: {error.strerror}") from None
    try:
        connection = _connect(str(path))
    except sqlite3.Error as error:
        raise LibraryError(f"{path}: cannot be opened: {error}") from None
    try:
        _prepare(connection, path)
        if robot is not None and robot.owns(None):
            _claim(connection, robot)
    except sqlite3.OperationalError as error:  # locked, full or read-only: the file is intact
        connection.close()
        raise LibraryError(f"{path}: {error}") from None
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # its text may be damaged too
        connection.close()
        aside = _set_aside(path)
        raise LibraryError(
            f"{path}: the task library is damaged ({error}); it was moved to {aside.name}, and the "
            "next start begins an empty one"
        ) from None
    except LibraryError:
        connection.close()
        raise
    return connection


def _connect(place: str) -> sqlite3.Connection:
    # Autocommit: transactions are begun where needed.
    connection = sqlite3.connect(
        place, timeout=LOCK_LIMIT, isolation_level=None, check_same_thread=False
    )
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def _check_ours(path: Path) -> None:
    with path.open("rb") as file:
        header = file.read(100)
    mend = "it is left as it is; name another file or move this one away"
    if not header.startswith(_MAGIC):
        raise LibraryError(f"{path}: this is no task library but some other file; {mend}")
    if int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise LibraryError(f"{path}: this is the SQLite file of another program; {mend}")


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > SCHEMA_VERSION:
        raise LibraryError(
            f"{path}: written by a newer version (schema {version}, this one reads "
            f"{SCHEMA_VERSION}); update, or name another file"
        )
    if version < SCHEMA_VERSION:
        _create(connection)
    if version == 0:
        # Only now: the application id must be in the file itself, not in the write-ahead log.
        with suppress(sqlite3.OperationalError):  # another process has it open
            connection.execute("PRAGMA journal_mode = WAL")
        return
    told = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if told != "ok":
        raise sqlite3.DatabaseError(" ".join(str(told).split()))


def _create(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    # Another process may have created it before the lock.
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    for statement in ";".join((_SCHEMA, _SECOND, _THIRD)[version:]).split(";"):
        connection.execute(statement)
    connection.execute("COMMIT")


def _claim(connection: sqlite3.Connection, robot: RobotName) -> None:
    """Give what names no robot to this one, so that no two robots follow one approval."""
    for table in ("schedule", "attempts", "successes"):
        unnamed = f"SELECT 1 FROM {table} WHERE robot = '' LIMIT 1"
        if connection.execute(unnamed).fetchone():  # else no lock is needed
            connection.execute(f"UPDATE {table} SET robot = ? WHERE robot = ''", (str(robot),))


def _set_aside(path: Path) -> Path:
    """Rename a damaged file and SQLite's companion files. Returns the new path."""
    count = 1
    while (aside := path.with_name(f"{path.name}.damaged-{count}")).exists():
        count += 1
    for ending in ("", "-wal", "-shm"):
        beside = path.with_name(path.name + ending)
        if beside.exists():
            beside.rename(aside.with_name(aside.name + ending))
    return aside
