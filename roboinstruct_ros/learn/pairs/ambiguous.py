"""Tasks that omit something necessary: with a question back, and with its answer."""

from __future__ import annotations

from dataclasses import replace

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.learn.draw import Draw, until
from roboinstruct_ros.learn.entities import Room
from roboinstruct_ros.learn.pairs.cannot import Drawn
from roboinstruct_ros.learn.pairs.deeds import carried, found_in, met_in
from roboinstruct_ros.learn.pairs.flow import HOME, Steps, go_to, quoted, say
from roboinstruct_ros.learn.pairs.names import the_room
from roboinstruct_ros.learn.pairs.namesakes import which_person, which_thing
from roboinstruct_ros.learn.pairs.requests import asked, chosen_in
from roboinstruct_ros.learn.pairs.surroundings import (
    Spot,
    answered,
    carried_to,
    in_a_room,
    program,
    reached,
    told,
    with_rooms,
)
from roboinstruct_ros.learn.pairs.talk import a_statement

_KINDS = (
    "office", "office", "lab", "lab", "meeting room", "bedroom", "bedroom", "ward", "bathroom",
    "exam room", "classroom", "kitchen", "conference room", "hallway", "entrance", "storage room",
    "study", "workshop", "lift", "elevator", "restroom", "lounge", "stairwell", "cabin", "gallery",
)  # fmt: skip
_SIDES = (
    "north", "south", "east", "west", "main", "guest", "small", "big", "front", "back", "upper",
    "lower", "left", "right", "old", "new", "staff", "visitors", "robotics", "chemistry",
)  # fmt: skip
_OWNED = ("office", "bedroom", "study", "lab")
_MOST = 4


def _members(spot: Spot, kind: str, count: int) -> list[str]:
    """Rooms of a kind: by owner, by number, by letter or by a word before it."""
    draw = spot.draw
    form = draw.rng.randrange(4)
    if form == 0 and kind in _OWNED:
        owners: list[str] = []
        while len(owners) < count:
            owners.append(spot.person(*owners).name)
        return [f"{owner}'s {kind}" for owner in owners]
    if form in (0, 1):
        first = draw.one((1, 1, 2, 101 if kind in _OWNED else 1))
        return [f"{kind} {first + index}" for index in range(count)]
    if form == 2:
        return [f"{kind} {letter}" for letter in "ABCD"[:count]]
    return [f"{side} {kind}" for side in draw.some(_SIDES, count)]


def which_room(spot: Spot, chosen: bool) -> Drawn:
    """A room's name that fits two to four rooms; with `chosen`, the choice is in brackets."""
    draw, kind = spot.draw, spot.draw.one(_KINDS)
    without = [room for room in spot.scene.rooms if kind not in room.lower()]
    spot = told(replace(spot, scene=replace(spot.scene, rooms=tuple(without))))
    spot = with_rooms(spot, *_members(spot, kind, draw.rng.randint(2, _MOST)))
    fitting = tuple(room for room in spot.scene.rooms if kind in room)
    room = draw.one(fitting)
    text, lines = in_a_room(spot, spot.thing(), Room(room, f"the {kind}"))
    if draw.chance(0.25):
        first = spot.room(*fitting)
        text, lines = f"go to {first.the}[ and then|, then|. Then] {text}", (
            go_to(first.name), *lines,
        )  # fmt: skip
    if chosen:
        return spot, chosen_in(draw, asked(draw, draw.expand(text)), room), program(*lines)
    question = answered(AnswerKind.QUESTION, f"Which {kind} do you mean?", fitting)
    return spot, asked(draw, draw.expand(text)), question


def only_room(spot: Spot) -> Drawn:
    """A kind of room of which the map has exactly one: no question."""
    draw, kind = spot.draw, spot.draw.one(_KINDS)
    without = tuple(room for room in spot.scene.rooms if kind not in room.lower())
    spot = replace(spot, scene=replace(spot.scene, rooms=without))
    room = _members(spot, kind, 1)[0] if spot.scene.told else kind
    spot = with_rooms(spot, room)
    text, lines = in_a_room(spot, spot.thing(), Room(room, f"the {kind}"))
    return spot, asked(draw, draw.expand(text)), program(*lines)


