"""Pieces of furniture: places of some maps, and words for the rooms where they stand."""

from __future__ import annotations

import re

from roboinstruct_ros.learn.draw import Draw
from roboinstruct_ros.learn.pairs import words
from roboinstruct_ros.learn.pairs.names import plain
from roboinstruct_ros.learn.pairs.scene import Scene

PIECES = (
    "table", "kitchen table", "dining table", "side table", "coffee table", "end table", "desk",
    "couch", "sofa", "bed", "armchair", "nightstand", "shelf", "bookshelf", "cupboard", "counter",
    "fridge", "sink", "stove", "dishwasher", "workbench", "bathtub", "wardrobe", "bin", "exit",
    "chair", "tv", "window", "door", "oven", "shower", "closet", "washing machine", "bookcase",
    "storage table", "cabinet", "microwave", "fireplace", "printer", "sideboard",
)  # fmt: skip
_INTO = re.compile(
    r"\b(fridge|refrigerator|freezer|sink|oven|microwave|dishwasher|washing machine|dryer|bathtub"
    r"|bin|shower|wardrobe|closet|cupboard|cabinet|drawer|locker|letter box|washbasin|car)$"
)
_BESIDE = re.compile(
    r"\b(exit|window|door|tv|television|fireplace|printer|copier|treadmill|coffee machine"
    r"|water cooler|vending machine|fume hood|microscope)$"
)
_STANDING = ("rack", "bench", "windowsill", "top shelf", "cushion")


def pieces_of(scene: Scene) -> tuple[str, ...]:
    """The pieces of furniture among the places of the map."""
    return tuple(room for room in scene.rooms if plain(room) in PIECES)


def a_piece_of_furniture(draw: Draw, scene: Scene) -> tuple[str, str] | None:
    """A piece ("fridge") and the one room where it is; None if the map is ambiguous."""
    pieces = pieces_of(scene)
    no_pieces = [(room, plain(room)) for room in scene.rooms if room not in pieces]
    places = [
        (piece, rooms[0])
        for piece, usual in words.FURNITURE.items()
        for rooms in [[room for room, name in no_pieces if usual in name]]
        if len(rooms) == 1
    ]
    if not scene.told:
        places = list(words.FURNITURE.items())
    return draw.one(places) if places else None


def preposition(place: str) -> str:
    """What stands before the place: "on" the couch, "in" the fridge, "by" the door."""
    name = re.sub(r" ([0-9.]+|[a-z])$", "", plain(place))
    if _BESIDE.search(name):
        return "by"
    if _INTO.search(name) or not any(name.endswith(piece) for piece in (*PIECES, *_STANDING)):
        return "in"
    return "on"


def on_furniture(scene: Scene, text: str) -> str:
    """The text with "on the couch" for "in the couch"; of people "at the couch"."""
    people = "|".join(map(re.escape, (*scene.people, "body", "one", "people", "person")))
    for piece in pieces_of(scene):
        for said in (plain(piece), *words.ALIASES.get(plain(piece), ())):
            if said not in text.lower():
                continue
            text = re.sub(rf"(?i)({people}) in the {said}\b", rf"\1 at the {said}", text)
            on = f"{preposition(piece)} the {said}"
            text = re.sub(rf"\bin the {said}\b(?! \w*(room|table)\b)", on, text)
    return text
