"""Puts what a run has found out into plain sentences, and reads answers back from them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from roboinstruct_ros.domain.instruction import one_line
from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.domain.thing_names import means_anybody
from roboinstruct_ros.program.wording import is_proper, named, one

THE_PERSON = "the person"
"""The person at the screen or the terminal."""

MOST_SENTENCES = 40
"""Most sentences that are passed on; the last ones are kept."""

MOST_CHARACTERS = 300
"""Longest sentence; a longer one is dropped, never truncated."""


@dataclass(frozen=True)
class Answer:
    """An answer to a question of the program, or to what had to be known before a program."""

    who: str
    text: str
    question: str

    def __str__(self) -> str:
        text, question = _plain(self.text), _plain(self.question)
        return str(phrase("found.answered", who=self.who, text=text, question=question))


def findings(calls: Iterable[SkillCall], before: Sequence[str] = ()) -> tuple[str, ...]:
    """A sentence for each result of a run's calls; a later observation replaces an earlier one.

    Args:
        calls: In order, with their results and error codes.
        before: Sentences of earlier runs: what the hand held then, it still holds.
    """
    told: dict[str, str] = {}
    place, hand = "", _hand(before)
    for call in calls:
        if call.error_code:
            told[f"failed {call.index}"] = str(
                phrase("found.failed", code=_what(call), why=call.error_msg)
            )
            place = "" if call.skill == "go_to" else place
            continue
        if call.skill == "go_to":
            place = str(call.arguments[0])
        elif call.skill == "get_current_location":
            place = str(call.result)
        elif call.skill == "ask":
            asked = Answer(_person(call), str(call.result), str(call.arguments[1]))
            told[f"answer {asked.who} {asked.question}"] = str(asked)
        elif call.skill == "is_in_room":
            told[f"seen {call.arguments[0]} {place}"] = _seen(call, place)
        elif call.skill == "pick":
            hand = _thing(call)
        elif call.skill == "place":
            hand = _NOTHING
            put = phrase(f"found.put_down{'_in' * bool(place)}", thing=_thing(call), **_room(place))
            told[f"put {call.index}"] = str(put)
    # If this task has not used the hand, it may hold what another task left there.
    stays = {_NOTHING: "_empty", "": ""}.get(hand, "_holding")
    where = "in" if place else "stayed"
    robot = phrase(f"found.robot_{where}{stays}", thing=hand, **_room(place))
    return checked((*told.values(), str(robot)))


def checked(sentences: Sequence[str]) -> tuple[str, ...]:
    """Sentences from outside, each on one line; drops long ones, and all but the last."""
    lines = (one_line(sentence) for sentence in sentences)
    return tuple(line for line in lines if 0 < len(line) <= MOST_CHARACTERS)[-MOST_SENTENCES:]


def answers(found: Sequence[str]) -> Iterator[Answer]:
    """The answers among the sentences, the last one first."""
    for sentence in reversed(found):
        match = _ANSWER.match(sentence)
        if match is not None:
            yield Answer(match["who"], match["text"], match["question"])


def held_thing(found: Sequence[str]) -> str:
    """What the robot held last, with its article; empty if nothing or unknown."""
    hand = _hand(found)
    return "" if hand == _NOTHING else hand


def holds_something(found: Sequence[str]) -> bool | None:
    """Whether the robot held anything last; None if unknown."""
    hand = _hand(found)
    return hand != _NOTHING if hand else None


def _hand(found: Sequence[str]) -> str:
    """As `held_thing`, but distinguishes an empty hand from an unknown one."""
    matches = (_HOLDS.match(sentence) for sentence in reversed(found))
    return next((match["held"] for match in matches if match), "")


def _seen(call: SkillCall, place: str) -> str:
    what = str(call.arguments[0])
    if means_anybody(what):
        seen = "somebody" if call.result else "nobody"
    elif is_proper(what):
        seen = "is" if call.result else "is_not"
    else:
        seen = "thing" if call.result else "no_thing"
    thing = one(what) if call.result else what
    where = "in" if place else "looked"
    return str(phrase(f"found.{seen}_{where}", who=what, thing=thing, **_room(place)))


def _thing(call: SkillCall) -> str:
    return named(str(call.arguments[0]))


def _room(place: str) -> dict[str, str]:
    return {"room": named(place)} if place else {}


def _person(call: SkillCall) -> str:
    who = str(call.arguments[0])
    return "somebody" if means_anybody(who) else who


def _what(call: SkillCall) -> str:
    return f"{call.skill}({', '.join(map(repr, call.arguments))})"


def _plain(text: str) -> str:
    return one_line(text).replace('"', "'")


_NOTHING = "nothing"
_ANSWER = re.compile(r'^(?P<who>.{1,80}?) answered "(?P<text>[^"]*)" to "(?P<question>[^"]*)"\.?$')
_HOLDS = re.compile(r"^the robot is .{1,100}? and holds (?P<held>[^.]{1,80})\.?$", re.IGNORECASE)
