"""Words to the robot that are no task: greetings, thanks, nonsense, other languages."""

from __future__ import annotations

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.learn.pairs.cannot import Drawn
from roboinstruct_ros.learn.pairs.requests import Filling, sentence
from roboinstruct_ros.learn.pairs.scenes import the_room
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
    """Questions about the robot that its map answers without a move."""
    scene, draw = spot.scene, spot.draw
    held = f"the {scene.holding}" if scene.holding else "nothing"
    question, reply = draw.one(
        (
            ("[which|what] rooms [do you know|are there|are on your map]?", _rooms(spot)),
            ("[list|name|tell me] [the|all|all the] rooms[| you know]", _rooms(spot)),
            ("[where are you|which room are you in|what room is this|where are we][| now]?",
             f"I am in {the_room(scene.here)}."),
            ("what [are you holding|do you hold|do you carry|is in your hand]?",
             f"I am holding {held}."),
            ("[who|whom] do you know?", f"I know {_listed(scene.people)}."),
            ("[what|which] things do you know?", f"I know these things: {_listed(scene.things)}."),
        )
    )  # fmt: skip
    return spot, sentence(draw.expand(question)), answered(AnswerKind.REPLY, reply)


def _rooms(spot: Spot) -> str:
    return f"I know {_listed([the_room(room) for room in spot.scene.rooms])}."


def _listed(names: list[str] | tuple[str, ...]) -> str:
    if len(names) < 2:
        return "".join(names) or "nobody"
    return ", ".join(names[:-1]) + " and " + names[-1]
