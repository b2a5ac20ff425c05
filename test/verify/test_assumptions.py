"""What a program takes for granted is said; what it checks or handles is not."""

from __future__ import annotations

import sys

import pytest
from brute_force import EveryAnswer
from hypothesis import HealthCheck, assume, event, given, reject, settings
from named_world import (
    ANYBODY,
    Ending,
    House,
    PlainWorld,
    is_executed,
    program_line,
)
from plain_execution import Picks, every_way, execute
from program_expressions import Language
from program_strategies import task_programs
from programs import source_of
from read_programs import as_the_program_says

from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.semantic_map import Pose, Room, SemanticMap, load_semantic_map
from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.verify.budget import Budget
from roboinstruct_ros.verify.service.worker import VerifierWorker
from roboinstruct_ros.verify.verdict import Verdict
from roboinstruct_ros.verify.verifier import verify

DOMAIN = load_domain()
HOME = load_semantic_map(find_world("home"))


def assumptions(body: str, closed: bool = True) -> list[str]:
    verdict = verify(source_of(body), DOMAIN, HOME if closed else None)
    assert verdict.accepted, verdict.violations
    return [f"{one.line}: {one.clause}" for one in verdict.assumptions]


@pytest.mark.parametrize(
    ("body", "taken"),
    [
        ('go_to("study")\npick("charger")', ["3: a charger is in the study"]),
        ('go_to("study")\npick("cups")', ["3: cups are in the study"]),
        ('go_to("study")\nask("Bob", "Well?", ["yes", "no"])', ["3: Bob is in the study"]),
        ('ask("", "Well?", ["yes"])', ["2: somebody is in the room where I start"]),
        (
            'here = get_current_location()\ngo_to("study")\npick("pen")\ngo_to(here)\n'
            'place("pen")\npick("cup")',
            ["4: a pen is in the study", "7: a cup is in the room where I start"],
        ),
        (
            'for room in ["kitchen", "study"]:\n    go_to(room)\n    ask("Bob", "Well?", ["yes"])',
            ["4: Bob is in the kitchen", "4: Bob is in the study"],
        ),
    ],
)
def test_what_a_program_needs_and_does_not_look_at_is_named(body: str, taken: list[str]) -> None:
    assert assumptions(body) == taken


@pytest.mark.parametrize(
    "body",
    [
        'go_to("kitchen")\nif is_in_room("apple"):\n    pick("apple")\n    place("apple")',
        'go_to("study")\nif is_in_room("Bob"):\n    ask("Bob", "Well?", ["yes", "no"])',
        'go_to("kitchen")\ntry:\n    pick("apple")\nexcept SkillError:\n    say("there is none")',
        'go_to("kitchen")\nsay("hello")',
    ],
)
def test_what_it_checks_or_handles_is_no_assumption(body: str) -> None:
    assert assumptions(body) == []


def test_a_fact_is_named_once_with_all_its_lines() -> None:
    body = """
        if is_in_room("cat"):
            go_to("study")
            pick("pen")
        else:
            go_to("study")
            pick("pen")
    """
    (one,) = verify(source_of(body), DOMAIN, HOME).assumptions
    assert (one.literal, one.line, one.lines) == (("in_room", "pen", "study"), 4, (4, 7))
    assert one.message == "I take it that a pen is in the study."


def test_what_is_needed_in_many_rooms_is_one_assumption() -> None:
    body = 'for room in get_all_rooms():\n    go_to(room)\n    ask("Bob", "Well?", ["yes"])'
    assert assumptions(body) == ["4: Bob is in every room where this is needed"]
    assert assumptions(body, closed=False) == ["4: Bob is in every room where this is needed"]


def test_without_a_map_a_room_that_the_program_names_is_an_assumption() -> None:
    fetch = 'go_to("library")\npick("charger")'
    room = "2: there is a room called library"
    assert assumptions(fetch, closed=False) == [room, "3: a charger is in the library"]
    looked = 'if "library" in get_all_rooms():\n    go_to("library")'
    assert assumptions(looked, closed=False) == []
    through = 'for room in get_all_rooms():\n    if "lab" in room:\n        go_to(room)'
    assert assumptions(through, closed=False) == []


def test_what_was_done_already_is_taken_for_granted_no_more() -> None:
    source = source_of('go_to("study")\npick("pen")\ngo_to("kitchen")\npick("cup")')
    source = source.replace('pick("cup")', 'place("pen")\n    pick("cup")')
    calls = [
        SkillCall(index, skill, (argument,), index + 2)
        for index, (skill, argument) in enumerate([("go_to", "study"), ("pick", "pen")])
    ]
    rest = verify(source, DOMAIN, HOME, calls=calls)
    assert [one.clause for one in rest.assumptions] == ["a cup is in the kitchen"]


def test_it_comes_out_of_the_workers_process_whole() -> None:
    source = source_of('go_to("study")\npick("charger")')
    worker = VerifierWorker(DOMAIN, HOME)
    try:
        told = worker.verify(source)
    finally:
        worker.close()
    assert told.assumptions == verify(source, DOMAIN, HOME).assumptions
    assert Verdict.model_validate_json(told.model_dump_json()) == told


def test_other_domains_speak_in_their_own_words() -> None:
    arm = load_domain(shared_file("config/domains/arm.yaml"))
    verdict = verify('def task_program():\n    pick("left hand", "cube")\n', arm)
    assert [one.clause for one in verdict.assumptions] == ["a cube is on the table"]


NAMES = ("kitchen", "office", "lab")
FLAT = SemanticMap(tuple(Room(name, (), Pose(0.0, 0.0, 0.0)) for name in NAMES))
LANGUAGE = Language(statements=8, depth=2, waits=False, clock=False, all_rooms=False)


class GrantingWorld(PlainWorld):
    """Notes what a skill needs though nobody has looked, and no handler expects less."""

    def __init__(self, house: House, answers: EveryAnswer) -> None:
        super().__init__(house, answers)
        self.granted: set[tuple[int, str]] = set()

    def _known(self, entity: str, room: str) -> bool | None:
        known = super()._known(entity, room)
        needed = sys._getframe(1).f_code.co_name in ("pick", "ask")
        if known is None and needed and not is_executed(self.house.caught):
            self.granted.add((program_line(), entity))
        return known


@given(source=task_programs(LANGUAGE))
@settings(max_examples=120, suppress_health_check=[HealthCheck.too_slow])
def test_what_is_named_is_what_a_world_without_our_code_has_to_grant(source: str) -> None:
    verdict = verify(source, DOMAIN, FLAT, budget=Budget(paths=4000, samples=1, seconds=60.0))
    assume(verdict.exhaustive and verdict.accepted)
    where = as_the_program_says(House(NAMES, NAMES), source)
    granted: set[tuple[int, str]] = set()

    def run(picks: Picks) -> Ending:
        world = GrantingWorld(where, EveryAnswer(picks))
        ending = execute(source, world)
        granted.update(world.granted)
        return ending

    try:
        list(every_way(run, 4000))
    except OverflowError:
        reject()
    event(f"{len(granted)} granted")
    names = {"somebody": ANYBODY}
    assert granted == {
        (line, names.get(one.literal[1], one.literal[1].lower()))
        for one in verdict.assumptions
        for line in one.lines
    }
