"""MoveIt's parameters from the robot's MoveIt configuration package, as a file that MoveIt reads.

`MoveItConfigsBuilder` builds parameters for `move_group`, which takes the planning pipelines as a
list. MoveItCpp, behind the Python bindings, requires them in `planning_pipelines.pipeline_names`.
The bindings pass a dictionary by writing a file for a node without a namespace; the file written
here holds in every namespace.
Source: moveit_configs_utils and moveit_cpp of github.com/moveit/moveit2, branch jazzy.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.skill_servers.kit.robot_packages import robot_module

DESCRIPTION = "robot_description"
"""Parameter with the URDF; a package without one leaves it to the topic of that name."""


def of_package(package: str, robot_name: str, pipelines: Sequence[str]) -> dict[str, Any]:
    """The parameters in a MoveIt configuration package for these planning pipelines.

    Args:
        robot_name: as in its file names; empty for the package's name without _moveit_config.

    Raises:
        ConfigError: the package is missing, lacks a file, or has no such pipeline.
    """
    utils = robot_module("moveit_configs_utils", package)
    name = robot_name or package.removesuffix("_moveit_config")
    try:
        builder = utils.MoveItConfigsBuilder(name, package_name=package)
        parameters: dict[str, Any] = builder.to_moveit_configs().to_dict()
    except Exception as error:  # its YAML and xacro readers may raise anything
        words = " ".join(str(error.args[0] if error.args else error).split())
        message = f"cannot be used as the robot's MoveIt configuration: {words}"
        raise ConfigError(package, 0, "", message) from None
    known = parameters.get("planning_pipelines", [])
    for pipeline in pipelines:
        if pipeline not in known:
            message = f"has no planning pipeline '{pipeline}'; it has {', '.join(known) or 'none'}"
            raise ConfigError(package, 0, "", message)
    parameters["planning_pipelines"] = {"pipeline_names": list(dict.fromkeys(pipelines))}
    return parameters


@contextmanager
def as_file(parameters: dict[str, Any]) -> Iterator[str]:
    """A parameters file for a node of any name and namespace, deleted at the end of the block."""
    with tempfile.NamedTemporaryFile("w", suffix=".yaml", prefix="moveit_") as file:
        yaml.safe_dump({"/**": {"ros__parameters": parameters}}, file)
        file.flush()
        yield file.name


def waits_for_joints(files: Sequence[str]) -> bool:
    """Whether they make MoveIt wait for the first joint states, which a robot sends once it is up.

    Source: moveit_cpp.hpp, `planning_scene_monitor_options.wait_for_initial_state_timeout`.

    Raises:
        ConfigError: one does not exist.
    """
    for file in files:
        if not Path(file).is_file():
            raise ConfigError("parameter_files", 0, "", f"{file}: no such file")
    return any("wait_for_initial_state_timeout" in Path(file).read_text() for file in files)
