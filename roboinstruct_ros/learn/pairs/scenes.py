"""Places drawn for pairs, and the rooms, things and people that a task in them speaks of.

In a told scene the program uses the map's spelling, and people may use another word or case; in an
untold one the program copies what was said.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from roboinstruct_ros.generate.prompts.surroundings import MOST_THINGS
from roboinstruct_ros.learn.draw import DoesNotFit, Draw, as_slot, until
from roboinstruct_ros.learn.entities import Person, Room, Thing, article, plural_of
from roboinstruct_ros.learn.pairs import words
from roboinstruct_ros.learn.pairs.scene import Scene
from roboinstruct_ros.learn.pairs.words import Building

_HOW_OFTEN = {"home": 5, "office": 3, "lab": 2, "hospital": 2, "hotel": 2, "school": 2}
_BUILDINGS = [name for name in words.BUILDINGS for _ in range(_HOW_OFTEN.get(name, 1))]
_TITLES = ("Dr.", "Mr.", "Mrs.", "Ms.", "Professor")
_PRONOUNS = {
    "he": ("he", "him", "his"),
    "she": ("she", "her", "her"),
    "they": ("they", "them", "their"),
}
_SHE = frozenset(
    name.lower() for pool in (words.SHE, words.FAMILY_SHE) for name in (*pool.train, *pool.held)
)
_HE = frozenset(
    name.lower() for pool in (words.HE, words.FAMILY_HE) for name in (*pool.train, *pool.held)
)
_ROLES = frozenset(
    role for each in words.BUILDINGS.values() for role in (*each.roles.train, *each.roles.held)
)
_FAMILY = frozenset(
    name.lower()
    for pool in (words.FAMILY_SHE, words.FAMILY_HE)
    for name in (*pool.train, *pool.held)
)
_LARGE = 0.25
"""Share of the told maps that are as long as those of real places."""
_OPEN = 0.5
"""Share of the other told maps that leave open who and what is there: most robots know only rooms.
"""
_WITH_FURNITURE = 0.25
"""Share of the told maps that have pieces of furniture among the places to drive to."""
_NUMBERED = 0.1
"""Share of the told maps that have several things of one name, told apart by a number."""
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
_COMMON = frozenset(
    (
        "something to drink", "something to eat", "something to read", "something to write with",
        "something to play with", "a drink", "a snack", "fruit", "a fruit", "some fruit", "a toy",
        "any tool", "a tool", "cutlery", "some cutlery", "something warm to wear",
        "something to keep me warm", "something sweet", "something to write on",
    )
)  # fmt: skip
"""The wide words that people use most."""
_STANDING = ("rack", "bench", "windowsill", "washbasin", "top shelf", "cushion")
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


@as_slot("scene")
def draw_scene(draw: Draw) -> Scene:
    """A building with at least two rooms of one kind, its people and things."""
    building = words.BUILDINGS[draw.one(_BUILDINGS)]
    told = draw.chance(0.7)
    large = told and draw.chance(_LARGE)
    # two draws, the smaller one: lists of all lengths, and most of them not the longest
    count = min(draw.rng.randint(10, 30), draw.rng.randint(10, 30))
    count = count if large else draw.rng.randint(3, 14)
    people = _people(draw, building, draw.one((0, 1, 1, 2, 2, 3, 3, 4, 5, 6)))
    rooms = until(lambda: _rooms(draw, building, people, count), kinds_of)
    many = min(draw.rng.randint(20, 70), draw.rng.randint(20, 70))
    things = _things(draw, building, many if large else draw.rng.randint(0, 10))
    if told and draw.chance(_NUMBERED):
        [name] = _things(draw, building, 1)
        several = draw.rng.randint(2, 4) if thing_called(name).a.startswith("a") else 0
        things += [f"{name} {number + 1}" for number in range(several)]
    if told and not large and draw.chance(_OPEN):
        people, things = [], []
    if told and draw.chance(_WITH_FURNITURE):
        free = [each for each in PIECES if each not in rooms]
        pieces = draw.some(free, draw.one((2, 3, 4, 5, 6, 8, 12, 20)))
        mixed = draw.some([*rooms, *pieces], len(rooms) + len(pieces))
        rooms = mixed if kinds_of(mixed) else rooms
    case: Callable[[str], str] = str.lower if draw.lower and not told else str
    if told and draw.chance(0.08):
        case = draw.one((_title, _snake))
    return Scene(
        tuple(case(room) for room in rooms),
        tuple(people) if told else tuple(case(name) for name in people),
        tuple(things),
        here=case(draw.one(rooms)),
        holding=draw.one(_things(draw, building, 1)) if draw.chance(0.06) else "",
        told=told,
    )


def kinds_of(rooms: list[str] | tuple[str, ...]) -> list[str]:
    """Words that at least two rooms contain, and no other room by accident ("hall" in hallway)."""
    return [
        kind
        for kind in (*words.KINDS.train, *words.KINDS.held)
        if len(found := [room for room in rooms if kind in _plain(room)]) > 1
        and all(re.search(rf"\b{kind}\b", _plain(room)) for room in found)
    ]


@as_slot("room")
def a_room(draw: Draw, scene: Scene, but: tuple[str, ...] = ()) -> Room:
    """A room of the scene other than `but`; at least one has to be left."""
    name = draw.one([room for room in scene.rooms if room not in but])
    return Room(name, _said(draw, scene, name))


@as_slot("kind")
def a_kind(draw: Draw, scene: Scene) -> Thing:
    """A kind of room ("bedroom"), as the map spells it; any kind where nothing is told."""
    kinds = kinds_of(scene.rooms)
    kind = draw.one(kinds if scene.told or draw.chance(0.6) else words.KINDS.of(draw))
    spelt = [
        room[at : at + len(kind)] for room in scene.rooms if (at := _plain(room).find(kind)) >= 0
    ]
    name = spelt[0] if spelt else kind
    return Thing(name, article(kind), plural_of(kind))


@as_slot("thing")
def a_thing(draw: Draw, scene: Scene, but: tuple[str, ...] = ()) -> Thing:
    """A thing other than `but`: seven of ten times one that the scene has.

    Raises:
        DoesNotFit: All things that such a building has are named in `but`.
    """
    known = [name for name in scene.things if name not in but and not name[-1].isdigit()]
    if known and draw.chance(0.7):
        return thing_called(draw.one(known))
    names = _things(draw, building_of(scene), 1, (*but, *scene.things)) or known
    if not names:
        raise DoesNotFit(f"no other thing than {', '.join(but)}")
    return thing_called(draw.one(names))


@as_slot("person")
def a_person(draw: Draw, scene: Scene, but: tuple[str, ...] = ()) -> Person:
    """Somebody other than `but`: mostly one whom the scene has."""
    owners = _owners(scene) if scene.told else []
    if owners and draw.chance(0.5):  # somebody without a room where others have one
        but, owners = (*but, *owners), []
    known = [name for name in dict.fromkeys((*scene.people, *owners)) if name not in but]
    if known and draw.chance(0.75):
        return person_called(draw, draw.one(known), scene.told)
    [name] = _people(draw, building_of(scene), 1, (*but, *scene.people))
    return person_called(draw, name if scene.told else draw.case(name), scene.told)


def _owners(scene: Scene) -> list[str]:
    """People who have a room."""
    named = [room.partition("'s ")[0] for room in scene.rooms if "'s " in room]
    known = _SHE | _HE
    return [one for one in named if one.lower() in known or one.startswith(_TITLES)]


def a_wide_word(draw: Draw, scene: Scene) -> tuple[str, list[str]]:
    """A word for many things ("something to drink") and the names to try, in order."""
    known = scene.things[:MOST_THINGS] if scene.told else ()
    fitting = [each for each in words.WIDE if each.are_among(known)]
    pool = fitting if fitting and draw.chance(0.85) else words.WIDE
    common = [each for each in pool if each.said in _COMMON]
    pool = common if common and draw.chance(0.5) else pool
    wide = draw.slot("wide word", lambda: draw.one(pool))
    return wide.said, wide.candidates(known)


def called_widely(said: str, scene: Scene) -> list[str]:
    """The names to try for this wide word, in order."""
    [wide] = [each for each in words.WIDE if each.said == said]
    return wide.candidates(scene.things[:MOST_THINGS] if scene.told else ())


@as_slot("furniture")
def a_piece_of_furniture(draw: Draw, scene: Scene) -> tuple[str, str] | None:
    """A piece ("fridge") and the one room where it stands; nothing where the map leaves doubt."""
    no_pieces = [room for room in scene.rooms if room not in pieces_of(scene)]
    places = [
        (piece, rooms[0])
        for piece, usual in words.FURNITURE.items()
        for rooms in [[each for each in no_pieces if usual in _plain(each)]]
        if len(rooms) == 1
    ]
    if not scene.told:
        places = list(words.FURNITURE.items())
    return draw.one(places) if places else None


def building_of(scene: Scene) -> Building:
    """The kind of building that has most of the scene's rooms."""
    rooms = [_plain(room) for room in scene.rooms]

    def share(building: Building) -> int:
        whole = sum(room in building.rooms.train + building.rooms.held for room in rooms)
        parts = (*building.numbered.train, *building.owned.train)
        return 2 * whole + sum(part in room for part in set(parts) for room in rooms)

    return max(words.BUILDINGS.values(), key=share)


