"""A plain world for the service robot.

Written from docs/verifier.md alone; it shares no code with the verifier. What the world leaves open
is answered by an `Answers`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, MutableSequence, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

ANYBODY = "(anybody)"
_ANYBODY_WORDS = ("", "person", "someone", "somebody", "anyone", "anybody", "people")
FILE = "<a program of the tests>"
LONGEST_TEXT = 2000
LONGEST_SLEEP = 7 * 24 * 3600.0  # s
MOST_PRINTED = 65_536  # bytes


class Failure(BaseException):
    """A call that the world does not allow; no handler of a program catches it."""


class NoSuchWorld(BaseException):
    """The answers contradict each other: there is no such world."""


class StoryOver(BaseException):
    """The program goes another way than the story, or further."""


class SkillError(Exception):
    """The program's own: it may raise and catch it."""

    def __init__(self, code: str = "unknown", message: str = "") -> None:
        super().__init__(message or code)
        self.code, self.message = code, message


@dataclass(frozen=True)
class Ending:
    """How an execution ended: a code and its line, and the type of a Python error."""

    code: str = ""
    line: int = 0
    error: str = ""


@dataclass(frozen=True)
class House:
    """The rooms.

    Attributes:
        starts: where the robot may be at the start.
        rooms: all rooms; None in the open world, where any name is a room.
        aliases: other names of rooms, in small letters, and what they mean.
        said: names that the program's text gives to `go_to`.
        caught: lines at which the program catches the failure of a skill.
        noticed: those, and lines after whose failure a `finally:` does something.
        waiting: lines that a `while` loop repeats; there, things change meanwhile.
        messages: what a skill that fails may say.
    """

    starts: tuple[str, ...]
    rooms: tuple[str, ...] | None = None
    said: tuple[str, ...] = ()
    caught: frozenset[int] = frozenset()
    noticed: frozenset[int] = frozenset()
    waiting: frozenset[int] = frozenset()
    aliases: Mapping[str, str] = field(default_factory=dict)
    messages: tuple[str, ...] = ("it failed",)

    def has(self, name: str) -> bool:
        return self.rooms is not None and name in self.rooms

    def room(self, name: str) -> str:
        """The room that a name means, or the name."""
        return self.aliases.get(" ".join(name.lower().split()), name.strip())


@dataclass(frozen=True)
class Spread:
    """Which chances and moments are tried.

    Attributes:
        outcomes: of a draw with more, the first, the middle and the last are tried.
        fractions: what `random.random()` gives.
        begins: what the clock shows first, s.
        passing: what passes between two looks, s.
    """

    outcomes: int = 6
    fractions: tuple[float, ...] = (0.0, 0.5, 1.0 - 2.0**-53)
    begins: tuple[float, ...] = (1_700_000_000.0,)
    passing: tuple[float, ...] = (1.0, 86_400.0)


AS_TOLD = Spread()
"""As the stories of verdicts have it."""


@dataclass(frozen=True)
class Moment:
    """Before a call, with its arguments; after one; or at the end."""

    skill: str = ""
    arguments: tuple[Any, ...] = ()
    ended: bool = False


Rule = Callable[["PlainWorld", Moment], bool]
"""Whether a rule is broken now; told of every moment."""


class Answers(Protocol):
    """Answers what a world leaves open."""

    def pick(self, values: Sequence[Any]) -> Any:
        """What nobody is told: chance, time, where the robot starts."""

    def begin(self, skill: str, arguments: tuple[Any, ...], line: int) -> None:
        """A call is made."""

    def fails(self) -> str:
        """Why that call fails; empty where it does not."""

    def tell(self, values: Sequence[Any] | None) -> Any:
        """The answer of that call: one of the values; with None, any."""


