"""Pieces of furniture: in which room they stand, and what is said of what is on them."""

import random

from roboinstruct_ros.learn.draw import Draw
from roboinstruct_ros.learn.pairs import furniture
from roboinstruct_ros.learn.pairs.scene import Scene


def test_furniture_stands_in_the_one_room_that_fits() -> None:
    scene = Scene(("kitchen", "living room", "Guest Bedroom", "main bedroom", "hallway"))
    drawn = [Draw(random.Random(seed)) for seed in range(300)]
    pieces = {furniture.a_piece_of_furniture(draw, scene) for draw in drawn}

    assert ("fridge", "kitchen") in pieces
    assert not {piece for piece, _ in pieces} & {"bed", "nightstand"}
    assert furniture.a_piece_of_furniture(drawn[0], Scene(("gallery 1",))) is None


def test_something_is_on_the_bed_and_in_the_bedroom() -> None:
    scene = Scene(("bed", "bedroom 1", "sink", "couch"), ("Bob",))

    said = furniture.on_furniture(scene, "in the bed, in the bedroom, in the sink, Bob in the sofa")

    assert said == "on the bed, in the bedroom, in the sink, Bob at the sofa"