def thing_called(name: str) -> Thing:
    """The thing with its article and plural."""
    known = words.THINGS.get(name.lower())
    if known is not None:
        return Thing(name, known.a, known.plural, known.is_plural)
    return Thing(name, article(name), plural_of(name))


def person_called(draw: Draw, name: str, told: bool) -> Person:
    """The person with pronouns, and what people call them."""
    first = name.lower()
    pronouns = draw.one(("he", "she", "they"))
    if first in _SHE or name.startswith(("Mrs.", "Ms.", "mrs.", "ms.")):
        pronouns = "she"
    elif first in _HE or first.startswith("mr."):
        pronouns = "he"
    who = f"the {name}" if first in _ROLES else name
    if told and first in _FAMILY and draw.chance(0.3):
        who = f"my {first}" if " " not in first else name
    return Person(name, who, *_PRONOUNS[pronouns])


def the_room(name: str) -> str:
    """The room's name as it stands in a sentence: "the kitchen", but "Bob's office", "ward B"."""
    owner = name.lower().rpartition("'s ")[0]
    own = owner in _SHE or owner in _HE or owner.startswith(tuple(t.lower() for t in _TITLES))
    if own or re.search(r"(^|[ _-])([A-Z]?[0-9][0-9.-]*[a-z]?|[A-Za-z])$", name):
        return name
    return f"the {name}"


