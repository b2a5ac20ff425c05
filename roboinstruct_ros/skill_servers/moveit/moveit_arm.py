"""The arm of MoveIt 2 through its Python bindings; runs in the arm's process only.

Constraints from the bindings' source (moveit_py, branch jazzy): `execute` and `stop_execution`
release the GIL, `plan` does not; `execute` needs its `controllers`; a stop before the execution has
begun does nothing; `get_frame_transform` returns identity for an unknown frame; straight
trajectories come from the LIN planner of Pilz.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.option import option
from roboinstruct_ros.names import MAP_FRAME, MOVEIT_SKILLS_NODE
from roboinstruct_ros.skill_servers.kit.robot_packages import robot_module
from roboinstruct_ros.skill_servers.kit.rotation import Placement, matrix_placement
from roboinstruct_ros.skill_servers.moveit.arm import ArmFault, ArmProblem, NotYet, Plan
from roboinstruct_ros.skill_servers.moveit.configuration import (
    DESCRIPTION,
    as_file,
    of_package,
    waits_for_joints,
)
from roboinstruct_ros.skill_servers.moveit.grasp_plan import Box

WORDS = {
    99999: "planning failed",
    -1: "no plan was found",
    -2: "the plan is invalid, something has moved",
    -6: "planning took too long",
    -10: "the arm touches something where it is now",
    -12: "the hand would touch something there",
    -15: "the robot has no such group of joints",
    -21: "a frame is not known",
    -31: "the arm does not reach there",
}
"""Messages for the codes of moveit_msgs/MoveItErrorCodes."""

USED = {
    "moveit.planning": {
        "MoveItPy": "execute get_planning_component get_planning_scene_monitor get_robot_model "
        "get_trajectory_execution_manager",
        "PlanRequestParameters": "planning_pipeline planner_id planning_attempts planning_time "
        "max_velocity_scaling_factor max_acceleration_scaling_factor",
        "PlanningComponent": "set_start_state_to_current_state set_goal_state plan",
        "PlanningSceneMonitor": "read_only read_write update_frame_transforms",
        "TrajectoryExecutionManager": "stop_execution set_allowed_start_tolerance",
    },
    "moveit.core.planning_scene": {
        "PlanningScene": "planning_frame current_state knows_frame_transform get_frame_transform "
        "apply_collision_object process_attached_collision_object"
    },
    "moveit.core.robot_model": {"RobotModel": "has_joint_model_group joint_model_group_names"},
    "moveit.core.robot_state": {"RobotState": "update get_pose"},
    "moveit.core.robot_trajectory": {
        "RobotTrajectory": "get_robot_trajectory_msg duration __iter__ __len__"
    },
}
"""Every name of the bindings that is used here; `roboinstruct doctor --robot` checks for them."""


@dataclass(frozen=True)
class MoveItSettings:
    """Settings for MoveIt; `namespace` is the node's, `start_tolerance` that of `MotionLimits`."""

    namespace: str = ""
    start_tolerance: float = 0.02
    package: str = option("", "package of the robot's MoveIt configuration")
    robot_name: str = option(
        "", "robot name in the configuration; empty: the package's name without _moveit_config"
    )
    parameter_files: tuple[str, ...] = option(
        (), "YAML files with MoveIt's parameters, instead of a package"
    )
    group: str = option("arm", "MoveIt's planning group of the arm")
    tip: str = option("tool0", "link that moves to the target poses")
    touch_links: tuple[str, ...] = option((), "links that may touch what the hand holds")
    pipeline: str = option("ompl", "planning pipeline for unconstrained motions")
    planner: str = option("", "planner for unconstrained motions; empty: the pipeline's default")
    line_pipeline: str = option(
        "pilz_industrial_motion_planner", "planning pipeline for straight lines"
    )
    line_planner: str = option("LIN", "planner for straight lines")
    planning_time: float = option(3.0, "MoveIt's time limit for one plan", 0.1, 60.0, "s")
    planning_attempts: int = option(3, "MoveIt's own attempts for one plan", 1, 50)
    velocity_scaling: float = option(0.2, "fraction of the arm's maximum speed", 0.01, 1.0)
    acceleration_scaling: float = option(
        0.2, "fraction of the arm's maximum acceleration", 0.01, 1.0
    )
    line_velocity_scaling: float = option(
        0.1, "fraction of the arm's maximum speed on straight lines, near things", 0.01, 1.0
    )


