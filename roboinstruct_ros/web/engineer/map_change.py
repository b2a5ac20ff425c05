"""Changes of a map's text that leave everything else in it as it is, comments too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

import yaml
from pydantic import Field

from roboinstruct_ros.domain.files.yaml_lines import FieldPath, YamlFault, read_with_lines
from roboinstruct_ros.domain.semantic_map import WORLD_FIELDS
from roboinstruct_ros.web.api_models import ClosedValue

Text = Annotated[str, Field(max_length=80)]
Metre = Annotated[float, Field(ge=-1e5, le=1e5, allow_inf_nan=False)]
BY_HAND = "the file is written in a way that cannot be changed here; change it by hand"
NO_WALLS = "a room of a simulated world needs an outline and a door; write it into the file by hand"
MOST_TOLD = 3
"""Names of what keeps a room from being removed; of more the number is told."""
What = Literal["objects", "people"]
Index = Annotated[int, Field(ge=0, le=100_000)]


class _Pose(ClosedValue):
    x: Metre
    y: Metre
    yaw: Annotated[float, Field(ge=-6.3, le=6.3, allow_inf_nan=False)] = 0.0

    @property
    def pose(self) -> dict[str, float]:
        """As a map has it."""
        return {"x": self.x, "y": self.y, "yaw": self.yaw}

    def _told(self) -> str:
        return f"{self.x:g}, {self.y:g}, {self.yaw:g} rad"


class PlaceRoom(_Pose):
    """Where the robot stops in a room: m and rad, frame `map`."""

    do: Literal["place_room"]
    room: Text

    def __str__(self) -> str:
        return f"{self.room}: placed at {self._told()}"


class AddRoom(_Pose):
    """One more room in a robot's map, and where the robot stops in it: m and rad, frame `map`.
    It has no outline: it is a disc around that pose."""

    do: Literal["add_room"]
    name: Text

    def __str__(self) -> str:
        return f"{self.name}: added at {self._told()}"


class RemoveRoom(ClosedValue):
    """A room that is not there any more; of a world its doors go too. What else names it stays, and
    has to be changed before."""

    do: Literal["remove_room"]
    room: Text

    def __str__(self) -> str:
        return f"{self.room}: removed"


class RenameRoom(ClosedValue):
    """Another name for a room, also where doors, things and people of a world name it."""

    do: Literal["rename_room"]
    room: Text
    name: Text

    def __str__(self) -> str:
        return f"{self.room}: now {self.name}"


class SetAliases(ClosedValue):
    """All the other names of a room."""

    do: Literal["set_aliases"]
    room: Text
    aliases: Annotated[list[Text], Field(max_length=20)]

    def __str__(self) -> str:
        return f"{self.room}: also called {', '.join(self.aliases) or 'nothing else'}"


class AddEntry(ClosedValue):
    """One more thing or person; `room` only in a simulated world, where each is somewhere."""

    do: Literal["add"]
    what: What
    name: Text
    room: Text = ""

    def __str__(self) -> str:
        return f"{self.what}: {self.name} added"


class ChangeEntry(ClosedValue):
    """Another name for a thing or person, or another room."""

    do: Literal["change"]
    what: What
    index: Index
    name: Text
    room: Text = ""

    def __str__(self) -> str:
        return f"{self.what}: {self.name} changed"


class RemoveEntry(ClosedValue):
    """A thing or person that is not there any more."""

    do: Literal["remove"]
    what: What
    index: Index

    def __str__(self) -> str:
        return f"{self.what}: entry {self.index + 1} removed"


MapChange = Annotated[
    PlaceRoom | AddRoom | RemoveRoom | RenameRoom | SetAliases
    | AddEntry | ChangeEntry | RemoveEntry,
    Field(discriminator="do"),
]  # fmt: skip
"""`str()` of one says what it does, for the list of versions."""


class ChangeRefused(Exception):
    """A change that cannot be made; `str()` is one line."""


def is_world(data: Any) -> bool:
    """Whether it is a simulated world, and not a robot's map."""
    return any(field in data for field in WORLD_FIELDS)


def entries_at(data: Any, what: str) -> FieldPath:
    """Where things or people stand in a file."""
    return (what,) if is_world(data) else ("known", what)


