"""Launches the stack: `ros2 launch roboinstruct bringup.launch.py sim:=true`."""

from collections import defaultdict

from launch import LaunchContext, LaunchDescription
from launch.actions import (
    DeclareLaunchArgument,
    LogInfo,
    OpaqueFunction,
    RegisterEventHandler,
    Shutdown,
)
from launch.event_handlers import OnProcessExit, OnProcessStart
from launch.events.process import ProcessExited, ProcessStarted
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

from roboinstruct_ros.bringup.check_options import check_options
from roboinstruct_ros.bringup.deaths import Deaths
from roboinstruct_ros.bringup.node_set import TRANSFORMS, NodeSpec, Options, describe, notice
from roboinstruct_ros.domain.option import Option, options_of, plain, with_values
from roboinstruct_ros.security.environment import security_variables

RESPAWN_DELAY = 1.0  # s
BAD_INPUT = 2  # exit code of a node that a restart would not help
ARGUMENTS = options_of(Options())


def generate_launch_description() -> LaunchDescription:
    arguments = [_argument(one) for one in ARGUMENTS]
    watch = _Watch()
    handlers = (OnProcessStart(on_start=watch.born), OnProcessExit(on_exit=watch.died))
    watching = (RegisterEventHandler(handler) for handler in handlers)
    return LaunchDescription([*arguments, *watching, OpaqueFunction(function=_nodes)])


def _argument(one: Option) -> DeclareLaunchArgument:
    default, choices = str(plain(one.default)), one.known
    if isinstance(one.default, bool):
        default, choices = default.lower(), ("true", "false", "True", "False")
    told = one.told if choices else one.line
    return DeclareLaunchArgument(
        one.name, default_value=default, description=told, choices=choices or None
    )


class _Watch:
    """Shuts down where a restart helps nothing: on bad input, such as a port in use or an unknown
    world, and when a node dies again and again. Launch's own count of restarts is never reset, and
    at its end the node stays down without a word."""

    def __init__(self) -> None:
        self._deaths = defaultdict(Deaths)

    def born(self, event: ProcessStarted, context: LaunchContext) -> None:
        self._deaths[event.process_name].born()

    def died(self, event: ProcessExited, context: LaunchContext) -> list:
        if event.returncode == BAD_INPUT:
            return [Shutdown(reason="bad input, see above")]
        name = event.process_name
        if context.is_shutdown or not self._deaths[name].died():
            return []
        return [Shutdown(reason=f"{name} died again and again, see above")]


def _nodes(context: LaunchContext) -> list:
    """The launch actions; bad input raises ConfigError, which launch prints in one line, with exit
    code 1."""
    given = {
        one.name: one.of_text(LaunchConfiguration(one.name).perform(context)) for one in ARGUMENTS
    }
    options = with_values(Options(), given)
    check_options(options)
    told = [LogInfo(msg=notice(options))] if notice(options) else []
    return [*told, *(_node(spec, options) for spec in describe(options))]


def _node(spec: NodeSpec, options: Options) -> Node:
    return Node(
        package="roboinstruct",
        executable=spec.executable,
        name=spec.name,
        exec_name=spec.name,  # otherwise the log shows a name with a prefix
        namespace=options.namespace,
        remappings=TRANSFORMS,
        prefix=f"nice -n {spec.niceness}" if spec.niceness else None,
        parameters=[*([spec.parameters_file] if spec.parameters_file else []), spec.parameters],
        respawn=spec.respawn,
        respawn_delay=RESPAWN_DELAY,
        output="screen",
        additional_env=security_variables(options.security, spec.name),
        arguments=["--ros-args", "--log-level", options.log_level],
    )
