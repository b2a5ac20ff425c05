"""Programs that act alike are told from programs that do not, by what they do in a few worlds."""

from __future__ import annotations

import pytest

from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.policies import NO_POLICIES
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.verify.service.worker import VerifierWorker
from roboinstruct_ros.verify.verdict import Verdict
from roboinstruct_ros.verify.verifier import read_text, verify, verify_text

DOMAIN, HOME = load_domain(), load_semantic_map(find_world("home"))
LOOK = "start = get_current_location()\nfor room in get_all_rooms():\n    go_to(room)\n"
SAME = {
    "another name of a variable": (
        'here = get_current_location()\ngo_to("kitchen")\ngo_to(here)',
        'start_loc = get_current_location()\ngo_to("kitchen")\ngo_to(start_loc)',
    ),
    "punctuation of what is said": ('say("I am here")', 'say("i am here.")'),
    "fillers of what is said": (
        'say("I found somebody in the kitchen")',
        'say("Found a person in kitchen")',
    ),
    "branches in the other order": (
        'if is_in_room("cup"):\n    pick("cup")\nelse:\n    say("no cup")',
        'if not is_in_room("cup"):\n    say("no cup")\n    return\npick("cup")',
    ),
    "options in another order": (
        'a = ask("Bob", "Tea?", ["yes", "no"])\nif a == "yes":\n    go_to("kitchen")',
        'a = ask("Bob", "Tea?", ["no", "yes"])\nif a != "no":\n    go_to("kitchen")',
    ),
    "a loop written out": (
        'for room in ["kitchen", "bathroom"]:\n    go_to(room)',
        'go_to("kitchen")\ngo_to("bathroom")',
    ),
}
OTHER = {
    "another room": ('go_to("kitchen")', 'go_to("bathroom")'),
    "no way back": (
        'start = get_current_location()\ngo_to("kitchen")\ngo_to(start)',
        'go_to("kitchen")',
    ),
    "a branch negated": (
        'if is_in_room("cup"):\n    say("x")',
        'if not is_in_room("cup"):\n    say("x")',
    ),
    "nothing said when nothing was found": (
        LOOK + '    if is_in_room("cup"):\n        return\nsay("no cup")',
        LOOK + '    if is_in_room("cup"):\n        return',
    ),
    "another message": ('say("the tea is ready")', 'say("the tea is not ready")'),
    "another wait": ("time.sleep(60)", "time.sleep(600)"),
    "another answer counts": (
        'if ask("Bob", "Tea?", ["yes", "no"]) == "yes":\n    go_to("kitchen")',
        'if ask("Bob", "Tea?", ["yes", "no"]) == "no":\n    go_to("kitchen")',
    ),
}


def behaviour(body: str, rooms: object = HOME) -> str:
    verdict = verdict_on(body, rooms)
    assert verdict.accepted, verdict.violations
    return verdict.behaviour


def verdict_on(body: str, rooms: object = HOME) -> Verdict:
    text = read_text(program(body), DOMAIN, rooms)  # type: ignore[arg-type]
    return verify_text(text, NO_POLICIES, None, behaviour=True)


def program(body: str) -> str:
    return "def task_program():\n" + "".join(f"    {line}\n" for line in body.split("\n"))


@pytest.mark.parametrize("rooms", [HOME, None], ids=["map", "open"])
@pytest.mark.parametrize("one, other", SAME.values(), ids=SAME)
def test_what_acts_alike_is_the_same(one: str, other: str, rooms: object) -> None:
    assert behaviour(one, rooms) == behaviour(other, rooms) != ""


@pytest.mark.parametrize("rooms", [HOME, None], ids=["map", "open"])
@pytest.mark.parametrize("one, other", OTHER.values(), ids=OTHER)
def test_what_acts_otherwise_is_not(one: str, other: str, rooms: object) -> None:
    assert behaviour(one, rooms) != behaviour(other, rooms)


def test_another_name_of_a_room_is_the_same_room() -> None:
    room = next(room for room in HOME.rooms if room.aliases)
    assert behaviour(f"go_to({room.name!r})") == behaviour(f"go_to({room.aliases[0]!r})")


def test_it_is_the_same_every_time() -> None:
    body = 'for n in range(3):\n    if random.random() < 0.5:\n        say("x")'
    assert behaviour(body) == behaviour(body)


def test_what_is_not_accepted_has_none() -> None:
    assert verdict_on('go_to("moon")').behaviour == ""


@pytest.mark.parametrize("asked", [False, True])
def test_it_is_worked_out_for_those_who_ask_for_it_alone(asked: bool) -> None:
    worker = VerifierWorker(DOMAIN, HOME, behaviour=asked)
    try:
        verdict = worker.verify(program('go_to("kitchen")'))
    finally:
        worker.close()
    assert verdict.accepted and bool(verdict.behaviour) == asked


def test_the_worlds_tried_are_none_of_the_verdicts_own() -> None:
    body = 'if is_in_room("cup"):\n    say("x")'
    assert verdict_on(body).paths == verify(program(body), DOMAIN, HOME).paths < 8
