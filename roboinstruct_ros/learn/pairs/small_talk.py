"""Words to the robot that are no task: greetings, thanks, nonsense, other languages."""

from __future__ import annotations

from collections.abc import Sequence

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.learn.entities import listed
from roboinstruct_ros.learn.pairs.cannot import Drawn
from roboinstruct_ros.learn.pairs.requests import Filling, sentence
from roboinstruct_ros.learn.pairs.scenes import person_called, the_room, thing_called
from roboinstruct_ros.learn.pairs.surroundings import Spot, answered
from roboinstruct_ros.learn.pairs.words import lines_of, read

_REMARKS = read("remarks")
_SHARES = [entry["share"] for entry in _REMARKS]
_ORDERS = read("near")["orders"].split(", ")


def small_talk(spot: Spot) -> Drawn:
    """A remark and its reply."""
    draw = spot.draw
    entry = draw.rng.choices(_REMARKS, _SHARES)[0]
    *train, held = lines_of(entry["remarks"])
    line = draw.template(train, [held]).replace("{do}", draw.one(_ORDERS))
    fill = Filling(spot)
    text = fill.fill(draw, line.replace("{its}", fill.thing.name)).strip()
    text = text if entry.get("as_typed") else sentence(text)
    return spot, text, answered(AnswerKind.REPLY, entry["reply"])


def about_the_robot(spot: Spot) -> Drawn:
    """Questions about the robot that what it is told answers."""
    scene, draw = spot.scene, spot.draw
    people = [person_called(draw, name, False).who for name in scene.people]
    what = thing_called(scene.holding).the if scene.holding else "nothing"
    where = "[where are you|which room are you in|what room is this|where are we][| now]?"
    held = "what [are you holding|do you hold|do you carry|is in your hand|have you got]?"
    question, reply = draw.one(
        (
            (where, f"I am in {the_room(scene.here)}."),
            (held, f"I am holding {what}."),
            ("[who|whom] do you know?", f"I know {_listed(people)}."),
            ("[what|which] things do you know?", f"I know of {_listed(scene.things)}."),
        )
    )
    return spot, sentence(draw.expand(question)), answered(AnswerKind.REPLY, reply)


def _listed(names: Sequence[str]) -> str:
    """The names, or "none"."""
    return listed(list(names)) if names else "none"
