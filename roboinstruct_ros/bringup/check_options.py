"""Checks the options before any process starts, for `roboinstruct up` and `ros2 launch` alike."""

from __future__ import annotations

from pathlib import Path

from roboinstruct_ros import names
from roboinstruct_ros.bringup.graph import check_namespace
from roboinstruct_ros.bringup.node_set import Options, describe, robot_nodes
from roboinstruct_ros.bringup.robot_parameters import check_robot_parameters
from roboinstruct_ros.domain.configuration import ConfigError, nearest_name
from roboinstruct_ros.domain.files.simulation_file import load_simulation
from roboinstruct_ros.domain.files.world_file import load_world
from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.option import check, names_in
from roboinstruct_ros.domain.policies import load_policies
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skills import domain_named
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.nodes.kiosk.reach import reach_fault
from roboinstruct_ros.skill_servers.kit.robot_packages import robot_module

_OF_ROBOT = ("nav2", "perception", "moveit", "speech", "robot_params")
"""Options that only a real robot's servers have."""

_MISSPELT = 0.8
"""Least similarity of a misspelt node and the right one."""


class ModelFault(ConfigError):
    """The model is missing, truncated or not a model, the server does not have it, or it cannot be
    loaded with these options."""

    code = TaskErrorCode.MODEL_NOT_LOADED


def check_options(options: Options) -> None:
    """Check every option that can be wrong.

    Raises:
        ConfigError: one line with the option, the fault and the expected value.
        ModelFault: the same, for the model.
    """
    if options.fault:
        raise ModelFault("model", 0, "", options.fault)
    check(options)
    domain = domain_named(options.domain)
    rooms = None
    if domain.has_rooms:
        _check_world(find_world(options.world), options.sim and domain.is_service_robot)
        rooms = load_semantic_map(find_world(options.world))
    elif options.world != Options.world:
        load_simulation(domain, Path(options.world).expanduser())
    policies = Path(options.policies).expanduser() if options.policies else None
    load_policies(domain, policies, rooms)
    check_namespace(options.namespace)
    _check_security(options)
    _check_robot(options)
    _check_companions(options)
    if options.model or options.lora:
        _check_model(options.model, options.lora)
    if not options.headless:
        fault = reach_fault(options)
        if fault:
            raise ConfigError("kiosk", 0, "", fault)


def _check_world(path: Path, simulated: bool) -> None:
    """Check a map, which for the simulated robot is a world. Raises ConfigError."""
    if not simulated:
        load_semantic_map(path)
        return
    try:
        load_world(path)
    except ConfigError as error:
        load_semantic_map(path)  # what is no map either says so
        if error.field:
            raise
        instead = "the simulated robot needs a world (docs/simulation.md), a real one sim:=false"
        raise ConfigError(path, error.line, "", f"{error.message}; {instead}") from None


def _check_security(options: Options) -> None:
    if options.security and not domain_named(options.domain).is_service_robot:
        message = "the permissions of a keystore are for the skills of service_robot only"
        raise ConfigError("security", 0, "", message)
    if options.security:
        from roboinstruct_ros.security.keystore_state import check_usable

        started = tuple(spec.name for spec in describe(options))
        check_usable(Path(options.security).expanduser(), options.namespace, started)


def _check_companions(options: Options) -> None:
    """Refuse a node that nobody starts; a real robot may have nodes of its own."""
    started = [spec.name for spec in describe(options)]
    own = (names.KIOSK_NODE, names.RECORDER_NODE, names.SIM_ROBOT_NODE, names.NAV2_SKILLS_NODE)
    for name in names_in(options.stop_when_lost):
        near = nearest_name(name, started, _MISSPELT)
        if name not in started and (options.sim or near or name in own):
            message = f"'{name}' is not started, so no task would begin; start it or leave it out"
            raise ConfigError("stop_when_lost", 0, "", message, near)


def _check_robot(options: Options) -> None:
    if options.sim and options.robot_nodes:
        message = "the simulated robot would take the same goals; add sim:=false (--no-sim)"
        raise ConfigError("robot_nodes", 0, "", message)
    for name in _OF_ROBOT if options.sim else ():
        if getattr(options, name) != getattr(Options, name):
            message = "has no effect on the simulated robot; add sim:=false (--no-sim)"
            raise ConfigError(name, 0, "", message)
    if options.sim:
        return
    if options.robot_params:
        check_robot_parameters(str(Path(options.robot_params).expanduser()))
    if names.NAV2_SKILLS_NODE in robot_nodes(options):
        instead = "; nav2:=false for a robot without Nav2"
        robot_module("nav2_simple_commander", "nav2", names.NAV2_SKILLS_NODE, instead)


def _check_model(model: str, lora: str) -> None:
    from roboinstruct_ros.generate.backends.backend import BackendError
    from roboinstruct_ros.generate.backends.open_backend import check_model

    try:
        check_model(model, lora)
    except BackendError as error:
        raise ModelFault("model", 0, "", str(error)) from None
