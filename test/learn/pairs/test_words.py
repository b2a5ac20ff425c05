"""The words that pairs are built from."""

import random

import pytest

from roboinstruct_ros.learn.draw import Draw, Split
from roboinstruct_ros.learn.pairs import furniture, words


def pools() -> list[words.Pool]:
    buildings = words.BUILDINGS.values()
    return [
        *words.CLASSES.values(),
        *(
            pool
            for each in buildings
            for pool in (each.rooms, each.numbered, each.owned, each.roles)
        ),
        *(words.KINDS, words.SHE, words.HE, words.FAMILY_SHE, words.FAMILY_HE, words.SURNAMES),
        *(words.ANNOUNCEMENTS, words.CHORES, words.QUESTIONS),
    ]


def test_words_held_out_anywhere_are_never_learned() -> None:
    learned = {getattr(each, "name", each) for pool in pools() for each in pool.train}

    assert not learned & words.HELD
    assert {"oscilloscope", "mow the lawn"} < words.HELD
    assert not {name for each in words.WIDE for name in each.names} & words.HELD


def test_some_of_the_things_are_held_out() -> None:
    assert 0.05 < sum(map(words.is_held, words.THINGS)) / len(words.THINGS) < 0.2


def test_there_are_enough_words() -> None:
    assert len(words.THINGS) >= 700
    assert len(words.SHE.train + words.HE.train) >= 250
    assert len({room for each in words.BUILDINGS.values() for room in each.rooms.train}) >= 200


@pytest.mark.parametrize("wide", words.WIDE, ids=lambda wide: wide.said)
def test_every_wide_word_has_at_least_three_candidates(wide: words.Wide) -> None:
    assert len(set(wide.names)) >= 3
    assert len(wide.candidates(())) >= 3


def test_what_the_map_has_is_tried_first() -> None:
    [drink] = [each for each in words.WIDE if each.said == "something to drink"]

    assert drink.candidates(("hammer", "bottle of beer", "tea"))[:3] == [
        "bottle of beer",
        "tea",
        "water",
    ]


@pytest.mark.parametrize(
    ("name", "a", "plural"),
    [
        ("apple", "an apple", "apples"),
        ("bottle of water", "a bottle of water", "bottles of water"),
        ("usb stick", "a usb stick", "usb sticks"),
        ("umbrella", "an umbrella", "umbrellas"),
        ("scissors", "some scissors", "scissors"),
        ("milk", "some milk", "milk"),
        ("scarf", "a scarf", "scarves"),
    ],
)
def test_things_have_their_forms(name: str, a: str, plural: str) -> None:
    assert (words.THINGS[name].a, words.THINGS[name].plural) == (a, plural)


def test_every_building_has_its_classes_and_every_alias_its_room() -> None:
    rooms = {room for each in words.BUILDINGS.values() for room in each.rooms.train}

    assert {name for each in words.BUILDINGS.values() for name in each.things} <= set(words.CLASSES)
    assert set(words.ALIASES) <= rooms.union(furniture.PIECES)


@pytest.mark.parametrize("split", Split)
def test_only_the_split_of_unseen_names_draws_held_words(split: Split) -> None:
    fruit = words.CLASSES["fruit"]

    drawn = fruit.of(Draw(random.Random(1), split))

    assert drawn == (fruit.held if split is Split.UNSEEN_NAMES else fruit.train)
