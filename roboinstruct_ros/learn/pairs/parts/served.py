"""Parts in which somebody is reminded, waited for or asked in turn, and things are looked for."""

from __future__ import annotations

from roboinstruct_ros.learn.draw import DoesNotFit
from roboinstruct_ros.learn.entities import Person, Thing, article, listed
from roboinstruct_ros.learn.pairs import furniture, spoken, words
from roboinstruct_ros.learn.pairs.compose import Clause, Joint, part
from roboinstruct_ros.learn.pairs.deeds import found_in, searched
from roboinstruct_ros.learn.pairs.flow import (
    HOME,
    Branch,
    Loop,
    Search,
    Steps,
    go_to,
    names_list,
    pick,
    place,
    quoted,
    say,
    wait_for,
)
from roboinstruct_ros.learn.pairs.names import thing_called
from roboinstruct_ros.learn.pairs.parts.moving import named
from roboinstruct_ros.learn.pairs.parts.talking import tell
from roboinstruct_ros.learn.pairs.parts.told import news_of_a_room
from roboinstruct_ros.learn.pairs.story import Reach, Story
from roboinstruct_ros.learn.pairs.talk import Question

_OFTEN_LOST = (
    "glasses", "keys", "phone", "wallet", "remote control", "car keys", "reading glasses", "watch",
    "headphones", "book", "umbrella", "charger", "house key", "gloves", "scarf", "slippers", "pen",
    "bag", "hat", "badge", "notebook", "laptop", "cup", "jacket", "passport", "purse",
)  # fmt: skip


def _lost_thing(story: Story) -> tuple[Thing, str]:
    """The thing to look for, and its wording."""
    draw, roll = story.draw, story.draw.rng.random()
    if roll < 0.3:
        pet: str = draw.one(words.PETS)
        whose = "the" if draw.chance(0.6) else "my" if draw.chance(0.6) else "our"
        return Thing(pet, article(pet), f"{pet}s"), f"{whose} {pet}"
    thing = thing_called(draw.one(_OFTEN_LOST)) if roll < 0.65 else story.thing()
    if words.is_held(thing.name):
        raise DoesNotFit
    return thing, draw.one((f"my {thing.name}", thing.the))


@part("look_for", 5.0)
def look_for(story: Story) -> Clause:
    """One thing is looked for, and nobody says where: in all rooms."""
    draw = story.draw
    thing, shown = _lost_thing(story)
    text = draw.phrase(
        (
            "[find|look for|search for|locate|go find|go and look for] {t}",
            "[find|look for|search for] {t}",
            "do you see {t} anywhere?",
            "[have you seen|did you see|can you see] {t}[| anywhere| somewhere]?",
            "[help me find|help me look for|help me search for] {t}",
            "I[ have| 've|] lost {t}".replace(" 've", "'ve"),
            "I[ am|'m] [looking for|searching for|missing] {t}",
            "[can you|could you] [find|look for] {t}?",
            "{be} {t} [anywhere|somewhere|around here|in one of the rooms]?",
            "where [did I leave|did I put|could I have left] {t}?",
            "[look|search|check] [everywhere|in all rooms|in every room] for {t}",
            "[see|check|look] if you can find {t}[| anywhere| somewhere]",
            "[look for|find] {t}, I don't know where {they}",
        ),
        t=shown,
        be=thing.be,
        they=thing.they,
    )
    return Clause(text, found_in(thing))


