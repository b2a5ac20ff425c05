"""Launches the stack: `ros2 launch roboinstruct bringup.launch.py sim:=true`."""

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
from roboinstruct_ros.domain.option import Option, options_of, plain, with_values
from roboinstruct_ros.security.environment import security_variables

RESPAWN_DELAY = 1.0  # s
BAD_INPUT = 2  # exit code of a node that a restart would not help
ARGUMENTS = options_of(Options())


def generate_launch_description() -> LaunchDescription:
    arguments = [_argument(one) for one in ARGUMENTS]
    ending = RegisterEventHandler(OnProcessExit(on_exit=_end_on_bad_input))
    return LaunchDescription([*arguments, ending, OpaqueFunction(function=_nodes)])


def _argument(one: Option) -> DeclareLaunchArgument:
    default, choices = str(plain(one.default)), one.known
    if isinstance(one.default, bool):
        default, choices = default.lower(), ("true", "false", "True", "False")
    told = one.told if choices else one.line
    return DeclareLaunchArgument(
        one.name, default_value=default, description=told, choices=choices or None
    )


def _end_on_bad_input(event: ProcessExited, context: LaunchContext) -> list:
    """On bad input, such as a port in use or an unknown world: print one line, then shut down."""
    return [Shutdown(reason="bad input, see above")] if event.returncode == BAD_INPUT else []


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
        respawn_max_retries=5,
        output="screen",
        additional_env=security_variables(options.security, spec.name),
        arguments=["--ros-args", "--log-level", options.log_level],
    )
