"""Brings the stack up: `ros2 launch roboinstruct bringup.launch.py sim:=true`."""

from launch import LaunchContext, LaunchDescription
from launch.actions import (
    DeclareLaunchArgument,
    LogInfo,
    OpaqueFunction,
    RegisterEventHandler,
    Shutdown,
)
from launch.event_handlers import OnProcessExit
from launch.events.process import ProcessExited
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

from roboinstruct_ros.bringup.check_options import check_options
from roboinstruct_ros.bringup.node_set import TRANSFORMS, NodeSpec, Options, describe, notice
from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.generate.models.model_options import MODEL_OPTIONS
from roboinstruct_ros.security.environment import security_variables

RESPAWN_DELAY = 1.0  # s
BAD_INPUT = 2  # exit code of a node that starting again would not help

TOLD = {
    "sim": "start the simulated robot",
    "nav2": "without sim, drive the robot by Nav2",
    "perception": "without sim, start the node perception",
    "moveit": "without sim, start the node moveit_skills",
    "speech": "without sim, start the node speech",
    "robot_params": "ROS parameters YAML of the robot's skill servers",
    "robot_nodes": "the robot's own skill servers that send heartbeats, by commas",
    "model": "name, path or address of a model; empty is the shipped one",
    "world": "world or map YAML: a path or the name of a shipped world",
    "policies": "policies YAML; empty is the shipped one",
    "library": "file of the tasks and their versions; 'none' keeps nothing",
    "namespace": "namespace of every node and topic",
    "security": "folder of a keystore: only who has a certificate of it is heard",
    "host": "address that the kiosk listens on",
    "port": "TCP port of the kiosk",
    "record": "one MCAP bag for each run",
    "directory": "folder of these bags; empty is the recorder's own",
    "metrics_file": "file for the recorder's counters; empty writes none",
    "stop_when_lost": "nodes whose loss stops a running task, by commas",
    "on_hazard": "what is done when the rest of a running program could go wrong",
    "headless": "no kiosk",
    "speed_factor": "of the simulated robot; 0 is as fast as possible",
    **{one.name: one.metadata["told"] for one in MODEL_OPTIONS},
    "max_rounds": "programs of one task at the most, at the kiosk",
    "approve_each_round": "a person at the kiosk approves every round; else the first covers later "
    "ones without doubts",
    "log_level": "of every node",
}
"""The arguments; each is a field of `Options` and has its default."""

CHOICES = {
    "on_hazard": ["warn", "pause", "stop"],
    **{
        one.name: list(one.metadata["choices"])
        for one in MODEL_OPTIONS
        if one.metadata.get("choices")
    },
    "log_level": ["debug", "info", "warn", "error", "fatal"],
}


def generate_launch_description() -> LaunchDescription:
    arguments = [_argument(name, told) for name, told in TOLD.items()]
    ending = RegisterEventHandler(OnProcessExit(on_exit=_end_on_bad_input))
    return LaunchDescription([*arguments, ending, OpaqueFunction(function=_nodes)])


def _argument(name: str, told: str) -> DeclareLaunchArgument:
    default = getattr(Options, name)
    text, choices = str(default), CHOICES.get(name)
    if isinstance(default, bool):
        text, choices = text.lower(), ["true", "false"]
    return DeclareLaunchArgument(name, default_value=text, description=told, choices=choices)


def _end_on_bad_input(event: ProcessExited, context: LaunchContext) -> list:
    """A port that is taken, a world that does not exist: one line, then everything ends."""
    return [Shutdown(reason="bad input, see above")] if event.returncode == BAD_INPUT else []


def _nodes(context: LaunchContext) -> list:
    """The actions; bad input raises ConfigError, which launch prints in one line and exits 1."""
    given = {name: LaunchConfiguration(name).perform(context) for name in TOLD}
    options = Options(**{name: _value(name, text) for name, text in given.items()})
    check_options(options)
    told = [LogInfo(msg=notice(options))] if notice(options) else []
    return [*told, *(_node(spec, options) for spec in describe(options))]


def _value(name: str, text: str) -> bool | int | float | str:
    default = getattr(Options, name)
    if isinstance(default, bool):
        return text == "true"
    try:
        return type(default)(text)
    except ValueError:
        raise ConfigError(name, 0, "", f"'{text}' is no number, e.g. {default}") from None


def _node(spec: NodeSpec, options: Options) -> Node:
    return Node(
        package="roboinstruct",
        executable=spec.executable,
        name=spec.name,
        exec_name=spec.name,  # else the log calls one with a prefix after it
        namespace=options.namespace,
        remappings=TRANSFORMS,
        prefix=f"nice -n {spec.niceness}" if spec.niceness else None,
        parameters=[*([spec.parameters_file] if spec.parameters_file else []), spec.parameters],
        respawn=spec.respawn,
        respawn_delay=RESPAWN_DELAY,
        respawn_max_retries=5,
        output="screen",
        additional_env=security_variables(options.security, spec.name),
        arguments=["--ros-args", "--log-level", options.log_level],
    )
