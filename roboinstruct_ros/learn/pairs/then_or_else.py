"""What is done where a condition holds, and what else."""

from __future__ import annotations

from roboinstruct_ros.learn.entities import Room, Thing
from roboinstruct_ros.learn.pairs.compose import Clause, an_order
from roboinstruct_ros.learn.pairs.deeds import brought
from roboinstruct_ros.learn.pairs.flow import HOME, Steps, pick, place, say
from roboinstruct_ros.learn.pairs.story import Story, on_map

ELSE = (
    ", otherwise ",
    ", otherwise ",
    ". Otherwise ",
    ". Otherwise, ",
    ". If not, ",
    ", if not, ",
    ", else ",
)


def one_of(thing: Thing) -> str:
    """The thing again, as any of its kind."""
    return "one" if not thing.is_plural and thing.a.startswith("a") else "some"


def take_it(story: Story, thing: Thing, any_one: bool = False) -> Clause:
    """An action with a thing in the robot's room: "bring it to Anna", or "bring me one"."""
    draw = story.draw
    if any_one:
        text = draw.phrase(
            ("[bring|fetch|get] me {one}", "[bring|fetch] {one}[ here| back| over|]"),
            one=one_of(thing),
        )
        return Clause(text, brought(thing))
    roll = draw.rng.random()
    if roll < 0.45:
        text = draw.phrase(
            (
                "bring {it} [to me|here|back|to me]",
                "[fetch|get] {it}[ for me|]",
                "bring {it} back to me",
                "come back with {it}",
            ),
            it=thing.it,
        )
        return Clause(text, brought(thing))
    if roll < 0.75:
        room = story.room()
        text = draw.phrase(
            (
                "[bring|take|carry|move] {it} to {r}",
                "[put|place|leave] {it} in {r}",
                "take {it} to {r}",
            ),
            it=thing.it,
            r=room.the,
        )
        return Clause(text, brought(thing, room), room)
    reach = story.reach(0.6)
    text = draw.phrase(
        ("[bring|give|take|hand] {it} to {p}", "deliver {it} to {p}"), it=thing.it, p=reach.who
    )
    return Clause(text, (pick(thing), *reach.steps((place(thing),), (place(thing),))), reach.room)


def otherwise(story: Story, thing: Thing | None, room: Room) -> tuple[str, Steps]:
    """What else to do; "" for nothing."""
    draw = story.draw
    roll = draw.rng.random()
    if roll < 0.5:
        return "", ()
    sign = draw.one(ELSE)
    if roll < 0.65 and thing is not None:
        words = f"{thing.there_is_no} in {on_map(room)}"
        text = draw.phrase(
            (
                "[come back and |]tell me",
                "let me know",
                "come back and tell me so",
                "report that to me",
            )
        )
        return sign + text, (HOME, say(words))
    if roll < 0.72:
        return sign + draw.one(
            ("come back", "come back to me", "return to me", "just come back")
        ), (HOME,)
    other = an_order(story)
    return sign + other.text, other.steps
