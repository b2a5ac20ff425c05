"""The listed task shapes as pairs: their rooms are put on a map, or the prompt has no map."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from roboinstruct_ros.learn.draw import Draw
from roboinstruct_ros.learn.entities import Person
from roboinstruct_ros.learn.families import families
from roboinstruct_ros.learn.pairs.buildings import draw_scene
from roboinstruct_ros.learn.pairs.pair import Pair
from roboinstruct_ros.learn.pairs.scene import Scene

_TOLD = 0.65
_MADE_UP = 0.1
"""Share of the pairs with names invented from syllables."""


def family_pair(draw: Draw) -> Pair:
    """A pair of a listed shape, most with real names."""
    draw.lower, draw.makes_up = False, draw.chance(_MADE_UP)
    old = families.drawn_pair(families.family_of(draw.rng, draw.split), draw)
    # without a map nobody can know the office of a person if the instruction does not name it
    implied = "'s office" in old.program and "office" not in old.instruction
    if implied or draw.chance(_TOLD):
        return Pair(f"family_{old.family}", _map_for(draw, old), old.instruction, old.program)
    return Pair(f"family_{old.family}", Scene((), told=False), old.instruction, old.program)


def _map_for(draw: Draw, old: families.Pair) -> Scene:
    """A told scene with the rooms of the program among others, and some of its people."""
    named = list(dict.fromkeys(_rooms(old.program)))
    other = draw_scene(draw)
    low = {name.lower() for name in named}
    more = [name for name in other.rooms if name.lower() not in low]
    rooms = named + more[: draw.rng.randint(1, 7)]
    draw.rng.shuffle(rooms)
    if not (other.people or other.things):
        return Scene(tuple(rooms), here=draw.one(rooms))
    known = [value.name for value in draw.values if isinstance(value, Person)]
    people = [name for name in known if name in old.program and draw.chance(0.6)]
    people = list(dict.fromkeys((*people, *other.people[:3])))
    return Scene(tuple(rooms), tuple(people), other.things[:6], here=draw.one(rooms))


def _rooms(program: str) -> Iterator[str]:
    """The rooms that a program drives to; of a kind of room two or three."""
    for node in ast.walk(ast.parse(program)):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "go_to"
        ):
            if isinstance(node.args[0], ast.Constant):
                yield str(node.args[0].value)
        elif isinstance(node, ast.Compare) and isinstance(node.left, ast.Constant):
            yield from (f"{node.left.value!s} {number}" for number in (1, 2))
        elif isinstance(node, ast.For) and isinstance(node.iter, ast.List):
            names = [str(each.value) for each in node.iter.elts if isinstance(each, ast.Constant)]
            if ast.unparse(node.target) == "room":
                yield from names
            elif "'s office" in program and re.search(r"go_to\(name \+", program):
                yield from (f"{name}'s office" for name in names)
