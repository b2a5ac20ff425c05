"""Worlds of a program without any of the verifier's thrift: all of a small one, or many of any."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from named_world import Ending, House, NoSuchWorld, PlainWorld, Spread, StoryOver
from plain_execution import DrawnPicks, Picks, Watch, every_way, execute
from plain_rules import TwofoldRule
from read_programs import as_the_program_says, rooms_said, texts_said

MANY = Spread(
    outcomes=1_000,
    fractions=(*(part / 64 for part in range(64)), 1.0 - 2.0**-53),
    begins=(0.0, 86_399.5, 1_763_769_600.0, 1_763_812_801.0, 1_800_000_003.25),
    passing=(0.0, 0.25, 3.0, 61.0, 3_601.0, 50_000.0, 700_000.0),
)
"""Chances and moments, more than a verdict rests on."""

FINISHED = Ending()
_MOST_FAILURES = 6
_FAILURES = ("unknown", "timeout", "navigation_blocked", "grasp_failed", "person_left", "no_answer")
_SHAPES = ("{}", "{}", "{} 2", "old {}", "{}2", "{}s", "the {} there", "{} {}", "{}{}")
_STRANGE = ("X9", "b", "Zimmer im dritten Stock", "Ann's room", "lab-7", "élan", "MAIN HALL", "0")
_MESSAGES = ("it failed", "x" * 1000)


@dataclass
class EveryAnswer:
    """Answers what is open with whatever comes next; a few calls fail.

    Attributes:
        rooms: what `get_all_rooms()` answers in the open world.
        names: rooms to make such a list of, where none is given.
        codes: why a call may fail.
        place: where the robot is, if that is settled; it is in one of the rooms.
    """

    picks: Picks
    rooms: tuple[str, ...] = ()
    failures: int = 2
    names: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    codes: tuple[str, ...] = ("grasp_failed",)
    place: Callable[[], str | None] = lambda: None

    def pick(self, values: Sequence[Any]) -> Any:
        return self.picks.pick(values)

    def begin(self, skill: str, arguments: tuple[Any, ...], line: int) -> None:
        """Every call may be made."""

    def fails(self) -> str:
        code = self.picks.pick(["", *self.codes]) if self.failures else ""
        self.failures -= bool(code)
        return str(code)

    def tell(self, values: Sequence[Any] | None) -> Any:
        if values is None:
            return list(self.rooms) or self._some_rooms()
        return values[0] if len(values) == 1 else self.picks.pick(values)

    def _some_rooms(self) -> list[str]:
        """Those that the program names, and others, in any order."""
        assert self.names, "the open world has too many lists of rooms to try them all"
        count = self.picks.pick([1, 2, 3, 0, 4, 6])
        drawn = [self.picks.pick(self.names) for _ in range(count)]
        place = self.place()
        rooms = list(dict.fromkeys([*([place] if place else []), *self.said, *drawn]))
        order = [rooms.pop(self.picks.pick(range(len(rooms)))) for _ in list(rooms)]
        return order or [self.names[0]]


def endings(
    source: str,
    house: House,
    rooms: tuple[str, ...] = (),
    most: int = 4000,
    longest: int = 60,
) -> frozenset[Ending]:
    """How the program ends, over all worlds of the house.

    Args:
        rooms: what `get_all_rooms()` answers in the open world.
        longest: questions after which a world is not followed, as in a loop that waits.

    Raises:
        OverflowError: there are more worlds than `most`.
    """
    said = rooms_said(source)
    starts = house.starts if house.rooms or rooms else tuple(dict.fromkeys((*house.starts, *said)))
    where = as_the_program_says(replace(house, starts=starts), source)

    def run(picks: Picks) -> Ending:
        picks.longest = longest
        return execute(source, PlainWorld(where, EveryAnswer(picks, rooms)))

    return frozenset(every_way(run, most))


@dataclass(frozen=True)
class Seen:
    """What some worlds of a program have shown.

    Attributes:
        ending: the first that is a failure, else of the last world.
        lines: statements that were executed in some world.
        worlds: how many there were.
    """

    ending: Ending = FINISHED
    lines: frozenset[int] = frozenset()
    worlds: int = 0


@dataclass
class Search:
    """Looks for a world that breaks a program.

    Attributes:
        house: of the closed world; one without rooms is the open world.
        rule: what an operator forbids.
        watch: sees each statement.
    """

    source: str
    house: House
    rule: TwofoldRule | None = None
    seed: object = 0
    worlds: int = 40
    watch: Watch = field(default_factory=Watch)

    def __post_init__(self) -> None:
        said = tuple(filter(str.strip, rooms_said(self.source)))
        names: tuple[str, ...] = ()
        if self.house.rooms is None:
            names = _made_up(self.source, random.Random(f"{self.seed} names"))
            self.house = replace(self.house, starts=tuple(dict.fromkeys([*names, *said])))
        texts = texts_said(ast.parse(self.source))
        where = as_the_program_says(self.house, self.source)
        self._where = replace(where, messages=(*_MESSAGES, *filter(str.strip, texts[:4])))
        codes = dict.fromkeys([*_FAILURES, *(text for text in texts if text in _CODES)])
        self._answers = EveryAnswer(Picks(), (), _MOST_FAILURES, names, said, tuple(codes))

    def run(self) -> Seen:
        """Worlds depth first, and as many at random, until one breaks the program."""
        worlds, ending = 0, FINISHED
        for picks in self._ways():
            with suppress(NoSuchWorld, StoryOver):
                ending = self._ending(picks)
                worlds += 1
                if ending.code:
                    break
        return Seen(ending, frozenset(self.watch.lines), worlds)

    def _ways(self) -> Iterator[Picks]:
        picks = Picks(longest=120)
        for _ in range(self.worlds):
            yield picks
            if not picks.forward():
                return
        for number in range(self.worlds):
            yield DrawnPicks(longest=120, chance=random.Random(f"{self.seed} {number}"))

    def _ending(self, picks: Picks) -> Ending:
        self.watch.begin()
        rules = (self.rule.fresh(),) if self.rule else ()
        answers = replace(self._answers, picks=picks)
        world = PlainWorld(self._where, answers, spread=MANY, rules=rules)
        answers.place = lambda: world.place_now
        return execute(self.source, world, self.watch)


_CODES = frozenset(
    "unknown canceled stopped timeout invalid_argument server_unavailable executor_lost busy "
    "unknown_location navigation_blocked not_localized object_not_found grasp_failed hand_full "
    "hand_empty place_failed person_not_found person_left no_answer speech_failed".split()
)


def _made_up(source: str, chance: random.Random) -> tuple[str, ...]:
    """Names for rooms: those that the text may mean, and strange ones."""
    texts = [text for text in texts_said(ast.parse(source)) if text.strip() and len(text) < 25]
    parts = [*texts, *texts, *(word for text in texts for word in text.split())] or _STRANGE
    names = [chance.choice(_STRANGE)]
    for _ in range(6):
        name = chance.choice(_SHAPES).format(*chance.choices(parts, k=2))
        turned = [name.title(), name.upper(), name.lower(), name[::-1]]
        names.append(chance.choice([name] * 5 + turned))
    return tuple(dict.fromkeys(name.strip() for name in names))
