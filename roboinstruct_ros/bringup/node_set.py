"""The nodes of the stack, described once for both `ros2 launch` and `roboinstruct up`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from roboinstruct_ros import names
from roboinstruct_ros.bringup.graph import GraphOptions
from roboinstruct_ros.domain.option import names_in, option, options_of, plain
from roboinstruct_ros.domain.skills import Domain, domain_named
from roboinstruct_ros.nodes.executor.parameters import ExecutorOptions
from roboinstruct_ros.nodes.generator.parameters import GeneratorOptions
from roboinstruct_ros.nodes.kiosk.parameters import KioskOptions
from roboinstruct_ros.nodes.recorder_options import RecorderOptions
from roboinstruct_ros.skill_servers.declared.parameters import DeclaredOptions
from roboinstruct_ros.skill_servers.sim.parameters import SimOptions

ParameterValue = bool | int | float | str | list[str]
Parameters = dict[str, ParameterValue]

NAV2_SKILLS = (
    names.GO_TO_ACTION, names.GET_CURRENT_LOCATION_SERVICE, names.GET_ALL_ROOMS_SERVICE,
)  # fmt: skip

ROBOT_SERVERS: dict[str, tuple[str, ...]] = {
    "moveit_skills": (names.PICK_ACTION, names.PLACE_ACTION),
    "perception": (names.IS_IN_ROOM_ACTION,),
    "speech": (names.SAY_ACTION, names.ASK_ACTION),
}
"""The skills that a robot's own servers must offer, by purpose; node names are free."""

SHIPPED_SERVERS = {names.NAV2_SKILLS_NODE: NAV2_SKILLS, **ROBOT_SERVERS}
"""The skills that each skill server of this package offers."""

TRANSFORMS = (("/tf", "tf"), ("/tf_static", "tf_static"))
"""Remappings for every node, as in Nav2's launch files: tf2 itself uses absolute topic names."""


LOG_LEVELS = ("debug", "info", "warn", "error", "fatal")


@dataclass(frozen=True, kw_only=True)
class Options(
    GraphOptions, RecorderOptions, ExecutorOptions, GeneratorOptions, KioskOptions, SimOptions
):
    """Options of the bringup, in addition to those of its nodes."""

    sim: bool = option(True, "start the simulated robot; else the skill servers of a real one")
    nav2: bool = option(
        True, "without sim, drive the robot with Nav2; else it provides its own go_to"
    )
    perception: bool = option(
        False, "without sim, start perception for the robot's detectors", flag="--perception"
    )
    moveit: bool = option(
        False, "without sim, start moveit_skills for the robot's arm", flag="--moveit"
    )
    speech: bool = option(
        False, "without sim, start speech for the robot's loudspeaker and microphone",
        flag="--speech",
    )  # fmt: skip
    robot_params: str = option("", "ROS parameters YAML of the robot's skill servers")
    robot_nodes: str = option(
        "", "the robot's own skill servers that send heartbeats, separated by commas"
    )
    use_sim_time: bool = option(
        False, "nodes take the time from /clock, except for stops and heartbeats",
        flag="--use-sim-time",
    )  # fmt: skip
    record: bool = option(True, "record each run in an MCAP bag")
    headless: bool = option(False, "do not start the kiosk", flag="--headless")
    log_level: str = option("info", "lowest severity that nodes print", choices=LOG_LEVELS)


@dataclass(frozen=True)
class NodeSpec:
    """One node of the stack.

    Attributes:
        module: Python module to run with `-m`.
        respawn: restart the node when it dies; never after exit code 2 (bad input).
        niceness: nice value, to yield the CPU; 0 for nodes that move or stop the robot.
        parameters_file: ROS parameters YAML, read before `parameters`; empty for none.
        program: executable name for `ros2 run`, if not `name`.
    """

    name: str
    module: str
    parameters: Parameters = field(default_factory=dict)
    respawn: bool = True
    niceness: int = 0
    parameters_file: str = ""
    program: str = ""

    @property
    def executable(self) -> str:
        """Executable for `ros2 run`, prefixed because pip puts it on the user's path."""
        return f"roboinstruct_{self.program or self.name}"


