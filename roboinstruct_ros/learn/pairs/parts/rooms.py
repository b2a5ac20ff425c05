"""Parts over many rooms: all of a kind, all but one, a few, the first that fits."""

from __future__ import annotations

from dataclasses import dataclass, replace

from roboinstruct_ros.learn.draw import DoesNotFit
from roboinstruct_ros.learn.entities import article, listed
from roboinstruct_ros.learn.pairs import spoken
from roboinstruct_ros.learn.pairs.compose import Clause, Joint, part
from roboinstruct_ros.learn.pairs.flow import (
    ALL,
    HOME,
    Branch,
    Loop,
    Search,
    Steps,
    go_to,
    here,
    names_list,
    pick,
    place,
    quoted,
    say,
)
from roboinstruct_ros.learn.pairs.names import bare, some, the_room
from roboinstruct_ros.learn.pairs.story import Story


@dataclass(frozen=True)
class Rooms:
    """Rooms to go through.

    Attributes:
        each: "every bedroom except the study", "the kitchen and the lab".
        any: "any bedroom except the study", "the kitchen or the lab".
        they: What they are called, "bedrooms"; "" where that alone does not name them.
        one: "bedroom".
        test: Which of all rooms; "" for all.
        of: The names, where they are listed.
    """

    each: str
    any: str
    they: str
    one: str
    test: str = ""
    of: tuple[str, ...] = ()

    @property
    def are_all(self) -> bool:
        """Whether no room is left out."""
        return not (self.test or self.of)

    def loop(self, body: Steps) -> Loop:
        """Does this for each of them."""
        if self.of:
            return Loop(f"for room in {names_list(self.of)}:", body)
        return Loop(ALL, (Branch(self.test, body),) if self.test else body)

    def but(self, name: str) -> Rooms:
        """Without the room of that name."""
        test = f"room != {quoted(name)}"
        return replace(self, test=f"{self.test} and {test}" if self.test else test)


def some_rooms(story: Story, lists: bool = True) -> Rooms:
    """All rooms of a kind, all rooms, all but one, or (where `lists`) a few."""
    roll = story.draw.rng.random()
    if roll < 0.43:
        return _of_a_kind(story)
    if roll < 0.63:
        each = story.draw.one(("every room", "each room", "all rooms", "all the rooms"))
        return Rooms(each, "any room", "rooms", "room")
    if roll < 0.8 or not lists:
        return _all_but(story)
    rooms = story.rooms(story.draw.rng.choice((2, 2, 3)))
    names = [room.the for room in rooms]
    of = tuple(room.name for room in rooms)
    return Rooms(listed(names), listed(names, "or"), "", "room", "", of)


def _of_a_kind(story: Story) -> Rooms:
    draw, kind = story.draw, story.kind()
    each = draw.one(
        ("each {k}", "every {k}", "all {p}", "all the {p}", "each of the {p}", "the {p}")
    )
    each = each.replace("{k}", kind.name).replace("{p}", kind.plural)
    rooms = Rooms(each, f"any {kind.name}", kind.plural, kind.name, f"{quoted(kind.name)} in room")
    those = [name for name in story.scene.rooms if kind.name in name]
    if len(those) < 3 or not draw.chance(0.2):
        return rooms
    return _without(story, rooms, draw.one(those))


def _all_but(story: Story) -> Rooms:
    each = story.draw.one(("every room", "all rooms", "each room"))
    return _without(story, Rooms(each, "any room", "", "room"), story.room().name)


def _without(story: Story, rooms: Rooms, name: str) -> Rooms:
    but = story.draw.one((" except", " except", " but", " apart from", " except for", " but not"))
    but += f" {the_room(name)}"
    named = replace(rooms, each=rooms.each + but, any=rooms.any + but, they="")
    return named.but(name)


