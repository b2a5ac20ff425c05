"""A model is told of the robot that its domain file describes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from scripted_backend import ScriptedBackend

from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.domain.skills import domain_named, load_domain
from roboinstruct_ros.generate.generator import Generator, LoadError
from roboinstruct_ros.generate.prompts.examples import EXAMPLES
from roboinstruct_ros.generate.prompts.prompt import prompt_format
from roboinstruct_ros.generate.prompts.robot_words import API, robot_words
from roboinstruct_ros.generate.site import site_for
from roboinstruct_ros.verify.service.worker import VerifierWorker
from roboinstruct_ros.verify.verifier import verify

OTHERS = ("arm", "calendar")


def test_the_service_robot_is_told_of_in_the_papers_words() -> None:
    words = robot_words(load_domain())
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


@pytest.mark.parametrize("name", OTHERS)
def test_the_examples_of_a_domain_are_right_and_use_all_of_it(name: str) -> None:
    domain = domain_named(name)
    for example in domain.examples:
        verdict = verify(example.program, domain)
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