def changed(text: str, change: MapChange) -> str:
    """The text with one change.

    Raises:
        ChangeRefused: what it changes is not there, or stands there in a way that only a person can
            change.
    """
    data, _ = read_with_lines(text)
    spots = list(_spots(data, change))
    try:
        for place, value in spots:
            text = _put(text, place, value)
            _set(data, place, value)
        now, _ = read_with_lines(text)
    except (YamlFault, yaml.YAMLError):
        now = None
    if now != data:  # an anchor, for example, changes in two places
        raise ChangeRefused(BY_HAND)
    return text


_GONE = object()
"""In the place of a value that is taken out."""


def _spots(data: Any, change: MapChange) -> Iterator[tuple[FieldPath, Any]]:
    """Each place that a change touches, with what stands there afterwards."""
    match change:
        case PlaceRoom():
            yield ("rooms", _room(data, change.room), "pose"), change.pose
        case AddRoom():
            if is_world(data):
                raise ChangeRefused(NO_WALLS)
            yield ("rooms", len(data["rooms"])), {"name": change.name, "pose": change.pose}
        case RemoveRoom():
            index = _room(data, change.room)
            _refuse_in_use(data, change.room)
            yield from _without_doors(data, change.room)
            yield ("rooms", index), _GONE
        case RenameRoom():
            yield ("rooms", _room(data, change.room), "name"), change.name
            yield from ((place, change.name) for place in _named(data, (), change.room))
        case SetAliases():
            yield ("rooms", _room(data, change.room), "aliases"), change.aliases
        case AddEntry():
            place = entries_at(data, change.what)
            entries = _at(data, place) or []
            if entries:
                yield (*place, len(entries)), _entry(data, change)
            elif len(place) == 2 and not data.get("known"):
                yield ("known",), {change.what: [_entry(data, change)]}
            else:
                yield place, [_entry(data, change)]
        case ChangeEntry():
            place = _entry_at(data, change)
            if is_world(data):
                yield (*place, "name"), change.name
                yield (*place, "room"), change.room
            else:
                yield place, change.name
        case RemoveEntry():
            place = _entry_at(data, change)
            only = len(_at(data, place[:-1])) == 1
            yield (place[:-1], []) if only else (place, _GONE)


def _room(data: Any, name: str) -> int:
    for index, room in enumerate(data["rooms"]):
        if room["name"] == name:
            return index
    raise ChangeRefused(f"no room is named '{name}'")


def _named(data: Any, place: FieldPath, room: str) -> Iterator[FieldPath]:
    """Where else a world names a room."""
    if data.get("start") == room:
        yield ("start",)
    for index, door in enumerate(data.get("doors") or ()):
        for side, name in enumerate(door["between"]):
            if name == room:
                yield ("doors", index, "between", side)
    for what in ("objects", "people"):
        for index, one in enumerate(data.get(what) or ()):
            if one["room"] == room:
                yield (what, index, "room")
    blocked = (data.get("failures") or {}).get("navigation_blocked")
    for index, name in enumerate(blocked if isinstance(blocked, list) else ()):
        if name == room:
            yield ("failures", "navigation_blocked", index)


def _refuse_in_use(data: Any, room: str) -> None:
    """Raises ChangeRefused: it is the only room, or something is still there."""
    if len(data["rooms"]) == 1:
        raise ChangeRefused("it is the only room, and a map has one at least")
    inside = [
        str(one["name"])
        for what in ("people", "objects")
        for one in data.get(what) or ()
        if is_world(data) and one["room"] == room
    ]
    if data.get("start") == room:
        inside.insert(0, "the robot at its start")
    if inside:
        there, more = ", ".join(inside[:MOST_TOLD]), len(inside) - MOST_TOLD
        rest = f" and {more} more" if more > 0 else ""
        raise ChangeRefused(f"'{room}' still has {there}{rest}; give them another room first")


def _without_doors(data: Any, room: str) -> Iterator[tuple[FieldPath, Any]]:
    doors = data.get("doors") or ()
    gone = [index for index, door in enumerate(doors) if room in door["between"]]
    if gone and len(gone) == len(doors):
        yield ("doors",), []
        return
    yield from ((("doors", index), _GONE) for index in reversed(gone))