@part("remind_that", 6.0, joint=Joint.SENTENCE)
def remind_that(story: Story) -> Clause:
    """Remind somebody of something: the robot goes to them, not to a place in the reminder."""
    draw, reach = story.draw, story.reach(0.3)
    who, roll = reach.person, draw.rng.random()
    remind = draw.one(("remind", "remind", "remind", "go and remind"))
    if roll < 0.3:
        event = f"{who.his if draw.chance(0.4) else 'the'} {draw.one(words.EVENTS.of(draw))}"
        spoken_ = event.replace(f"{who.his} ", "your ", 1)
        when = draw.one(("", "", f" at {draw.one(words.TIMES.of(draw))}"))
        where = (
            f" in {story.room(furniture.pieces_of(story.scene)).the}" if draw.chance(0.4) else ""
        )
        message = draw.case(f"{spoken_}{where}{when}")
        story.messages.append(draw.case(f"{where}{when}").strip())
        text = f"{remind} {reach.who} {draw.one(('of', 'about'))} {event}{where}{when}"
        return Clause(text, reach.steps((tell(who, f"remember {message}"),)), reach.room)
    if roll < 0.55:
        told = reported = news_of_a_room(story)
    else:
        message_ = spoken.message(story, who)
        told, reported = message_.spoken, message_.reported
    text = draw.phrase(
        (f"{remind} {{p}} [that|that|that|] {{m}}", "don't let {p} forget that {m}"),
        p=reach.who,
        m=reported,
    )
    text = text.replace("  ", " ")
    return Clause(text, reach.steps((tell(who, told),)), reach.room)


@part("hand_over", 8.0, joint=Joint.SENTENCE)
def hand_over(story: Story) -> Clause:
    """Wait for somebody and give them something, which the robot gets before it waits."""
    draw, who, scene = story.draw, story.person(), story.scene
    in_hand = bool(scene.told and scene.holding and story.is_first)
    thing = thing_called(scene.holding) if in_hand else story.thing()
    source = story.room() if not in_hand and draw.chance(0.35) else None
    room = story.room(furniture.pieces_of(scene)) if draw.chance(0.75) else None
    third = "" if who.he == "they" else "s"
    text = draw.phrase(
        (
            "[wait|go and wait|stay] {r} until {p} [comes|arrives|is there][ and| and|, then] "
            "{give}",
            "[wait|go and wait] {r} [for {p} and|until {p} comes and then|until {p} is there, "
            "then] {give}",
            "wait for {p} {r}[ and| and then|. Then] {give}",
            "wait {r}. When {p} comes, {give}" if room else "when {p} comes, {give}",
            "{get}[ and|, then] wait {r} [for {p} and|until {p} comes and] give {it} to {him}",
            "when {p} [comes to|arrives in|is in] {k}, {give}" if room else "",
            "{give} [when|as soon as] {he} come{third} to {k}" if room else "",
        )[: 7 if room else 5],
        p=who.who,
        r=f"in {room.the}" if room else "here",
        k=room.the if room else "",
        get=f"[get|fetch|take] {thing.the}{{f}}" if not in_hand else "{keep}",
        give="[give|hand] {him} {t}{f}",
        third=third,
        he=who.he,
    )
    if text.startswith(("give {him}", "hand {him}", "[give|hand] {him}")):
        text = text.replace("{him}", who.who, 1)
    text = draw.expand(
        text,
        him=who.him,
        it=thing.it,
        t=thing.the if in_hand else named(draw, thing),
        keep=f"keep {thing.the}",
        f=f" from {source.the}" if source else "",
    )
    take: Steps = ()
    if source:
        take = (go_to(source.name), pick(thing))
    elif not in_hand:
        take = searched(thing, (pick(thing),), vital=True)
    there: Steps = (go_to(room.name),) if room else (HOME,) if take else ()
    waiting = wait_for(who.name)
    return Clause(text, (*take, *there, waiting, place(thing)), room)


def _reached(story: Story, who: Person, then: Steps) -> Steps:
    """Goes to one of several people: to their own room, or in search of them."""
    return Reach(who, who.who, story.own_room(who)).steps(then)


