"""Draws sentences from the grammar of a GPSRCmdGen checkout, with the names of its example arena.

GPSRCmdGen is the command generator of RoboCup@Home's General Purpose Service Robot test
(https://github.com/kyordhel/GPSRCmdGen, MIT). `CommonFiles/FormatSpecification.txt` there describes
the form of a grammar: `$rule = one | other`, `(groups)`, `{wildcards}`.
"""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

GRAMMARS = ("CommonRules.txt", "GPSRGrammar.txt")
_TOKEN = re.compile(r"\$\w+|[()|]|\{(?:[^{}]|\{[^{}]*\})*\}|[^\s()|${}]+")
_WILDCARD = re.compile(r"\{(\w+)(\?)?\s*([a-z]+)?\s*(\d+)?")
_DEEPEST = 30


class GrammarFault(Exception):
    """A sentence that cannot be made: a rule is missing, or a wildcard without names here."""


@dataclass(frozen=True)
class Arena:
    """Names of the example arena.

    Attributes:
        rooms, placements, beacons: rooms, and the pieces of furniture for putting things on or
            finding people at.
        objects: names to categories; `alike` and `known` are the names of these types.
        men, women: names of people; some are in both.
    """

    rooms: tuple[str, ...]
    placements: tuple[str, ...]
    beacons: tuple[str, ...]
    objects: dict[str, str]
    alike: tuple[str, ...]
    known: tuple[str, ...]
    men: tuple[str, ...]
    women: tuple[str, ...]

    @property
    def places(self) -> tuple[str, ...]:
        """Every place to which the robot can drive."""
        return tuple(dict.fromkeys((*self.rooms, *self.placements, *self.beacons)))

    @classmethod
    def read(cls, checkout: Path) -> Arena:
        """Read the arena of `CommonFiles/`.

        Raises:
            OSError: a file is missing.
            ElementTree.ParseError: a file is not XML.
        """
        files = checkout / "CommonFiles"
        rooms = ElementTree.parse(files / "Locations.xml").getroot().findall("room")
        spots = [spot for room in rooms for spot in room.findall("location")]
        objects = list(ElementTree.parse(files / "Objects.xml").getroot().iter("object"))
        categories = ElementTree.parse(files / "Objects.xml").getroot().findall("category")
        names = list(ElementTree.parse(files / "Names.xml").getroot().findall("name"))
        return cls(
            _named(rooms),
            _named([spot for spot in spots if spot.get("isPlacement") == "true"]),
            _named([spot for spot in spots if spot.get("isBeacon") == "true"]),
            {name: c.get("name", "") for c in categories for name in _named(c.findall("object"))},
            _named([one for one in objects if one.get("type") == "alike"]),
            _named([one for one in objects if one.get("type") == "known"]),
            tuple(name.text or "" for name in names if name.get("gender") == "Male"),
            tuple(name.text or "" for name in names if name.get("gender") == "Female"),
        )


def _named(elements: list[ElementTree.Element]) -> tuple[str, ...]:
    return tuple(element.get("name", "") for element in elements)


class Grammar:
    """Draws sentences.

    Raises:
        OSError: `checkout` lacks a grammar file.
    """

    def __init__(self, checkout: Path) -> None:
        self.arena = Arena.read(checkout)
        self._rules: dict[str, list[list[str]]] = defaultdict(list)
        for name in GRAMMARS:
            self._read((checkout / "GPSRCmdGen" / "Resources" / name).read_text("utf-8-sig"))

    def sentence(self, rng: random.Random) -> str:
        """A random command, with a capital and a full stop.

        Raises:
            GrammarFault: the draw leads to a missing rule.
        """
        words = _Draw(self._rules, self.arena, rng).of(["$Main"])
        text = re.sub(r"\s+([,.])", r"\1", " ".join(words))
        return f"{text[0].upper()}{text[1:]}."

    def _read(self, text: str) -> None:
        for line in text.splitlines():
            head, equals, body = line.partition("=")
            if equals and head.strip().startswith("$"):
                self._rules[head.strip()] += _alternatives(_TOKEN.findall(body))


def _alternatives(tokens: list[str]) -> list[list[str]]:
    """The alternatives between the bars outside of all brackets."""
    parts: list[list[str]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token == "(") - (token == ")")
        if token == "|" and not depth:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


class _Draw:
    """One sentence; wildcards of the same type and number have the same name."""

    def __init__(self, rules: dict[str, list[list[str]]], arena: Arena, rng: random.Random) -> None:
        self._rules, self._arena, self._rng = rules, arena, rng
        self._chosen: dict[tuple[str, str], str] = {}
        self._pronouns = ("them", "their")

    def of(self, tokens: list[str], depth: int = 0) -> list[str]:
        if depth > _DEEPEST:
            raise GrammarFault("it does not end")
        words: list[str] = []
        rest = list(tokens)
        while rest:
            token = rest.pop(0)
            if token == "(":
                words += self.of(self._rng.choice(_alternatives(_group(rest))), depth + 1)
            elif token.startswith("$"):
                if token not in self._rules:
                    raise GrammarFault(f"there is no rule {token}")
                words += self.of(self._rng.choice(self._rules[token]), depth + 1)
            elif token.startswith("{"):
                words += self._name(token)
            else:
                words.append(token)
        return words

    def _name(self, token: str) -> list[str]:
        found = _WILDCARD.match(token)
        if found is None:
            raise GrammarFault(f"{token} is no wildcard")
        kind, vague, sort, number = found.groups()
        if kind == "void":
            return []
        if kind == "pron":
            return [self._pronouns[sort == "pos"]]
        if vague:
            raise GrammarFault("a name that is left vague")
        key = (kind, number or "")
        if key not in self._chosen:
            others = set(self._chosen.values())
            self._chosen[key] = self._rng.choice([n for n in self._names(kind) if n not in others])
        return [self._chosen[key]]

    def _names(self, kind: str) -> tuple[str, ...]:
        arena = self._arena
        if kind == "name":
            sex = self._rng.choice((("him", "his"), ("her", "her")))
            self._pronouns = sex
            return arena.men if sex[0] == "him" else arena.women
        names = {
            "object": tuple(arena.objects),
            "aobject": arena.alike,
            "kobject": arena.known,
            "category": tuple(dict.fromkeys(arena.objects.values())),
            "room": arena.rooms,
            "placement": arena.placements,
            "beacon": arena.beacons,
            "gesture": ("waving",),
            "question": ("question",),
        }
        if kind not in names:
            raise GrammarFault(f"there are no names of {kind}")
        return names[kind]


def _group(rest: list[str]) -> list[str]:
    """Take the tokens up to the bracket that closes the current group."""
    depth = 1
    group: list[str] = []
    while rest:
        token = rest.pop(0)
        depth += (token == "(") - (token == ")")
        if not depth:
            return group
        group.append(token)
    raise GrammarFault("a bracket is not closed")
