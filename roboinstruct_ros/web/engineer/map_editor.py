"""Shows the map and saves what an engineer changes in it; every save is a version."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from roboinstruct_ros.domain.configuration import InputError, parse_yaml
from roboinstruct_ros.domain.files.world_file import World
from roboinstruct_ros.domain.files.yaml_lines import read_with_lines
from roboinstruct_ros.domain.semantic_map import SemanticMap, parse_semantic_map
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.web.api_models import Value
from roboinstruct_ros.web.engineer.library_check import LibraryCheck
from roboinstruct_ros.web.engineer.map_change import ChangeRefused, MapChange, changed, is_world
from roboinstruct_ros.web.engineer.map_file import MapFile, MapVersion, sha256_of_text
from roboinstruct_ros.web.web_error import WebError, WebErrorCode


class RoomSeen(Value):
    """A room: m and rad, frame `map`."""

    name: str
    aliases: list[str]
    x: float
    y: float
    yaw: float
    polygon: list[tuple[float, float]]


class EntrySeen(Value):
    """A thing or a person; `room` is empty in a robot's map."""

    name: str
    room: str


class MapSeen(Value):
    """The map that is changed.

    Attributes:
        path: the file that a save writes.
        given: the file that the stack was started with.
        in_force: the two are one: programs are judged by what is saved, from then on.
        world: it is a simulated world, in which things and people are somewhere.
        base: SHA-256 of the text; a save names it.
        objects, people: None where the file leaves them open.
        current: number of the version in the file; 0 where it was changed by hand.
        undo: whether there is a version before.
    """

    path: str
    given: str
    in_force: bool
    world: bool
    base: str
    rooms: list[RoomSeen]
    objects: list[EntrySeen] | None
    people: list[EntrySeen] | None
    versions: list[MapVersion]
    current: int
    undo: bool


class MapEditor:
    """Safe to call from any thread.

    Args:
        file: None for a robot without a map.
        check: begins after each save.
    """

    def __init__(self, file: MapFile | None, check: LibraryCheck) -> None:
        self._map, self._check = file, check
        self._lock = threading.Lock()

    def see(self) -> MapSeen:
        """The map as it is. Raises WebError, InputError (it cannot be read)."""
        with self._lock:
            return _seen(self._file)

    def save(
        self, base: str, changes: Sequence[MapChange], by: str, running: bool, during_run: bool
    ) -> MapSeen:
        """Makes the changes, all of them or none.

        Args:
            base: of the text that was changed.
            running: whether a task runs now.
            during_run: whether the map may change below it.

        Raises:
            WebError, InputError: nothing is saved.
        """
        with self._lock:
            file = self._file
            before = self._text(base)
            text = before
            try:
                for change in changes:
                    text = changed(text, change)
            except ChangeRefused as error:
                raise WebError(WebErrorCode.BAD_REQUEST, str(error)) from None
            if text == before:
                raise WebError(WebErrorCode.BAD_REQUEST, "nothing was changed")
            after = _checked(text, file)
            self._refuse_below_run(running and not during_run)
            file.save(text, by, "; ".join(map(str, changes)))
            self._check.start(_checked(before, file), after)
            return _seen(file)

    def undo(self, base: str, running: bool, during_run: bool) -> MapSeen:
        """Puts the version before back. Raises as `save`."""
        with self._lock:
            file = self._file
            before = _checked(self._text(base), file)
            try:
                after = _checked(file.before(), file)
            except InputError as error:
                raise WebError(WebErrorCode.WRONG_PHASE, str(error)) from None
            self._refuse_below_run(running and not during_run)
            file.undo()
            self._check.start(before, after)
            return _seen(file)

    @property
    def _file(self) -> MapFile:
        if self._map is None:
            raise WebError(WebErrorCode.NOT_FOUND, "this robot has no map")
        return self._map

    def _text(self, base: str) -> str:
        text = self._file.text()
        if sha256_of_text(text) != base:
            message = "the map has changed since it was shown; load it again"
            raise WebError(WebErrorCode.WRONG_PHASE, message)
        return text

    def _refuse_below_run(self, refused: bool) -> None:
        if refused and self._file.in_force:
            message = (
                "a task is running by this map; wait for its end, or save it all the same: the "
                "rest of the program is then verified again"
            )
            raise WebError(TaskErrorCode.BUSY, message)


def _checked(text: str, file: MapFile) -> SemanticMap:
    """The map of a text that every part of the stack can use. Raises ConfigError."""
    rooms = parse_semantic_map(text, file.place)
    if is_world(read_with_lines(text)[0]):
        parse_yaml(text, file.place, World)
    return rooms


def _seen(file: MapFile) -> MapSeen:
    text = file.text()
    rooms = _checked(text, file)
    data, _ = read_with_lines(text)
    world, current = is_world(data), file.current()
    return MapSeen(
        path=str(file.place),
        given=str(file.given),
        in_force=file.in_force,
        world=world,
        base=sha256_of_text(text),
        rooms=[
            RoomSeen(
                name=room.name, aliases=list(room.aliases), polygon=list(room.polygon),
                x=room.pose.x, y=room.pose.y, yaw=room.pose.yaw,
            )
            for room in rooms.rooms
        ],
        objects=_entries(data, "objects", world),
        people=_entries(data, "people", world),
        versions=file.versions(),
        current=current.number if current else 0,
        undo=bool(current and current.parent),
    )  # fmt: skip


def _entries(data: Any, what: str, world: bool) -> list[EntrySeen] | None:
    if world:
        return [EntrySeen(name=one["name"], room=one["room"]) for one in data.get(what) or ()]
    names = (data.get("known") or {}).get(what)
    return None if names is None else [EntrySeen(name=name, room="") for name in names]
