"""Where a drawn task takes place: what the robot's map names, and how the robot stands there."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Scene:
    """A place, made up for one pair.

    Attributes:
        rooms: Names of all rooms, as the map spells them.
        people, things: Names that the map knows; a task may speak of others.
        here: The room where the robot stands.
        holding: What the gripper holds; "" for nothing.
        told: Whether the prompt names all this; else the model reads the instruction alone.
    """

    rooms: tuple[str, ...]
    people: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
    here: str = ""
    holding: str = ""
    told: bool = True
