"""A world of a few facts in which a program runs, and the calls that it makes there.

Preconditions and failures of the calls are as in the simulated house and on a robot.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import wraps
from inspect import signature
from typing import Any, Concatenate, ParamSpec, TypeVar

from roboinstruct_ros.domain.condition import fits_text
from roboinstruct_ros.domain.semantic_map import folded
from roboinstruct_ros.domain.thing_names import ANYBODY, means_anybody, plain_name
from roboinstruct_ros.names import LONGEST_NAME
from roboinstruct_ros.sandbox.namespace import SkillError

MAX_CALLS = 400
_NAMES = ("location", "obj", "object", "person")


class Stuck(BaseException):
    """A call for which this world has no answer, or one call too many; no program catches it."""


@dataclass(frozen=True)
class Thing:
    """A thing or a person with all names, and the look from which on it is there."""

    name: str
    names: tuple[str, ...]
    since: int = 0

    @classmethod
    def read(cls, text: str) -> Thing:
        """Parse `cup|mug@3`: either name, there from the third look on."""
        names, _, since = text.partition("@")
        known = names.split("|")
        return cls(known[0], tuple(map(_plain, known)), int(since or 0))


@dataclass(frozen=True)
class Failure:
    """The first `times` possible calls of a skill fail, whatever the program does.

    Attributes:
        code: in the form that programs see.
        argument: a condition's text that the first argument matches.
    """

    skill: str
    code: str
    argument: str = "*"
    times: int = 1


@dataclass(frozen=True)
class Facts:
    """The initial facts, as plain values that can be sent to a child.

    Attributes:
        rooms: names and aliases, folded, to the rooms that they mean.
        start: the room where the robot is.
        people: names of those who may be there.
        here: the things and people of each room, in the notation of `Thing.read`.
        answers: a person's answers, one after the other; "" stands for any person.
        holding: what the gripper holds; "" for nothing.
        fails: skills that fail although their preconditions hold.
        people_are_placed: people are where `here` has them; otherwise whoever is addressed is
            there, and a program may not speak in a room before those who come later.
    """

    rooms: Mapping[str, str]
    start: str
    people: Sequence[str] = ()
    here: Mapping[str, Sequence[str]] = field(default_factory=dict)
    answers: Mapping[str, Sequence[str]] = field(default_factory=dict)
    holding: str = ""
    fails: Sequence[Failure] = ()
    people_are_placed: bool = False

    @property
    def plain(self) -> dict[str, Any]:
        """The form that `read` takes."""
        return asdict(self)

    @classmethod
    def read(cls, plain: Mapping[str, Any]) -> Facts:
        """The inverse of `plain`."""
        return cls(**{**plain, "fails": tuple(Failure(**one) for one in plain["fails"])})


@dataclass
class Made:
    """A call of a skill, or `sleep`, that was made.

    Attributes:
        error: code of its failure; "" if it did not fail.
    """

    skill: str
    arguments: list[Any]
    result: Any = None
    error: str = ""

    @property
    def line(self) -> str:
        """The call as source code."""
        return f"{self.skill}({', '.join(map(repr, self.arguments))})"


_P = ParamSpec("_P")
_R = TypeVar("_R")


def _skill(
    act: Callable[Concatenate[ScriptedWorld, _P], _R],
) -> Callable[Concatenate[ScriptedWorld, _P], _R]:
    """Records the call and its result."""
    bind = signature(act).bind

    @wraps(act)
    def call(world: ScriptedWorld, /, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        given = bind(world, *args, **kwargs).arguments
        del given["self"]
        made = Made(act.__name__, [_sendable(value) for value in given.values()])
        world.made.append(made)
        world.bound()
        try:
            _check_texts(given)
            made.result = result = act(world, *args, **kwargs)
        except SkillError as error:
            made.error = error.code
            raise
        return result

    return call


def _sendable(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_sendable(one) for one in value]
    return value if isinstance(value, (str, int, float)) else repr(value)[:80]


def _check_texts(given: Mapping[str, Any]) -> None:
    for name, value in given.items():
        if name == "options":
            texts = value if isinstance(value, (list, tuple)) else ()
            if not texts or not all(isinstance(one, str) and one.strip() for one in texts):
                raise _invalid("options is empty; give at least one answer to choose from")
        elif not isinstance(value, str):
            raise _invalid(f"{name} is no text: {value!r}")
        elif not value.strip() and (value or name != "person"):
            raise _invalid(f"{name} is empty")
        elif name in _NAMES and len(value) > LONGEST_NAME:
            raise _invalid(f"{name} has {len(value)} characters; a name has {LONGEST_NAME} at most")


def _invalid(message: str) -> SkillError:
    return SkillError("invalid_argument", message)


class ScriptedWorld:
    """The eight skills in a world of these facts. They raise `SkillError` as real ones do.

    Attributes:
        calls: of acting skills that did not fail, in order and in the notation of `ways`.
        made: all calls.
        slept: s.
        room: where the robot is.
        hand: what it holds.
    """

    def __init__(self, facts: Facts) -> None:
        self.calls: list[str] = []
        self.made: list[Made] = []
        self.slept = 0.0
        self.facts, self.room, self._looks = facts, facts.start, 0
        self._things = {
            room: [Thing.read(text) for text in facts.here[room]] for room in facts.here
        }
        self._left = {_plain(person): list(said) for person, said in facts.answers.items()}
        self._people = {_plain(name): name for name in (*facts.people, *facts.answers)}
        self.hand = Thing.read(facts.holding) if facts.holding else None
        self._failing = [failure.times for failure in facts.fails]
        all_things = [thing for things in self._things.values() for thing in things]
        self._known = [*all_things, *([self.hand] if self.hand else [])]

    @_skill
    def go_to(self, location: str) -> None:
        room = self.facts.rooms.get(folded(location))
        if room is None:
            raise SkillError("unknown_location", f"no room is named '{location}'")
        self._strike("go_to", location, room)
        self.room = room
        self.calls.append(f"go_to {room}")

    @_skill
    def pick(self, obj: str) -> None:
        if self.hand:
            raise SkillError("hand_full", f"the gripper already holds {self.hand.name}")
        here = [thing for thing in self.things_in(self.room) if not self.is_person(thing)]
        found = next((thing for thing in here if _plain(obj) in thing.names), None)
        if not found:
            raise SkillError("object_not_found", f"no {obj} in {self.room}")
        self._strike("pick", obj, found.name)
        self._things[self.room].remove(found)
        self.hand = found
        self.calls.append(f"pick {found.name}")

    @_skill
    def place(self, obj: str) -> None:
        if not self.hand:
            raise SkillError("hand_empty", "the gripper holds nothing")
        if _plain(obj) not in self.hand.names:
            raise SkillError("hand_empty", f"the gripper holds {self.hand.name}, not {obj}")
        self._strike("place", obj, self.hand.name)
        self._things.setdefault(self.room, []).append(self.hand)
        self.calls.append(f"place {self.hand.name}")
        self.hand = None

    @_skill
    def say(self, message: str) -> None:
        self._check_that_nobody_is_awaited()
        self._strike("say", message)
        self.calls.append(f"say {message}")

    @_skill
    def ask(self, person: str, question: str, options: Sequence[str]) -> str:
        self._check_that_nobody_is_awaited()
        asked = self.addressed(person)
        self._strike("ask", person, asked)
        name = self._people.get(_plain(person), person)
        self.calls.append(f"ask {name} {question} ({', '.join(options)})")
        answers = self._left.get(_plain(asked)) or self._left.get("")
        return _option(asked, options, answers.pop(0) if answers else None)

    @_skill
    def is_in_room(self, object: str) -> bool:
        self._look()
        return any(self._is(thing, _plain(object)) for thing in self.things_in(self.room))

    @_skill
    def get_current_location(self) -> str:
        return self.room

    @_skill
    def get_all_rooms(self) -> list[str]:
        return list(dict.fromkeys(self.facts.rooms.values()))

    def sleep(self, seconds: float) -> None:
        """Implements `time.sleep`; people who come later arrive meanwhile."""
        self.made.append(Made("sleep", [seconds]))
        self.slept += seconds
        self._look()

    def now(self) -> float:
        """Implements `time.time`, s."""
        return self._looks + self.slept

    def things_in(self, room: str) -> list[Thing]:
        """Things and people that are there now."""
        return [thing for thing in self._things.get(room, []) if thing.since <= self._looks]

    @property
    def rooms(self) -> list[str]:
        """The rooms where something is, or was."""
        return list(self._things)

    def other_names(self, name: str) -> tuple[str, ...]:
        """Other names of the things and people with this name, wherever they are."""
        plain = _plain(name)
        return tuple(one for thing in self._known if plain in thing.names for one in thing.names)

    def is_person(self, thing: Thing) -> bool:
        """Whether it is one of the people who may be here."""
        return bool({*self._people, *ANYBODY}.intersection(thing.names))

    def addressed(self, person: str) -> str:
        """The person addressed by that name or word.

        Raises:
            SkillError: nobody of that name is here.
        """
        name = "" if means_anybody(person) else _plain(person)
        there = [one for one in self.things_in(self.room) if self.is_person(one)]
        found = next((one for one in there if not name or name in one.names), None)
        if found:
            return found.name
        if self.facts.people_are_placed:
            who = f"{person} is not" if name else "nobody is"
            raise SkillError("person_not_found", f"{who} in {self.room}")
        return self._people.get(name, person)

    def bound(self) -> None:
        """Raises `Stuck` after more calls than any task needs."""
        if len(self.made) + self._looks > MAX_CALLS:
            raise Stuck("it does not end")

    def _strike(self, skill: str, *names: str) -> None:
        for index, failure in enumerate(self.facts.fails):
            fits = any(fits_text(failure.argument, name) for name in names)
            if failure.skill == skill and fits and self._failing[index]:
                self._failing[index] -= 1
                if failure.code == "person_left":
                    self._leave(names[-1])
                raise SkillError(failure.code, f"{skill} of {names[-1]} fails")

    def _leave(self, person: str) -> None:
        stay = [thing for thing in self._things.get(self.room, []) if thing.name != person]
        self._things[self.room] = stay

    def _check_that_nobody_is_awaited(self) -> None:
        if self.facts.people_are_placed:
            return
        for thing in self._things.get(self.room, []):
            if thing.since > self._looks:
                raise Stuck(f"it speaks before {thing.name} is there")

    def _is(self, thing: Thing, name: str) -> bool:
        return name in thing.names or (name in ANYBODY and self.is_person(thing))

    def _look(self) -> None:
        self._looks += 1
        self.bound()


def _option(person: str, options: Sequence[str], answer: str | None) -> str:
    """The option that an answer means; without an answer, yes if it is an option."""
    wanted = (answer or "yes").lower().split("|")
    for begins in (str.__eq__, str.startswith):  # "Yes, please" means yes
        for option in options:
            if any(begins(option.lower(), word) for word in wanted):
                return option
    if answer is None:
        return options[0]
    raise Stuck(f"{person or 'a person'} wants to answer '{answer}', options are {list(options)}")


def _plain(name: str) -> str:
    """A name in the form in which robots compare it; possessives do not matter either."""
    return plain_name(re.sub(r"^my ", "", folded(name)))
