"""Pairs with an answer in words, and similar pairs whose answer is a program."""

from __future__ import annotations

from collections.abc import Callable

from roboinstruct_ros.learn.draw import Draw
from roboinstruct_ros.learn.pairs.ambiguous import draw_question
from roboinstruct_ros.learn.pairs.cannot import Drawn, beyond_ability, beyond_map
from roboinstruct_ros.learn.pairs.furniture import on_furniture
from roboinstruct_ros.learn.pairs.possible import POSSIBLE
from roboinstruct_ros.learn.pairs.scene import Scene
from roboinstruct_ros.learn.pairs.small_talk import about_the_robot, small_talk
from roboinstruct_ros.learn.pairs.styles import copied_words, typed
from roboinstruct_ros.learn.pairs.surroundings import Spot, draw_spot, told

#: What is drawn by its share; half of all are programs, so that what is possible is not refused.
_SHARES = {
    "cannot": 26.0,
    "no_such_room": 7.0,
    "question": 24.0,
    "reply": 7.0,
    "nonsense": 2.5,
    "about_the_robot": 1.0,
    "chosen": 8.0,
    "possible": 50.0,
}
#: Kinds whose answers leave the hand as it is.
_FREE = ("cannot", "no_such_room", "reply", "nonsense", "about_the_robot")


def draw_answer(draw: Draw) -> tuple[str, Scene, str, str]:
    """Family, scene, instruction as typed, and program of a refused or similar task."""
    kind = draw.rng.choices(tuple(_SHARES), tuple(_SHARES.values()))[0]
    spot = draw_spot(draw, kind in _FREE)
    family, (spot, *said) = _DRAWN[kind](draw, spot)
    text, program = (on_furniture(spot.scene, each) for each in said)
    if kind in ("reply", "about_the_robot"):
        text = text.lower().rstrip(".") if draw.chance(0.4) else text
    elif kind != "nonsense":
        text = typed(draw, text, copied_words(spot.scene, text, program))
    return family, spot.scene, text, program


def _possible(draw: Draw, spot: Spot) -> tuple[str, Drawn]:
    shares = [share for _, share in POSSIBLE.values()]
    family = draw.rng.choices(tuple(POSSIBLE), shares)[0]
    return family, POSSIBLE[family][0](spot)


_DRAWN: dict[str, Callable[[Draw, Spot], tuple[str, Drawn]]] = {
    "cannot": lambda _, spot: ("cannot", beyond_ability(spot)),
    "no_such_room": lambda _, spot: ("no_such_room", beyond_map(spot)),
    "question": lambda draw, spot: draw_question(draw, spot, False),
    "reply": lambda _, spot: ("reply", small_talk(spot)),
    "nonsense": lambda _, spot: ("nonsense", small_talk(spot, as_typed=True)),
    "about_the_robot": lambda _, spot: ("about_the_robot", about_the_robot(told(spot))),
    "chosen": lambda draw, spot: draw_question(draw, spot, True),
    "possible": _possible,
}
