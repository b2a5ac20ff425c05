"""Commands drawn from a checkout's grammar become cases, or are left out with a reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from roboinstruct_ros.evaluate.readers import gpsr
from roboinstruct_ros.evaluate.suite.case import REFUSAL, Case, Half, Suite, half_of
from roboinstruct_ros.evaluate.suite.judge import program_fault
from roboinstruct_ros.evaluate.worlds.trials import Trials

COMMON = """\
# tasks
$deliver = $vbgive me the {kobject}
$deliver = $take from the {placement 1} and put it on the {placement 2}
$take    = grasp the $object
$vbgive  = bring | (give)
"""
GRAMMAR = """\
; grammar name Made up
$Main   = Please $main | $main
$main   = $deliver | $count | $gone
$main   = go to the {beacon}, find the {object}, and give it to {name} at the {beacon 2}
$main   = greet {name 1} at the {beacon 1 meta: {name 1} is there} and ask {pron} to leave
$main   = find the {aobject} in the {room}
$main   = follow {name}
$count  = Tell me how many ({object} | {category}) there are on the {placement}
$object = {object} | lid
"""
LOCATIONS = """\
<rooms>
  <room name="hall"><location name="sofa" isBeacon="true"/></room>
  <room name="shed"><location name="shelf" isPlacement="true" isBeacon="true"/>
    <location name="bench" isPlacement="true"/></room>
</rooms>"""
OBJECTS = """\
<categories><category name="tools">
  <object name="saw" type="known"/><object name="old lid" type="alike"/>
  <object name="lid" type="known"/>
</category></categories>"""
NAMES = '<names><name gender="Female">Zoe</name><name gender="Male">Tim</name></names>'


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("checkout")
    resources, common = root / "GPSRCmdGen" / "Resources", root / "CommonFiles"
    resources.mkdir(parents=True)
    common.mkdir()
    (resources / "CommonRules.txt").write_text(COMMON)
    (resources / "GPSRGrammar.txt").write_text(f"\ufeff{GRAMMAR}")
    for name, text in (("Locations", LOCATIONS), ("Objects", OBJECTS), ("Names", NAMES)):
        (common / f"{name}.xml").write_text(text)
    return root


@pytest.fixture(scope="module")
def drawn(checkout: Path) -> Suite:
    return gpsr.read(checkout)


def case_that(drawn: Suite, text: str) -> Case:
    (found,) = [case for case in drawn.cases if case.text == text]
    return found


def program(*lines: str) -> str:
    return "def task_program():\n" + "".join(f"    {line}\n" for line in lines)


def test_the_draw_is_the_same_every_time_and_split_once(checkout: Path, drawn: Suite) -> None:
    again = gpsr.read(checkout)
    assert again == drawn
    halves = [{case.text for case in drawn.half(half).cases} for half in Half]
    assert not halves[0] & halves[1]
    assert all(halves)
    assert half_of("Follow  TIM.") is half_of("follow tim.")


def test_what_is_left_out_is_counted_by_reason(drawn: Suite) -> None:
    assert set(drawn.left_out) == {
        "asks for something else: follow",
        "count a category",
        "grammar: no sentence",
    }
    assert not [case for case in drawn.cases if "ollow" in case.text]


def test_carrying_wants_the_thing_taken_there(drawn: Suite, trials: Trials) -> None:
    case = case_that(drawn, "Please grasp the old lid from the shelf and put it on the bench.")
    fetch = ('go_to("shelf")', 'pick("old lid")', 'go_to("bench")', 'place("old lid")')
    assert not program_fault(case, program(*fetch), trials)
    assert program_fault(case, program(*fetch[:2]), trials)
    assert program_fault(case, program(*fetch[:2], 'go_to("sofa")', 'place("old lid")'), trials)


def test_a_thing_whose_place_nobody_says_has_to_be_found(drawn: Suite, trials: Trials) -> None:
    case = case_that(drawn, "Bring me the saw.")
    loop = (
        "start = get_current_location()",
        "for room in get_all_rooms():",
        "    go_to(room)",
        '    if is_in_room("saw"):',
        '        pick("saw")',
        "        go_to(start)",
        '        place("saw")',
        "        return",
    )
    assert not program_fault(case, program(*loop), trials)
    assert program_fault(case, program('pick("saw")', 'place("saw")'), trials)


def test_what_is_found_is_told_and_what_is_not_there_too(drawn: Suite, trials: Trials) -> None:
    case = case_that(drawn, "Find the old lid in the shed.")
    look = ('go_to("shed")', 'if is_in_room("old lid"):', '    say("I found the old lid")')
    other = ("else:", '    say("It is not there")')
    assert not program_fault(case, program(*look, *other), trials)
    assert program_fault(case, program(*look), trials)
    assert program_fault(case, program('go_to("shed")', 'say("I found it")'), trials)


def test_somebody_is_met_and_asked(drawn: Suite, trials: Trials) -> None:
    case = case_that(drawn, "Greet Zoe at the sofa and ask her to leave.")
    go, ask = 'go_to("sofa")', 'ask("Zoe", "Would you leave, please?", ["Yes", "No"])'
    assert not program_fault(case, program(go, ask), trials)
    assert not program_fault(case, program(go, 'say("Hello Zoe")', 'say("Please leave")'), trials)
    assert program_fault(case, program(go, 'say("Hello Zoe")'), trials)


def test_what_the_robot_cannot_do_wants_a_refusal(drawn: Suite) -> None:
    case = case_that(drawn, "Tell me how many saw there are on the bench.")
    assert case.wanted == REFUSAL
