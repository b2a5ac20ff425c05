"""The calls of MoveIt 2's Python bindings, as facts: name and arguments; `=` marks a default.

Read from moveit_py/src of github.com/moveit/moveit2, branch jazzy (2.12.4), commit 4d841063. A call
without a name for its argument in the bindings takes it by position only, written `_0`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

CALLS = {
    "MoveItPy.__init__": (
        "node_name= name_space= launch_params_filepaths= config_dict= provide_planning_service= "
        "remappings="
    ),
    "MoveItPy.execute": "robot_trajectory controllers",
    "MoveItPy.get_planning_component": "planning_component_name",
    "MoveItPy.get_planning_scene_monitor": "",
    "MoveItPy.get_trajectory_execution_manager": "",
    "MoveItPy.get_robot_model": "",
    "MoveItPy.shutdown": "",
    "RobotModel.has_joint_model_group": "joint_model_group_name",
    "PlanRequestParameters.__init__": "_0 _1",
    "PlanningComponent.set_start_state_to_current_state": "",
    "PlanningComponent.set_goal_state": (
        "configuration_name= robot_state= pose_stamped_msg= pose_link= motion_plan_constraints="
    ),
    "PlanningComponent.plan": (
        "single_plan_parameters= multi_plan_parameters= planning_scene= "
        "solution_selection_function= stopping_criterion_callback="
    ),
    "PlanningSceneMonitor.update_frame_transforms": "",
    "PlanningSceneMonitor.read_only": "",
    "PlanningSceneMonitor.read_write": "",
    "TrajectoryExecutionManager.stop_execution": "auto_clear=",
    "TrajectoryExecutionManager.set_allowed_start_tolerance": "tolerance",
    "PlanningScene.knows_frame_transform": "frame_id",
    "PlanningScene.get_frame_transform": "frame_id",
    "PlanningScene.apply_collision_object": "collision_object_msg color_msg=",
    "PlanningScene.process_attached_collision_object": "object",
    "RobotState.update": "force= type=",
    "RobotState.get_pose": "link_name",
    "RobotTrajectory.get_robot_trajectory_msg": "joint_filter=",
}
VALUES = {
    "PlanRequestParameters": {
        "planner_id", "planning_pipeline", "planning_attempts", "planning_time",
        "max_velocity_scaling_factor", "max_acceleration_scaling_factor",
    },
    "RobotModel": {"joint_model_group_names", "name", "model_frame"},
    "PlanningScene": {"name", "planning_frame", "current_state", "robot_model"},
    "RobotTrajectory": {"duration", "joint_model_group_name", "__iter__", "__len__"},
    "MotionPlanResponse": {"trajectory", "planning_time", "error_code", "start_state"},
    "ExecutionStatus": {"status"},
}  # fmt: skip


def bind(name: str, args: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    """Gives the arguments of a call by name; TypeError where the bindings would refuse it."""
    parameters = []
    for word in CALLS[name].split():
        by_place = word.startswith("_")
        kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.POSITIONAL_ONLY)
        kind = kinds[by_place]
        default = None if word.endswith("=") else inspect.Parameter.empty
        parameters.append(inspect.Parameter(word.rstrip("="), kind, default=default))
    bound = inspect.Signature(parameters).bind(*args, **named)
    return dict(bound.arguments)


class Strict:
    """A stand-in for a class of the bindings: only its calls, only with their arguments."""

    def __init__(self, name: str, **behaviour: Callable[..., Any]) -> None:
        self.__dict__["_name"], self.__dict__["_behaviour"] = name, behaviour
        self.__dict__["calls"] = []

    def __getattr__(self, call: str) -> Any:
        full = f"{self._name}.{call}"
        if full not in CALLS:
            raise AttributeError(f"MoveIt's bindings have no {full}")

        def called(*args: Any, **named: Any) -> Any:
            given = bind(full, args, named)
            self.calls.append((call, given))
            return self._behaviour.get(call, lambda **_: None)(**given)

        return called

    def __setattr__(self, value: str, to: Any) -> None:
        if value not in VALUES.get(self._name, set()):
            raise AttributeError(f"MoveIt's bindings have no {self._name}.{value}")
        self.__dict__[value] = to
