"""Names shared by two things or people: with a question back, and similar cases without one."""

from __future__ import annotations

from dataclasses import replace

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.learn.draw import DoesNotFit
from roboinstruct_ros.learn.entities import Thing, article
from roboinstruct_ros.learn.pairs import words
from roboinstruct_ros.learn.pairs.cannot import Drawn
from roboinstruct_ros.learn.pairs.deeds import carried, fetched, found_in, met_in
from roboinstruct_ros.learn.pairs.flow import HOME, ITEM, Search, Steps, go_to, names_list, say
from roboinstruct_ros.learn.pairs.names import person_called, the_room, thing_called
from roboinstruct_ros.learn.pairs.requests import asked, chosen_in
from roboinstruct_ros.learn.pairs.story import LOOKS
from roboinstruct_ros.learn.pairs.surroundings import (
    Spot,
    answered,
    carried_to,
    program,
    reached,
    told,
)
from roboinstruct_ros.learn.pairs.talk import a_statement


def which_thing(spot: Spot, chosen: bool) -> Drawn:
    """A thing's name that fits several things on the map."""
    draw = spot.draw
    spot, noun, fitting = _alike(spot)
    text, one = f"the {noun}", draw.one(fitting)
    text, lines = _with_thing(spot, text, thing_called(one))
    text = asked(draw, draw.expand(text))
    if not chosen:
        question = f"Which {noun} do you mean?"
        return spot, text, answered(AnswerKind.QUESTION, question, fitting)
    return spot, chosen_in(draw, text, one), program(*lines)


def no_matter_which(spot: Spot) -> Drawn:
    """Similar cases: one of the things is named, only one fits, or any will do."""
    draw = spot.draw
    spot, noun, fitting = _alike(spot)
    roll, one = draw.rng.random(), thing_called(draw.one(fitting))
    if roll < 0.4:
        text, lines = _with_thing(spot, one.the, one)
    elif roll < 0.7:
        more = {*fitting} - {one.name}
        things = tuple(each for each in spot.scene.things if each not in more)
        spot = replace(spot, scene=replace(spot.scene, things=things))
        text, lines = _with_thing(spot, f"the {noun}", one)
    else:
        return spot, *_any_of_them(spot, noun, fitting)
    return spot, asked(draw, draw.expand(text)), program(*lines)


def _any_of_them(spot: Spot, noun: str, fitting: tuple[str, ...]) -> tuple[str, str]:
    draw, room = spot.draw, spot.room()
    any_ = draw.one((article(noun), f"any {noun}", f"one of the {thing_called(noun).plural}"))
    text = f"[bring|get|fetch] me {any_} from {room.the}"
    found: Steps = ("pick(item)", HOME, "place(item)")
    missing = (HOME, say(f"I could not find {article(noun)} in {the_room(room.name)}"))
    header = f"for item in {names_list(fitting)}:"
    search = Search(ITEM, found, missing, header=header, steps=())
    return asked(draw, draw.expand(text)), program(go_to(room.name), search)


def _alike(spot: Spot) -> tuple[Spot, str, tuple[str, ...]]:
    """A told scene with two or three things of one noun: the scene, the noun and their names."""
    draw = spot.draw
    noun = draw.one(_NOUNS)
    before = _KINDS_OF_THINGS.get(noun, ()) if draw.chance(0.5) else ()
    names = tuple(f"{word} {noun}" for word in draw.some(before or LOOKS, draw.rng.randint(2, 3)))
    mixed = [*(name for name in spot.scene.things if noun not in name), *names]
    draw.rng.shuffle(mixed)
    scene = replace(spot.scene, things=tuple(mixed), told=True)
    return replace(spot, scene=scene), noun, tuple(name for name in mixed if name in names)


def _with_thing(spot: Spot, said: str, what: Thing) -> tuple[str, Steps]:
    """An order with that thing, called as `said`."""
    draw, room, who = spot.draw, spot.room(), spot.person()
    there, lines = f"[bring|get|fetch] me {said} from {room.the}", (
        *fetched(what, room),
    )  # fmt: skip
    found = found_in(what)
    return draw.one(
        (
            (f"[bring|take|carry] {said} to {room.the}", carried(what, room)),
            (f"[put|leave] {said} in {room.the}", carried(what, room)),
            (f"[bring|get|fetch] me {said}", carried(what)),
            (f"[bring|give|take] {said} to {who.who}", carried_to(spot, what, who)),
            (f"[find|look for] {said} and tell me where {what.they}", found),
            (there, lines),
        )
    )


_NOUNS = (
    "cup", "box", "book", "key", "bottle", "towel", "ball", "mug", "folder", "jacket", "bag", "pen",
    "phone", "charger", "plate", "glass", "letter", "tool box", "lamp", "cable", "knife", "shirt",
)  # fmt: skip
_KINDS_OF_THINGS = {
    "key": ("car", "house", "office", "bike", "garage", "locker", "spare"),
    "cup": ("coffee", "tea", "paper", "plastic", "measuring"),
    "bottle": ("water", "wine", "oil", "milk", "baby"),
    "book": ("cook", "school", "picture", "address"),
    "bag": ("shopping", "sports", "hand", "tea", "trash"),
    "box": ("lunch", "tool", "shoe", "cardboard", "music"),
    "charger": ("phone", "laptop", "tablet", "camera"),
    "cable": ("network", "power", "printer", "monitor"),
    "ball": ("tennis", "soccer", "golf", "rubber"),
    "glass": ("wine", "water", "beer", "juice"),
    "towel": ("bath", "hand", "kitchen", "beach"),
    "knife": ("bread", "butter", "pocket", "kitchen"),
    "lamp": ("desk", "floor", "reading"),
    "jacket": ("rain", "winter", "leather", "safety"),
}


def which_person(spot: Spot, chosen: bool) -> Drawn:
    """The first name of two people on the map, or with the surname."""
    draw, first = spot.draw, spot.person().name
    if " " in first or not first[:1].isupper():  # "Dr. Costa", "the guest"
        raise DoesNotFit
    names = tuple(f"{first} {name}" for name in draw.some(words.SURNAMES.of(draw), 2))
    mixed = [*(name for name in spot.scene.people if not name.startswith(first)), *names]
    draw.rng.shuffle(mixed)
    spot = told(replace(spot, scene=replace(spot.scene, people=tuple(mixed))))
    fitting, only = tuple(name for name in mixed if name in names), draw.chance(0.3)
    one = person_called(draw, draw.one(fitting), True)
    said = one.name if chosen and only else first
    room, message, what = spot.room(), a_statement(draw), spot.thing()
    text, lines = draw.one(
        (
            (f"[tell {said}|let {said} know] that {message}",
             reached(spot, one, (say(f"{one.name}, {message}"),))),
            (f"tell {said} in {room.the} that {message}",
             (go_to(room.name), say(f"{one.name}, {message}"))),
            (f"[bring|give|take] {what.the} to {said}", carried_to(spot, what, one)),
            (f"[find|look for] {said} and tell me where {said} is",
             met_in(one)),
        )
    )  # fmt: skip
    text = asked(draw, draw.expand(text))
    if not chosen:
        return spot, text, answered(AnswerKind.QUESTION, f"Which {first} do you mean?", fitting)
    text = text if only else chosen_in(draw, text, one.name)
    return spot, text, program(*lines)
