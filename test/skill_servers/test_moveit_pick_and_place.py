"""The steps of a pick and a place: order, failures, tries again, and a cancel at every one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from gantry import Gantry

from roboinstruct_ros.domain.configuration import load_yaml
from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.skill_servers.kit.rotation import Placement, Vector
from roboinstruct_ros.skill_servers.moveit.arm import ArmFault, ArmProblem
from roboinstruct_ros.skill_servers.moveit.grasp_config import GraspsEntry, SpotEntry
from roboinstruct_ros.skill_servers.moveit.grasp_plan import Box
from roboinstruct_ros.skill_servers.moveit.manipulation_goal import Job, PickSettings
from roboinstruct_ros.skill_servers.moveit.pick_and_place import PickAndPlace
from roboinstruct_ros.skill_servers.perception.object_name_match import load_object_names

TABLE = Box("table", Placement((0.7, 0.0, 0.35)), (0.6, 1.0, 0.7), "table 1")
APPLE = Box("apple", Placement((0.6, 0.1, 0.74)), (0.07, 0.07, 0.08), "apple 2")
GRASPS = load_yaml(shared_file("config/grasps.yaml"), GraspsEntry)
NAMES = load_object_names(shared_file("config/object_names.yaml"))
MOTIONS = ("execute", "open", "close")


def hands(gantry: Gantry, **settings: object) -> PickAndPlace:
    given = PickSettings(**settings)  # type: ignore[arg-type]
    return PickAndPlace(gantry, gantry, gantry, gantry, GRASPS, NAMES, given)


def room(**more: object) -> Gantry:
    return Gantry([TABLE, APPLE], **more)  # type: ignore[arg-type]


def test_a_pick_and_a_place_take_their_steps_in_order() -> None:
    gantry = room()
    robot = hands(gantry, carry="home")
    assert robot.pick("apple", Job()) is None
    assert gantry.calls == [
        "open", "show", "plan_to", "execute", "show", "plan_line", "execute", "close", "attach",
        "plan_line", "execute", "close", "plan_named", "execute",
    ]  # fmt: skip
    assert gantry.attached == ["apple 2"] and gantry.scene == ["table 1"]
    assert gantry.moved[1] == APPLE.placement.position
    assert robot.held is not None and robot.held.box == APPLE
    gantry.calls.clear()
    gantry.things.remove(APPLE)
    assert robot.place("apple", Job()) is None
    assert gantry.calls == [
        "close", "show", "plan_to", "execute", "plan_line", "execute", "open", "detach",
        "plan_line", "execute", "show",
    ]  # fmt: skip
    assert robot.held is None and gantry.attached == []
    assert gantry.scene == ["table 1", "apple 2"]


def test_what_cannot_be_is_refused_before_anything_moves() -> None:
    gantry = room()
    robot = hands(gantry)
    assert code(robot.pick(" ", Job())) == SkillErrorCode.INVALID_ARGUMENT
    assert code(robot.pick("unicorn", Job())) == SkillErrorCode.OBJECT_NOT_FOUND
    assert code(robot.place("apple", Job())) == SkillErrorCode.HAND_EMPTY
    assert gantry.calls == []
    gantry.things.append(Box("melon", Placement((0.5, 0.0, 0.8)), (0.2, 0.2, 0.2)))
    fault = robot.pick("melon", Job())
    assert code(fault) == SkillErrorCode.GRASP_FAILED and "0.200 m wide" in fault.message  # type: ignore[union-attr]
    assert robot.pick("apple", Job()) is None
    gantry.calls.clear()
    assert code(robot.pick("apple", Job())) == SkillErrorCode.HAND_FULL
    assert code(robot.place("cup", Job())) == SkillErrorCode.HAND_EMPTY
    assert gantry.calls == []


def test_without_a_way_the_next_grasp_is_tried_and_their_number_is_bounded() -> None:
    tried: list[Vector] = []

    def refuse(kind: str, goal: Vector) -> bool:
        tried.append(goal)
        return kind == "plan_to" and len(tried) < 4

    gantry = room(refuses=refuse)
    assert hands(gantry).pick("apple", Job()) is None
    gantry = room(refuses=lambda kind, goal: True)
    fault = hands(gantry, candidates=5, attempts=2).pick("apple", Job())
    assert code(fault) == SkillErrorCode.GRASP_FAILED and "no way" in fault.message  # type: ignore[union-attr]
    assert gantry.calls.count("plan_to") == 10 and "execute" not in gantry.calls


def test_a_grasp_that_misses_is_tried_again_and_one_that_slips_too() -> None:
    gantry = room(closes_to=[0.0, 0.07])
    assert hands(gantry).pick("apple", Job()) is None
    gantry = room(closes_to=[0.07, 0.0, 0.07, 0.07])
    robot = hands(gantry)
    assert robot.pick("apple", Job()) is None
    assert gantry.attached == ["apple 2"]
    gantry = room(closes_to=[0.0])
    robot = hands(gantry, attempts=3)
    fault = robot.pick("apple", Job())
    assert code(fault) == SkillErrorCode.GRASP_FAILED and "could not be grasped" in fault.message  # type: ignore[union-attr]
    assert gantry.calls.count("close") == 3
    assert robot.held is None and gantry.attached == []
    gantry = room(closes_to=[0.07, 0.01])
    fault = hands(gantry, attempts=1).pick("apple", Job())
    assert code(fault) == SkillErrorCode.GRASP_FAILED and "slipped" in fault.message  # type: ignore[union-attr]
    assert gantry.attached == []


def test_a_second_grasp_goes_to_where_the_thing_lies_now() -> None:
    gantry = room(closes_to=[0.0, 0.07, 0.07])
    moved = replace(APPLE, placement=Placement((0.6, 0.2, 0.74)))
    looks = []

    def seen(name: str, moment: float) -> bool:
        looks.append(name)
        if len(looks) == 2:  # what was seen before the hand was there counts no more
            gantry.things[1] = moved
        return len(looks) > 1

    gantry.seen_since = seen  # type: ignore[method-assign]
    robot = hands(gantry)
    assert robot.pick("apple", Job()) is None
    assert looks == ["apple", "apple"]
    assert robot.held is not None and robot.held.box == moved


def test_fingers_that_hold_something_of_another_width_hold_something_else() -> None:
    gantry = room(closes_to=[0.03])
    assert code(hands(gantry).pick("apple", Job())) == SkillErrorCode.GRASP_FAILED


def test_what_was_lost_on_the_way_is_not_placed() -> None:
    gantry = room()
    robot = hands(gantry)
    assert robot.pick("apple", Job()) is None
    gantry.closes_to = [0.0]
    gantry.calls.clear()
    fault = robot.place("apple", Job())
    assert code(fault) == SkillErrorCode.HAND_EMPTY and "not in the hand any more" in fault.message  # type: ignore[union-attr]
    assert "execute" not in gantry.calls
    assert robot.held is None and gantry.attached == []


@pytest.mark.parametrize("stuck", [0.07, 0.0, float("nan")])
def test_what_a_jammed_gripper_does_not_release_is_held_still_and_the_hand_stays(
    stuck: float,
) -> None:
    gantry = room()
    robot = hands(gantry)
    assert robot.pick("apple", Job()) is None
    gantry.opens_to = stuck
    gantry.calls.clear()
    fault = robot.place("apple", Job())
    assert code(fault) == SkillErrorCode.PLACE_FAILED and "does not open" in fault.message  # type: ignore[union-attr]
    if stuck == 0.07:
        assert "0.070 m apart (held up with 10 N), not 0.080 m" in fault.message  # type: ignore[union-attr]
    assert "execute" not in gantry.calls[gantry.calls.index("open") :]
    assert robot.held is not None and gantry.attached == ["apple 2"]
    gantry.opens_to = None
    assert robot.place("apple", Job()) is None
    assert robot.held is None and gantry.attached == []


def test_a_gripper_that_does_not_open_takes_nothing_and_moves_nothing() -> None:
    gantry = room(opens_to=0.03)
    robot = hands(gantry)
    fault = robot.pick("apple", Job())
    assert code(fault) == SkillErrorCode.GRASP_FAILED and "does not open" in fault.message  # type: ignore[union-attr]
    assert "execute" not in gantry.calls and robot.held is None and gantry.attached == []


@pytest.mark.parametrize("closes_to", [[0.03], [0.07, 0.0]])
def test_fingers_that_jam_after_a_failed_grasp_may_hold_it_and_withdraw_nowhere(
    closes_to: list[float],
) -> None:
    gantry = room(closes_to=closes_to)
    robot = hands(gantry)

    def jam(step: str) -> None:
        if step == "close":
            gantry.opens_to = 0.0

    gantry.before = jam
    fault = robot.pick("apple", Job())
    assert code(fault) == SkillErrorCode.GRASP_FAILED and "does not open" in fault.message  # type: ignore[union-attr]
    assert "execute" not in gantry.calls[gantry.calls.index("open", 1) :]
    assert robot.held is not None and gantry.attached == ["apple 2"]
    gantry.opens_to, gantry.before, gantry.closes_to = None, lambda step: None, [0.0, 0.07]
    assert robot.pick("apple", Job()) is None  # empty after all, as the fingers say


def test_without_a_free_spot_the_thing_stays_in_the_hand() -> None:
    gantry = room()
    robot = hands(gantry)
    assert robot.pick("apple", Job()) is None
    gantry.things.remove(TABLE)
    fault = robot.place("apple", Job())
    assert code(fault) == SkillErrorCode.PLACE_FAILED and "no free spot" in fault.message  # type: ignore[union-attr]
    assert robot.held is not None and gantry.attached == ["apple 2"]


def test_where_no_free_spot_can_be_reached_the_fixed_ones_are_tried() -> None:
    tray = SpotEntry(x=0.3, y=-0.4, z=0.5)
    place = GRASPS.place.model_copy(update={"fixed": (tray,)})
    grasps = GRASPS.model_copy(update={"place": place})
    gantry = room()
    robot = PickAndPlace(gantry, gantry, gantry, gantry, grasps, NAMES, PickSettings())
    assert robot.pick("apple", Job()) is None
    gantry.refuses = lambda kind, goal: goal[:2] != (tray.x, tray.y)
    assert robot.place("apple", Job()) is None
    assert gantry.moved[-1][:2] == (tray.x, tray.y) and robot.held is None


@pytest.mark.parametrize("skill", ["pick", "place"])
def test_a_cancel_at_any_step_is_the_last_motion_and_the_scene_stays_true(skill: str) -> None:
    steps = len(_steps_of(skill))
    for index in range(steps):
        gantry = room()
        robot = hands(gantry)
        if skill == "place":
            assert robot.pick("apple", Job()) is None
        gantry.calls.clear()
        job = Job()
        left = [index]

        def cancel_here(step: str, left: list[int] = left, job: Job = job) -> None:
            if left[0] == 0:
                job.cancelled.set()
            left[0] -= 1

        gantry.before = cancel_here
        fault = getattr(robot, skill)("apple", job)
        assert code(fault) == SkillErrorCode.CANCELED, index
        after = gantry.calls[index + 1 :]
        assert not [call for call in after if call in MOTIONS], (index, after)
        assert gantry.attached == ([robot.held.box.id] if robot.held else []), index
        # what is left of it is found out before anything else is done
        gantry.before = lambda step: None
        gantry.closes_to = [0.0] if index % 2 else [0.07]
        again = robot.pick("apple", Job())
        if robot.held is not None:
            assert again is None or again.code is SkillErrorCode.HAND_FULL
            assert gantry.attached == ["apple 2"]
        else:
            assert code(again) == SkillErrorCode.GRASP_FAILED and gantry.attached == []


def _steps_of(skill: str) -> list[str]:
    gantry = room()
    robot = hands(gantry)
    assert robot.pick("apple", Job()) is None
    if skill == "place":
        gantry.calls.clear()
        assert robot.place("apple", Job()) is None
    return list(gantry.calls)


def test_an_arm_that_moved_since_the_plan_is_not_moved_again() -> None:
    gantry = room()

    def pushed(step: str) -> None:
        if step == "execute":
            raise AssertionError("the arm was moved")

    gantry.before = pushed
    gantry.positions = lambda: {"rail_x": 9.0, "rail_y": 0.0, "rail_z": 1.2}  # type: ignore[method-assign]
    fault = hands(gantry).pick("apple", Job())
    assert code(fault) == SkillErrorCode.GRASP_FAILED
    assert "nothing was moved" in fault.message and "'rail_x'" in fault.message  # type: ignore[union-attr]


def test_an_arm_that_still_swings_is_planned_for_again() -> None:
    gantry = room()
    real, asked = gantry.positions, []

    def swinging() -> dict[str, float]:
        asked.append(1)
        aside = 0.05 if len(asked) == 1 else 0.0
        return {name: position + aside for name, position in real().items()}

    gantry.positions = swinging  # type: ignore[method-assign]
    assert hands(gantry).pick("apple", Job()) is None
    assert gantry.calls[:5] == ["open", "show", "plan_to", "plan_to", "execute"]


@pytest.mark.parametrize(
    ("problem", "wanted"),
    [
        (ArmProblem.LOST, SkillErrorCode.SERVER_UNAVAILABLE),
        (ArmProblem.NOT_READY, SkillErrorCode.SERVER_UNAVAILABLE),
        (ArmProblem.NOT_EXECUTED, SkillErrorCode.GRASP_FAILED),
        (ArmProblem.STOPPED, SkillErrorCode.GRASP_FAILED),
    ],
)
def test_each_problem_of_the_arm_has_its_code(problem: ArmProblem, wanted: SkillErrorCode) -> None:
    def broken(step: str) -> None:
        if step == "execute":
            raise ArmFault(problem, "scripted")

    gantry, stopped = room(before=broken), []
    robot = PickAndPlace(
        gantry, gantry, gantry, gantry, GRASPS, NAMES, PickSettings(),
        lost=lambda: stopped.append("all"),
    )  # fmt: skip
    fault = robot.pick("apple", Job())
    assert code(fault) == wanted and fault.message == "scripted"  # type: ignore[union-attr]
    assert stopped == (["all"] if problem is ArmProblem.LOST else []), "it may still move"


def code(fault: object) -> SkillErrorCode | None:
    return getattr(fault, "code", None)
