"""Parts that need common sense or sums: wide words, what is held, furniture, numbers."""

from __future__ import annotations

from roboinstruct_ros.learn.draw import DoesNotFit
from roboinstruct_ros.learn.entities import Room
from roboinstruct_ros.learn.pairs import scenes
from roboinstruct_ros.learn.pairs.compose import Clause, Joint, an_order, part
from roboinstruct_ros.learn.pairs.deeds import fetched
from roboinstruct_ros.learn.pairs.flow import (
    HOME,
    ITEM,
    Branch,
    Loop,
    Steps,
    go_to,
    names_list,
    place,
    quoted,
    say,
)
from roboinstruct_ros.learn.pairs.names import thing_called
from roboinstruct_ros.learn.pairs.parts.moving import NUMBERS
from roboinstruct_ros.learn.pairs.parts.people import act_on
from roboinstruct_ros.learn.pairs.story import Story, on_map
from roboinstruct_ros.learn.pairs.styles import corrected


def _is_plural(said: str) -> bool:
    """Whether a wide word is like "tools", not "something for my hands"."""
    return said.endswith("s") and not said.startswith(("something", "a ", "an "))


@part("any_wide", 1.2)
def any_wide(story: Story) -> Clause:
    """Which things of a class are in a room?"""
    draw, room = story.draw, story.room()
    said, names = scenes.a_wide_word(draw, story.scene)
    any_ = f"anything{said[9:]}" if said.startswith("something") else said
    text = draw.phrase(
        (
            "{be} there {x} in {r}?",
            "[check|see|look] [if|whether] there {be} {x} in {r} and tell me",
            "tell me if there {be} {x} in {r}",
        ),
        x=any_,
        be="are" if _is_plural(said) else "is",
        r=room.the,
    )
    report = 'say("I found: " + ", ".join(found))'
    keep = Loop(f"for item in {names_list(names)}:", (Branch(ITEM, ("found.append(item)",)),))
    none = say(f"I found nothing of that in {on_map(room)}")
    steps: Steps = (
        go_to(room.name), "found = []", keep, HOME, Branch("found", (report,), (none,))
    )  # fmt: skip
    return Clause(text, steps)


@part("held", 1.0, alone=True)
def held(story: Story) -> Clause:
    """What to do with the thing in the hand."""
    draw, scene = story.draw, story.scene
    if not scene.holding or not scene.told:
        raise DoesNotFit
    thing = thing_called(scene.holding)
    it = draw.one((thing.the, thing.the, thing.it, "that", "what you are holding"))
    roll = draw.rng.random()
    put = place(thing)
    if roll < 0.35:
        room = story.room()
        text = draw.phrase(
            ("[bring|take|carry] {t} to {r}", "[put|place|leave|drop] {t} in {r}"),
            t=it, r=room.the,
        )  # fmt: skip
        return Clause(text, (go_to(room.name), put))
    if roll < 0.6:
        reach = story.reach(0.5)
        text = draw.phrase(("[bring|give|hand|take] {t} to {p}",), t=it, p=reach.who)
        return Clause(text, reach.steps((put,), (put,)))
    if roll < 0.8:
        text = draw.phrase(("[put|place] {t} down", "put down {t}", "drop {t}[ here|]"), t=it)
        return Clause(
            text.replace("put down it", "put it down").replace("put down them", "put them down"),
            (put,),
        )
    text = draw.phrase(
        ("bring {t} to me", "[put {t} down|leave {t} here] and go to {r}"), t=it, r="{r}"
    )
    if "{r}" not in text:
        return Clause(text, (HOME, put))
    room = story.room()
    return Clause(text.replace("{r}", room.the), (put, go_to(room.name)), room)