class MoveItArm:
    """An `Arm` in MoveIt's process; calls come from one thread, `stop` from any."""

    def __init__(self, moveit: Any, parameters: Any, settings: MoveItSettings) -> None:
        """Take a MoveItPy and the class PlanRequestParameters."""
        self._moveit, self._settings = moveit, settings
        self._component = moveit.get_planning_component(settings.group)
        self._monitor = moveit.get_planning_scene_monitor()
        self._execution = moveit.get_trajectory_execution_manager()
        self._execution.set_allowed_start_tolerance(settings.start_tolerance)
        self._any = self._request(parameters, settings.pipeline, settings.planner)
        self._line = self._request(parameters, settings.line_pipeline, settings.line_planner)
        self._line.max_velocity_scaling_factor = settings.line_velocity_scaling
        self._shown: dict[str, tuple[Box, Placement] | None] = {}
        """The obstacles, and where `map` was in the planning frame when they were added."""

    def plan(self, goal: Placement | str, line: bool = False) -> Plan:
        self._monitor.update_frame_transforms()
        with self._monitor.read_only() as scene:
            in_map, frame = self._map_in(scene), scene.planning_frame
        self._component.set_start_state_to_current_state()
        if isinstance(goal, str):
            found = self._component.set_goal_state(configuration_name=goal)
            missing = f"the arm has no state named '{goal}'"
        else:
            pose = _stamped(in_map.of(goal), frame)
            tip = self._settings.tip
            found = self._component.set_goal_state(pose_stamped_msg=pose, pose_link=tip)
            missing = "the arm does not reach there"
        if not found:
            raise ArmFault(ArmProblem.NO_PLAN, missing)
        return self._plan(self._line if line else self._any, in_map)

    def execute(self, plan: Plan) -> None:
        status = self._moveit.execute(plan.trajectory, controllers=[])
        if not status:
            message = f"the arm did not get there: {str(status.status).lower()}"
            stopped = str(status.status).upper() == "PREEMPTED"
            problem = ArmProblem.STOPPED if stopped else ArmProblem.NOT_EXECUTED
            raise ArmFault(problem, message)

    def stop(self) -> None:
        self._execution.stop_execution()

    def show(self, boxes: Sequence[Box]) -> None:
        self._monitor.update_frame_transforms()  # takes the scene's lock too
        with self._monitor.read_write() as scene:
            frame = self._map_in(scene)
            wanted = {box.id: (box, frame) for box in boxes}
            for name in self._shown.keys() - wanted.keys():
                scene.apply_collision_object(_object(name, scene.planning_frame, "REMOVE"))
            for name, added in wanted.items():
                if self._shown.get(name) != added:
                    scene.apply_collision_object(_added(*added, scene.planning_frame))
            scene.current_state.update()
        self._shown = {**wanted}

    def attach(self, box: Box) -> None:
        with self._monitor.read_write() as scene:
            thing = _added(box, self._map_in(scene), scene.planning_frame)
            self._hold(scene, thing, [self._settings.tip, *self._settings.touch_links])
        self._shown.pop(box.id, None)

    def detach(self, box: Box) -> None:
        with self._monitor.read_write() as scene:
            self._hold(scene, _object(box.id, scene.planning_frame, "REMOVE"), [])
        self._shown[box.id] = None  # an obstacle where the hand released it

    def _hold(self, scene: Any, thing: Any, touching: list[str]) -> None:
        """Attach an object to the tip or detach it, according to its operation."""
        from moveit_msgs.msg import AttachedCollisionObject

        held = AttachedCollisionObject(
            link_name=self._settings.tip, object=thing, touch_links=touching
        )
        scene.process_attached_collision_object(held)
        scene.current_state.update()

    def _request(self, parameters: Any, pipeline: str, planner: str) -> Any:
        request = parameters(self._moveit, "")
        request.planning_pipeline, request.planner_id = pipeline, planner
        request.planning_time = self._settings.planning_time
        request.planning_attempts = self._settings.planning_attempts
        request.max_velocity_scaling_factor = self._settings.velocity_scaling
        request.max_acceleration_scaling_factor = self._settings.acceleration_scaling
        return request

    def _plan(self, request: Any, in_map: Placement) -> Plan:
        response = self._component.plan(single_plan_parameters=request)
        if not response or response.trajectory is None:
            code = response.error_code.val if response is not None else 99999
            raise ArmFault(ArmProblem.NO_PLAN, WORDS.get(code, f"MoveIt's error {code}"))
        trajectory = response.trajectory
        joints = trajectory.get_robot_trajectory_msg().joint_trajectory
        first = joints.points[0].positions if joints.points else []
        start = dict(zip(map(str, joints.joint_names), map(float, first), strict=False))
        back, tips = in_map.inverse(), []
        for state in trajectory:
            state.update()
            at = state.get_pose(self._settings.tip).position
            tips.append(back.of(Placement((at.x, at.y, at.z))).position)
        return Plan(len(trajectory), float(trajectory.duration), start, tuple(tips), trajectory)

    def _map_in(self, scene: Any) -> Placement:
        """The placement of frame `map` in MoveIt's planning frame."""
        if scene.planning_frame.strip("/") == MAP_FRAME:
            return Placement()
        if not scene.knows_frame_transform(MAP_FRAME):
            message = f"MoveIt does not know frame '{MAP_FRAME}'; is the robot localised?"
            raise ArmFault(ArmProblem.NOT_READY, message)
        return matrix_placement(scene.get_frame_transform(MAP_FRAME))