@part("visit_rooms", 3.0, joint=Joint.THEN)
def visit_rooms(story: Story) -> Clause:
    """Through the rooms, once or several times."""
    draw, rooms = story.draw, some_rooms(story, lists=False)
    if rooms.are_all and draw.chance(0.6):
        rooms = replace(rooms, each=draw.one(("the house", "the building", "the whole floor")))
        verb = "[patrol|go through|drive through|inspect|make a round through|do a round through]"
    else:
        verb = "[visit|go to|drive to|go through|patrol|go and see]"
    times = draw.rng.choice((1, 1, 2, 3))
    often = ("", "", " twice", draw.one((" three times", " 3 times")))[times]
    visit = rooms.loop(("go_to(room)",))
    text = draw.phrase((verb + " {e}{n}",), e=rooms.each, n=often)
    return Clause(text, (visit if times == 1 else Loop(f"for _ in range({times}):", (visit,)),))


@part("say_rooms", 2.0, joint=Joint.THEN)
def say_rooms(story: Story) -> Clause:
    draw, rooms = story.draw, some_rooms(story)
    roll = draw.rng.random()
    if roll < 0.3:
        words = said = spoken.greeting(story)
        templates: tuple[str, ...] = (
            "go to {e} and say {m}",
            "say {m} [to everyone |to everybody |]in {e}",
        )
    elif roll < 0.42:
        chore = spoken.chore(story, spoken.SOMEBODY)
        said, words = chore.reported, f"Please {chore.spoken}"
        templates = (
            "[tell|ask] [everyone|everybody|the people] in {e} to {m}",
            "[go to|visit] {e}[,| and] [tell|ask] [everyone|the people] there to {m}",
        )
    elif roll < 0.52:
        chore = spoken.chore(story, spoken.SOMEBODY)
        said, words = chore.reported, f"remember to {chore.spoken}"
        templates = ("remind [everyone|everybody|the people] in {e} to {m}",)
    else:
        words = said = spoken.statement(story)
        templates = (
            "[announce|say] in {e} that {m}",
            "[go to|visit] {e} and [say|announce] that {m}",
            "tell [everyone|everybody|the people] in {e} that {m}",
            "let [everyone|everybody] in {e} know that {m}",
            "[go to|visit] {e}[,| and] tell [the people|everyone] there that {m}",
        )
    text = draw.phrase(templates, e=rooms.each, m=said)
    return Clause(text, (rooms.loop(("go_to(room)", say(words))),))


@part("supply", 2.5, joint=Joint.SENTENCE)
def supply(story: Story) -> Clause:
    """One thing into each room of a kind, perhaps only where none is."""
    draw, thing, kind, source = story.draw, story.thing(count=True), story.kind(), story.room()
    test, other = f"{quoted(kind.name)} in room", ""
    if kind.name in source.name:
        test, other = f"{test} and room != {quoted(source.name)}", "other "
    each = draw.one((f"every {other}{kind.name}", f"every {other}{kind.name}", f"each {kind.name}"))
    if other:
        each = f"every other {kind.name}"
    the = "the other " if other else draw.one(("the ", ""))
    every = draw.one((each, f"all {the}{kind.plural}", f"each of the {other}{kind.plural}"))
    slots = {"all": every, "e": each, "n": thing.name, "a": thing.a, "s": source.the}
    slots |= {"p": thing.plural, "any": f"any {other}{kind.name}"}
    fill: Steps = (go_to(source.name), pick(thing), "go_to(room)", place(thing))
    if draw.chance(0.45):
        templates = (
            "[check|go through] {all} and if there is no {n}, [bring|get] one from {s}",
            "[bring|take] {a} from {s} to {e} [that has none|where there is none|without one]",
            "make sure [that |]{e} has {a}, [you find|you get] {p} in {s}",
            "if {any} has no {n}, [bring|take] one there from {s}",
        )
        fill = ("go_to(room)", Branch(f"not {here(thing.name)}", fill))
    else:
        templates = (
            "[bring|take] {a} from {s} to {all}",
            "[put|place|leave] {a} from {s} in {all}",
            "[supply|provide|equip] {all} with {a} from {s}",
            "put one {n} from {s} in {all}",
        )
    return Clause(draw.phrase(templates, **slots), (Loop(ALL, (Branch(test, fill),)),))


