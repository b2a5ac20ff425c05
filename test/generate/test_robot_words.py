"""A model is told of the robot that its domain file describes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from scripted_backend import ScriptedBackend

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.domain.instruction import Instruction, one_line
from roboinstruct_ros.domain.semantic_map import Pose, Room, SemanticMap
from roboinstruct_ros.domain.simulation import Example
from roboinstruct_ros.domain.skills import Domain, domain_named, load_domain
from roboinstruct_ros.generate.backends.conversation import Conversation
from roboinstruct_ros.generate.generator import Generator, LoadError
from roboinstruct_ros.generate.program_text import answer_of
from roboinstruct_ros.generate.prompts.examples import EXAMPLES
from roboinstruct_ros.generate.prompts.prompt import prompt_format
from roboinstruct_ros.generate.prompts.robot_words import API, RobotWords, signature
from roboinstruct_ros.generate.prompts.surroundings import Surroundings
from roboinstruct_ros.generate.site import site_for
from roboinstruct_ros.verify.service.worker import VerifierWorker
from roboinstruct_ros.verify.verifier import verify

OTHERS = ("arm", "calendar")
ALL = ("", *OTHERS)


def domain_of(name: str) -> Domain:
    return domain_named(name) if name else load_domain()


def test_the_service_robot_is_told_of_in_the_papers_words() -> None:
    for words in (RobotWords(), RobotWords(load_domain())):
        assert (words.api, words.examples) == (API, EXAMPLES)


@pytest.mark.parametrize("name", ["completion", "chat"])
def test_another_robot_is_told_of_by_its_file(name: str) -> None:
    site = site_for(domain_named("arm"), None)
    told = str(prompt_format(name, site.surroundings.robot_alone).first(Instruction("Do it")))
    assert "def rotate(gripper: str, radians: float) -> None" in told
    assert "gripper = ['left hand', 'right hand']" in told
    assert "between -0.524 and 0.524 rad" in told
    assert "Pick up the cup with the left hand" in told
    assert "room" not in told and "go_to" not in told


@pytest.mark.parametrize("name", ALL)
def test_the_examples_of_a_domain_are_right_and_use_all_of_it(name: str) -> None:
    domain = domain_of(name)
    for example in domain.examples:
        if not example.is_answer:
            verdict = verify(example.program, domain, map_of(example))
            assert verdict.accepted, (example.instruction, verdict.violations)
    programs = "\n".join(example.program for example in domain.examples)
    assert {*domain.skill_names, "if", "for"} <= set(re.findall(r"\w+", programs))


@pytest.mark.parametrize("name", OTHERS)
def test_examples_and_world_are_no_part_of_what_is_verified_by(name: str) -> None:
    domain = domain_named(name)
    bare = domain.model_copy(update={"examples": (), "simulation": load_domain().simulation})
    one, other = (VerifierWorker(each).rules_sha256 for each in (domain, bare))
    assert one == other


def generator_for(domain_name: str, prompt_format: str) -> Generator:
    domain = domain_named(domain_name)
    return Generator(
        lambda: ScriptedBackend([], prompt_format=prompt_format),
        lambda: VerifierWorker(domain),
        lambda: site_for(domain, None),
    )


def test_a_model_that_was_trained_for_another_robot_refuses_in_one_line() -> None:
    generator = generator_for("arm", "robot_task")
    with pytest.raises(LoadError) as refused:
        generator.load()
    assert "trained for the robot service_robot, not for two_gripper_arm" in str(refused.value)
    assert "\n" not in str(refused.value) and not generator.loaded


def test_a_model_that_follows_instructions_writes_for_any_robot() -> None:
    generator = generator_for("arm", "chat")
    generator.load()
    generator.unload()


def test_a_robots_tasks_are_kept_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from roboinstruct_ros.library.library_file import place_for

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert place_for("", load_domain()) == ""
    assert Path(place_for("", domain_named("arm"))).name == "library-two_gripper_arm.sqlite"
    assert place_for("mine", domain_named("arm")) == "mine"


def map_of(example: Example) -> SemanticMap | None:
    """The rooms where it is said; None for a robot that is nowhere."""
    if example.scene is None:
        return None
    pose = Pose(0.0, 0.0, 0.0)
    return SemanticMap(tuple(Room(name, (), pose) for name in example.scene.rooms))


@pytest.mark.parametrize("name", ALL)
def test_a_model_that_chats_is_shown_every_kind_of_answer(name: str) -> None:
    answers = [answer_of(one.program.partition("\n")[2]) for one in domain_of(name).examples]
    kinds = {answer.kind for answer in answers if answer}
    assert kinds == {AnswerKind.CANNOT, AnswerKind.QUESTION, AnswerKind.REPLY}
    for answer in answers:
        assert answer is None or (answer.kind is AnswerKind.QUESTION) == bool(answer.choices)


@pytest.mark.parametrize("name", ALL)
def test_people_are_offered_only_what_works_where_they_are(name: str) -> None:
    to_try = domain_of(name).to_try
    assert bool(to_try) == bool(name)  # the shipped robot's examples are said on maps of their own
    assert not any(one.is_answer or one.scene for one in to_try)


def test_a_model_that_goes_on_with_a_text_is_shown_programs_only() -> None:
    for name in OTHERS:
        assert "# Cannot:" not in str(prompt_format("completion", told_of(name)).beginning)


@pytest.mark.parametrize("name", ALL)
def test_a_chat_begins_with_the_domain_files_own_words(name: str) -> None:
    domain = domain_of(name)
    beginning = prompt_format("chat", told_of(name)).beginning
    assert isinstance(beginning, Conversation)
    system, *shown = beginning.turns
    for skill in domain.skills:
        assert signature(skill) in system.text and skill.description in system.text
    assert len(shown) == 2 * len(domain.examples)
    for example, asked, answered in zip(domain.examples, shown[::2], shown[1::2], strict=True):
        assert asked.text.endswith(f"Instruction: {one_line(example.instruction)}")
        assert answered.text == example.program.strip()


def told_of(name: str) -> Surroundings:
    return site_for(domain_of(name), None).surroundings
