"""Parts over many rooms: all of a kind, all but some, until one is found, as many as are there."""

from __future__ import annotations

from dataclasses import dataclass

from roboinstruct_ros.learn.draw import Draw
from roboinstruct_ros.learn.entities import Thing, listed
from roboinstruct_ros.learn.pairs import talk
from roboinstruct_ros.learn.pairs.compose import Clause, part
from roboinstruct_ros.learn.pairs.flow import HOME, Branch, Loop, Steps, go_to, here, names_list, quoted, say
from roboinstruct_ros.learn.pairs.parts_moving import named, pick, place
from roboinstruct_ros.learn.pairs.story import Story


@dataclass(frozen=True)
class Rooms:
    """Rooms to go through.

    Attributes:
        each: "each bedroom", "every room except the kitchen".
        they: "bedrooms", "rooms".
        test: Which of all rooms; "" for all.
        of: The rooms' names where they are listed.
    """

    each: str
    every: str
    they: str
    one: str
    test: str = ""
    of: tuple[str, ...] = ()

    def loop(self, body: Steps) -> Loop:
        """Does this for each of them."""
        if self.of:
            return Loop(f"for room in {names_list(self.of)}:", body)
        inner: Steps = (Branch(self.test, body),) if self.test else body
        return Loop("for room in get_all_rooms():", inner)


def some_rooms(story: Story, listing: bool = True) -> Rooms:
    """All rooms, all of a kind, all but one, or a few."""
    draw = story.draw
    roll = draw.rng.random()
    if roll < 0.45:
        kind = story.kind()
        test = f"{quoted(kind.name)} in room"
        each = draw.one((f"each {kind.name}", f"every {kind.name}", f"all {kind.plural}", f"all the {kind.plural}", f"each of the {kind.plural}"))
        if draw.chance(0.15):
            but = [name for name in story.scene.rooms if kind.name in name]
            name = draw.one(but)
            from roboinstruct_ros.learn.pairs.story import the

            each += draw.one((f" except {the(name)}", f" but not {the(name)}", f" apart from {the(name)}"))
            test += f" and room != {quoted(name)}"
        return Rooms(each, each, kind.plural, kind.name, test)
    if roll < 0.65:
        each = draw.one(("every room", "each room", "all rooms", "all the rooms", "every single room"))
        return Rooms(each, each, "rooms", "room")
    if roll < 0.8 or not listing:
        room = story.room()
        each = draw.one(("every room", "all rooms", "each room")) + draw.one((" except", " except", " but", " apart from", " but not", " except for")) + f" {room.the}"
        return Rooms(each, each, "rooms", "room", f"room != {quoted(room.name)}")
    rooms = story.rooms(draw.rng.choice((2, 3, 3)))
    each = listed([room.the for room in rooms])
    return Rooms(each, each, "rooms", "room", "", tuple(room.name for room in rooms))


@part("visit_rooms", 1.2)
def visit_rooms(story: Story) -> Clause:
    draw, rooms = story.draw, some_rooms(story, listing=False)
    text = draw.phrase(("[visit|go to|drive to|go through|patrol|inspect|check] {e}",), e=rooms.each)
    if text.startswith("check"):
        text = text.replace("check", "visit", 1)
    return Clause(text, (rooms.loop(("go_to(room)",)),))


@part("say_rooms", 2.0)
def say_rooms(story: Story) -> Clause:
    draw, rooms = story.draw, some_rooms(story, listing=False)
    if draw.chance(0.3):
        words = talk.greeting(draw)
        text = draw.phrase(("go to {e} and say {m}", "say {m} in {e}"), e=rooms.each, m=words)
    else:
        words = talk.statement(draw)
        text = draw.phrase(
            ("[announce|say] in {e} that {m}", "[go to|visit] {e} and [say|announce] that {m}", "tell everyone in {e} that {m}"),
            e=rooms.each,
            m=words,
        )
    return Clause(text, (rooms.loop(("go_to(room)", say(words))),))


