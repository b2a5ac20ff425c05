"""Resolves the arguments of skill calls to the entities that they name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn

from roboinstruct_ros.domain.configuration import nearest_name
from roboinstruct_ros.domain.semantic_map import folded, no_such_room
from roboinstruct_ros.domain.skills import Parameter, Skill
from roboinstruct_ros.domain.thing_names import plain_name, same_thing
from roboinstruct_ros.domain.violation_code import ViolationCode
from roboinstruct_ros.program.allow_list import value_fault
from roboinstruct_ros.verify.error_words import most_characters
from roboinstruct_ros.verify.rooms.room_names import ListedName, RoomName, unasked
from roboinstruct_ros.verify.rooms.rooms import Rooms
from roboinstruct_ros.verify.world.path import Path
from roboinstruct_ros.verify.world.world import ANYBODY, ImpossibleWorld, World

_MOST_SEEN = 2000  # calls remembered
_TEXTS = frozenset({str, RoomName, ListedName})
_LOCATION = frozenset({"location"})
_UNKNOWN = {
    "object": ViolationCode.UNKNOWN_OBJECT,
    "person": ViolationCode.UNKNOWN_PERSON,
    "location": ViolationCode.UNKNOWN_LOCATION,
}


class Call(NamedTuple):
    """A skill call of a program.

    Attributes:
        arguments: by parameter, in the order of the signature; lists are copies.
        values: the same without the parameter names.
        entities: by parameter, the entity named; for other values, their text.
        narrowed: (entity, the types that it must have).
    """

    skill: Skill
    arguments: dict[str, Any]
    values: tuple[Any, ...]
    entities: dict[str, str]
    narrowed: tuple[tuple[str, frozenset[str]], ...]

    @property
    def characters(self) -> int:
        """Of the longest text among the arguments, as it may be in a run."""
        return max(map(most_characters, self.texts), default=0)

    @property
    def texts(self) -> list[str]:
        """The texts among the arguments."""
        return [value for value in self.values if isinstance(value, str)]


@dataclass(eq=False)
class SkillArguments:
    """Binds and resolves the arguments of skill calls on one path."""

    _path: Path
    _world: World
    _rooms: Rooms

    def __post_init__(self) -> None:
        question = self._path.question
        self._domain, self._seen = question.domain, question.calls_seen
        self._spellings = question.spellings

    def bound(self, skill: Skill, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
        """Check and bind the arguments; repeated calls come from a cache shared by all paths."""
        args = tuple(map(unasked, args))
        if kwargs:
            kwargs = {name: unasked(value) for name, value in kwargs.items()}
        key = None if kwargs else _key(skill, args)
        known: Call | None = self._seen.get(key) if key is not None else None
        if known is not None:
            for entity, types in known.narrowed:
                if not self._world.narrow(entity, types):
                    break
            else:
                return known
        arguments = self._bind(skill, args, kwargs)
        entities = {p.name: self._entity(skill, p, arguments[p.name]) for p in skill.parameters}
        narrowed = tuple(
            (entities[p.name], p.entity_types)
            for p in skill.parameters
            if p.is_entity and entities[p.name] != ANYBODY
        )
        arguments = {name: kept(value) for name, value in arguments.items()}
        call = Call(skill, arguments, tuple(arguments.values()), entities, narrowed)
        if key is not None and len(self._seen) < _MOST_SEEN:
            self._seen[key] = call
        return call

    def _bind(self, skill: Skill, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """Arguments by parameter, in the order of the signature."""
        names = skill.parameter_names
        bound = dict(zip(names, args, strict=False))
        if kwargs or len(args) != len(names):
            strange = [name for name in kwargs if name not in names or name in bound]
            bound.update(kwargs)
            if len(args) > len(names) or strange or set(bound) != set(names):
                right = f"it is {skill.name}({', '.join(names)})"
                self._path.fail(skill.name, ViolationCode.WRONG_ARGUMENTS, right)
            bound = {name: bound[name] for name in names}
        for parameter in skill.parameters:
            reason = value_fault(bound[parameter.name], parameter)
            if reason:
                self._path.fail(
                    skill.name, ViolationCode.WRONG_ARGUMENTS, f"{skill.name}: {reason}"
                )
        return bound

    def _entity(self, skill: Skill, parameter: Parameter, value: Any) -> str:
        """The entity that an argument names; the value as text if it names none."""
        name = str(value).strip()
        if not parameter.is_entity:
            return name if parameter.type != "options" else ""
        if parameter.type == "location":
            return self._location(skill, value, name)
        if "person" in parameter.entity_types and self._domain.is_anybody(name):
            return ANYBODY
        if self._domain.is_anybody(name) and name:
            self._type_conflict(skill, name, parameter.type, "person")
        known = self._known(skill, parameter, value, name)
        if self._is_room(known) or not self._world.narrow(known, parameter.entity_types):
            if self._rooms.is_made_up(name) and not isinstance(value, RoomName):
                raise ImpossibleWorld
            self._type_conflict(skill, name, parameter.type)
        return known

    def _known(self, skill: Skill, parameter: Parameter, value: object, name: str) -> str:
        """The entity's name from a closed list, or else the program's first name for it."""
        lists = [self._names_of(kind) for kind in sorted(parameter.entity_types)]
        if self._is_room(name) or isinstance(value, RoomName):
            return name
        if any(names is None for names in lists):
            return self.spelled(name)
        names = [known for some in lists for known in some or ()]
        for known in names:
            if same_thing(name, known):
                return known
        kind = next(iter(parameter.entity_types)) if len(parameter.entity_types) == 1 else ""
        near = nearest_name(name, names)
        hint = (
            f"; did you mean '{near}'?" if near else f"; there are {', '.join(names[:8]) or 'none'}"
        )
        message = f"there is no {parameter.type} '{name}'{hint}"
        self._path.fail(skill.name, _UNKNOWN.get(kind, ViolationCode.UNKNOWN_ENTITY), message)

    def spelled(self, name: str) -> str:
        """One name for all spellings of a thing or person: the program's first."""
        plain = plain_name(name)
        return self._spellings.get(plain, plain)

    def _is_room(self, name: str) -> bool:
        """Whether a room of the map has this name (aliases do not count)."""
        room = self._rooms.resolve(name) if self._rooms.is_known_room(name) else None
        return room is not None and folded(room) == folded(name)

    def _names_of(self, kind: str) -> tuple[str, ...] | None:
        listed = self._domain.entities.get(kind)
        return self._rooms.vocabulary(kind) if listed is None else listed

    def _location(self, skill: Skill, value: object, name: str) -> str:
        room = self._rooms.resolve(name)
        if room is None:
            message = no_such_room(name, self._rooms.nearest(name))
            self._path.fail(skill.name, ViolationCode.UNKNOWN_LOCATION, message)
        if not self._world.narrow(room, _LOCATION):
            if self._rooms.is_made_up(room) and isinstance(value, RoomName):
                raise ImpossibleWorld
            self._type_conflict(skill, name, "location")
        return room

    def _type_conflict(self, skill: Skill, name: str, wanted: str, is_now: str = "") -> NoReturn:
        known = self._world.entity_types.get(name, _LOCATION)
        is_now = _with_article(is_now or " or ".join(sorted(known)))
        message = f"'{skill.name}' needs {_with_article(wanted)}, but '{name}' is {is_now}"
        self._path.fail(skill.name, ViolationCode.ENTITY_TYPE_CONFLICT, message)


def kept(argument: Any) -> Any:
    """A copy of a value that the program may change later."""
    return list(argument) if isinstance(argument, list) else argument


def _key(skill: Skill, args: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """A cache key that equal calls share; None if an argument is more than texts."""
    parts: list[Any] = [skill.name]
    for value in args:
        kind = type(value)
        if kind in _TEXTS:
            parts += (kind, value)
        elif kind is list and all(type(item) in _TEXTS for item in value):
            parts.append(tuple((type(item), item) for item in value))
        else:
            return None
    return tuple(parts)


def _with_article(words: str) -> str:
    return f"an {words}" if words[0] in "aeiou" else f"a {words}"