def _entry(data: Any, change: AddEntry) -> Any:
    return {"name": change.name, "room": change.room} if is_world(data) else change.name


def _entry_at(data: Any, change: ChangeEntry | RemoveEntry) -> FieldPath:
    place = entries_at(data, change.what)
    there = _at(data, place) or ()
    if change.index >= len(there):
        raise ChangeRefused(f"there is no entry {change.index + 1} among the {change.what}")
    return (*place, change.index)


def _at(data: Any, place: FieldPath) -> Any:
    for part in place:
        data = data.get(part) if isinstance(data, dict) else data[part]
        if data is None:
            return None
    return data


def _set(data: Any, place: FieldPath, value: Any) -> None:
    for part in place[:-1]:
        data = data[part]
    if value is _GONE:
        del data[place[-1]]
    elif isinstance(data, list) and place[-1] == len(data):
        data.append(value)
    else:
        data[place[-1]] = value


# The text


def _put(text: str, place: FieldPath, value: Any) -> str:
    parent = _node(yaml.compose(text, Loader=yaml.SafeLoader), place[:-1])
    if isinstance(parent, yaml.MappingNode):
        return _put_field(text, parent, str(place[-1]), value)
    if not isinstance(parent, yaml.SequenceNode):
        raise ChangeRefused(BY_HAND)
    index = int(place[-1])
    if index == len(parent.value):
        return _appended(text, parent, _flow(value))
    if value is not _GONE:
        node = parent.value[index]
        return text[: node.start_mark.index] + _flow(value) + text[_end(node) :]
    return _without(text, parent.value, index, bool(parent.flow_style))


def _put_field(text: str, parent: yaml.MappingNode, field: str, value: Any) -> str:
    for key, node in parent.value:
        if key.value == field:
            return f"{text[: key.end_mark.index]}: {_flow(value)}{text[_end(node) :]}"
    key, node = parent.value[0]
    if parent.flow_style:
        return f"{text[: _end(node)]}, {field}: {_flow(value)}{text[_end(node) :]}"
    if key.start_mark.column == 0:
        return f"{text.rstrip()}\n\n{field}: {_flow(value)}\n"
    end = _line_end(text, _end(node))
    return f"{text[:end]}\n{' ' * key.start_mark.column}{field}: {_flow(value)}{text[end:]}"


def _appended(text: str, parent: yaml.SequenceNode, value: str) -> str:
    last = parent.value[-1]
    end = _end(last)
    if parent.flow_style:
        return f"{text[:end]}, {value}{text[end:]}"
    end = _line_end(text, end)
    return f"{text[:end]}\n{' ' * parent.start_mark.column}- {value}{text[end:]}"


def _without(text: str, nodes: Sequence[yaml.Node], index: int, flow: bool) -> str:
    node = nodes[index]
    if flow:
        after = index + 1 < len(nodes)
        begin = node.start_mark.index if after else _end(nodes[index - 1])
        return text[:begin] + text[nodes[index + 1].start_mark.index if after else _end(node) :]
    begin = text.rindex("\n", 0, node.start_mark.index)
    return text[:begin] + text[_line_end(text, _end(node)) :]


def _line_end(text: str, index: int) -> int:
    found = text.find("\n", index)
    return len(text) if found < 0 else found


def _node(node: yaml.Node | None, place: FieldPath) -> yaml.Node | None:
    for part in place:
        if isinstance(node, yaml.MappingNode):
            node = next((value for key, value in node.value if key.value == part), None)
        elif isinstance(node, yaml.SequenceNode):
            node = node.value[int(part)]
    return node


def _end(node: yaml.Node) -> int:
    """Where it ends; of a block, PyYAML counts what follows as of it."""
    if isinstance(node, yaml.CollectionNode) and node.value and not node.flow_style:
        last = node.value[-1]
        return _end(last[1] if isinstance(node, yaml.MappingNode) else last)
    return int(node.end_mark.index)


def _flow(value: Any) -> str:
    """A value on one line, as it stands in a list too."""
    written = yaml.safe_dump(
        [value], default_flow_style=True, allow_unicode=True, width=10**9, sort_keys=False
    )
    return str(written).strip()[1:-1]