@part("shares", 1.2, order=True)
def shares(story: Story) -> Clause:
    """A number of things divided between two rooms."""
    draw, thing = story.draw, story.thing(count=True)
    source, first, second = story.rooms(3)
    one = draw.rng.choice((1, 1, 2, 2, 3))
    other = draw.rng.choice((1, 2, 3))
    kind = draw.rng.random()

    def loop(count: int, room: Room) -> Steps:
        body = fetched(thing, source, room)
        return (Loop(f"for _ in range({count}):", body),) if count > 1 else body

    def number(count: int) -> str:
        return "one" if count == 1 else NUMBERS[count - 2]

    if kind < 0.35:
        text = (
            f"[take|bring] {number(one + other)} {thing.plural} from {source.the}, "
            f"{number(one)} to {first.the} and {number(other)} to {second.the}"
        )
    elif kind < 0.7:
        other = 2 * one
        amount = f"{number(one)} {thing.plural if one > 1 else thing.name}"
        text = (
            f"[take|bring] {amount} from {source.the} to {first.the} "
            f"and twice as many to {second.the}"
        )
    else:
        other = one
        text = (
            f"[take|bring] {number(2 * one)} {thing.plural} from {source.the}, "
            f"half of them to {first.the} and the other half to {second.the}"
        )
    if one + other > 6:
        raise DoesNotFit
    return Clause(draw.expand(text), (*loop(one, first), *loop(other, second)), second)


@part("correction", 1.5, alone=True)
def correction(story: Story) -> Clause:
    """A room or a thing that the speaker corrects."""
    draw, wrong, room = story.draw, story.room(), story.room()
    both = corrected(draw, wrong.the, room.the)
    thing = story.thing()
    roll = draw.rng.random()
    if roll < 0.3:
        return Clause(f"go to {both}", (go_to(room.name),), room)
    if roll < 0.65:
        text = draw.phrase(("[bring|get|fetch] me {t} from {b}",), t=thing.the, b=both)
        return Clause(text, fetched(thing, room))
    other = story.thing()
    both = corrected(draw, other.the, thing.the)
    text = draw.phrase(("[bring|get|fetch] me {b} from {r}",), b=both, r=room.the)
    return Clause(text, fetched(thing, room))


@part("negated", 1.2, alone=True)
def negated(story: Story) -> Clause:
    """The instruction also names what is not to be done."""
    draw, thing, room = story.draw, story.thing(), story.room()
    other = story.thing()
    wrong = story.room()
    order = an_order(story)
    roll = draw.rng.random()
    if roll < 0.4:
        text = draw.phrase(
            (
                "[bring|get|fetch] me {t} from {r}, [not|but not] {o}",
                "don't bring me {o}, bring me {t} from {r}",
            ),
            t=thing.the, r=room.the, o=other.the,
        )  # fmt: skip
        return Clause(text, fetched(thing, room))
    if roll < 0.7:
        text = draw.phrase(
            ("go to {r}, not [to |]{w}", "don't go to {w}, go to {r} [instead|]"),
            r=room.the,
            w=wrong.the,
        )
        return Clause(text, (go_to(room.name),), room)
    text = order.text + draw.one(
        (", but don't go to {w}", ", but stay away from {w}", ", but do not enter {w}")
    )
    if "get_all_rooms" in str(order.steps):
        raise DoesNotFit
    return Clause(text.replace("{w}", wrong.the), order.steps)


@part("try_times", 1.2, joint=Joint.SENTENCE)
def try_times(story: Story) -> Clause:
    """Look again until it is there, and give up after so many times."""
    draw, room = story.draw, story.room()
    who = story.person()
    times = draw.rng.choice((3, 4, 5, 10))
    word = draw.one((str(times), {3: "three", 4: "four", 5: "five", 10: "ten"}[times]))
    then = act_on(story, who)
    text = draw.phrase(
        (
            "[look|check] for {p} in {r} [up to|at most] {n} times and {then}. If {he} {be} "
            "not there, come back and tell me",
            "wait for {p} in {r} for [up to|at most] {n} seconds. If {he} {comes}, {then}, "
            "otherwise tell me",
        ),
        p=who.who, r=room.the, n=word, he=who.he, be="are" if who.he == "they" else "is",
        comes="come" if who.he == "they" else "comes", then=then.text,
    )  # fmt: skip
    if not story.final:
        raise DoesNotFit
    lost = say(f"{who.name} is not in {on_map(room)}")
    body: Steps = (
        Branch(f"is_in_room({quoted(who.name)})", (*then.steps, "return")),
        "time.sleep(1)",
    )
    return Clause(text, (go_to(room.name), Loop(f"for _ in range({times}):", body), HOME, lost))
