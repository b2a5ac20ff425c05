"""The record of what was done, by whom, when and from where: JSON lines that outlive a restart."""

from __future__ import annotations

import json
import logging
import os
from datetime import datetime, timezone
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.domain.files.user_folders import data_folder
from roboinstruct_ros.web.access.roles import Caller

MOST = 1024 * 1024
"""Bytes of a file; then the next one is begun."""
KEPT = 5
"""Older files that are kept beside it."""

_log = logging.getLogger(__name__)


class _Lines(RotatingFileHandler):
    """Readable by its owner only; a full disk is a line in the log, not the end of the kiosk."""

    def _open(self) -> Any:
        path = os.open(self.baseFilename, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        return os.fdopen(path, "a", encoding="utf-8")

    def handleError(self, record: logging.LogRecord) -> None:
        _log.error("what was done cannot be recorded in %s", self.baseFilename)


class AuditLog:
    """Notes one line for each thing that is done.

    Args:
        path: of the file; None keeps no record.

    Raises:
        InputError: it cannot be written.
    """

    def __init__(self, path: Path | None = None, most: int = MOST, kept: int = KEPT) -> None:
        self._lines: _Lines | None = None
        if path is None:
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._lines = _Lines(path, "a", most, kept, "utf-8")
        except OSError as error:
            raise InputError(f"{path}: the record cannot be written: {error.strerror}") from None

    def note(self, caller: Caller | None, address: str, what: str, **more: Any) -> None:
        """One line; `caller` None is somebody who was not let in."""
        if self._lines is None:
            return
        who: dict[str, str | None] = {"who": None}
        if caller is not None:
            who = {"who": caller.name, "device": caller.id, "role": caller.role.value}
        when = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
        line = json.dumps({"when": when, **who, "from": address, "what": what, **more})
        self._lines.handle(logging.makeLogRecord({"msg": line}))


def audit_path(chosen: str) -> Path:
    """The file that an option names; the user's own where it is empty."""
    return Path(chosen).expanduser() if chosen else data_folder() / "audit.jsonl"
