"""The examples that hold, on the disk: a restart proves nothing twice."""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

MOST_PLACES = 50
"""Rules and models that are remembered; those that were noted longest ago are forgotten first."""

_Known = dict[str, list[str]]
_FILE = TypeAdapter(_Known)
_log = logging.getLogger(__name__)


def place_of(rules_sha256: str, model: str) -> str:
    """What a proof holds for: domain, map and policies, the model's name, this version."""
    parts = json.dumps([rules_sha256, model, version("roboinstruct")])
    return hashlib.sha256(parts.encode()).hexdigest()


class ProvenFile:
    """A file of JSON; one that cannot be read or written costs a proof, no more.

    Args:
        path: None keeps it in memory.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._memory: _Known = {}

    def of(self, place: str) -> list[str]:
        """The sentences that hold there, as far as is known."""
        return self._all().get(place, [])

    def note(self, place: str, proven: Sequence[str]) -> None:
        """Keeps the sentences that hold there."""
        known = self._all()
        known.pop(place, None)
        known[place] = list(proven)
        self._write(dict(list(known.items())[-MOST_PLACES:]))

    def _all(self) -> _Known:
        if self._path is None:
            return dict(self._memory)
        with suppress(OSError, ValidationError):
            return _FILE.validate_json(self._path.read_bytes())
        return {}

    def _write(self, known: _Known) -> None:
        self._memory = known
        if self._path is None:
            return
        beside = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            beside.write_bytes(_FILE.dump_json(known))
            os.replace(beside, self._path)
        except OSError as error:
            _log.warning("%s: which examples hold is not kept: %s", self._path, error.strerror)
            with suppress(OSError):
                beside.unlink()