def describe(options: Options) -> tuple[NodeSpec, ...]:
    """The nodes to start, in this order."""
    domain = domain_named(options.domain)
    servers = robot_nodes(options)
    world: Parameters = {"map": options.world if domain.has_rooms else ""}
    # an empty list has no type in ROS
    watched: Parameters = {"skill_server_nodes": servers} if servers else {}
    seen: Parameters = {"robot_nodes": ",".join(servers)}

    def node(name: str, module: str, offered: Any, more: Parameters, niceness: int = 0) -> NodeSpec:
        given = {**more, **_chosen(options, offered)}
        return NodeSpec(name, f"roboinstruct_ros.{module}", given, niceness=niceness)

    specs = [
        node(names.EXECUTOR_NODE, "nodes.executor.node", ExecutorOptions(), {**world, **watched}),
        node(names.GENERATOR_NODE, "nodes.generator.node", GeneratorOptions(), {**world}, 10),
    ]
    if options.sim:
        specs.insert(0, _simulated(options, domain, world))
    else:
        servers_of_robot = {**_shipped(options), names.MOTION_STOP_NODE: "motion_stop"}
        specs[:0] = [_robot_server(options, *one) for one in servers_of_robot.items()]
    if options.record:
        specs.append(node(names.RECORDER_NODE, "nodes.recorder", RecorderOptions(), {}, 5))
    if not options.headless:
        specs.append(node(names.KIOSK_NODE, "nodes.kiosk.node", KioskOptions(), {**world, **seen}))
    clock: Parameters = {"use_sim_time": True} if options.use_sim_time else {}
    return tuple(replace(spec, parameters={**spec.parameters, **clock}) for spec in specs)


def robot_nodes(options: Options) -> list[str]:
    """The known nodes that serve skills and whose heartbeat must not stop."""
    if options.sim:
        return [names.SIM_ROBOT_NODE]
    return [*_shipped(options), *names_in(options.robot_nodes)]


def notice(options: Options) -> str:
    """A one-line notice about this choice of nodes; empty for none."""
    if options.sim:
        return ""
    shipped = _shipped(options)
    domain = domain_named(options.domain)
    if not domain.is_service_robot:
        offered = {one for name in shipped for one in SHIPPED_SERVERS[name]}
        own = [place for one in domain.skill_names if (place := f"skills/{one}") not in offered]
        told = f"its own servers must offer {', '.join(own)}" if own else "all its skills are there"
        return f"a real robot: {told} (see docs/other_robots.md)"
    servers = {name: offers for name, offers in ROBOT_SERVERS.items() if name not in shipped}
    told = f"{names.NAV2_SKILLS_NODE} offers {', '.join(NAV2_SKILLS)}"
    if not options.nav2:
        servers["navigation"] = NAV2_SKILLS
        told = "nothing is started that moves it"
    offers = "; ".join(f"{name}: {', '.join(skills)}" for name, skills in servers.items())
    return (
        f"a real robot: {told}; its own servers must offer {offers} (see docs/robot_bringup.md and "
        "'roboinstruct doctor --robot')"
    )


def _simulated(options: Options, domain: Domain, world: Parameters) -> NodeSpec:
    """The simulated robot: in a house, or in the world declared by its domain file."""
    if domain.is_service_robot:
        house = _chosen(options, SimOptions())
        return NodeSpec(names.SIM_ROBOT_NODE, "roboinstruct_ros.skill_servers.sim.node", house)
    given = {**world, **_chosen(options, DeclaredOptions())}
    if not domain.has_rooms and options.world != Options.world:
        given["world"] = options.world
    module = "roboinstruct_ros.skill_servers.declared.node"
    return NodeSpec(names.SIM_ROBOT_NODE, module, given, program="declared_robot")


def _chosen(options: Options, parameters: Any) -> Parameters:
    """The stack's options that match a node's parameters by name."""
    return {
        one.name: plain(one.value(getattr(options, one.name))) for one in options_of(parameters)
    }


def _shipped(options: Options) -> dict[str, str]:
    """The skill servers of a real robot to start, by name, with the package folder of each."""
    servers = {
        names.NAV2_SKILLS_NODE: "nav2",
        names.PERCEPTION_NODE: "perception",
        names.MOVEIT_SKILLS_NODE: "moveit",
        names.SPEECH_NODE: "speech",
    }
    chosen = {name: folder for name, folder in servers.items() if getattr(options, folder)}
    if "go_to" not in domain_named(options.domain).skill_names:
        chosen.pop(names.NAV2_SKILLS_NODE, None)
    return chosen


def _robot_server(options: Options, name: str, folder: str) -> NodeSpec:
    file = str(Path(options.robot_params).expanduser()) if options.robot_params else ""
    world: Parameters = {"map": options.world} if folder in ("nav2", "perception") else {}
    place = folder if name == names.MOTION_STOP_NODE else f"{folder}.node"
    module = f"roboinstruct_ros.skill_servers.{place}"
    return NodeSpec(name, module, world, parameters_file=file)