@part("supply", 2.5)
def supply(story: Story) -> Clause:
    """One thing into each room of a kind, perhaps only where none is."""
    draw, thing = story.draw, story.thing(count=True)
    kind = story.kind()
    source = story.room()
    test, other = f"{quoted(kind.name)} in room", ""
    if kind.name in source.name or draw.chance(0.1):
        test, other = f"{test} and room != {quoted(source.name)}", "other "
    each = draw.one((f"each {other}{kind.name}", f"every {other}{kind.name}")).replace("each other", "every other")
    every = draw.one((each, f"all {other and 'the other '}{kind.plural}", f"each of the {other}{kind.plural}"))
    fill: Steps = (go_to(source.name), pick(thing), "go_to(room)", place(thing))
    if draw.chance(0.45):
        text = draw.phrase(
            (
                "[check|go through] {all} and if there is no {n}, [bring|get] one from {s}",
                "[bring|take] {a} from {s} to {e} [that has none|where there is none|without one]",
                "make sure [that |]{e} has {a}, [you find|you get] {p} in {s}",
                "if {o} has no {n}, [bring|take] one there from {s}",
            ),
            all=every, e=each, n=thing.name, a=thing.a, s=source.the, p=thing.plural,
            o=f"any {other}{kind.name}",
        )
        fill = ("go_to(room)", Branch(f"not {here(thing.name)}", fill))
    else:
        text = draw.phrase(
            (
                "[bring|take] {a} from {s} to {all}",
                "[put|place|leave] {a} from {s} in {all}",
                "[supply|provide|equip] {all} with {a} from {s}",
                "put one {n} from {s} in {all}",
            ),
            all=every, n=thing.name, a=thing.a, s=source.the,
        )
    return Clause(text, (Loop("for room in get_all_rooms():", (Branch(test, fill),)),))


@part("count_rooms", 2.2)
def count_rooms(story: Story) -> Clause:
    """In how many rooms is it, or in which?"""
    draw, rooms = story.draw, some_rooms(story)
    people = draw.chance(0.3)
    thing = None if people else story.thing()
    name = "person" if thing is None else thing.name
    there = draw.one(("somebody", "someone")) if thing is None else thing.a
    be = "is" if thing is None else thing.be
    counted = draw.chance(0.5)
    of = f"{rooms.they}" if not rooms.of and "except" not in rooms.each and "but" not in rooms.each and "apart" not in rooms.each else None
    if counted:
        ask = draw.phrase(
            (
                "[check|go through|look in] {e} and [tell me|count|report] [how many of them have {t}|in how many there {be} {t}|in how many of them there {be} {t}]",
                "how many {k} have {t}?" if of else "count in how many of {e} there {be} {t}" if rooms.of else "tell me in how many rooms there {be} {t}, go to {e}",
                "[count|tell me] how many {k} have {t}" if of else "look in {e} and tell me how many have {t}",
            ),
            e=rooms.each, t=there, be=be, k=of or "",
        )
        if thing is None:
            ask = ask.replace(f"have {there}", "are occupied").replace(f"there is {there}", f"{there} is")
        body: Steps = ("go_to(room)", Branch(here(name), ("count += 1",)))
        tail = "are occupied" if thing is None else f"have {there}"
        steps: Steps = ("count = 0", rooms.loop(body), HOME, f"say(str(count) + {quoted(f' {rooms.they} {tail}')})")
        return Clause(ask, steps)
    none = draw.chance(0.3) and thing is not None
    ask = draw.phrase(
        (
            "[check|go through|look in] {e} and [tell me|report|let me know] which [of them |]have {x}",
            "which {k} have {x}?" if of else "see which of {e} have {x} and tell me" if rooms.of else "check {e} and tell me which have {x}",
            "[tell me|find out] which {k} have {x}" if of else "look in {e} and tell me which of them have {x}",
        ),
        e=rooms.each, k=of or "", x=(f"no {name}" if none else there),
    )
    if thing is None:
        ask = ask.replace(f"have {there}", "are occupied")
    test = f"not {here(name)}" if none else here(name)
    body = ("go_to(room)", Branch(test, ("found.append(room)",)))
    head = f"No {name} in: " if none else "Occupied: " if thing is None else f"I found {there} in: "
    nothing = (f"All of them have {there}" if none else "None of them is occupied" if thing is None else f"None of them has {there}")
    steps = ("found = []", rooms.loop(body), HOME, Branch("found", (f'say({quoted(head)} + ", ".join(found))',), (say(nothing),)))
    return Clause(ask, steps)


