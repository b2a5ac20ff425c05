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
from roboinstruct_ros.bringup.node_set import NodeSpec, Options, describe, notice
from roboinstruct_ros.domain.configuration import ConfigError

RESPAWN_DELAY = 1.0  # s
BAD_INPUT = 2  # exit code of a node that starting again would not help

ARGUMENTS = {
    "sim": ("true", "start the simulated robot", ["true", "false"]),
    "nav2": ("true", "without sim, drive the robot by Nav2", ["true", "false"]),
    "perception": ("false", "without sim, start the node perception", ["true", "false"]),
    "moveit": ("false", "without sim, start the node moveit_skills", ["true", "false"]),
    "speech": ("false", "without sim, start the node speech", ["true", "false"]),
    "robot_params": ("", "ROS parameters YAML of the robot's skill servers", None),
    "robot_nodes": ("", "the robot's own skill servers that send heartbeats, by commas", None),
    "model": (
        "",
        "name, path or address of a model; empty is the shipped one",
        None,
    ),
    "world": ("home", "world or map YAML: a path or the name of a shipped world", None),
    "policies": ("", "policies YAML; empty is the shipped one", None),
    "library": ("", "file of the tasks and their versions; 'none' keeps nothing", None),
    "namespace": ("", "namespace of every node and topic", None),
    "host": ("127.0.0.1", "address that the kiosk listens on", None),
    "port": ("8080", "TCP port of the kiosk", None),
    "record": ("true", "one MCAP bag for each run", ["true", "false"]),
    "metrics_file": ("", "file for the recorder's counters; empty writes none", None),
    "stop_when_lost": ("", "nodes whose loss stops a running task, by commas", None),
    "headless": ("false", "no kiosk", ["true", "false"]),
    "speed_factor": ("1.0", "of the simulated robot; 0 is as fast as possible", None),
    "n_ctx": ("0", "tokens of context of the model; 0 is its own", None),
    "n_gpu_layers": ("-2", "layers on the GPU; -1 is all, -2 as many as it has room for", None),
    "kv_cache": ("f16", "number format of keys and values", ["f16", "q8_0", "q4_0"]),
    "flash_attn": ("auto", "flash attention", ["auto", "on", "off"]),
    "log_level": ("info", "of every node", ["debug", "info", "warn", "error", "fatal"]),
}


def generate_launch_description() -> LaunchDescription:
    arguments = [
        DeclareLaunchArgument(name, default_value=default, description=text, choices=choices)
        for name, (default, text, choices) in ARGUMENTS.items()
    ]
    ending = RegisterEventHandler(OnProcessExit(on_exit=_end_on_bad_input))
    return LaunchDescription([*arguments, ending, OpaqueFunction(function=_nodes)])


def _end_on_bad_input(event: ProcessExited, context: LaunchContext) -> list:
    """A port that is taken, a world that does not exist: one line, then everything ends."""
    return [Shutdown(reason="bad input, see above")] if event.returncode == BAD_INPUT else []


def _nodes(context: LaunchContext) -> list:
    """The actions; bad input raises ConfigError, which launch prints in one line and exits 1."""
    value = {name: LaunchConfiguration(name).perform(context) for name in ARGUMENTS}
    options = _options(value)
    check_options(options)
    told = [LogInfo(msg=notice(options))] if notice(options) else []
    return [*told, *(_node(spec, options) for spec in describe(options))]


def _options(value: dict[str, str]) -> Options:
    return Options(
        sim=value["sim"] == "true",
        nav2=value["nav2"] == "true",
        perception=value["perception"] == "true",
        moveit=value["moveit"] == "true",
        speech=value["speech"] == "true",
        robot_params=value["robot_params"],
        robot_nodes=value["robot_nodes"],
        model=value["model"],
        world=value["world"],
        policies=value["policies"],
        library=value["library"],
        namespace=value["namespace"],
        host=value["host"],
        port=_number("port", value["port"], int),
        record=value["record"] == "true",
        metrics_file=value["metrics_file"],
        stop_when_lost=value["stop_when_lost"],
        log_level=value["log_level"],
        headless=value["headless"] == "true",
        speed_factor=_number("speed_factor", value["speed_factor"], float),
        n_ctx=_number("n_ctx", value["n_ctx"], int),
        n_gpu_layers=_number("n_gpu_layers", value["n_gpu_layers"], int),
        kv_cache=value["kv_cache"],
        flash_attn=value["flash_attn"],
    )


def _number(name: str, text: str, kind: type) -> float:
    try:
        return kind(text)
    except ValueError:
        example = ARGUMENTS[name][0]
        raise ConfigError(name, 0, "", f"'{text}' is no number, e.g. {example}") from None


def _node(spec: NodeSpec, options: Options) -> Node:
    return Node(
        package="roboinstruct",
        executable=spec.name,
        name=spec.name,
        namespace=options.namespace,
        prefix=f"nice -n {spec.niceness}" if spec.niceness else None,
        parameters=[*([spec.parameters_file] if spec.parameters_file else []), spec.parameters],
        respawn=spec.respawn,
        respawn_delay=RESPAWN_DELAY,
        respawn_max_retries=5,
        output="screen",
        arguments=["--ros-args", "--log-level", options.log_level],
    )
