"""Commands of RoboCup@Home's General Purpose Service Robot test, and their expected programs.

`--set gpsr:CHECKOUT` reads a checkout of https://github.com/kyordhel/GPSRCmdGen (MIT). The
sentences are drawn from its grammar with the names of its example arena; the robot's map has the
rooms and the furniture of the arena as places, and knows objects and people. The meaning of a
sentence is read clause by clause from its fixed wording. A sentence with a clause that our skills
cannot do, or that is ambiguous, is left out. Counting, comparing and describing are beyond the
skills, and a refusal is expected.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from roboinstruct_ros.evaluate.readers.errand import Errand
from roboinstruct_ros.evaluate.readers.gpsr_grammar import Arena, Grammar, GrammarFault
from roboinstruct_ros.evaluate.suite.case import REFUSAL, Case, Place, Suite

DRAWN = 6000  # sentences; about two fifths are left out or duplicates
SEED = 1
_POLITE = re.compile(r"^(could you please|could you|robot please|please)\s+", re.I)
_CLAUSES = re.compile(r",? and |, ")
_BEYOND = {
    "count things": r"tell me how many (?P<thing>[a-z ]+) there are on the ",
    "count people": r"tell me how many people in the ",
    "compare": r"tell me (what's|which are) the ",
    "describe people": r"tell me the (name|gender|pose) of the person ",
}


def read(checkout: Path) -> Suite:
    """All cases of a fixed draw.

    Raises:
        OSError: the checkout lacks a file.
    """
    grammar = Grammar(checkout)
    arena = grammar.arena
    place = Place.of_names(
        arena.places, arena.rooms[0], arena.objects, sorted({*arena.men, *arena.women})
    )
    rng, left_out = random.Random(SEED), Counter[str]()
    cases: dict[str, Case] = {}
    for _ in range(DRAWN):
        try:
            text = grammar.sentence(rng)
        except GrammarFault:
            left_out["grammar: no sentence"] += 1
            continue
        if text not in cases:
            try:
                cases[text] = case_of(text, arena, place)
            except ValueError as reason:
                left_out[str(reason)] += 1
    return Suite(tuple(cases.values()), left_out)


def case_of(text: str, arena: Arena, place: Place) -> Case:
    """The case of a sentence.

    Raises:
        ValueError: it is left out, and why.
    """
    said = _POLITE.sub("", text).rstrip(".").lower()
    for kind, pattern in _BEYOND.items():
        if found := re.match(pattern, said):
            if found.groupdict().get("thing") in arena.objects.values():
                raise ValueError("count a category")  # its things could be looked for one by one
            return Case(text, kind, place, (), REFUSAL)
    reader = _Reader(arena, Errand(place))
    for clause in _CLAUSES.split(said):
        reader.read(clause)
    return Case(text, " ".join(reader.kinds), place, reader.errand.trials())


class _Reader:
    """Reads clauses into an errand; `kinds` are the clauses' kinds."""

    def __init__(self, arena: Arena, errand: Errand) -> None:
        self.errand = errand
        self.kinds: list[str] = []
        self._it = ""
        self._person = ""
        self._picked = False
        places, names = _any(arena.places), _any({*arena.men, *arena.women})
        thing = f"(?P<thing>{_any(arena.objects)})"
        room, goal = f"(?P<room>{places})", f"(?P<goal>{places})"
        give, take = "(?:bring|give|deliver)", "(?:get|grasp|take|pick up)"
        meet = "(?:contact|face|find|greet|meet)"
        self._clauses: list[tuple[str, str, Callable[[re.Match[str]], None]]] = [
            ("go", rf"(?:go|navigate) to the {room}", lambda m: errand.go(m["room"])),
            ("find", rf"(?:find|locate|look for) the {thing}(?: in the {room})?", self._find),
            ("take", rf"{take} the {thing}(?: from the {room})?", self._take),
            ("put", rf"(?:put|place) (?:it|the {thing}) on the {goal}", self._put),
            ("bring", rf"{give} it to me", self._put),
            ("bring", rf"{give} me the {thing}(?: from the {room})?", self._put),
            ("bring", rf"{give} the {thing} to me", self._put),
            ("carry", rf"(?:bring|take) the {thing}(?: from the {room})? to the {goal}", self._put),
            ("deliver", rf"{give} it to (?:{names}) at the {goal}", self._put),
            ("meet", rf"{meet} (?P<name>{names}) at the {room}", self._meet),
            ("ask", r"ask (?:him|her|them) to leave", self._ask_to_leave),
        ]  # fmt: skip

    def read(self, clause: str) -> None:
        """Add what the clause asks for.

        Raises:
            ValueError: it asks for something else.
        """
        for kind, pattern, add in self._clauses:
            if found := re.fullmatch(pattern, clause, re.I):
                add(found)
                self.kinds.append(kind)
                return
        raise ValueError(f"asks for something else: {clause.split()[0]}")

    def _find(self, found: re.Match[str]) -> None:
        self._it = found["thing"]
        self.errand.find(self._it, found["room"] or "")

    def _take(self, found: re.Match[str]) -> None:
        self._pick(found["thing"], found["room"] or "")

    def _put(self, found: re.Match[str]) -> None:
        parts = found.groupdict()
        if not self._picked:
            self._pick(parts.get("thing") or self._it, parts.get("room") or "")
        self.errand.put(parts.get("goal") or "")
        self._picked = False

    def _pick(self, thing: str, room: str) -> None:
        if not thing:
            raise ValueError("it: nothing was named")
        self._it, self._picked = thing, True
        self.errand.pick(thing, room)

    def _meet(self, found: re.Match[str]) -> None:
        self._person = found["name"].capitalize()
        self.errand.go(found["room"])

    def _ask_to_leave(self, found: re.Match[str]) -> None:
        self.errand.ask_to(self._person, "leave")


def _any(names: object) -> str:
    return "|".join(sorted(map(re.escape, names), key=len, reverse=True))  # type: ignore[call-overload]