@part("count_rooms", 2.6)
def count_rooms(story: Story) -> Clause:
    """In how many of the rooms it is."""
    draw, rooms, thing = story.draw, some_rooms(story), story.thing()
    templates = [
        "[check|go through|look in] {e} and [tell me|count|report] how many [of them |]have {t}",
        "[check|look in] {e} and [tell me|report] in how many [of them |]there {be} {t}",
    ]
    if rooms.they:
        templates += [
            "how many {k} have {t}?",
            "how many {k} have {t}?",
            "[count|tell me|find out] how many {k} have {t}",
            "[tell me|find out|count] in how many {k} there {be} {t}",
        ]
    text = draw.phrase(templates, e=rooms.each, t=bare(thing), be=thing.be, k=rooms.they)
    body: Steps = ("go_to(room)", Branch(here(thing.name), ("count += 1",)))
    they = rooms.they or "rooms"
    report = f"say(str(count) + {quoted(f' {they} have {bare(thing)}')})"
    return Clause(text, ("count = 0", rooms.loop(body), HOME, report))


@part("which_rooms", 2.6)
def which_rooms(story: Story) -> Clause:
    """In which of the rooms it is, or is not."""
    draw, rooms, thing = story.draw, some_rooms(story), story.thing()
    none = draw.chance(0.35)
    templates = [
        "[check|go through|look in] {e} and [tell me|report|let me know] which [of them |]have {x}",
        "look for {t} in {e} and tell me [where you find {it}|in which ones {they}]"
        if not none
        else "check {e} and tell me which ones have {x}",
    ]
    if rooms.they:
        templates += [
            "which {k} have {x}?",
            "which {k} have {x}?",
            "[tell me|find out|report] which {k} have {x}",
            "[tell me|report] all {k} that have {x}",
        ]
    what = f"no {thing.name}" if none else bare(thing)
    text = draw.phrase(
        templates, e=rooms.each, k=rooms.they, x=what, t=bare(thing), it=thing.it, they=thing.they
    )
    start, nothing = f"I found {bare(thing)} in: ", f"None of them has {some(thing)}"
    if none:
        start, nothing = f"No {thing.name} in: ", f"All of them have {bare(thing)}"
    test = f"not {here(thing.name)}" if none else here(thing.name)
    return Clause(text, _reported(rooms, test, start, nothing))


@part("tell_which_rooms", 1.2)
def tell_which_rooms(story: Story) -> Clause:
    """Somebody else is told in which of the rooms it is, or is not."""
    draw, rooms, thing, reach = story.draw, some_rooms(story), story.thing(), story.reach(0.7)
    if reach.room is None:
        raise DoesNotFit
    none, back = draw.chance(0.4), draw.chance(0.3)
    templates = ["[check|go through|look in] {e} and tell {p} which [of them |]have {x}"]
    if rooms.they:
        templates += [
            "tell {p} which {k} have {x}",
            "find out which {k} have {x} and tell {p}",
            "[see|check] which {k} have {x} and tell {p}",
        ]
    what = f"no {thing.name}" if none else bare(thing)
    text = draw.phrase(templates, e=rooms.each, k=rooms.they, x=what, p=reach.who)
    start, nothing = f"I found {bare(thing)} in: ", f"None of them has {some(thing)}"
    if none:
        start, nothing = f"No {thing.name} in: ", f"All of them have {bare(thing)}"
    steps = _reported(
        rooms, f"not {here(thing.name)}" if none else here(thing.name), start, nothing
    )
    steps = tuple(go_to(reach.room.name) if step == HOME else step for step in steps)
    if back:
        text += draw.one((", then come back", " and come back", ". Then come back to me"))
        return Clause(text, (*steps, HOME))
    return Clause(text, steps, reach.room)


def _reported(rooms: Rooms, test: str, start: str, nothing: str) -> Steps:
    body: Steps = ("go_to(room)", Branch(test, ("found.append(room)",)))
    report = f'say({quoted(start)} + ", ".join(found))'
    return ("found = []", rooms.loop(body), HOME, Branch("found", (report,), (say(nothing),)))


