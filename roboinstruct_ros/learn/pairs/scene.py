"""The place of a pair: the names on the robot's map, and the robot's state."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Scene:
    """A made-up place for one pair.

    Attributes:
        rooms: Names of all rooms, as the map spells them.
        people, things: Names on the map; a task may mention others.
        here: The room where the robot is.
        holding: What the gripper holds; "" for nothing.
        told: Whether the prompt contains the scene; otherwise only the instruction.
    """

    rooms: tuple[str, ...]
    people: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
    here: str = ""
    holding: str = ""
    told: bool = True
