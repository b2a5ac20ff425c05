"""Expressions of generated task programs: each is of the kind that is asked for."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from program_operations import ABOUT_ROOMS, MAY_FAIL, OPERATIONS

Item = TypeVar("Item")
TRAP = 'place("nothing")'


@dataclass(frozen=True)
class Vocabulary:
    """Names that programs say. Few, so that they meet again."""

    objects: tuple[str, ...] = ("apple", "cup")
    people: tuple[str, ...] = ("Jack", "Eve")
    rooms: tuple[str, ...] = ("kitchen", "office")
    room_part: str = "kit"


@dataclass(frozen=True)
class Language:
    """What programs may use.

    Attributes:
        statements: about how many.
        depth: how deep blocks stand in each other.
        waits: `while` loops.
        chance: `random`, with at most six outcomes a draw.
        clock: `time.time`, and draws with more outcomes than a verifier can try.
        all_rooms: `get_all_rooms()`.
        start: `get_current_location()`.
        finally_: `finally:`, in which a program goes on after an end.
        spelling: looks at the letters of names, and at their order.
        faults: what fails only when it runs.
        slips: what the text alone shows to be wrong.
        operations: everything else that the task language has, and calls that are impossible.
    """

    statements: int = 12
    depth: int = 3
    waits: bool = True
    chance: bool = True
    clock: bool = True
    all_rooms: bool = True
    start: bool = True
    finally_: bool = True
    spelling: bool = True
    faults: bool = True
    slips: bool = False
    operations: bool = False


@dataclass
class Scope:
    """Variables by the kind of their value."""

    names: dict[str, list[str]] = field(default_factory=dict)

    def of(self, kind: str) -> list[str]:
        return self.names.get(kind, [])

    def add(self, kind: str, name: str) -> None:
        self.names.setdefault(kind, []).append(name)

    def inner(self) -> Scope:
        """A block's scope: what it adds is not seen outside."""
        return Scope({kind: list(names) for kind, names in self.names.items()})


def quoted(text: str) -> str:
    return f'"{text}"'