def said_which(spot: Spot) -> Drawn:
    """One of several rooms of a kind, named by what distinguishes it: no question."""
    draw, kind = spot.draw, spot.draw.one(_KINDS)
    without = tuple(room for room in spot.scene.rooms if kind not in room.lower())
    spot = told(replace(spot, scene=replace(spot.scene, rooms=without)))
    members = _members(spot, kind, draw.rng.randint(2, 3))
    spot = with_rooms(spot, *members)
    room = draw.one(members)
    text, lines = in_a_room(spot, spot.thing(), Room(room, the_room(room)))
    return spot, asked(draw, draw.expand(text)), program(*lines)


_THIS = "[it|this|that|this thing|the thing]"
_SOME = "[it|this|that|them|these]"


def missing_part(spot: Spot, chosen: bool) -> Drawn:
    """A task that omits what, where or to whom; with `chosen`, it is added in brackets."""
    text, question, choices, lines = spot.draw.one(_MISSING)(spot)
    text = asked(spot.draw, spot.draw.expand(text))
    if not chosen:
        shown = tuple(choices[:3]) if spot.scene.told and len(choices) > 1 else ()
        return spot, text, answered(AnswerKind.QUESTION, question, shown)
    answer, body = lines
    return spot, chosen_in(spot.draw, text, answer), program(*body)


Part = tuple[str, str, tuple[str, ...], tuple[str, Steps]]


def _what_to_room(spot: Spot) -> Part:
    room, what = spot.room(), spot.thing()
    text = f"[[take|bring|carry|move] {_SOME} to|put {_SOME} in] {room.the}"
    return text, f"What should I bring to {room.the}?", spot.scene.things, (
        what.name, carried(what, room),
    )  # fmt: skip


def _what_to_me(spot: Spot) -> Part:
    what = spot.thing()
    text = (
        f"[bring {_SOME} to me|bring me {_THIS}|give {_SOME} to me|bring me|get me|fetch|"
        "bring me something|give me that|fetch it|get it|bring it here]"
    )
    return text, "What should I bring you?", spot.scene.things, (what.name, carried(what))


def _what_to_person(spot: Spot) -> Part:
    who, what = spot.person(), spot.thing()
    text, lines = f"[bring|give|take] {_SOME} to {who.who}", carried_to(spot, what, who)
    return text, f"What should I bring to {who.who}?", spot.scene.things, (what.name, lines)


def _where_to(spot: Spot) -> Part:
    what, room = spot.thing(), spot.room(spot.scene.here)
    text = f"[put {what.the} away|move {what.the}|take {what.the} away|carry {what.the}]"
    rooms = tuple(name for name in spot.scene.rooms if name != spot.scene.here)
    question = f"Where should I put {what.the}?"
    return text, question, rooms, (room.name, carried(what, room))


def _go_where(spot: Spot) -> Part:
    room = spot.room(spot.scene.here)
    text = "[go|go there|drive|go to the room|move|go over there|drive to that room|go in]"
    rooms = tuple(name for name in spot.scene.rooms if name != spot.scene.here)
    return text, "Where should I go?", rooms, (room.name, (go_to(room.name),))


def _tell_what(spot: Spot) -> Part:
    who, message = spot.person(), a_statement(spot.draw)
    text = f"[tell {who.who}|tell {who.who} something|talk to {who.who}|inform {who.who}]"
    lines = reached(spot, who, (say(f"{who.name}, {message}"),))
    return text, f"What should I tell {who.who}?", (), (message, lines)


def _tell_whom(spot: Spot) -> Part:
    who, message = spot.person(), a_statement(spot.draw)
    him = spot.draw.one((who.him, who.him, "them", "somebody else", "the others"))
    text = f"[tell {him} that {message}|let {him} know that {message}]"
    lines = reached(spot, who, (say(f"{who.name}, {message}"),))
    return text, "Whom should I tell?", spot.scene.people, (who.name, lines)


def _ask_whom(spot: Spot) -> Part:
    draw, who = spot.draw, spot.person()
    him, he, number = draw.one((("them", "they", 0), ("him", "he", 1), ("her", "she", 1)))
    *clauses, question = draw.one(_QUESTIONS)
    call = f'answer = ask({quoted(who.name)}, {quoted(question)}, ["Yes", "No"])'
    lines = reached(spot, who, (call, HOME, f"say({quoted(f'{who.name} said: ')} + answer)"))
    text = f"ask {him} [if|whether] {he} {clauses[number]}[| and tell me the answer]"
    return text, "Whom should I ask?", spot.scene.people, (who.name, lines)