def _said(draw: Draw, scene: Scene, name: str) -> str:
    """What somebody calls the room; another word only where the map leaves no doubt."""
    if scene.told and draw.chance(0.35):
        free = [each for each in _other_words(name) if _is_only_for(each, name, scene)]
        if free:
            return the_room(draw.one(free))
    return the_room(_spoken(name) if scene.told else name)


def preposition(place: str) -> str:
    """What stands before the place: "on" the couch, "in" the fridge, "by" the door."""
    name = re.sub(r" ([0-9.]+|[a-z])$", "", _plain(place))
    if _BESIDE.search(name):
        return "by"
    if _INTO.search(name) or not any(name.endswith(piece) for piece in (*PIECES, *_STANDING)):
        return "in"
    return "on"


def pieces_of(scene: Scene) -> tuple[str, ...]:
    """The pieces of furniture among the places of the map."""
    return tuple(room for room in scene.rooms if _plain(room) in PIECES)


def on_furniture(scene: Scene, text: str) -> str:
    """The text with "on the couch" for "in the couch"; of people "at the couch"."""
    people = "|".join(map(re.escape, (*scene.people, "body", "one", "people", "person")))
    for piece in pieces_of(scene):
        for said in (_plain(piece), *words.ALIASES.get(_plain(piece), ())):
            text = re.sub(rf"(?i)({people}) in the {said}\b", rf"\1 at the {said}", text)
            on = f"{preposition(piece)} the {said}"
            text = re.sub(rf"\bin the {said}\b(?! \w*(room|table)\b)", on, text)
    return text


def _spoken(name: str) -> str:
    """The name as it is written in a sentence: no underscores, no capitals but a name's."""
    name = name.replace("_", " ")
    if "'s " in name or not name.istitle() or re.search(r" [A-Z]$", name):
        return name
    return name.lower()


def _other_words(name: str) -> list[str]:
    low = _plain(name)
    found = list(words.ALIASES.get(low, ()))
    if match := re.fullmatch(r"(.+) (\d)", low):
        found += [f"{match[1]} {_NUMBERS[int(match[2])]}", f"{match[1]} no. {match[2]}"]
    elif match := re.fullmatch(r"room (\d{3})", low):
        found += [f"number {match[1]}", f"room number {match[1]}"]
    return found


def _is_only_for(alias: str, name: str, scene: Scene) -> bool:
    """Whether no other room could be meant by the alias."""
    others = [_plain(room) for room in scene.rooms if room != name]
    return not any(
        alias in room or room in alias or alias in words.ALIASES.get(room, ()) for room in others
    )


def _plain(room: str) -> str:
    """The room's name in small letters with spaces, letter for letter."""
    return room.lower().replace("_", " ")


def _snake(name: str) -> str:
    return name.replace(" ", "_")


def _title(name: str) -> str:
    return " ".join(word[:1].upper() + word[1:] for word in name.split())