class Expressions:
    """Draws expressions over the variables in scope."""

    def __init__(self, chance: random.Random, words: Vocabulary, language: Language) -> None:
        self._chance, self.words, self.language = chance, words, language
        self._count = 0

    def one_of(self, items: Sequence[Item]) -> Item:
        return self._chance.choice(items)

    def upto(self, low: int, high: int) -> int:
        return self._chance.randint(low, high)

    def coin(self) -> bool:
        return bool(self._chance.randint(0, 1))

    def rarely(self, often: int = 12) -> bool:
        return self.upto(0, often) == often

    def fresh(self) -> str:
        self._count += 1
        return f"v{self._count}"

    def of_kind(self, kind: str, scope: Scope, depth: int = 1) -> str:
        return getattr(self, kind)(scope, depth)

    def _drawn(self, kind: str, scope: Scope, makers: list[Callable[[], str]]) -> str:
        known = scope.of(kind)
        if known and self.coin():
            return self.one_of(known)
        if self.language.operations and len(makers) > 2 and self.rarely(2):
            return f"({self.filled(self.one_of(self._templates(kind)), scope)})"
        return self.one_of(makers)()

    def _templates(self, kind: str) -> tuple[str, ...]:
        if kind == "flag" and self.coin():
            return ABOUT_ROOMS
        if kind == "number" and self.language.faults and self.rarely():
            return MAY_FAIL
        return OPERATIONS.get(kind) or OPERATIONS["number"]

    def filled(self, template: str, scope: Scope) -> str:
        """The template, with expressions in its places."""
        new: dict[str, str] = {}

        def fill(place: re.Match[str]) -> str:
            kind = place[1]
            if kind in "xy":
                return new.setdefault(kind, self.fresh())
            return self.of_kind(kind, scope, 0)

        return re.sub(r"<(\w+)>", fill, template)

    def skill(self, scope: Scope, depth: int = 0) -> str:
        """A call that some worlds do not allow."""
        thing = self.thing(scope, 0)
        say = f"say({self.text(scope, 0)})"
        return self.one_of(
            [
                say,
                say,
                say,
                TRAP,
                f"pick({thing})",
                f"place({thing})",
                f"go_to({self.room(scope, 0)})",
            ]
        )

    # names ---------------------------------------------------------------------------------------

    def thing(self, scope: Scope, depth: int = 1) -> str:
        if self.language.faults and self.rarely(25):
            return quoted(self.one_of([self.words.rooms[0], self.words.people[0], "person"]))
        makers = [lambda: quoted(self.one_of(self.words.objects))] * 4
        if depth and self.language.chance:
            makers.append(lambda: f"random.choice({self.things(scope, 0)})")
        if depth:
            makers.append(lambda: f"({self.things(scope, 0)} or [{quoted('apple')}])[0]")
            makers.append(lambda: self._conditional("thing", scope))
        return self._drawn("thing", scope, makers)

    def person(self, scope: Scope, depth: int = 1) -> str:
        if self.language.faults and self.rarely(25):
            return quoted(self.one_of([self.words.rooms[0], self.words.objects[0]]))
        return quoted(self.one_of([*self.words.people, "", "person"]))

    def entity(self, scope: Scope, depth: int = 1) -> str:
        """What `is_in_room` may be asked for."""
        if self.language.faults and self.rarely(25):
            return quoted(self.words.rooms[0])
        people = lambda: quoted(self.one_of([*self.words.people, "person"]))  # noqa: E731
        return self.one_of([people, lambda: self.thing(scope, depth)])()

    def room(self, scope: Scope, depth: int = 1) -> str:
        if self.language.faults and self.rarely(25):
            return quoted(self.words.objects[0])
        makers = [lambda: quoted(self.one_of(self.words.rooms))] * 4
        if self.language.start and depth:
            makers.append(lambda: "get_current_location()")
        if self.language.all_rooms and self.language.chance and depth:
            makers.append(lambda: "random.choice(get_all_rooms())")
        return self._drawn("room", scope, makers)

    # texts and numbers ---------------------------------------------------------------------------

    def text(self, scope: Scope, depth: int = 1) -> str:
        """Never empty."""
        makers = [lambda: quoted(self.one_of(["hello", "I am here", "done"]))]
        if depth:
            makers += [
                lambda: self._formatted(scope),
                lambda: f"{self.text(scope, 0)} + str({self.number(scope, 0)})",
                lambda: f'"it: " + ", ".join({self.things(scope, 0)})',
                lambda: f'"Answer " + {self.answer(scope, 0)}',
                lambda: f"{self.text(scope, 0)}.upper()",
                lambda: f'{self.text(scope, 0)}.replace("e", "a").strip()',
                lambda: f"{self.text(scope, 0)}[:2]",
                lambda: self._conditional("text", scope),
            ]
        return self._drawn("text", scope, makers)

    def _formatted(self, scope: Scope) -> str:
        # before Python 3.12 the parts may not hold the quotes that stand around the whole
        parts = [self.one_of([*scope.of(kind), "1"]) for kind in ("number", "thing")]
        asked = self.flag(scope, 0).replace('"', "'")
        return f'f"n {{{parts[0]}}} {{{parts[1]}!r:>5}}, {{{asked}}}"'

    def answer(self, scope: Scope, depth: int = 1) -> str:
        """One of "Yes" and "No"."""
        options = self.one_of(['["Yes", "No"]', '["Yes", "No", "Yes"]', '("No", "Yes")'])
        asks = lambda: f"ask({self.person(scope, 0)}, {self.text(scope, 0)}, {options})"  # noqa: E731
        return self._drawn("answer", scope, [asks])

    def number(self, scope: Scope, depth: int = 1) -> str:
        makers = [lambda: str(self.upto(0, 3))]
        if depth:
            makers += [
                lambda: f"len({self.things(scope, 0)})",
                lambda: f"({self.number(scope, 0)} + {self.number(scope, 0)})",
                lambda: f"({self.number(scope, 0)} % 2 or -1)",
                lambda: f"max({self.number(scope, 0)}, {self.number(scope, 0)})",
                lambda: (
                    f"sum(1 for {(x := self.fresh())} in {self.things(scope, 0)}"
                    f" if is_in_room({x}))"
                ),
                lambda: f"int({self.flag(scope, 0)})",
                lambda: f"math.floor({self.number(scope, 0)} / 2)",
                lambda: f"divmod({self.number(scope, 0)}, 2)[1]",
                lambda: f"{self.table(scope, 0)}.get({self.thing(scope, 0)}, 0)",
                lambda: f'int(ask({self.person(scope, 0)}, "How many?", ["1", "2", "3"]))',
            ]
            if self.language.all_rooms:
                makers.append(lambda: f"len({self.rooms(scope, 0)})")
            if self.language.spelling:
                makers.append(lambda: f"{self.text(scope, 0)}.count({quoted('e')})")
            if self.language.chance:
                makers.append(lambda: f"random.randint(0, {self.upto(0, 5)})")
            if self.language.clock:
                makers += [lambda: "random.randint(1, 40)", lambda: "int(random.random() * 4)"]
            if self.language.faults and self.rarely(3):
                makers += [
                    lambda: f"6 // {self.number(scope, 0)}",
                    lambda: f"int({self.answer(scope, 0)})",
                    lambda: f"{self.table(scope, 0)}[{self.thing(scope, 0)}]",
                    lambda: f"{self.things(scope, 0)}.index({self.thing(scope, 0)})",
                    lambda: f"{self.number(scope, 0)} + {self.text(scope, 0)}",
                ]
        return self._drawn("number", scope, makers)

    # truth values --------------------------------------------------------------------------------

    def flag(self, scope: Scope, depth: int = 1) -> str:
        makers: list[Callable[[], str]] = [
            *[lambda: f"is_in_room({self.entity(scope, 0)})"] * 4,
            lambda: f'{self.answer(scope, 0)} == "Yes"',
        ]
        if depth:
            makers += [
                lambda: f"not {self.flag(scope, depth - 1)}",
                lambda: (
                    f"({self.flag(scope, 0)} {self.one_of(['and', 'or'])} "
                    f"{self.flag(scope, depth - 1)})"
                ),
                lambda: (
                    f"{self.number(scope, depth - 1)} {self.one_of(['<', '==', '!=', '>='])}"
                    f" {self.number(scope, 0)}"
                ),
                lambda: f"0 <= {self.number(scope, depth - 1)} < 2",
                lambda: f"{self.thing(scope, 0)} in {self.things(scope, depth - 1)}",
                lambda: f"{self.thing(scope, 0)} not in {self.bag(scope, 0)}",
                lambda: (
                    f"{self.one_of(['any', 'all'])}(is_in_room({(x := self.fresh())})"
                    f" for {x} in {self.things(scope, 0)})"
                ),
                lambda: f"bool({self.things(scope, depth - 1)})",
                lambda: f"{self.thing(scope, 0)} == {self.thing(scope, 0)}",
                lambda: self._conditional("flag", scope),
                *[lambda name=name: f"{name}({self.thing(scope, 0)})" for name in scope.of("test")],
            ]
            if self.language.all_rooms:
                makers.append(
                    lambda: f"{quoted(self.one_of(self.words.rooms))} in {self.rooms(scope)}"
                )
            if self.language.start or scope.of("room"):
                makers += [lambda: self._about_a_room(scope)] * 2
        return self._drawn("flag", scope, makers)

    def _about_a_room(self, scope: Scope) -> str:
        unknown = ["get_current_location()"] if self.language.start else []
        room = self.one_of([*unknown, *scope.of("room")])
        named = quoted(self.one_of(self.words.rooms))
        shapes = [
            f"{room} == {named}",
            f"{room} != {named}",
            f"{room} in [{named}, {quoted(self.words.rooms[0])}]",
        ]
        if self.language.spelling:
            shapes += [
                f"{quoted(self.words.room_part)} in {room}",
                f"{room}.startswith({quoted(self.words.room_part)})",
                f"{room}.lower() == {named}",
            ]
        return self.one_of(shapes)

    # collections ---------------------------------------------------------------------------------

    def things(self, scope: Scope, depth: int = 1) -> str:
        makers: list[Callable[[], str]] = [
            lambda: f"[{', '.join(map(quoted, self.words.objects))}]",
            lambda: f"[{self.thing(scope, 0)}]",
        ]
        if depth:
            makers += [
                lambda: (
                    f"[{(x := self.fresh())} for {x} in {self.things(scope, 0)}"
                    f" if {self._with('thing', x, scope)}]"
                ),
                lambda: f"{self.things(scope, 0)} + [{self.thing(scope, 0)}]",
                lambda: f"{self.things(scope, 0)}[{self.one_of(['1:', ':1', '::-1', '-1:'])}]",
                lambda: f"list(filter(is_in_room, {self.things(scope, 0)}))",
                lambda: f"list({self.table(scope, 0)})",
            ]
            if self.language.spelling:
                makers += [
                    lambda: f"sorted({self.bag(scope, 0)})",
                    lambda: (
                        f"sorted({self.things(scope, 0)}, key=lambda {(x := self.fresh())}:"
                        f" {x}, reverse=True)"
                    ),
                ]
            if self.language.chance:
                makers.append(lambda: f"random.sample({self.things(scope, 0)}, 1)")
        return self._drawn("things", scope, makers)

    def rooms(self, scope: Scope, depth: int = 1) -> str:
        makers = [lambda: f"[{', '.join(map(quoted, self.words.rooms))}]"]
        if self.language.all_rooms:
            makers += [lambda: "get_all_rooms()"]
            if depth:
                makers.append(
                    lambda: (
                        f"[{(x := self.fresh())} for {x} in get_all_rooms()"
                        f" if {self._with('room', x, scope)}]"
                    )
                )
        return self._drawn("rooms", scope, makers)

    def bag(self, scope: Scope, depth: int = 1) -> str:
        makers = [
            lambda: f"{{{self.thing(scope, 0)}, {self.thing(scope, 0)}}}",
            lambda: f"set({self.things(scope, 0)})",
        ]
        if depth:
            makers += [
                lambda: (
                    f"{{{(x := self.fresh())} for {x} in {self.things(scope, 0)}"
                    f" if is_in_room({x})}}"
                ),
                lambda: f"{self.bag(scope, 0)} {self.one_of('|&-')} {self.bag(scope, 0)}",
            ]
        return self._drawn("bag", scope, makers)

    def table(self, scope: Scope, depth: int = 1) -> str:
        makers = [lambda: f"{{{self.thing(scope, 0)}: {self.number(scope, 0)}}}"]
        if depth:
            makers += [
                lambda: (
                    f"{{{(x := self.fresh())}: int(is_in_room({x}))"
                    f" for {x} in {self.things(scope, 0)}}}"
                ),
                lambda: f"dict(zip({self.things(scope, 0)}, range(2)))",
            ]
        return self._drawn("table", scope, makers)

    def _with(self, kind: str, name: str, scope: Scope) -> str:
        """A condition that may speak of one more name."""
        inner = scope.inner()
        inner.add(kind, name)
        if kind == "room":
            return self._about_a_room(inner)
        return self.one_of([f"is_in_room({name})", self.flag(inner, 0)])

    def _conditional(self, kind: str, scope: Scope) -> str:
        yes, no = self.of_kind(kind, scope, 0), self.of_kind(kind, scope, 0)
        return f"({yes} if {self.flag(scope, 0)} else {no})"
