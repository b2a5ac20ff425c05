"""The arm of MoveIt before stand-ins that take the calls of its bindings, and no others.

Messages are those of moveit_msgs and shape_msgs. MoveIt's own code does not run here.
"""

from __future__ import annotations

import math
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
import robot_interfaces  # noqa: F401
from geometry_msgs.msg import Pose
from moveit_facts import CALLS, VALUES, Strict, bind
from moveit_msgs.msg import CollisionObject

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.skill_servers.kit.rotation import UP, Placement, about
from roboinstruct_ros.skill_servers.moveit import moveit_arm
from roboinstruct_ros.skill_servers.moveit.arm import ArmFault, ArmProblem
from roboinstruct_ros.skill_servers.moveit.grasp_plan import Box
from roboinstruct_ros.skill_servers.moveit.moveit_arm import MoveItArm, MoveItSettings

APPLE = Box("apple", Placement((1.0, 2.0, 0.8)), (0.07, 0.07, 0.08), "apple 1")
ROBOT = Placement((3.5, 1.0, 0.0), about(UP, math.pi / 2))
"""Where the planning frame is in frame `map` at first."""


class StandIn:
    """MoveIt as the arm sees it; its tip goes wherever the goal was, in two points."""

    def __init__(self, frame: str = "base_link", knows_map: bool = True) -> None:
        self.error, self.status, self.reachable, self.duration = 1, "SUCCEEDED", True, 1.5
        self.tip = Placement()
        self.robot, self._knows_map = ROBOT, knows_map
        self.known: Placement | None = None
        """Where the robot was when the scene's transforms were updated last."""
        self.scene = Strict(
            "PlanningScene",
            knows_frame_transform=lambda frame_id: self.known is not None and frame_id == "map",
            get_frame_transform=lambda frame_id: _matrix(self.known.inverse()),
        )
        self.scene.planning_frame = frame
        self.scene.current_state = Strict("RobotState")
        self.component = Strict(
            "PlanningComponent", set_goal_state=self._goal, plan=lambda **_: self._response()
        )
        monitor = Strict(
            "PlanningSceneMonitor",
            read_only=self._scene,
            read_write=self._scene,
            update_frame_transforms=self._update,
        )
        self.execution = Strict("TrajectoryExecutionManager")
        self.moveit = Strict(
            "MoveItPy",
            get_planning_component=lambda planning_component_name: self.component,
            get_planning_scene_monitor=lambda: monitor,
            get_trajectory_execution_manager=lambda: self.execution,
            execute=lambda **_: Status(self.status),
        )
        self.requests: list[Strict] = []

    def parameters(self, *args: Any, **named: Any) -> Strict:
        bind("PlanRequestParameters.__init__", args, named)
        self.requests.append(Strict("PlanRequestParameters"))
        return self.requests[-1]

    def _update(self) -> None:
        self.known = self.robot if self._knows_map else None

    @contextmanager
    def _scene(self) -> Any:
        yield self.scene

    def _goal(self, **given: Any) -> bool:
        if "pose_stamped_msg" in given:
            assert given["pose_stamped_msg"].header.frame_id == self.scene.planning_frame
            self.tip = given["pose_stamped_msg"].pose
        return self.reachable

    def _response(self) -> Any:
        return Response(self.error, Trajectory(self.tip, self.duration))


class Response(SimpleNamespace):
    def __init__(self, error: int, trajectory: Any) -> None:
        super().__init__(error_code=SimpleNamespace(val=error), trajectory=trajectory)

    def __bool__(self) -> bool:
        return bool(self.error_code.val == 1)


class Status(SimpleNamespace):
    def __init__(self, status: str) -> None:
        super().__init__(status=status)

    def __bool__(self) -> bool:
        return bool(self.status == "SUCCEEDED")


class Trajectory:
    def __init__(self, tip: Any, duration: float) -> None:
        self.duration = duration
        poses = (Pose(), tip)
        self._states = [Strict("RobotState", get_pose=lambda link_name, p=p: p) for p in poses]

    def __iter__(self) -> Any:
        return iter(self._states)

    def __len__(self) -> int:
        return len(self._states)

    def get_robot_trajectory_msg(self, *args: Any, **named: Any) -> Any:
        bind("RobotTrajectory.get_robot_trajectory_msg", args, named)
        points = [SimpleNamespace(positions=[0.1, 0.2])]
        return SimpleNamespace(
            joint_trajectory=SimpleNamespace(joint_names=["a", "b"], points=points)
        )


def arm(stand_in: StandIn, **settings: Any) -> MoveItArm:
    return MoveItArm(stand_in.moveit, stand_in.parameters, MoveItSettings(**settings))


def _matrix(placement: Placement) -> list[list[float]]:
    from roboinstruct_ros.skill_servers.kit.rotation import rotate

    axes = [
        rotate(placement.orientation, axis)
        for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    ]
    return [[axes[c][r] for c in range(3)] + [placement.position[r]] for r in range(3)]


def test_a_way_says_where_it_begins_and_where_it_leads_in_frame_map() -> None:
    stand_in = StandIn()
    way = arm(stand_in).plan(APPLE.placement)
    # one metre ahead of the robot and two and a half to its left
    at = stand_in.tip.position  # type: ignore[union-attr]
    assert (at.x, at.y, at.z) == pytest.approx((1.0, 2.5, 0.8))  # type: ignore[union-attr]
    assert way.tips[-1] == pytest.approx(APPLE.placement.position)
    assert way.start == {"a": 0.1, "b": 0.2} and (way.points, way.duration) == (2, 1.5)
    assert stand_in.component.calls[0][0] == "set_start_state_to_current_state"


