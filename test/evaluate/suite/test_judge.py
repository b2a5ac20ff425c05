"""The judge tells, of each world, what a program did wrong there."""

from __future__ import annotations

from pathlib import Path

import pytest

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.evaluate.suite.case import Case
from roboinstruct_ros.evaluate.suite.judge import Judgement, Written, judged, world_records
from roboinstruct_ros.evaluate.suite.open_suite import open_suite
from roboinstruct_ros.evaluate.suite.outcome import Outcome, WorldRecord
from roboinstruct_ros.evaluate.worlds.trials import Trials

CASES = {case.name: case for case in open_suite(str(Path(__file__).with_name("small.yaml"))).cases}
FETCH, TRAY = CASES["fetch-medicine"], CASES["ask-before-the-tray-is-taken"]
ROOF = CASES["water-the-roof"]


def judge(case: Case, old: str, new: str, trials: Trials) -> Judgement:
    assert old in case.reference
    written = Written(AnswerKind.PROGRAM, case.reference.replace(old, new))
    return judged(case, written, trials)


@pytest.mark.parametrize("case", [FETCH, TRAY], ids=lambda case: case.name)
def test_a_reference_is_right_in_all_its_worlds(case: Case, trials: Trials) -> None:
    worlds = world_records(case, case.reference, trials)
    assert [world.world for world in worlds] == [trial.name for trial in case.trials]
    assert all(world.right and world.goals[0] == world.goals[1] for world in worlds)
    assert judge(case, "go_to", "go_to", trials).outcome is Outcome.RIGHT


def test_the_calls_of_a_world_are_told_with_their_answers(trials: Trials) -> None:
    *_, slips = world_records(TRAY, TRAY.reference, trials)
    assert slips.calls == (
        "go_to('ward 2')",
        "ask('Alice', 'Have you eaten?', ['Yes', 'No']) -> 'Yes'",
        "pick('tray') fails: grasp_failed",
        "pick('tray')",
        "go_to('reception')",
        "place('tray')",
    )


@pytest.mark.parametrize(
    ("case", "old", "new", "why"),
    [
        (FETCH, 'say("There is no', 'say("There is a',
         "in the world 'it is missing' it breaks 'says pill box NOT': what it says is 'There is a "
         "pill box in the pharmacy'"),
        (FETCH, '    place("pill box")', "    pass",
         "in the world 'it is there' at the end it is not so that in_room(\"pill box\", "
         '"ward 1")'),
        (FETCH, 'go_to("pharmacy")', 'go_to("ward 2")',
         "in the world 'it is there' it breaks 'never go_to(\"ward 2\")' at call 1, "
         "go_to('ward 2')"),
        (TRAY, "range(3)", "range(1)",
         "in the world 'the tray slips once' it breaks 'at least 2, of pick(\"/^tray$/\")' at the "
         "end, after 3 calls"),
        (TRAY, '"Alice"', '"Bob"',
         "in the world 'she has' ['go_to ward 2'], then ask('Bob', 'Have you eaten?', ['Yes', "
         "'No']) fails and nothing catches it: person_not_found, Bob is not in ward 2"),
    ],
)  # fmt: skip
def test_what_went_wrong_is_told_in_words(
    case: Case, old: str, new: str, why: str, trials: Trials
) -> None:
    judgement = judge(case, old, new, trials)
    assert (judgement.outcome, judgement.why) == (Outcome.WRONG, why)


def test_half_characters_of_an_unverified_program_can_be_recorded(trials: Trials) -> None:
    judgement = judge(FETCH, 'say("There is no', 'say("\\ud83d There is a', trials)
    assert "what it says is '? There is a pill" in judgement.why
    assert all(world.model_dump_json() for world in judgement.worlds)
    assert WorldRecord(calls=("Say \ud83d",)).model_dump_json()


def test_goals_are_counted_also_where_a_program_fails(trials: Trials) -> None:
    worlds = judge(FETCH, '        place("pill box")', '        place("spoon")', trials).worlds
    assert [world.goals for world in worlds] == [(0, 2), (1, 1), (1, 2)]
    assert [bool(world.fault) for world in worlds] == [True, False, True]
    assert worlds[0].why
    assert not worlds[1].why


def test_words_are_judged_without_worlds(trials: Trials) -> None:
    cannot = Written(AnswerKind.CANNOT, "I cannot water plants.")
    assert judged(ROOF, cannot, trials) == Judgement(Outcome.RIGHT)
    assert judged(FETCH, cannot, trials) == Judgement(Outcome.ANSWERED)
    program = Written(AnswerKind.PROGRAM, FETCH.reference)
    assert judged(ROOF, program, trials).outcome is Outcome.WRONG
