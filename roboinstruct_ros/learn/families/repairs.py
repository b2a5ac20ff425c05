"""Repairs: an instruction, a program that the verifier rejects, its findings, the right program.

The broken program is a right one with one corruption, a mistake typical of models. The findings are
all of the verifier's, in its order. A corruption that the verifier accepts gives no repair.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from roboinstruct_ros.domain.semantic_map import Pose, SemanticMap
from roboinstruct_ros.domain.semantic_map import Room as MapRoom
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.learn.draw import Draw, Split
from roboinstruct_ros.learn.families.families import HEAD, drawn_pair, family_of, pair_number
from roboinstruct_ros.verify.verifier import verify


@dataclass(frozen=True)
class Repair:
    """A rejected program, the findings, and the right program.

    Attributes:
        kind: the corruption.
        findings: "line 3: ..." each.
    """

    kind: str
    instruction: str
    broken: str
    findings: tuple[str, ...]
    program: str

    @property
    def prompt(self) -> str:
        task = f"# Instruction: {self.instruction}\n"
        errors = "".join(f"# {finding}\n" for finding in self.findings)
        return f"{task}{self.broken}# Errors:\n{errors}{task}{HEAD}"

    @property
    def completion(self) -> str:
        """The expected completion: the body of the function."""
        return self.program.removeprefix(HEAD)


def make_repair(seed: int, index: int, domain: Domain, split: Split = Split.TRAIN) -> Repair | None:
    """The repair with this number; None if the corruption did no harm."""
    rng = random.Random(f"repair/{seed}/{split.value}/{index}")
    pair = drawn_pair(family_of(rng, split), Draw(pair_number(rng.getrandbits(60)), split))
    kind = rng.choices(tuple(CORRUPTIONS), [_SHARES.get(kind, 1.0) for kind in CORRUPTIONS])[0]
    broken = CORRUPTIONS[kind](rng, pair.program)
    if broken is None or broken == pair.program:
        return None
    # Half of the rejections come from a robot with a map; its rooms are those of the right program.
    rooms = _map_of(pair.program) if kind == "wrong_room" or rng.random() < 0.5 else None
    if rooms is not None and not verify(pair.program, domain, rooms).accepted:
        return None
    violations = verify(broken, domain, rooms).violations
    if not violations or any(violation.line == 0 for violation in violations):
        return None
    findings = tuple(f"line {v.line}: {' '.join(v.message.split())}" for v in violations)
    return Repair(kind, pair.instruction, broken, findings, pair.program)


_GO = re.compile(r'go_to\("((?:[^"\\]|\\.)*)"\)')
_NAMED = re.compile(r'(go_to|pick|place)\("((?:[^"\\]|\\.)*)"\)')


def _map_of(program: str) -> SemanticMap | None:
    names = dict.fromkeys(_GO.findall(program))
    if not names or len({name.lower() for name in names}) != len(names):
        return None
    pose = Pose(x=0.0, y=0.0, yaw=0.0)
    return SemanticMap(
        rooms=tuple(MapRoom(name=name, aliases=(), pose=pose, polygon=()) for name in names)
    )


def _lines(program: str) -> list[str]:
    return program.splitlines(keepends=True)


def _without(rng: random.Random, program: str, wanted: Callable[[str], bool]) -> str | None:
    lines = _lines(program)
    places = [n for n, line in enumerate(lines) if wanted(line.strip())]
    if not places:
        return None
    gone = rng.choice(places)
    return "".join(line for n, line in enumerate(lines) if n != gone)


def no_place(rng: random.Random, program: str) -> str | None:
    """A thing is picked up and never put down."""
    return _without(rng, program, lambda line: line.startswith("place("))


def no_pick(rng: random.Random, program: str) -> str | None:
    """A thing is put down that was never picked up."""
    return _without(rng, program, lambda line: line.startswith("pick("))


def no_drive(rng: random.Random, program: str) -> str | None:
    """A drive is left out."""
    return _without(rng, program, lambda line: line.startswith("go_to("))


def no_definition(rng: random.Random, program: str) -> str | None:
    """A name is used that was never given a value."""
    return _without(rng, program, lambda line: re.match(r"\w+ = ", line) is not None)


def swapped(rng: random.Random, program: str) -> str | None:
    """Two neighbouring lines are swapped."""
    lines = _lines(program)
    places = [
        n
        for n in range(1, len(lines) - 1)
        if _depth(lines[n]) == _depth(lines[n + 1])
        and lines[n] != lines[n + 1]
        and not lines[n].rstrip().endswith(":")
        and not lines[n + 1].rstrip().endswith(":")
    ]
    if not places:
        return None
    at = rng.choice(places)
    lines[at], lines[at + 1] = lines[at + 1], lines[at]
    return "".join(lines)


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


_MISSPELT = {
    "go_to": ("goto", "go", "move_to", "go_to_room", "navigate", "drive_to"),
    "pick": ("pick_up", "grab", "take", "pickup"),
    "place": ("put", "drop", "put_down", "place_down"),
    "say": ("speak", "announce", "tell", "says"),
    "ask": ("ask_person", "question", "asks"),
    "is_in_room": ("is_in", "in_room", "is_room", "is_there"),
    "get_all_rooms": ("get_rooms", "all_rooms", "get_all_room"),
    "get_current_location": ("get_location", "current_location", "where_am_i"),
}


def misspelt_skill(rng: random.Random, program: str) -> str | None:
    """A skill name that does not exist."""
    used = [skill for skill in _MISSPELT if f"{skill}(" in program]
    skill = rng.choice(used)
    places = [match.start() for match in re.finditer(rf"\b{skill}\(", program)]
    at = rng.choice(places)
    return program[:at] + rng.choice(_MISSPELT[skill]) + program[at + len(skill) :]


def misspelt_name(rng: random.Random, program: str) -> str | None:
    """A thing or room with a letter missing or doubled, so that it is another name."""
    matches = [m for m in _NAMED.finditer(program) if len(m[2]) > 3]
    if not matches:
        return None
    match = rng.choice(matches)
    at = match.start(2) + rng.randrange(1, len(match[2]))
    letter = program[at] if rng.random() < 0.5 else ""
    return program[:at] + letter + (program[at:] if letter else program[at + 1 :])


def wrong_room(rng: random.Random, program: str) -> str | None:
    """A room that is not on the map."""
    matches = list(_GO.finditer(program))
    if not matches:
        return None
    match = rng.choice(matches)
    new = rng.choice(("kitchen", "lobby", "office", "hall", "main room", "storage", "lounge"))
    if rng.random() < 0.5:
        new = match[1][: max(1, len(match[1]) - rng.randint(1, 3))]
    return program[: match.start(1)] + new + program[match.end(1) :]


def other_variable(rng: random.Random, program: str) -> str | None:
    """A variable under another name than in its assignment."""
    found = re.findall(r"(?m)^ *(\w+) = ", program) + re.findall(r"for (\w+) in", program)
    found = [name for name in found if name != "_"]
    if not found:
        return None
    name = rng.choice(found)
    uses = [m.start() for m in re.finditer(rf"\b{name}\b(?! =)", program)]
    uses = [at for at in uses if program[at - 4 : at] != "for "]
    if not uses:
        return None
    at = rng.choice(uses)
    other = rng.choice(("result", "location", "place_name", "target", "x", "start", "current_room"))
    return program[:at] + other + program[at + len(name) :]


def open_bracket(rng: random.Random, program: str) -> str | None:
    """A bracket, colon or quote left out."""
    places = [n for n, letter in enumerate(program) if letter in '():"' and n >= len(HEAD)]
    at = rng.choice(places)
    return program[:at] + program[at + 1 :]


def wrong_indent(rng: random.Random, program: str) -> str | None:
    """A line with the wrong indentation."""
    lines = _lines(program)
    at = rng.randrange(1, len(lines))
    deeper = rng.random() < 0.4
    lines[at] = "    " + lines[at] if deeper else lines[at][4:]
    return "".join(lines)


def imported(rng: random.Random, program: str) -> str | None:
    """A module that is not allowed."""
    module = rng.choice(("os", "sys", "robot", "requests", "json", "robot_api"))
    return HEAD + f"    import {module}\n" + program.removeprefix(HEAD)


def unquoted(rng: random.Random, program: str) -> str | None:
    """A name of one word without its quotes."""
    matches = [m for m in _NAMED.finditer(program) if m[2].isidentifier()]
    if not matches:
        return None
    match = rng.choice(matches)
    return program[: match.start(2) - 1] + match[2] + program[match.end(2) + 1 :]


CORRUPTIONS: dict[str, Callable[[random.Random, str], str | None]] = {
    "no_place": no_place,
    "no_pick": no_pick,
    "no_drive": no_drive,
    "no_definition": no_definition,
    "swapped": swapped,
    "misspelt_skill": misspelt_skill,
    "misspelt_name": misspelt_name,
    "wrong_room": wrong_room,
    "other_variable": other_variable,
    "open_bracket": open_bracket,
    "wrong_indent": wrong_indent,
    "imported": imported,
    "unquoted": unquoted,
}
#: Errors of form are found and repaired easily; most repairs should be of the other kinds.
_SHARES = {"open_bracket": 0.4, "wrong_indent": 0.4, "imported": 0.2, "misspelt_skill": 0.6}
