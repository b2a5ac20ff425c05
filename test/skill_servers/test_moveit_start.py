"""How MoveIt is started: its parameters go through rcl's own parser to a node, as MoveItCpp's do.

MoveIt's own code does not run here: `Builder` gives what moveit_configs_utils gathers, `Cpp` reads
what MoveItCpp reads and refuses what it refuses.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import rclpy
from moveit_facts import Strict, bind
from rclpy.context import Context

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.skill_servers.moveit import arm_process, moveit_arm
from roboinstruct_ros.skill_servers.moveit.arm import NotYet
from roboinstruct_ros.skill_servers.moveit.moveit_arm import MoveItArm

PACKAGE = "lab_moveit_config"
GATHERED = {
    "robot_description": "<robot name='lab'/>",
    "planning_pipelines": ["ompl", "pilz_industrial_motion_planner", "chomp"],
    "default_planning_pipeline": "ompl",
    "ompl": {"planning_plugins": ["ompl_interface/OMPLPlanner"]},
    "robot_description_planning": {"joint_limits": {"a": {"max_velocity": 1.5}}},
    "publish_planning_scene": True,
}


class Builder:
    """`MoveItConfigsBuilder`, from a package that is there."""

    gathered: dict[str, Any] = GATHERED

    def __init__(
        self, robot_name: str, robot_description: str = "", package_name: str | None = None
    ) -> None:
        if package_name != PACKAGE:
            raise KeyError(f"package '{package_name}' not found, searching: ['/opt/ros/jazzy']")
        assert robot_name == "lab"

    def to_moveit_configs(self) -> Builder:
        return self

    def to_dict(self) -> dict[str, Any]:
        return dict(self.gathered)


class Cpp:
    """Makes a MoveItPy like MoveItCpp's constructor: from a node's parameters, or not at all."""

    def __init__(self, domain: int) -> None:
        self._domain = domain
        self.parameters: dict[str, Any] = {}

    def __call__(self, *args: Any, **named: Any) -> Strict:
        given = bind("MoveItPy.__init__", args, named)
        self.parameters = self._node_parameters(given)
        if self.parameters.get("planning_scene_monitor_options.wait_for_initial_state_timeout"):
            raise RuntimeError("Unable to configure planning scene monitor")  # no joint states
        if "planning_pipelines.pipeline_names" not in self.parameters:
            raise RuntimeError("Failed to load planning pipelines from parameter server")
        if "robot_description" not in self.parameters:
            raise RuntimeError("Unable to configure planning scene monitor")
        model = Strict("RobotModel", has_joint_model_group=lambda **g: "arm" in g.values())
        model.joint_model_group_names = ["arm", "hand"]
        scene = Strict("PlanningScene", knows_frame_transform=lambda frame_id: frame_id == "tool0")
        monitor = Strict("PlanningSceneMonitor", read_only=lambda: _entered(scene))
        execution = Strict("TrajectoryExecutionManager")
        return Strict(
            "MoveItPy",
            get_robot_model=lambda: model,
            get_planning_scene_monitor=lambda: monitor,
            get_trajectory_execution_manager=lambda: execution,
        )

    def _node_parameters(self, given: dict[str, Any]) -> dict[str, Any]:
        arguments = ["--ros-args"]
        for path in given["launch_params_filepaths"]:
            arguments += ["--params-file", path]
        context = Context()
        rclpy.init(context=context, domain_id=self._domain)
        node = rclpy.create_node(
            given["node_name"],
            namespace=given["name_space"],
            context=context,
            cli_args=arguments,
            allow_undeclared_parameters=True,
            automatically_declare_parameters_from_overrides=True,
        )
        try:
            return {name: p.value for name, p in node.get_parameters_by_prefix("").items()}
        finally:
            node.destroy_node()
            rclpy.shutdown(context=context)


@contextmanager
def _entered(scene: Strict) -> Iterator[Strict]:
    yield scene


@pytest.fixture
def cpp(ros_domain: int, monkeypatch: pytest.MonkeyPatch) -> Cpp:
    made = Cpp(ros_domain)
    planning, utils = ModuleType("moveit.planning"), ModuleType("moveit_configs_utils")
    planning.MoveItPy = made  # type: ignore[attr-defined]
    planning.PlanRequestParameters = lambda *_: Strict("PlanRequestParameters")  # type: ignore[attr-defined]
    utils.MoveItConfigsBuilder = Builder  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "moveit", ModuleType("moveit"))
    monkeypatch.setitem(sys.modules, "moveit.planning", planning)
    monkeypatch.setitem(sys.modules, "moveit_configs_utils", utils)
    return made


@pytest.mark.stack
@pytest.mark.parametrize("namespace", ["/", "/robot1"])
def test_a_package_gives_moveit_what_it_needs_in_every_namespace(cpp: Cpp, namespace: str) -> None:
    arm = moveit_arm.make({"package": PACKAGE, "namespace": namespace})
    assert isinstance(arm, MoveItArm)
    assert cpp.parameters["planning_pipelines.pipeline_names"] == [
        "ompl", "pilz_industrial_motion_planner",
    ]  # fmt: skip
    assert cpp.parameters["ompl.planning_plugins"] == ["ompl_interface/OMPLPlanner"]
    assert cpp.parameters["robot_description_planning.joint_limits.a.max_velocity"] == 1.5


@pytest.mark.stack
@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "package: is empty; name the package"),
        ({"package": "none_moveit_config"}, "none_moveit_config: cannot be used as the robot's "
         "MoveIt configuration: package 'none_moveit_config' not found"),
        ({"package": PACKAGE, "line_pipeline": "stomp"}, "lab_moveit_config: has no planning "
         "pipeline 'stomp'; it has ompl, pilz_industrial_motion_planner, chomp"),
        ({"package": PACKAGE, "group": "leg"}, "group: the robot has no group of joints named "
         "'leg'; it has arm, hand"),
        ({"package": PACKAGE, "tip": "toe"}, "tip: the robot has no link named 'toe'"),
        ({"parameter_files": ["/none.yaml"]}, "parameter_files: /none.yaml: no such file"),
    ],
    ids=lambda given: "",
)  # fmt: skip
def test_a_start_that_cannot_work_is_one_line(
    cpp: Cpp, settings: dict[str, Any], said: str
) -> None:
    with pytest.raises(ConfigError) as error:
        moveit_arm.make(settings)
    assert str(error.value).startswith(said) and "\n" not in str(error.value)


@pytest.mark.stack
def test_parameter_files_without_pipelines_cannot_work_and_what_comes_late_may(
    cpp: Cpp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "moveit.yaml"
    path.write_text("/**:\n  ros__parameters:\n    robot_description: <robot/>\n")
    with pytest.raises(ConfigError, match="Failed to load planning pipelines"):
        moveit_arm.make({"parameter_files": [str(path)]})
    left = {k: v for k, v in GATHERED.items() if k != "robot_description"}
    monkeypatch.setattr(Builder, "gathered", left)
    with pytest.raises(NotYet, match="the topic 'robot_description' may come yet"):
        moveit_arm.make({"package": PACKAGE})
    waits = "  planning_scene_monitor_options: {wait_for_initial_state_timeout: 10.0}\n"
    path.write_text(f"/**:\n  ros__parameters:\n  {waits}")
    with pytest.raises(NotYet, match="parameter_files: the joint states may come yet"):
        moveit_arm.make({"parameter_files": [str(path)]})


@pytest.mark.parametrize(
    ("raised", "code", "said"),
    [
        (ConfigError("package", 0, "", "is empty"), 2, "package: is empty"),
        (NotYet("not yet"), 3, "not yet"),
        (RuntimeError("no"), 1, "no"),
        (ValueError("two\nlines"), 1, "ValueError: two lines"),
    ],
)
def test_an_arm_that_cannot_be_made_ends_its_process_with_one_line(
    raised: Exception,
    code: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    class Ended(BaseException):
        pass

    def end(code: int) -> None:
        raise Ended(code)

    def make(settings: Any) -> None:
        raise raised

    maker: Callable[[Any], None] = make
    monkeypatch.setattr(arm_process, "made_here", maker, raising=False)
    monkeypatch.setattr(arm_process.os, "_exit", end)
    monkeypatch.setattr(sys, "argv", ["", "0", "0", f"{arm_process.__name__}:made_here", "{}"])
    with pytest.raises(Ended) as ended:
        arm_process.main()
    assert ended.value.args == (code,)
    assert capsys.readouterr().err == said + "\n"