@part("collect", 1.5)
def collect(story: Story) -> Clause:
    """Bring every one that is found to one place."""
    draw, thing = story.draw, story.thing(count=True)
    rooms = some_rooms(story)
    home = draw.chance(0.3)
    target = None if home else story.room()
    text = draw.phrase(
        (
            "[collect|gather] {p} from {e} and bring them to {d}",
            "[go through|look in|check] {e} and bring [every {n} you find|all {p} you find|any {n} you find] to {d}",
            "if [there is|you find] {a} in {e}, bring it to {d}" if not rooms.of else "go to {e} and if there is {a}, bring it to {d}",
        ),
        e=rooms.each, n=thing.name, p="all " + thing.plural if draw.chance(0.5) else "the " + thing.plural, a=thing.a, d=target.the if target else "me",
    ).replace("bring all all", "bring all").replace("bring all the", "bring all the")
    go = go_to(target.name) if target else HOME
    if target is not None and not rooms.of:
        test = f"room != {quoted(target.name)}"
        rooms = Rooms(rooms.each, "", rooms.they, rooms.one, f"{rooms.test} and {test}" if rooms.test else test)
    body: Steps = ("go_to(room)", Branch(here(thing.name), (pick(thing), go, place(thing))))
    return Clause(text, (rooms.loop(body),))


@part("first_room", 1.8)
def first_room(story: Story) -> Clause:
    """The first room of some that is free or has it."""
    draw, rooms = story.draw, some_rooms(story)
    from roboinstruct_ros.learn.pairs.flow import Search

    free = draw.chance(0.5)
    thing = None if free else story.thing()
    if rooms.of or "except" in rooms.each or "but" in rooms.each or "apart" in rooms.each:
        of = f"one of {rooms.each}" if rooms.of else None
    else:
        of = f"{'an' if rooms.one[0] in 'aeiou' else 'a'} {rooms.one}"
    if of is None:
        from roboinstruct_ros.learn.pairs.story import DoesNotFit

        raise DoesNotFit
    test = f"not {here('person')}" if free else here(thing.name if thing else "")
    what = "is free" if free else f"has {thing.a if thing else ''}"
    text = draw.phrase(
        (
            "[find|look for] {o} that {w} and tell me which[ one|]",
            "find {o} that {w} and stay there",
            "[find me|look for] {o} that {w} and [tell me|report] where",
        ),
        o=of.replace("one of ", "one of ") , w=what,
    )
    header = f"for room in {names_list(rooms.of)}:" if rooms.of else "for room in get_all_rooms():"
    stay = "stay there" in text
    found: Steps = () if stay else (HOME, f'say(room + {quoted(" " + what)})')
    lost = (HOME, say(f"I found no {rooms.one} that {what}"))
    if rooms.test:
        inner: Steps = ("go_to(room)", Branch(test, (*found, "return")))
        if not story.final:
            from roboinstruct_ros.learn.pairs.story import DoesNotFit

            raise DoesNotFit
        return Clause(text, (Loop(header, (Branch(rooms.test, inner),)), *lost))
    return Clause(text, (Search(test, found, lost, header=header),))
