"""A map's file and its versions: numbered copies beside it, each with who saved it and why.

A map that ships with the package, or cannot be written, is changed in a copy of the site's own.
"""

from __future__ import annotations

import hashlib
import os
import time
from contextlib import suppress
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from roboinstruct_ros.domain.configuration import InputError, read_text
from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.domain.files.world_names import WORLDS_FOLDER
from roboinstruct_ros.web.api_models import ClosedValue, Value
from roboinstruct_ros.web.web_error import WebError, WebErrorCode

INDEX = "index.jsonl"


class MapVersion(Value):
    """One version of a map.

    Attributes:
        number: from 1, the map as it was found.
        parent: the version that it was made of; 0 for none.
        saved: s since the Unix epoch.
        what: the changes, in words.
    """

    number: int
    parent: int
    saved: float
    by: str
    what: str
    sha256: str


class _At(ClosedValue):
    """A line of the index: from here on this version is the one in the file."""

    at: int


_LINE: TypeAdapter[MapVersion | _At] = TypeAdapter(MapVersion | _At)


class MapFile:
    """One map; who calls takes care that no two threads do so at once.

    Args:
        given: the file that the stack was started with.
        copies: folder for a copy of a map that must not be changed where it is.

    Attributes:
        place: the file that is changed.
    """

    def __init__(self, given: Path, copies: Path) -> None:
        self.given = given.resolve()
        self.place = self.given if _may_change(self.given) else copies / self.given.name

    @property
    def in_force(self) -> bool:
        """Whether a change is one of the map that the stack uses now."""
        return self.place == self.given

    def text(self) -> str:
        """What is to be changed: the copy where there is one. Raises InputError."""
        return read_text(self.place if self.place.exists() else self.given)

    def versions(self) -> list[MapVersion]:
        """All of them, the oldest first; none where nothing was changed yet."""
        return [line for line in self._index() if isinstance(line, MapVersion)]

    def current(self) -> MapVersion | None:
        """The version that the file holds; None after a change by hand."""
        index = self._index()
        versions = {one.number: one for one in index if isinstance(one, MapVersion)}
        if not index:
            return None
        last = index[-1].at if isinstance(index[-1], _At) else index[-1].number
        digest = sha256_of_text(self.text())
        same = [one for one in versions.values() if one.sha256 == digest]
        return max(same, key=lambda one: (one.number == last, one.number), default=None)

    def save(self, text: str, by: str, what: str) -> None:
        """A new version, which the file then holds. Raises InputError, WebError."""
        before, current = self.text(), self.current()
        parent = current.number if current else self._add(before, 0, "", "as it was found")
        self._add(text, parent, by, what)
        self._write(self.place, text)

    def before(self) -> str:
        """The text that `undo` puts back. Raises InputError: there is none."""
        return read_text(self._copy(self._parent()))

    def undo(self) -> None:
        """Puts the version back that the current one was made of.

        Raises:
            InputError: there is none.
            WebError: NOT_SAVED.
        """
        text = self.before()
        self._note(_At(at=self._parent()))
        self._write(self.place, text)

    def _parent(self) -> int:
        current = self.current()
        if current is None or not current.parent:
            raise InputError("there is no version before this one")
        return current.parent

    @property
    def _folder(self) -> Path:
        return self.place.parent / f"{self.place.stem}.versions"

    def _copy(self, number: int) -> Path:
        return self._folder / f"{number:04}.yaml"

    def _index(self) -> list[MapVersion | _At]:
        try:
            lines = (self._folder / INDEX).read_bytes().splitlines()
        except OSError:
            return []
        read = []
        for line in lines:
            with suppress(ValidationError):  # one that was cut off
                read.append(_LINE.validate_json(line))
        return read

    def _add(self, text: str, parent: int, by: str, what: str) -> int:
        numbers = [one.number for one in self.versions()]
        copies = (one.stem for one in self._folder.glob("*.yaml"))  # of a line that was cut off too
        numbers += [int(name) for name in copies if name.isdecimal()]
        number = max(numbers, default=0) + 1
        version = MapVersion(
            number=number, parent=parent, saved=time.time(), by=by, what=what,
            sha256=sha256_of_text(text),
        )  # fmt: skip
        self._write(self._copy(number), text)
        self._note(version)
        return number

    def _note(self, line: MapVersion | _At) -> None:
        try:
            with (self._folder / INDEX).open("a+b") as index:
                if index.tell() and os.pread(index.fileno(), 1, index.tell() - 1) != b"\n":
                    index.write(b"\n")  # the last line was cut off
                index.write(line.model_dump_json().encode() + b"\n")
        except OSError as error:
            raise _not_written(self._folder / INDEX, error) from None

    def _write(self, path: Path, text: str) -> None:
        """All of it or nothing, also where the power fails."""
        beside = path.with_name(f".{path.name}.new")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with beside.open("w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            if path.exists():
                os.chmod(beside, path.stat().st_mode & 0o777)
            os.replace(beside, path)
        except OSError as error:
            with suppress(OSError):
                beside.unlink()
            raise _not_written(path, error) from None


def sha256_of_text(text: str) -> str:
    """Lower-case hex, of the UTF-8 text."""
    return hashlib.sha256(text.encode()).hexdigest()


def _not_written(path: Path, error: OSError) -> WebError:
    message = f"{path}: cannot be written: {error.strerror or error}"
    return WebError(WebErrorCode.NOT_SAVED, message)


def _may_change(path: Path) -> bool:
    with suppress(FileNotFoundError):
        if shared_file(WORLDS_FOLDER).resolve() in path.parents:
            return False
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