_QUESTIONS = (
    ("want tea", "wants tea", "Do you want tea?"), ("are free", "is free", "Are you free?"),
    ("need help", "needs help", "Do you need help?"), ("are done", "is done", "Are you done?"),
    ("are hungry", "is hungry", "Are you hungry?"), ("are ready", "is ready", "Are you ready?"),
    ("want to come", "wants to come", "Do you want to come?"),
)  # fmt: skip


def _bring_whom(spot: Spot) -> Part:
    draw, who, what = spot.draw, spot.person(), spot.thing()
    him = draw.one((who.him, "them", "him", "her", "somebody", "the others"))
    text = f"[bring|give|take] {what.the} to {him}"
    lines = carried_to(spot, what, who)
    return text, f"To whom should I bring {what.the}?", spot.scene.people, (who.name, lines)


def _which_some(spot: Spot) -> Part:
    what, draw = spot.thing(), spot.draw
    vague = draw.one(
        ("some of them", "some of those", "the usual", "the other one", "the rest", "my things",
         "a few things", "the same as yesterday", "what I need", "the stuff", "one of those")
    )  # fmt: skip
    room = spot.room() if draw.chance(0.4) else None
    text = f"[bring|take|carry] {vague} to {room.the}" if room else f"[bring|get|fetch] me {vague}"
    goal = f"to {room.the}" if room else "you"
    question = f"What should I bring {goal}?"
    return text, question, spot.scene.things, (what.name, carried(what, room))


def _say_what(spot: Spot) -> Part:
    message = a_statement(spot.draw)
    text = "[say something|speak|make an announcement|announce something|say it]"
    return text, "What should I say?", (), (message, (say(message),))


def _find_what(spot: Spot) -> Part:
    what = spot.thing()
    text = "[look for it|find it|search|look for something|find something|search for it]"
    lines = found_in(what)
    return text, "What should I look for?", spot.scene.things, (what.name, lines)


def _find_whom(spot: Spot) -> Part:
    who = spot.person()
    text = f"[find|look for|search for] [{who.him}|somebody for me|the person]"
    lines = met_in(who)
    return text, "Whom should I look for?", spot.scene.people, (who.name, lines)


def _do_what(spot: Spot) -> Part:
    room = spot.room(spot.scene.here)
    text = (
        "[do something|do something useful|do your job|get to work|make yourself "
        "useful|do it|do that again|surprise me|do the usual|start|go ahead|continue|carry on|"
        "do what I said|do the task|take care of it|do whatever you want|help the others]"
    )
    return text, "What should I do?", (), (f"go to {room.the}", (go_to(room.name),))


def _ask_what(spot: Spot) -> Part:
    who, draw = spot.person(), spot.draw
    state = draw.one(("hungry", "busy", "ready", "tired", "thirsty", "free"))
    call = f'answer = ask({quoted(who.name)}, {quoted(f"Are you {state}?")}, ["Yes", "No"])'
    lines = reached(
        spot,
        who,
        (
            call,
            HOME,
            f"say({quoted(f'{who.name} said: ')} + answer)",
        ),
    )
    text = f"[ask {who.who}|ask {who.who} something|ask {who.who} a question]"
    return text, f"What should I ask {who.who}?", (), (f"if {who.he} is {state}", lines)


_MISSING = (
    _what_to_room, _what_to_room, _what_to_me, _what_to_me, _what_to_person, _what_to_person,
    _where_to, _where_to, _go_where, _tell_what, _tell_whom, _say_what, _find_what, _find_whom,
    _do_what, _ask_what, _ask_whom, _bring_whom, _which_some, _which_some,
)  # fmt: skip


_QUESTION_KINDS = {
    "which_room": (which_room, 4.0),
    "missing_part": (missing_part, 6.0),
    "which_thing": (which_thing, 2.5),
    "which_person": (which_person, 1.5),
}


def draw_question(draw: Draw, spot: Spot, chosen: bool) -> tuple[str, Drawn]:
    """A question back, or with `chosen` the same task with its answer in brackets."""
    shares = [share for _, share in _QUESTION_KINDS.values()]

    def question() -> tuple[str, Drawn]:
        kind = draw.rng.choices(tuple(_QUESTION_KINDS), shares)[0]
        return kind, _QUESTION_KINDS[kind][0](spot, chosen)

    return until(question)
