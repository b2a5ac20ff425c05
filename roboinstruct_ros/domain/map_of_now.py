"""The rooms as their file has them now, for those who draw them or drive there."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.semantic_map import SemanticMap, load_semantic_map


class MapOfNow:
    """Reads the file again once it has changed; one that cannot be used changes nothing.

    Safe to call from any thread.

    Args:
        path: of a world or map YAML.
        warn: takes a line about a file that cannot be used, once.

    Raises:
        ConfigError: the file cannot be used at the start.
    """

    def __init__(self, path: Path, warn: Callable[[str], object]) -> None:
        self._path, self._warn = path, warn
        self._lock = threading.Lock()
        self._seen = self._state()
        self._rooms = load_semantic_map(path)

    def __call__(self) -> SemanticMap:
        """The rooms; the same object as long as the file is the same."""
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
        """Changes with the file; nothing for one that is not there."""
        try:
            stat = self._path.stat()
        except OSError:
            return ()
        return stat.st_mtime_ns, stat.st_size, stat.st_ino
