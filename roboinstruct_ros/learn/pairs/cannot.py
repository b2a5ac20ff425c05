"""Tasks that cannot be done: beyond the robot's abilities, or in a room that its map lacks."""

from __future__ import annotations

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.learn.draw import Draw, Split, until
from roboinstruct_ros.learn.entities import listed
from roboinstruct_ros.learn.pairs import words
from roboinstruct_ros.learn.pairs.names import the_room
from roboinstruct_ros.learn.pairs.requests import Filling, asked, sentence
from roboinstruct_ros.learn.pairs.surroundings import Spot, answered, told
from roboinstruct_ros.learn.pairs.talk import a_statement
from roboinstruct_ros.learn.pairs.unable import ABILITIES, Ability
from roboinstruct_ros.learn.pairs.words import lines_of, read

Drawn = tuple[Spot, str, str]
"""The scene, the instruction and the program."""

_NEAR = read("near")
_ALIKE: list[set[str]] = [set(row.strip().split(", ")) for row in _NEAR["alike"].split(";")]
_COMMON = set(_NEAR["common"].split(", "))
_PLACE_REQUESTS = lines_of(_NEAR["requests"])
_HELD = Split.UNSEEN_PHRASINGS
OUTSIDE = "I cannot leave the building."


def beyond_ability(spot: Spot) -> Drawn:
    """A task with something in it that the robot cannot do."""
    by_lines = [each.share * (len(each.imperatives) + len(each.sentences)) for each in ABILITIES]

    def outside_of_all_rooms(drawn: Drawn) -> bool:
        _, text, program = drawn
        named = any(room.lower() in text.lower() for room in spot.scene.rooms)
        return OUTSIDE not in program or not named

    return until(
        lambda: _beyond_ability(spot, *spot.draw.rng.choices(ABILITIES, by_lines)),
        outside_of_all_rooms,
    )


def _beyond_ability(spot: Spot, ability: Ability) -> Drawn:
    draw, fill = spot.draw, Filling(spot, ability.things)
    lines = len(ability.imperatives) + len(ability.sentences)
    if draw.rng.randrange(lines) < len(ability.sentences) and draw.split is not _HELD:
        line = draw.expand(draw.one(ability.sentences))
        text, offer = sentence(fill.fill(draw, line)), ability.offer(line)
    elif ability.can_follow and draw.chance(0.35):
        text, offer = _among_others(draw, ability, fill)
    else:
        line = draw.expand(ability.imperative(draw))
        text, offer = asked(draw, fill.fill(draw, line)), ability.offer(line)
    words = f"{ability.reason} {fill.fill(draw, offer)}"
    return spot, text, answered(AnswerKind.CANNOT, words)


_POSSIBLE = (
    "go to {r}", "go to {r}", "bring {t} to {r}", "tell {p} that {m}", "bring me {t}",
    "bring me {t} from {r}", "take {t} to {p}", "look for {p}", "say hello to {p}",
)  # fmt: skip


def _among_others(draw: Draw, ability: Ability, fill: Filling) -> tuple[str, str]:
    """The impossible task next to a possible one, which is then offered."""
    line = draw.expand(ability.imperative(draw).replace("[| in {r}]", ""))
    if draw.chance(0.15) and "{r}" not in line and "{p}" not in line:
        text = sentence(f"if {{p}} is in {{r}}, {line}")
        return fill.fill(draw, text), "I can look whether {p} is in {r}."
    possible = draw.one(_POSSIBLE)
    possible = possible.replace("{m}", a_statement(draw))
    elsewhere = line.replace("in {r}", "there")
    if "{r}" in elsewhere or "{p}" in elsewhere or draw.chance(0.45):
        text = fill.fill(draw, f"{line} and then {possible}")
    else:
        link = draw.one((" and ", ", then ", " and then ", ", and "))
        second = fill.fill(draw, elsewhere, it="bring" in possible)
        text = fill.fill(draw, possible) + link + second
    return asked(draw, text), f"I can {possible.replace(' me ', ' you ')}."


def beyond_map(spot: Spot) -> Drawn:
    """A task in a room that the map in the prompt lacks, without a similar one."""
    spot = told(spot)
    draw, missing = spot.draw, _missing_room(spot)
    fill = Filling(spot)
    request = draw.template(_PLACE_REQUESTS[:-3], _PLACE_REQUESTS[-3:])
    said = (
        request.removeprefix("= ").replace("{m}", the_room(missing)).replace("{it}", fill.thing.it)
    )
    text = fill.fill(draw, said)
    text = sentence(text) if request.startswith("=") else asked(draw, text)
    return spot, text, answered(AnswerKind.CANNOT, no_such_room(spot, missing))


def no_such_room(spot: Spot, missing: str) -> str:
    """The reason, with the rooms of the most similar names, in the map's order."""
    parts = set(missing.split()) - _COMMON
    alike = [room for room in spot.scene.rooms if parts & set(room.split())]
    others = [room for room in spot.scene.rooms if room not in alike]
    known = [the_room(room) for room in (*alike, *others)[:3]]
    own = the_room(missing)
    head = f"{own[:1].upper()}{own[1:]} is not" if "'s " in own else f"There is no {missing}"
    return f"{head} on my map. I know {listed(known)}."


def _missing_room(spot: Spot) -> str:
    draw, rooms = spot.draw, spot.scene.rooms
    if draw.chance(0.3):
        return _missing_like_another(spot)
    there = {name for room in rooms for name in _also_called(room.lower())}
    taken = {word for name in there for word in name.split()} - _COMMON

    def usual() -> str:
        rooms = words.BUILDINGS[draw.one(sorted(words.BUILDINGS))].rooms
        return draw.one(rooms.of(draw) if draw.chance(0.4) else sorted(draw.one(_ALIKE)))

    def is_nowhere(name: str) -> bool:
        return not any((set(each.split()) - _COMMON) & taken for each in _also_called(name))

    return until(usual, is_nowhere)


def _also_called(name: str) -> set[str]:
    """The room's name and the names of acceptable substitutes."""
    alike = [row for row in _ALIKE if name in row]
    return {name, *words.ALIASES.get(name, ())}.union(*alike)


def _missing_like_another(spot: Spot) -> str:
    """The room of a person who has none, or a number beyond those of a row of rooms."""
    draw, rooms = spot.draw, spot.scene.rooms
    rows = [room.rsplit(" ", 1)[0] for room in rooms if room[-1].isdigit()]
    if rows and draw.chance(0.6):
        row, number = draw.one(rows), draw.rng.randint(3, 20)
        while f"{row} {number}" in rooms:
            number += draw.rng.randint(1, 300)
        return f"{row} {number}"
    owners = {room.partition("'s ")[0] for room in rooms if "'s " in room}
    who = until(lambda: spot.person().name, lambda name: name not in owners)
    return f"{who}'s {draw.one(('office', 'room', 'bedroom'))}"