@dataclass
class PlainWorld:
    """Where the robot is, what it holds, and who and what is known to be where.

    Attributes:
        fickle: what was known may have changed by the next look, whatever it was.
        rules: what an operator forbids.
        began_in: where the robot was first.
        failures: errors of skills that fail in this world.
        failure: the first impossible call; `broken`: why there is no such world.
    """

    house: House
    answers: Answers
    fickle: bool = False
    spread: Spread = AS_TOLD
    rules: Sequence[Rule] = ()
    place_now: str | None = None
    began_in: str | None = None
    begun: bool = False
    started_in: str | None = None
    held: str = ""
    failure: Ending | None = None
    broken: BaseException | None = None
    rooms_told: list[str] | None = None
    _there: dict[tuple[str, str], bool] = field(default_factory=dict)
    _kinds: dict[str, set[str]] = field(default_factory=dict)
    failures: list[SkillError] = field(default_factory=list)
    _now: float | None = None
    _printed: int = 0
    _old: set[tuple[str, str]] = field(default_factory=set)
    _asked: set[tuple[int, str, str]] = field(default_factory=set)

    # skills --------------------------------------------------------------------------------------

    def go_to(self, location: Any) -> None:
        self._text("location", location)
        room = self.house.room(location)
        if self.house.rooms is not None and room not in self.house.rooms:
            self._fail("unknown_location")
        if not self._narrow(room, {"location"}):
            self._fail("entity_type_conflict")
        if self.house.rooms is None and self.rooms_told and room not in self.rooms_told:
            raise NoSuchWorld(f"{room} is no room")
        self._begin("go_to", (location,))
        self._moment("go_to", room)
        self._work(None)
        self.place_now = room
        self._close(None)

    def is_in_room(self, object: Any) -> bool:
        self._text("object", object)
        entity = self._entity(object, {"object", "person"})
        self._begin("is_in_room", (object,))
        self._moment("is_in_room", entity)
        self._may_fail(None)
        here = self.here()
        open_again = self.fickle or (program_line(), entity, here) in self._asked
        known = None if open_again else self._known_for_sure(entity, here)
        value = self.answers.tell([True, False] if known is None else [known])
        if program_line() in self.house.waiting:
            self._asked.add((program_line(), entity, here))
        self._learn(entity, here, value, fickle=open_again)
        self._moment()
        return value

    def ask(self, person: Any, question: Any, options: Any) -> str:
        if not isinstance(person, str):
            self._fail("wrong_arguments")
        self._text("question", question)
        texts = isinstance(options, (list, tuple)) and all(isinstance(o, str) for o in options)
        if not texts or not options or not all(option.strip() for option in options):
            self._fail("wrong_arguments")
        entity = self._entity(person, {"person"})
        self._begin("ask", (person, question, list(options)))
        here = self.here()
        if self._known(entity, here) is False:
            self._fail("person_absent")
        self._learn(entity, here, True)
        self._moment("ask", entity, question)
        self._work((entity, here))
        self._learn(entity, here, True)
        self._settled(entity, here)
        answer = self.answers.tell(list(dict.fromkeys(options)))
        self._moment()
        return answer

    def say(self, message: Any) -> None:
        self._text("message", message)
        self._begin("say", (message,))
        self._moment("say", message)
        self._work(None)
        self._close(None)

    def pick(self, obj: Any) -> None:
        self._text("obj", obj)
        entity = self._entity(obj, {"object"})
        self._begin("pick", (obj,))
        if self.held:
            self._fail("hand_full")
        here = self.here()
        if self._known(entity, here) is False:
            self._fail("object_absent")
        self._learn(entity, here, True)
        self._moment("pick", entity)
        self._work((entity, here))
        self.held = entity
        self._there.pop((entity, here), None)
        self._settled(entity, here)
        self._close(None)

    def place(self, obj: Any) -> None:
        self._text("obj", obj)
        entity = self._entity(obj, {"object"})
        self._begin("place", (obj,))
        if not self.held:
            self._fail("hand_empty")
        if self.held != entity:
            self._fail("not_held")
        self._moment("place", entity)
        self._work((entity, self.here()))
        self.held = ""
        self._there[entity, self.here()] = True
        self._settled(entity, self.here())
        self._close(None)

    def get_current_location(self) -> str:
        self._begin("get_current_location", ())
        self._moment("get_current_location")
        self._may_fail(None)
        here = self.answers.tell([self.here()])
        self._moment()
        return here

    def get_all_rooms(self) -> list[str]:
        self._begin("get_all_rooms", ())
        self._moment("get_all_rooms")
        self._may_fail(None)
        if self.house.rooms is not None:
            return list(self.answers.tell([list(self.house.rooms)]))
        told = self.answers.tell(None if self.rooms_told is None else [self.rooms_told])
        self.rooms_told = list(told)
        if self.place_now is not None and self.place_now not in told:
            raise NoSuchWorld(f"the robot is in {self.place_now}, which is no room")
        self._moment()
        strange = [room for room in told if not self._narrow(room, {"location"})]
        if set(strange) - set(self.house.said):
            raise NoSuchWorld("a room has the name of something else")
        return list(told)

    def _work(self, unsettled: tuple[str, str] | None) -> None:
        """A skill takes its time, in which people come and go, and may fail."""
        self._old |= {fact for fact in self._there if self._may_move(fact[0])}
        self._may_fail(unsettled)

    def _may_fail(self, unsettled: tuple[str, str] | None) -> None:
        if not is_executed(self.house.noticed):
            return
        code = self.answers.fails()
        if code:
            if unsettled is not None:
                self._there.pop(unsettled, None)
            elif program_skill() == "go_to":
                self.place_now = None
            said = self.house.messages
            message = said[0] if len(said) == 1 else self.answers.pick(said)
            self.failures.append(SkillError(code, message))
            raise self.failures[-1]

    def _settled(self, entity: str, room: str) -> None:
        """The robot has seen to it itself: the next look shows what it did."""
        self._old.discard((entity, room))
        self._asked = {asked for asked in self._asked if asked[1:] != (entity, room)}

    def _may_move(self, entity: str) -> bool:
        return entity == ANYBODY or "person" in self._kinds[entity]

    def print(
        self, *values: Any, sep: str | None = " ", end: str | None = "\n", flush: bool = False
    ) -> None:
        text = (" " if sep is None else sep).join(map(str, values))
        text += "\n" if end is None else end
        self._printed += len(text.encode("utf-8", "replace"))
        if self._printed > MOST_PRINTED:
            self._fail("output_budget")

    # time and chance -----------------------------------------------------------------------------

    def sleep(self, seconds: Any) -> None:
        numeric = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
        if not numeric or not 0 <= seconds <= LONGEST_SLEEP:
            raise ValueError("a number of seconds that is not negative, and no more than a week")
        gone = [e for e, _ in self._there if self._may_move(e)]
        self._there = {k: v for k, v in self._there.items() if k[0] not in gone}
        self._now = None if self._now is None else self._now + seconds

    def time(self) -> float:
        if self._now is None:
            self._now = self.answers.pick(self.spread.begins)
        else:
            self._now += self.answers.pick(self.spread.passing)
        return self._now

    def choice(self, seq: Sequence[Any]) -> Any:
        if not len(seq):
            raise IndexError("Cannot choose from an empty sequence")
        return seq[self._one_of(range(len(seq)))]

    def randint(self, a: int, b: int) -> int:
        if b < a:
            raise ValueError("empty range for randint")
        return self._one_of(range(a, b + 1))

    def random(self) -> float:
        return self.answers.pick(self.spread.fractions)

    def uniform(self, a: float, b: float) -> float:
        return a + (b - a) * self.random()

    def sample(self, population: Sequence[Any], k: int) -> list[Any]:
        if isinstance(population, (set, frozenset)):
            raise TypeError("Population must be a sequence")
        if not 0 <= k <= len(population):
            raise ValueError("Sample larger than population or is negative")
        rest = list(population)
        return [rest.pop(self._one_of(range(len(rest)))) for _ in range(k)]

    def shuffle(self, x: MutableSequence[Any]) -> None:
        x[:] = self.sample(x, len(x))

    def _one_of(self, values: Sequence[Any]) -> Any:
        """Few outcomes are all tried; of more, the first, the middle and the last."""
        few = values
        if len(values) > self.spread.outcomes:
            few = [values[0], values[len(values) // 2], values[-1]]
        return self.answers.pick(few) if len(values) > 1 else values[0]

    # rules ---------------------------------------------------------------------------------------

    def end(self) -> None:
        """The program has come to its end. Raises Failure where a rule forbids that."""
        self._begin()
        self._moment(ended=True)

    def look(self, person: str) -> bool:
        """Whether somebody is here, as a rule asks; it is settled where nobody knows."""
        self._narrow(person, {"person"})
        known = self._known(person, self.here())
        if known is None:
            known = self.answers.pick([True, False])
            self._learn(person, self.here(), known)
        return known

    def _begin(self, skill: str = "", arguments: tuple[Any, ...] = ()) -> None:
        """A call is made. No task begins where a rule is broken already."""
        if skill:
            self.answers.begin(skill, arguments, program_line())
        if self.rules and not self.begun:
            self.begun = True
            if self._breaks(Moment()):
                raise NoSuchWorld("a rule is broken before the task begins")

    def _moment(self, skill: str = "", *arguments: Any, ended: bool = False) -> None:
        if self._breaks(Moment(skill, arguments, ended)):
            self._fail("policy_broken")

    def _breaks(self, moment: Moment) -> bool:
        return any([rule(self, moment) for rule in self.rules])

    # the state -----------------------------------------------------------------------------------

    def here(self) -> str:
        if self.place_now is None:
            starts = self.rooms_told or self.house.starts
            self.place_now = self.started_in = str(self.answers.pick(list(starts)))
            if not self._narrow(self.place_now, {"location"}):
                raise NoSuchWorld(f"{self.place_now} is no room")
        self.began_in = self.began_in or self.place_now
        return self.place_now

    def _close(self, result: None) -> None:
        self.answers.tell([result])
        self._moment()

    def _text(self, parameter: str, value: Any) -> None:
        if not isinstance(value, str) or not value.strip() or len(value) > LONGEST_TEXT:
            self._fail("wrong_arguments")

    def _entity(self, value: str, kinds: set[str]) -> str:
        name = _one_name(value)
        if name in _ANYBODY_WORDS:
            if "person" not in kinds:
                self._fail("entity_type_conflict")
            return ANYBODY
        if self.house.has(name) or not self._narrow(name, kinds):
            if name in self._made_up():
                raise NoSuchWorld(f"{name} is no room")
            self._fail("entity_type_conflict")
        return name

    def _made_up(self) -> list[str]:
        """Rooms of this world of which the program does not say that they are rooms."""
        if self.house.rooms is not None:
            return []
        told = [*(self.rooms_told or ()), *([self.started_in] if self.started_in else [])]
        return [room for room in told if room not in self.house.said]

    def _narrow(self, name: str, kinds: set[str]) -> bool:
        """Whether the entity can be of one of these kinds; a person was one all the time."""
        left = self._kinds.get(name, kinds) & kinds
        if not left:
            return False
        self._kinds[name] = left
        for (entity, room), there in list(self._there.items()):
            if entity == name and there and left == {"person"}:
                self._somebody_is_in(room)
        return True

    def _known(self, entity: str, room: str) -> bool | None:
        if (entity, room) in self._there:
            return self._there[entity, room]
        if entity == ANYBODY:
            people = [v for (e, r), v in self._there.items() if r == room and self._is_person(e)]
            return True if any(people) else None
        nobody = self._there.get((ANYBODY, room)) is False
        return False if nobody and self._is_person(entity) else None

    def _known_for_sure(self, entity: str, room: str) -> bool | None:
        """What cannot have changed since it was seen."""
        believed = self._there
        self._there = {fact: v for fact, v in believed.items() if fact not in self._old}
        known = self._known(entity, room)
        self._there = believed
        return known

    def _learn(self, entity: str, room: str, value: bool, fickle: bool = False) -> None:
        if value and self._is_person(entity):
            self._somebody_is_in(room, fickle)
        if not value and entity == ANYBODY:
            for other, place in list(self._there):
                if place == room and self._is_person(other) and self._there[other, place]:
                    self._contradiction((other, place), fickle)
        self._there[entity, room] = value
        self._old.discard((entity, room))

    def _somebody_is_in(self, room: str, fickle: bool = False) -> None:
        if self._there.get((ANYBODY, room)) is False:
            self._contradiction((ANYBODY, room), fickle)

    def _contradiction(self, fact: tuple[str, str], fickle: bool) -> None:
        """Two facts of one moment cannot contradict each other; of two moments they can."""
        if not (fickle or self.fickle or self._asked or self._old):
            raise NoSuchWorld(f"{fact} cannot be both")
        del self._there[fact]

    def _is_person(self, entity: str) -> bool:
        return self._kinds.get(entity) == {"person"}

    def _fail(self, code: str) -> None:
        if self.failure is None:
            self.failure = Ending(code, program_line())
        raise Failure


def _one_name(value: str) -> str:
    """A thing or a person has one name: letter case, article and plural do not matter."""
    words = value.lower().split()
    if len(words) > 1:
        words = [word for word in words if word not in ("a", "an", "the", "some")]
    return " ".join(map(_one_of_them, words))


def _one_of_them(word: str) -> str:
    if len(word) > 4 and word[-3:] == "ies":
        return word[:-3] + "y"
    ends = [end for end in ("xes", "ches", "shes", "sses") if word.endswith(end)]
    if ends:
        return word[:-2]
    return word[:-1] if len(word) > 3 and word[-1] == "s" != word[-2] else word


def program_line() -> int:
    """The line of the program that is being executed."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename != FILE:
        frame = frame.f_back
    return frame.f_lineno if frame is not None else 0


def is_executed(lines: frozenset[int]) -> bool:
    """Whether one of the lines is being executed, or has called what is."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename == FILE and frame.f_lineno in lines:
            return True
        frame = frame.f_back
    return False


def program_skill() -> str:
    """The skill of this world that the program has called."""
    frame, name = sys._getframe(1), ""
    while frame is not None and frame.f_code.co_filename != FILE:
        name = frame.f_code.co_name if frame.f_code.co_name == "go_to" else name
        frame = frame.f_back
    return name