@part("occupied", 2.6)
def occupied(story: Story) -> Clause:
    """Which or how many of the rooms are free or occupied."""
    draw, rooms = story.draw, some_rooms(story)
    free = draw.chance(0.5)
    word = draw.one(("free", "empty") if free else ("occupied", "in use", "taken"))
    test = f"not {here('person')}" if free else here("person")
    counted = draw.chance(0.3)
    how = "how many" if counted else "which"
    templates = [
        f"[check|go through|look in] {{e}} and [tell me|report] {how} [of them |]are {word}"
    ]
    if rooms.they:
        templates += [
            f"{how} {{k}} are {word}?",
            f"[tell me|find out|check] {how} {{k}} are {word}",
        ]
    text = draw.phrase(templates, e=rooms.each, k=rooms.they)
    state, they = "free" if free else "occupied", rooms.they or "rooms"
    if counted:
        body: Steps = ("go_to(room)", Branch(test, ("count += 1",)))
        report = f"say(str(count) + {quoted(f' {they} are {state}')})"
        return Clause(text, ("count = 0", rooms.loop(body), HOME, report))
    start = f"{state.capitalize()}: "
    return Clause(text, _reported(rooms, test, start, f"None of them is {state}"))


@part("collect", 5.0, joint=Joint.SENTENCE)
def collect(story: Story) -> Clause:
    """Bring every one that is found to one place."""
    draw, thing, rooms = story.draw, story.thing(count=True), some_rooms(story)
    target = None if draw.chance(0.35) else story.room()
    around = (
        "[take|bring|carry] [all|all the] {p} [that |][you find|you can find|there are] to {d}",
        "[collect|gather|pick up] [all|all the] {p} [| in the house| in the building| lying "
        "around] and [bring|take] them to {d}",
        "[bring|take] [every|each] {n} [that |][you find|you see] to {d}",
    )
    text = draw.phrase(
        around
        if rooms.are_all and draw.chance(0.7)
        else (
            "[collect|gather] [all|all the|the] {p} from {e} and bring them to {d}",
            "[go through|look in|check] {e} and bring [every {n} you find|any {n} you find] to {d}",
            "[bring|take] all {p} [that are |]in {e} to {d}",
            "if you find any {p} in {any}, [bring|take] them to {d}",
        ),
        e=rooms.each,
        any=rooms.any,
        n=thing.name,
        p=thing.plural,
        a=thing.a,
        d=target.the if target else "me",
    )
    if target is not None and not rooms.of:
        rooms = rooms.but(target.name)
    there = go_to(target.name) if target else HOME
    body: Steps = ("go_to(room)", Branch(here(thing.name), (pick(thing), there, place(thing))))
    return Clause(text, (rooms.loop(body),))


@part("first_room", 1.8, joint=Joint.SENTENCE)
def first_room(story: Story) -> Clause:
    """The first of the rooms that is free or has it."""
    draw, rooms = story.draw, some_rooms(story)
    if (not rooms.of and not rooms.they) or (rooms.test and not story.final):
        raise DoesNotFit
    thing = story.thing() if draw.chance(0.5) else None
    what = f"has {thing.a}" if thing else draw.one(("is free", "is empty"))
    test = here(thing.name) if thing else f"not {here('person')}"
    stay = draw.chance(0.3)
    text = draw.phrase(
        (
            "[find|look for|find me] {o} that {w} and [stay there|wait there]"
            if stay
            else "[find|look for|find me] {o} that {w} and tell me [which one|where]",
            "go to {o} that {w}" if stay else "[find|find me] {o} that {w}",
        ),
        o=article(rooms.one),
        w=what,
    )
    found: Steps = () if stay else (HOME, f"say(room + {quoted(f' {what}')})")
    lost = (HOME, say(f"I found no {rooms.one} that {what}"))
    if not rooms.test:
        return Clause(text, (Search(test, found, lost, header=ALL),))
    inner: Steps = ("go_to(room)", Branch(test, (*found, "return")))
    return Clause(text, (Loop(ALL, (Branch(rooms.test, inner),)), *lost))
