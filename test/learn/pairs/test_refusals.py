"""Tasks that are refused, asked about or answered, and their near neighbours that are programs."""

from __future__ import annotations

import random
import re

import pytest

from roboinstruct_ros.domain.answer import AnswerKind, answer_in
from roboinstruct_ros.domain.semantic_map import Pose, Room, SemanticMap
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.learn.draw import Draw, Split
from roboinstruct_ros.learn.pairs.refusals import draw_answer
from roboinstruct_ros.learn.pairs.scene import Scene
from roboinstruct_ros.verify.verifier import verify
from roboinstruct_ros.verify.world.remains import RobotPast

DOMAIN = load_domain()


def drawn(number: int, split: Split = Split.TRAIN) -> tuple[str, Scene, str, str]:
    """The pair of this number."""
    return draw_answer(Draw(random.Random(f"refusals/{number}"), split))


def body(program: str) -> str:
    """What the model writes."""
    return program.split("\n", 1)[1]


PAIRS = [drawn(number) for number in range(1500)]
ANSWERED = [(*pair, found) for pair in PAIRS if (found := answer_in(body(pair[3]))) is not None]
PROGRAMS = [pair for pair in PAIRS if answer_in(body(pair[3])) is None]


def test_a_body_of_one_comment_is_read_as_an_answer() -> None:
    for _, _, instruction, program in PROGRAMS:
        assert "# " not in program, (instruction, program)
    assert {answer.kind for *_, answer in ANSWERED} == set(AnswerKind) - {AnswerKind.PROGRAM}


def test_half_of_the_pairs_are_programs() -> None:
    assert 0.4 < len(PROGRAMS) / len(PAIRS) < 0.6


def test_no_slot_or_bracket_is_left_in_what_is_said() -> None:
    for family, _, instruction, program in PAIRS:
        if family != "nonsense":
            assert not set("[]{}|") & set(instruction), instruction
            assert "{" not in program, (instruction, program)


def test_a_question_offers_two_to_four_names_of_the_scene() -> None:
    for _, scene, instruction, _, answer in ANSWERED:
        if answer.choices:
            known = {*scene.rooms, *scene.people, *scene.things}
            assert scene.told and 2 <= len(answer.choices) <= 4, instruction
            assert set(answer.choices) <= known, (instruction, answer)


def test_a_room_is_missing_only_where_the_told_map_has_it_not() -> None:
    missing = [pair for pair in ANSWERED if pair[0] == "no_such_room"]
    assert missing
    for _, scene, instruction, _, answer in missing:
        assert scene.told and "on my map" in answer.words
        name = answer.words.split(" on my map")[0].removeprefix("There is no ")
        assert name.removesuffix(" is not") not in scene.rooms, instruction


def test_names_that_no_map_tells_are_spelt_as_they_were_said() -> None:
    for _, scene, instruction, program in PROGRAMS:
        if not scene.told:
            for name in re.findall(r'(?:go_to|pick|place)\("([^"]+)"\)', program):
                assert name in instruction, (instruction, program)


def test_the_same_draw_gives_the_same_pair() -> None:
    assert [drawn(number) for number in range(100)] == PAIRS[:100]


@pytest.mark.parametrize("split", list(Split))
def test_programs_are_accepted_on_the_map_that_was_told(split: Split) -> None:
    for number in range(100):
        _, scene, instruction, program = drawn(number, split)
        if answer_in(body(program)) is None:
            rooms = tuple(Room(name, (), Pose(0, 0, 0)) for name in scene.rooms)
            past = RobotPast(DOMAIN)
            past.begins_with(scene.holding)
            told = SemanticMap(rooms) if scene.told else None
            verdict = verify(program, DOMAIN, told, remains=past.remains)
            assert verdict.accepted, (instruction, program, verdict.violations)
