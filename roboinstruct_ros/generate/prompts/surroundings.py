"""The description of the robot's place in a prompt: names, as lists or as lines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from roboinstruct_ros.domain.instruction import one_line
from roboinstruct_ros.generate.prompts.robot_words import SERVICE_ROBOT_WORDS, RobotWords
from roboinstruct_ros.generate.words.stems import stems

MOST_ROOMS, MOST_PEOPLE, MOST_THINGS = 40, 30, 40
"""Most names in a `robot_task` prompt; of more, those that the instruction mentions come first."""


@dataclass(frozen=True)
class Surroundings:
    """What a prompt may contain besides the instruction; empty values are left out.

    Attributes:
        rooms, objects, people: Names of what is there, in the map's order.
        examples: Texts of completed tasks, chosen for the instruction.
        here: The robot's room; "" if unknown.
        holding: What the gripper holds; "" for nothing, or if unknown.
        aliases: Other names of rooms, each with the room's own.
        robot: What it can do; always part of the prompt.
    """

    rooms: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    here: str = ""
    holding: str = ""
    aliases: tuple[tuple[str, str], ...] = ()
    robot: RobotWords = SERVICE_ROBOT_WORDS

    @property
    def names(self) -> tuple[str, ...]:
        """All names of rooms, people and things."""
        aliases = (alias for alias, _ in self.aliases)
        return (*self.rooms, *aliases, *self.people, *self.objects, self.holding)

    @property
    def robot_alone(self) -> Surroundings:
        """A copy with the robot's description only."""
        return Surroundings(robot=self.robot)


NOWHERE = Surroundings()


def steady_lines(there: Surroundings) -> str:
    """The lines of `scene_lines` that do not depend on the instruction or the moment."""
    lines = []
    for label, names, most in _lists(there):
        if len(names) > most:
            break
        lines.append(_line(label, names))
    return "".join(lines)


def scene_lines(there: Surroundings, words: str) -> str:
    """The place, as a comment for each kind of name, each ended by a line break.

    What changes least comes first, so that a model need not evaluate it again. If there are more
    names than MOST_ROOMS, MOST_PEOPLE and MOST_THINGS, those that share most words with `words`
    come first, then the others in the map's order. A room appears under an alias if `words` use
    that alias. No name can begin a line of its own, whatever it contains.
    """
    there = _as_said(there, words)
    lists = (_line(label, _nearest(names, words, most)) for label, names, most in _lists(there))
    return "".join((*lists, _line("Here", (there.here,)), _line("Holding", (there.holding,))))


def _as_said(there: Surroundings, words: str) -> Surroundings:
    said = f" {' '.join(stems(words))} "

    def has(name: str) -> bool:
        parts = stems(name)
        return bool(parts) and f" {' '.join(parts)} " in said

    other = {room: alias for alias, room in there.aliases if has(alias) and not has(room)}
    if not other:
        return there
    rooms = tuple(other.get(room, room) for room in there.rooms)
    return replace(there, rooms=rooms, here=other.get(there.here, there.here))


def _lists(there: Surroundings) -> Iterator[tuple[str, tuple[str, ...], int]]:
    yield "Rooms", there.rooms, MOST_ROOMS
    yield "People", there.people, MOST_PEOPLE
    yield "Things", there.objects, MOST_THINGS


def _line(label: str, names: Sequence[str]) -> str:
    told = ", ".join(filter(None, map(_told, names)))
    return f"# {label}: {told}\n" if told else ""


def _told(name: str) -> str:
    """The name on one line, in quotes if it would otherwise be ambiguous."""
    name = one_line(name)
    return json.dumps(name, ensure_ascii=False) if "," in name or name.startswith('"') else name


def _nearest(names: tuple[str, ...], words: str, most: int) -> tuple[str, ...]:
    if len(names) <= most:
        return names
    said = frozenset(stems(words))

    def likeness(name: str) -> tuple[float, int]:
        parts = stems(name)
        shared = sum(part in said for part in parts)
        return shared / max(len(parts), 1), shared

    return tuple(sorted(names, key=likeness, reverse=True)[:most])  # sorting is stable