def make(settings: Mapping[str, Any]) -> MoveItArm:
    """Start MoveIt in this process.

    Raises:
        ConfigError: MoveIt or the robot's configuration of it is missing or unusable.
        NotYet: MoveIt did not start, but may do so later.
    """
    told: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in settings.items()}
    given = MoveItSettings(**told)
    planning = robot_module("moveit.planning", MOVEIT_SKILLS_NODE)
    moveit = _start(planning.MoveItPy, given)
    _check_names(moveit, given)
    return MoveItArm(moveit, planning.PlanRequestParameters, given)


def _start(moveit_py: Any, given: MoveItSettings) -> Any:
    how = {"node_name": "moveit_skills_moveit", "name_space": given.namespace}
    if given.package:
        used = (given.pipeline, given.line_pipeline)
        parameters = of_package(given.package, given.robot_name, used)
        awaited = "" if DESCRIPTION in parameters else f"the topic '{DESCRIPTION}'"
        with as_file(parameters) as file:
            return _made(moveit_py, given.package, awaited, how, [file])
    if given.parameter_files:
        files = list(given.parameter_files)
        awaited = "the joint states" if waits_for_joints(files) else ""
        return _made(moveit_py, "parameter_files", awaited, how, files)
    message = "is empty; name the package of the robot's MoveIt configuration, or parameter_files"
    raise ConfigError("package", 0, "", message)


def _made(moveit_py: Any, source: str, awaited: str, how: dict[str, str], files: list[str]) -> Any:
    """Create a MoveItPy; `awaited` is what another node may publish later, empty for nothing."""
    try:
        return moveit_py(**how, launch_params_filepaths=files)
    except RuntimeError as error:
        message = f"MoveIt does not start with it, and its lines above say why: {error}"
        if not awaited:
            raise ConfigError(source, 0, "", message) from None
        raise NotYet(f"{source}: {awaited} may come yet; {message}") from None


def _check_names(moveit: Any, given: MoveItSettings) -> None:
    """Raises ConfigError if the robot has no group or link of the given name."""
    model = moveit.get_robot_model()
    if not model.has_joint_model_group(given.group):
        known = ", ".join(model.joint_model_group_names)
        message = f"the robot has no group of joints named '{given.group}'; it has {known}"
        raise ConfigError("group", 0, "", message)
    with moveit.get_planning_scene_monitor().read_only() as scene:
        if not scene.knows_frame_transform(given.tip):
            raise ConfigError("tip", 0, "", f"the robot has no link named '{given.tip}'")


def _stamped(goal: Placement, frame: str) -> Any:
    from geometry_msgs.msg import PoseStamped

    from roboinstruct_ros.skill_servers.kit.pose import pose_message

    pose = PoseStamped(pose=pose_message(goal))
    pose.header.frame_id = frame
    return pose


def _added(box: Box, in_map: Placement, frame: str) -> Any:
    from shape_msgs.msg import SolidPrimitive

    from roboinstruct_ros.skill_servers.kit.pose import pose_message

    thing = _object(box.id, frame, "ADD")
    thing.primitives = [SolidPrimitive(type=SolidPrimitive.BOX, dimensions=list(box.size))]
    thing.primitive_poses = [pose_message(in_map.of(box.placement))]
    return thing


def _object(name: str, frame: str, operation: str) -> Any:
    from moveit_msgs.msg import CollisionObject

    thing = CollisionObject(id=name, operation=getattr(CollisionObject, operation))
    thing.header.frame_id = frame
    return thing
