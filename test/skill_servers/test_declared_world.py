"""A simulated world does what its domain file declares, and nothing else."""

from __future__ import annotations

import math
from typing import Any

import pytest

from roboinstruct_msgs.action import CallSkill
from roboinstruct_ros.domain.simulation import Simulation
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.skills import Domain, domain_named, load_domain
from roboinstruct_ros.nodes.skill_interfaces import interface_of
from roboinstruct_ros.skill_servers.declared.world import DeclaredWorld

ARM, CALENDAR = domain_named("arm"), domain_named("calendar")
OPEN = Simulation()


class Robot:
    """Calls skills one after another."""

    def __init__(self, domain: Domain, simulation: Simulation | None = None, **given: Any) -> None:
        self.domain = domain
        self.world = DeclaredWorld(domain, simulation or domain.simulation, **given)

    def __call__(self, skill: str, *values: Any) -> Any:
        """What the skill answers, or its fault."""
        known = self.domain.skill(skill)
        arguments = dict(zip(known.parameter_names, values, strict=True))
        return self.world.fault(known, arguments) or self.world.do(known, arguments)


def test_effects_change_what_skills_answer_and_need() -> None:
    arm = Robot(ARM)
    assert arm("is_on_table", "the Cup") is True and arm("is_on_table", "glass") is False
    assert arm("pick", "left hand", "cup") is None
    assert arm("is_on_table", "cup") is False
    full = arm("pick", "left hand", "spoon")
    assert (full.code, full.message) == (
        SkillErrorCode.HAND_FULL, "the left hand cannot pick the spoon up: it already holds the cup"
    )  # fmt: skip
    assert arm("pick", "right hand", "cup").code is SkillErrorCode.OBJECT_NOT_FOUND
    assert arm("place", "left hand", "cup") is None
    assert arm("is_on_table", "cup") is True
    assert "on_table(cup)" in arm.world.state()["holds"]


def test_a_quantity_stays_within_its_range() -> None:
    arm = Robot(ARM)
    assert arm("rotate", "left hand", math.pi / 6) is None
    too_far = arm("rotate", "left hand", 0.1)
    assert too_far.code is SkillErrorCode.INVALID_ARGUMENT
    assert "stands at 0.524 rad" in too_far.message
    assert arm("rotate", "right hand", 0.1) is None, "the other hand stands where it stood"
    assert arm.world.state()["quantities"] == {
        "angle(left hand)": pytest.approx(math.pi / 6), "angle(right hand)": pytest.approx(0.1),
    }  # fmt: skip


def test_a_slot_is_taken_once() -> None:
    calendar = Robot(CALENDAR)
    assert calendar("schedule_on_calendar", "talk", "9:30 am", "1 hr") is None
    taken = calendar("schedule_on_calendar", "lunch", "10:00 am", "1 hr")
    assert taken.code is SkillErrorCode.INVALID_ARGUMENT and "9:30 am to 10:30 am" in taken.message
    assert calendar("is_on_calendar", "lunch") is False, "what failed has changed nothing"
    assert calendar.world.state()["timelines"] == {"calendar": ["talk: 9:30 am to 10:30 am"]}


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (
            ("third hand", "cup"),
            "there is no gripper 'third hand'; there are left hand, right hand",
        ),
        (("left hand", ""), "obj is empty"),
        (("left hand", 3), "obj must be a text, not a number"),
    ],
)
def test_arguments_that_are_none(values: tuple[Any, ...], words: str) -> None:
    fault = Robot(ARM)("pick", *values)
    assert fault.code is SkillErrorCode.INVALID_ARGUMENT and fault.message == words


def test_an_argument_that_the_skill_does_not_have_is_refused() -> None:
    """In the JSON of a goal that somebody sends by hand."""
    world = Robot(ARM).world
    skill = ARM.skill("pick")
    fault = world.fault(skill, {"gripper": "left hand", "obj": "cup", "speed": 1})
    assert fault is not None and fault.code is SkillErrorCode.INVALID_ARGUMENT
    assert fault.message == "pick has no argument 'speed'"


def test_json_that_is_nested_too_deeply_is_one_line() -> None:
    goal = CallSkill.Goal(arguments="[" * 100_000)
    with pytest.raises(ValueError, match="too many brackets"):
        interface_of(ARM.skill("pick")).arguments(goal)


def test_what_nobody_has_said_is_drawn_from_the_seed() -> None:
    things = [f"thing {number}" for number in range(40)]

    def seen(order: list[str], seed: int) -> dict[str, Any]:
        arm = Robot(ARM, OPEN, seed=seed)
        return {thing: arm("is_on_table", thing) for thing in order}

    first = seen(things, 1)
    assert set(first.values()) == {True, False}
    assert seen(things[::-1], 1) == first, "whatever is asked first"
    assert seen(things, 2) != first


def test_a_robot_with_rooms_begins_in_the_first_one() -> None:
    domain = load_domain()
    robot = Robot(domain, Simulation(holds=("in_room(apple, kitchen)",), chance=0),
                  rooms=("Hall", "kitchen"))  # fmt: skip
    assert robot("get_current_location") == "Hall"
    assert robot("get_all_rooms") == ["Hall", "kitchen"]
    assert robot("is_in_room", "apple") is False
    assert robot("go_to", "cellar").code is SkillErrorCode.UNKNOWN_LOCATION
    assert robot("go_to", "Kitchen") is None
    assert robot("is_in_room", "apple") is True
    assert robot("pick", "apple") is None
    assert robot("get_current_location") == "kitchen"


def test_a_question_is_answered_by_one_of_its_options() -> None:
    robot = Robot(load_domain(), Simulation(chance=1), rooms=("hall",))
    answers = {robot("ask", "Bob", f"Question {number}?", ["yes", "no"]) for number in range(20)}
    assert answers == {"yes", "no"}
