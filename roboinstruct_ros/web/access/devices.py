"""The devices that were let in, and the PIN by which the next one is.

One SQLite file, which the kiosk and the command line both use. Of a device's token the file has
the SHA-256 only. A PIN lives for two minutes and is good for one device.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.domain.files.user_folders import data_folder
from roboinstruct_ros.web.access.roles import Role
from roboinstruct_ros.web.web_error import WebError, WebErrorCode

PIN_LIFE = 120.0
"""Time in which a PIN can be used, s."""
PINS = 10**6
"""That there are."""
PIN_TRIES = 900
"""Wrong PINs, of whatever address and over restarts, after which the right one is void: who guesses
finds fewer than one in 1,000. The limits in `Access` are slower, so that a person is told to wait
before that."""
MAX_DEVICES = 100
MAX_NAME = 40
"""Characters of a device's name."""
DAY = 86400.0
USED_PERIOD = 60.0
"""Least time between two notes that a device was used, s."""

_TABLES = """
CREATE TABLE IF NOT EXISTS devices (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL, token TEXT NOT NULL UNIQUE,
    paired REAL NOT NULL, expires REAL NOT NULL, used REAL NOT NULL, address TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS pin (
    one INTEGER PRIMARY KEY CHECK (one = 1), pin TEXT NOT NULL, role TEXT NOT NULL,
    expires REAL NOT NULL, tries INTEGER NOT NULL);
"""


@dataclass(frozen=True)
class Pin:
    """What a person types on the device that is to be let in; `expires` in s since the epoch, which
    is `life` s after it was made."""

    pin: str
    role: Role
    expires: float
    life: float = PIN_LIFE


@dataclass(frozen=True)
class Device:
    """One that was let in; times in s since the Unix epoch."""

    id: str
    name: str
    role: Role
    paired: float
    expires: float
    used: float
    address: str


