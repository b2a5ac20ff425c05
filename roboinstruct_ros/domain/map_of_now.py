"""The current rooms of a map file, for the parts that draw the map or drive in it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.semantic_map import SemanticMap, load_semantic_map


class MapOfNow:
    """Reloads the file after a change; keeps the previous rooms if the new file is invalid.

    Safe to call from any thread.

    Args:
        path: of a world or map YAML.
        warn: called with one line, once per invalid version of the file.

    Raises:
        ConfigError: the file is invalid at the start.
    """

    def __init__(self, path: Path, warn: Callable[[str], object]) -> None:
        self._path, self._warn = path, warn
        self._lock = threading.Lock()
        self._seen = self._state()
        self._rooms = load_semantic_map(path)

    def __call__(self) -> SemanticMap:
        """The rooms; the same object until the file changes."""
        with self._lock:
            state = self._state()
            if state != self._seen:
                self._seen = state
                try:
                    self._rooms = load_semantic_map(self._path)
                except ConfigError as error:
                    self._warn(f"the map stays as it was: {error}")
            return self._rooms

    def _state(self) -> tuple[int, ...]:
        """Changes when the file changes; empty for a missing file."""
        try:
            stat = self._path.stat()
        except OSError:
            return ()
        return stat.st_mtime_ns, stat.st_size, stat.st_ino
