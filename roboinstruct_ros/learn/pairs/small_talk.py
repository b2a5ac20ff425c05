"""Words to the robot that are not a task: greetings, thanks, nonsense, other languages."""

from __future__ import annotations

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.learn.entities import listed
from roboinstruct_ros.learn.pairs.cannot import Drawn
from roboinstruct_ros.learn.pairs.names import person_called, the_room, thing_called
from roboinstruct_ros.learn.pairs.requests import Filling, sentence
from roboinstruct_ros.learn.pairs.surroundings import Spot, answered
from roboinstruct_ros.learn.pairs.words import lines_of, read

_REMARKS = read("remarks")
_ORDERS = read("near")["orders"].split(", ")


def small_talk(spot: Spot, as_typed: bool = False) -> Drawn:
    """A remark and its reply; `as_typed` is nonsense, another language or an intrusion."""
    draw = spot.draw
    entries = [entry for entry in _REMARKS if entry.get("as_typed", False) is as_typed]
    entry = draw.rng.choices(entries, [entry["share"] for entry in entries])[0]
    *train, held = lines_of(entry["remarks"])
    line = draw.template(train, [held]).replace("{do}", draw.one(_ORDERS))
    fill = Filling(spot)
    text = fill.fill(draw, line.replace("{its}", fill.thing.name)).strip()
    text = text if as_typed else sentence(text)
    return spot, text, answered(AnswerKind.REPLY, entry["reply"])


def about_the_robot(spot: Spot) -> Drawn:
    """Questions about the robot that the prompt answers."""
    scene, draw = spot.scene, spot.draw
    people = [person_called(draw, name, False).who for name in scene.people]
    things = [thing_called(name).a for name in scene.things]
    what = thing_called(scene.holding).the if scene.holding else "nothing"
    where = "[where are you|which room are you in|what room is this|where are we][| now]?"
    held = "what [are you holding|do you hold|do you carry|is in your hand|have you got]?"
    question, reply = draw.one(
        (
            (where, f"I am in {the_room(scene.here)}."),
            (held, f"I am holding {what}."),
            (
                "[who|whom] do you know?",
                f"I know {listed(people)}." if people else "I know nobody.",
            ),
            (
                "[what|which] things do you know?",
                f"I know of {listed(things or ['nothing'])}.",
            ),
        )
    )
    return spot, sentence(draw.expand(question)), answered(AnswerKind.REPLY, reply)