def test_straight_ways_have_their_own_planner_and_speed() -> None:
    stand_in = StandIn()
    moving = arm(stand_in, velocity_scaling=0.3, line_velocity_scaling=0.05)
    anyhow, line = stand_in.requests
    assert (anyhow.planning_pipeline, anyhow.max_velocity_scaling_factor) == ("ompl", 0.3)
    assert (line.planning_pipeline, line.planner_id) == ("pilz_industrial_motion_planner", "LIN")
    assert line.max_velocity_scaling_factor == 0.05
    moving.plan(APPLE.placement, line=True)
    assert stand_in.component.calls[-1][1]["single_plan_parameters"] is line
    tolerance = [call for call in stand_in.execution.calls if "tolerance" in call[0]]
    assert tolerance == [("set_allowed_start_tolerance", {"tolerance": 0.02})]


@pytest.mark.parametrize(
    ("error", "said"), [(-31, "does not reach"), (-1, "no plan"), (-99, "-99")]
)
def test_a_failed_plan_says_why_in_words(error: int, said: str) -> None:
    stand_in = StandIn()
    stand_in.error = error
    with pytest.raises(ArmFault) as fault:
        arm(stand_in).plan(APPLE.placement)
    assert fault.value.problem is ArmProblem.NO_PLAN and said in str(fault.value)


@pytest.mark.parametrize(
    ("status", "problem"),
    [("PREEMPTED", ArmProblem.STOPPED), ("TIMED_OUT", ArmProblem.NOT_EXECUTED)],
)
def test_a_motion_that_did_not_get_there_says_so(status: str, problem: ArmProblem) -> None:
    stand_in = StandIn()
    moving = arm(stand_in)
    way = moving.plan(APPLE.placement)
    moving.execute(way)
    assert stand_in.moveit.calls[-1] == (
        "execute",
        {"robot_trajectory": way.trajectory, "controllers": []},
    )
    stand_in.status = status
    with pytest.raises(ArmFault) as fault:
        moving.execute(way)
    assert fault.value.problem is problem
    moving.stop()
    assert stand_in.execution.calls[-1] == ("stop_execution", {})


def test_the_scene_is_told_what_is_new_what_moved_and_what_is_gone() -> None:
    stand_in = StandIn()
    moving = arm(stand_in, tip="hand", touch_links=("finger",))
    cup = Box("cup", Placement((1.5, 2.0, 0.8)), (0.07, 0.07, 0.1), "cup 2")
    moving.show([APPLE, cup])
    moving.show([Box("apple", cup.placement, APPLE.size, "apple 1"), cup])
    moving.show([cup])
    calls = [g for call, g in stand_in.scene.calls if call == "apply_collision_object"]
    messages = [given["collision_object_msg"] for given in calls]
    told = [(message.id, message.operation) for message in messages]
    add, remove = CollisionObject.ADD, CollisionObject.REMOVE
    assert told[:2] == [("apple 1", add), ("cup 2", add)]
    assert told[2:] == [("apple 1", add), ("apple 1", remove)]
    at = messages[0].primitive_poses[0].position
    assert (at.x, at.y, at.z) == pytest.approx((1.0, 2.5, 0.8))
    assert list(messages[0].primitives[0].dimensions) == [0.07, 0.07, 0.08]
    moving.attach(APPLE)
    attached = stand_in.scene.calls[-1][1]["object"]
    assert (attached.link_name, attached.object.id) == ("hand", "apple 1")
    assert attached.touch_links == ["hand", "finger"]
    moving.detach(APPLE)
    assert stand_in.scene.calls[-1][1]["object"].object.operation == remove


def test_after_a_drive_obstacles_stand_where_they_are_seen_from_there() -> None:
    stand_in = StandIn()
    moving = arm(stand_in)
    moving.show([APPLE])  # the first call of a pick: no plan has updated the transforms
    stand_in.robot = Placement((1.0, 1.0, 0.0))
    moving.show([APPLE])
    moving.show([APPLE])
    calls = [g for call, g in stand_in.scene.calls if call == "apply_collision_object"]
    found = [given["collision_object_msg"].primitive_poses[0].position for given in calls]
    places = [(at.x, at.y, at.z) for at in found]
    assert places == [pytest.approx((1.0, 2.5, 0.8)), pytest.approx((0.0, 1.0, 0.8))]


def test_a_map_that_moveit_does_not_know_is_no_identity() -> None:
    with pytest.raises(ArmFault) as fault:
        arm(StandIn(knows_map=False)).plan(APPLE.placement)
    assert fault.value.problem is ArmProblem.NOT_READY and "frame 'map'" in str(fault.value)
    assert arm(StandIn("map", knows_map=False)).plan(APPLE.placement).points == 2


def test_every_name_that_is_used_is_one_of_the_bindings() -> None:
    kinds = [pair for names in moveit_arm.USED.values() for pair in names.items()]
    used = {(kind, name) for kind, names in kinds for name in names.split()}
    known = {tuple(call.split(".")) for call in CALLS}
    known |= {(kind, name) for kind, values in VALUES.items() for name in values}
    assert used <= known


def test_without_a_configuration_of_the_robot_one_line_says_what_to_give() -> None:
    with pytest.raises(ConfigError, match=r"needs moveit_py|name the package"):
        moveit_arm.make({})