def _things(draw: Draw, building: Building, count: int, but: tuple[str, ...] = ()) -> list[str]:
    """Names of different things that such a building has, other than `but`; all if too few."""
    classes = (words.CLASSES[name].of(draw) for name in building.things)
    pools = [free for things in classes if (free := [t.name for t in things if t.name not in but])]
    known = {name for pool in pools for name in pool}
    found: dict[str, None] = {}
    while len(found) < min(count, len(known)):
        found[draw.one(draw.one(pools))] = None
    return list(found)


def _people(draw: Draw, building: Building, count: int, but: tuple[str, ...] = ()) -> list[str]:
    """Names of different people who may be there, other than `but`.

    Raises:
        DoesNotFit: There are not so many.
    """
    taken = {name.lower() for name in but}
    found: list[str] = []
    for _ in range(count):
        found.append(until(lambda: _somebody(draw, building), lambda who: who.lower() not in taken))
        taken.add(found[-1].lower())
    return found


def _somebody(draw: Draw, building: Building) -> str:
    roll = draw.rng.random()
    if building.owners == "family" and roll < 0.4:
        return draw.one(draw.one((words.FAMILY_SHE, words.FAMILY_HE)).of(draw))
    if roll < 0.15:
        return draw.one(building.roles.of(draw))
    if roll < (0.6 if building.owners == "teachers" else 0.22):
        return f"{draw.one(_TITLES)} {draw.one(words.SURNAMES.of(draw))}"
    return draw.one(draw.one((words.SHE, words.HE)).of(draw))


def _rooms(draw: Draw, building: Building, people: list[str], count: int) -> list[str]:
    """Different rooms: some of one kind, some with owners, the rest named."""
    found: list[str] = []
    for make in draw.some((_numbered, _owned, _of_a_kind), draw.one((1, 1, 2))):
        size = max(2, draw.rng.randint(2, max(2, count // 3)))
        found += [room for room in make(draw, building, people, size) if room not in found]
    found = found[: count - 1]
    rest = building.rooms.some(draw, count)
    found += [room for room in rest if room not in found][: count - len(found)]
    draw.rng.shuffle(found)
    return found


def _numbered(draw: Draw, building: Building, _of: list[str], count: int) -> list[str]:
    word = draw.one(building.numbered.of(draw))
    roll = draw.rng.random()
    if roll > 0.8:
        return _odd(draw, word, count)
    if word == "room" or roll < 0.1:
        first = 100 * draw.rng.randint(1, 9) + draw.rng.randint(0, 20)
        return [f"{word} {first + number}" for number in range(count)]
    if word in ("ward", "gate", "zone", "hall", "dock") and roll < 0.7:
        return [f"{word} {letter}" for letter in "ABCDEFGHIJKLMNOPQ"[:count]]
    return [f"{word} {number + 1}" for number in range(count)]


def _odd(draw: Draw, word: str, count: int) -> list[str]:
    """Names as signs on doors have them: "Room 2.14", "lab_1", "R-101", "B204"."""
    floor, first = draw.rng.randint(0, 5), draw.rng.randint(1, 40)
    form: str = draw.one(
        ("{W} {f}.{n:02}", "{W} {f}.{n:02}", "{w} {f}.{n:02}", "{w}_{n}", "{w}_{n}", "{w}-{n}",
         "{w}{n}", "{W} {L}{f}{n:02}", "{w} {l}-{f}{n:02}", "{W}-{f}{n:02}", "{w} {n}{l}")
    )  # fmt: skip
    letter = draw.one("ABCDEGHKNRSW")
    spelt = {"w": word, "W": word[:1].upper() + word[1:], "L": letter, "l": letter.lower()}
    return [form.format(f=floor, n=first + number, **spelt) for number in range(count)]


def _owned(draw: Draw, building: Building, people: list[str], count: int) -> list[str]:
    room = draw.one(building.owned.of(draw))
    owners = [name for name in people if name.lower() not in _ROLES]
    if draw.chance(0.5):  # having a name on the map is not having a room there
        owners = draw.some(owners, len(owners) // 2)
    owners += [
        n
        for n in _people(draw, building, count)
        if n.lower() not in _ROLES and n not in (*owners, *people)
    ]
    return [f"{owner}'s {room}" for owner in owners[:count]]


def _of_a_kind(draw: Draw, building: Building, _of: list[str], count: int) -> list[str]:
    rooms = building.rooms.train
    kinds = [
        kind for kind in words.KINDS.train if sum(room.endswith(f" {kind}") for room in rooms) > 1
    ]
    kind = draw.one(kinds or ["room"])
    fitting = [room for room in rooms if room.endswith(f" {kind}")]
    return draw.some(fitting, min(count, len(fitting)))