@part("asked_in_turn", 7.0, joint=Joint.SENTENCE)
def asked_in_turn(story: Story) -> Clause:
    """Two or three people, wherever they are, are asked one after the other; each is served."""
    draw, people = story.draw, story.people(story.draw.rng.choice((2, 2, 2, 3)))
    source = story.room()
    if any(one.name == source.name for who in people if (one := story.own_room(who))):
        raise DoesNotFit
    noun, options = draw.one(spoken.SERVED)
    some_ = draw.some(options, draw.rng.choice((2, 2, 3)))
    offered = listed([one if noun == "drink" else article(one) for one in some_], "or")
    verb, you = draw.one(
        (("want", "Do you want"), ("would like", "Would you like"), ("prefer", "Do you prefer"))
    )
    question = Question(f"if they {verb} {offered}", f"{you} {offered}?", tuple(some_))
    wish = "what they want" if verb == "want" else "what they would like"
    text = f"ask {listed([who.who for who in people])} {question.reported}" + draw.phrase(
        (
            "[ and|, then|. Then] [bring|get] [them|each of them|both|everyone] {w} from {s}",
            "[ and|, then] bring [it|that|their choice|{w}] to them from {s}",
            "[ and|, then] [get|fetch] it for them from {s}",
        ),
        w=wish,
        s=source.the,
    )
    if len(people) > 2:
        text = text.replace(" both ", " them ")
    own = [story.own_room(who) for who in people]
    serve: Steps = (go_to(source.name), "pick(answer)")
    call = f"ask({{}}, {quoted(question.spoken)}, {names_list(question.options)})"
    if not any(own):
        body: Steps = (f"answer = {call.format('name')}", *serve, "go_to(room)", "place(answer)")
        each = Search("is_in_room(name)", body, ('say("I could not find " + name)',))
        return Clause(
            text, (Loop(f"for name in {names_list([w.name for w in people])}:", (each,)),)
        )
    steps: Steps = ()
    for who, room in zip(people, own, strict=True):
        back = go_to(room.name) if room else "go_to(room)"
        asked = f"answer = {call.format(quoted(who.name))}"
        steps += _reached(story, who, (asked, *serve, back, "place(answer)"))
    return Clause(text, steps)


@part("owners_in_turn", 6.0, joint=Joint.SENTENCE)
def owners_in_turn(story: Story) -> Clause:
    """Two people, at least one in their own room, are told or asked the same."""
    draw, people = story.draw, story.people(2)
    if not any(map(story.own_room, people)):
        raise DoesNotFit
    names = listed([who.who for who in people])
    roll = draw.rng.random()
    if roll < 0.4:
        message = spoken.statement(story)
        text = draw.phrase(
            ("tell {p} [that |]{m}", "let {p} know that {m}", "inform {p} that {m}",
             "remind {p} that {m}", "tell {a} that {m}[ and tell|, and] {b} [too|as well]"),
            p=names, m=message, a=people[0].who, b=people[1].who,
        )  # fmt: skip
        told = [_reached(story, who, (tell(who, message),)) for who in people]
        return Clause(text, tuple(step for steps in told for step in steps))
    question = spoken.yes_no(story, spoken.SOMEBODY)
    call = f'ask({{}}, {quoted(question.spoken)}, ["Yes", "No"])'
    text = f"ask {names} {question.reported} and "
    steps: Steps = ()
    if roll < 0.7:
        text += draw.one(("tell me what they said", "report their answers", "tell me", "report"))
        for who in people:
            said = f"{quoted(f'{who.name} said: ')} + {call.format(quoted(who.name))}"
            steps += _reached(story, who, (f"found.append({said})",))
        report = Branch("found", ('say(", ".join(found))',), (say("I could not find anybody"),))
        return Clause(text, ("found = []", *steps, HOME, report))
    text += draw.one(
        ("tell me how many said yes", "count how many say yes", "tell me how many of them do")
    )
    for who in people:
        yes = Branch(f'{call.format(quoted(who.name))} == "Yes"', ("count += 1",))
        steps += _reached(story, who, (yes,))
    return Clause(text, ("count = 0", *steps, HOME, 'say(str(count) + " people said yes")'))
