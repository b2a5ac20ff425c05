"""Stores replay findings in a file, to resume an interrupted replay and to reuse results.

One line of JSON per bag and depth. A finding is valid while the bag and the inputs of the replay
are unchanged.
"""

from __future__ import annotations

import hashlib
from functools import partial
from pathlib import Path

from pydantic import BaseModel, ValidationError

from roboinstruct_ros.trace.bag import BagError, fingerprint
from roboinstruct_ros.trace.compared import Again, Depth, Found

_Key = tuple[str, int, int, str, str]


class _Line(BaseModel):
    """One finding.

    Attributes:
        size, changed: of the bag's file, bytes and ns since the epoch.
        how: hash of further inputs of the depth, such as another map.
    """

    bag: str
    size: int
    changed: int
    depth: Depth
    how: str
    found: Found

    @property
    def key(self) -> _Key:
        return self.bag, self.size, self.changed, self.depth.value, self.how


class Store:
    """The findings in a file, which is created if missing."""

    def __init__(self, path: Path) -> None:
        """Read the file. Raises BagError: it is unreadable, or another kind of file."""
        self._path = path
        try:
            path.touch()
            text = path.read_text(encoding="utf-8")
            whole = text[: text.rfind("\n") + 1]
            if whole != text:  # a line cut off by a power loss
                path.write_text(whole, encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not text"
            raise BagError(f"{path}: cannot be used as a store: {reason}") from None
        lines = [self._line(*one) for one in enumerate(whole.splitlines(), 1)]
        self._found = {line.key: line.found for line in lines}

    def _line(self, number: int, text: str) -> _Line:
        try:
            return _Line.model_validate_json(text)
        except ValidationError:
            raise BagError(
                f"{self._path}:{number}: not a line that 'replay --store' has written; "
                "name a new file"
            ) from None

    def get(self, bag: Path, depth: Depth, again: Again) -> Found | None:
        """The stored finding, or None; findings with a fault are never stored."""
        return self._found.get(_key(bag, depth, again))

    def put(self, bag: Path, depth: Depth, again: Again, found: Found) -> None:
        """Store a finding, unless it has a fault: then it is tried again. Raises BagError."""
        if found.fault:
            return
        names = ("bag", "size", "changed", "depth", "how")
        values = dict(zip(names, _key(bag, depth, again), strict=True))
        line = _Line.model_validate({**values, "found": found})
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(line.model_dump_json() + "\n")
        except OSError as error:
            raise BagError(f"{self._path}: cannot be written: {error.strerror}") from None


def _key(bag: Path, depth: Depth, again: Again) -> _Key:
    given = again.keywords if isinstance(again, partial) else {}
    how = hashlib.sha256(repr(sorted(given.items())).encode()).hexdigest()[:16]
    return bag.name, *fingerprint(bag), depth.value, how