class Devices:
    """Keeps devices and the PIN.

    Args:
        path: of the file; None keeps them in memory.
        days: that a device stays let in.
        clock: s since the Unix epoch.

    Raises:
        InputError: the file cannot be used.
    """

    def __init__(
        self, path: Path | None = None, days: float = 30.0, clock: Callable[[], float] = time.time
    ) -> None:
        self._days, self._clock = days, clock
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
                os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            # Who calls takes care that no two threads do so at once.
            self._file = sqlite3.connect(
                path or ":memory:", isolation_level=None, check_same_thread=False, timeout=5.0
            )
            self._file.row_factory = sqlite3.Row
            self._file.executescript(_TABLES)
        except sqlite3.OperationalError as error:  # locked or read-only: the file is intact
            raise InputError(f"{path}: the devices cannot be read: {error}") from None
        except (OSError, sqlite3.Error) as error:
            mend = "" if isinstance(error, OSError) else "; move it away and pair the devices again"
            raise InputError(f"{path}: the devices cannot be read: {error}{mend}") from None

    def new_pin(self, role: Role) -> Pin:
        """A PIN for one more device; an earlier one is void from now on. Raises WebError."""
        pin = Pin(f"{secrets.randbelow(PINS):06}", role, self._clock() + PIN_LIFE)
        with self._change() as file:
            file.execute(
                "INSERT OR REPLACE INTO pin VALUES (1, ?, ?, ?, ?)",
                (pin.pin, role.value, pin.expires, PIN_TRIES),
            )
        return pin

    def pair(self, pin: str, name: str, address: str) -> tuple[Device, str]:
        """The device that is let in by a PIN, and its token.

        Raises:
            WebError: WRONG_PIN; TOO_MANY devices are there; or NOT_SAVED.
        """
        with self._change() as file:
            role = self._spend(file, pin)
            if role is not None:
                return self._let_in(file, role, name, address)
        message = "this PIN is wrong or over; look again, or have a new one shown"
        raise WebError(WebErrorCode.WRONG_PIN, message)

    def _spend(self, file: sqlite3.Connection, pin: str) -> Role | None:
        """What the PIN gives; a wrong one counts."""
        now = file.execute("SELECT * FROM pin WHERE expires > ?", (self._clock(),)).fetchone()
        right = now["pin"] if now else "none"
        # Compared in any case, and in the same time whatever is wrong.
        if hmac.compare_digest(right.encode(), pin.encode("utf-8", "replace")) and now:
            file.execute("DELETE FROM pin")
            return Role(now["role"])
        file.execute("UPDATE pin SET tries = tries - 1")
        file.execute("DELETE FROM pin WHERE tries <= 0")
        return None

    def _let_in(
        self, file: sqlite3.Connection, role: Role, name: str, address: str
    ) -> tuple[Device, str]:
        now = self._clock()
        file.execute("DELETE FROM devices WHERE expires <= ?", (now,))
        if file.execute("SELECT count(*) FROM devices").fetchone()[0] >= MAX_DEVICES:
            message = f"{MAX_DEVICES} devices are let in already; withdraw one that is not used"
            raise WebError(WebErrorCode.TOO_MANY, message)
        token, expires = secrets.token_urlsafe(32), now + self._days * DAY
        device = Device(secrets.token_hex(4), name, role, now, expires, now, address)
        file.execute(
            "INSERT INTO devices VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (device.id, name, role.value, _digest(token), now, expires, now, address),
        )
        return device, token

    def of_token(self, token: str) -> Device | None:
        """The device of a token; None when there is none, or it has expired or been withdrawn.

        Raises:
            WebError: DEVICES_FAILED.
        """
        now = self._clock()
        sql = "SELECT * FROM devices WHERE token = ? AND expires > ?"
        rows = self._read(sql, _digest(token), now)
        if not rows:
            return None
        row = rows[0]
        if now - row["used"] > USED_PERIOD:
            # A full disk keeps nobody out.
            with suppress(WebError), self._change() as file:
                file.execute("UPDATE devices SET used = ? WHERE id = ?", (now, row["id"]))
        return _device(row)

    def all(self) -> list[Device]:
        """All that may come in, the one that was let in last first.

        Raises:
            WebError: DEVICES_FAILED.
        """
        sql = "SELECT * FROM devices WHERE expires > ? ORDER BY paired DESC"
        return [_device(row) for row in self._read(sql, self._clock())]

    def withdraw(self, device_id: str) -> Device:
        """Lets a device in no more.

        Raises:
            WebError: NOT_FOUND or NOT_SAVED.
        """
        with self._change() as file:
            sql = "DELETE FROM devices WHERE id = ? RETURNING *"
            rows = file.execute(sql, (device_id,)).fetchall()
        if not rows:
            message = f"there is no device '{device_id[:40]}'; 'roboinstruct devices list' has all"
            raise WebError(WebErrorCode.NOT_FOUND, message)
        return _device(rows[0])

    def _read(self, sql: str, *values: Any) -> list[sqlite3.Row]:
        """Raises WebError: DEVICES_FAILED, the file is locked or damaged."""
        try:
            return self._file.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            message = f"the devices cannot be read now: {error}"
            raise WebError(WebErrorCode.DEVICES_FAILED, message) from None

    @contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        """All or nothing, also before another process; a wrong PIN is counted.

        Raises:
            WebError: NOT_SAVED, the file is locked or the disk full; the next change may be made.
        """
        try:
            self._file.execute("BEGIN IMMEDIATE")
            yield self._file
            self._file.execute("COMMIT")  # fails too, where another process reads for long
        except sqlite3.Error as error:
            message = f"the devices cannot be changed now: {error}; try again"
            raise WebError(WebErrorCode.NOT_SAVED, message) from None
        finally:
            if self._file.in_transaction:
                self._file.execute("ROLLBACK")


def devices_path(chosen: str) -> Path:
    """The file that an option names; the user's own where it is empty."""
    return Path(chosen).expanduser() if chosen else data_folder() / "devices.sqlite"


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _device(row: sqlite3.Row) -> Device:
    fields = {key: row[key] for key in row.keys() if key not in ("token", "role")}  # noqa: SIM118
    return Device(**fields, role=Role(row["role"]))
