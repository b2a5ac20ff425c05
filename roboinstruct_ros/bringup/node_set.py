"""Which nodes make up the stack: one description for `ros2 launch` and for `roboinstruct up`."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from roboinstruct_ros import names
from roboinstruct_ros.generate.models.model_options import ModelOptions

ParameterValue = bool | int | float | str | list[str]

NAV2_SKILLS = (
    names.GO_TO_ACTION, names.GET_CURRENT_LOCATION_SERVICE, names.GET_ALL_ROOMS_SERVICE,
)  # fmt: skip
"""What `nav2_skills` offers."""

ROBOT_SERVERS: dict[str, tuple[str, ...]] = {
    "moveit_skills": (names.PICK_ACTION, names.PLACE_ACTION),
    "perception": (names.IS_IN_ROOM_ACTION,),
    "speech": (names.SAY_ACTION, names.ASK_ACTION),
}
"""The skill servers that a robot brings, by what each is for; their node names are free."""

TRANSFORMS = (("/tf", "tf"), ("/tf_static", "tf_static"))
"""Remapped for every node, as Nav2's launch files do: tf2 itself looks in no namespace."""


@dataclass(frozen=True)
class Options(ModelOptions):
    """What can be chosen when the stack is brought up, beside the inherited choices of a model.

    Attributes:
        sim: start the simulated robot; otherwise the servers of a real one.
        nav2: without `sim`, start `nav2_skills`; otherwise the robot brings its own `go_to` too.
        perception: without `sim`, start `perception` for the robot's detectors.
        moveit: without `sim`, start `moveit_skills` for the robot's arm.
        speech: without `sim`, start `speech` for the robot's loudspeaker and microphone.
        robot_params: ROS parameters YAML for the skill servers; empty is the defaults.
        robot_nodes: names, by commas, of the robot's own skill servers that send heartbeats.
        model: name or path of a model, or address of a server; empty is the shipped one.
        world: world or map YAML, path or shipped name.
        policies: policies YAML; empty is the shipped one.
        library: file of the tasks and their versions; empty is the user's own, "none" keeps none.
        namespace: of every node and topic; empty for none.
        security: folder of a keystore that everybody of the stack is held to; empty for none.
        host: address that the kiosk listens on.
        port: TCP port of the kiosk.
        record: one MCAP bag for each run.
        log_level: debug, info, warn, error or fatal.
        headless: no kiosk.
        speed_factor: of the simulated robot; 1 is real time, 0 as fast as possible.
        directory: where bags go; empty is the recorder's default.
        metrics_file: file for the recorder's counters; empty writes none.
        stop_when_lost: names, by commas, of nodes whose loss stops a running task.
        on_hazard: warn, pause or stop, when the rest of a running program could go wrong.
        max_rounds: programs of one task at the most, at the kiosk.
        approve_each_round: a person at the kiosk approves the program of every round.
    """

    sim: bool = True
    nav2: bool = True
    perception: bool = False
    moveit: bool = False
    speech: bool = False
    robot_params: str = ""
    robot_nodes: str = ""
    model: str = ""
    world: str = "home"
    policies: str = ""
    library: str = ""
    namespace: str = ""
    security: str = ""
    host: str = "127.0.0.1"
    port: int = 8080
    record: bool = True
    log_level: str = "info"
    headless: bool = False
    speed_factor: float = 1.0
    directory: str = ""
    metrics_file: str = ""
    stop_when_lost: str = ""
    on_hazard: str = "pause"
    max_rounds: int = 3
    approve_each_round: bool = True


@dataclass(frozen=True)
class NodeSpec:
    """One node of the stack.

    Attributes:
        name: of the node.
        module: Python module to run with `-m`.
        respawn: start it again when it dies; never after exit code 2 (bad input).
        niceness: how far it stands back for the processor; what moves the robot, or stops it, does
            not.
        parameters_file: ROS parameters YAML, read before `parameters`; empty for none.
    """

    name: str
    module: str
    parameters: dict[str, ParameterValue] = field(default_factory=dict)
    respawn: bool = True
    niceness: int = 0
    parameters_file: str = ""

    @property
    def executable(self) -> str:
        """For `ros2 run`; where pip installs it, names on the path are everybody's."""
        return f"roboinstruct_{self.name}"


def describe(options: Options) -> tuple[NodeSpec, ...]:
    """The nodes to start, in this order."""
    candidates = (
        (options.sim, _sim_robot(options)),
        (
            starts_nav2(options),
            _robot_server(options, names.NAV2_SKILLS_NODE, "nav2", map=options.world),
        ),
        (
            options.perception and not options.sim,
            _robot_server(options, names.PERCEPTION_NODE, "perception", map=options.world),
        ),
        (
            options.moveit and not options.sim,
            _robot_server(options, names.MOVEIT_SKILLS_NODE, "moveit"),
        ),
        (
            options.speech and not options.sim,
            _robot_server(options, names.SPEECH_NODE, "speech"),
        ),
        (True, _executor(options)),
        (True, _generator(options)),
        (options.record, _recorder(options)),
        (not options.headless, _kiosk(options)),
    )
    return tuple(spec for wanted, spec in candidates if wanted)


def starts_nav2(options: Options) -> bool:
    """Whether the stack drives the robot by Nav2."""
    return options.nav2 and not options.sim


def robot_nodes(options: Options) -> list[str]:
    """The nodes that serve skills and whose heartbeat must not end, as far as they are known."""
    if options.sim:
        return [names.SIM_ROBOT_NODE]
    own = [name.strip() for name in options.robot_nodes.split(",") if name.strip()]
    started = (
        (options.nav2, names.NAV2_SKILLS_NODE),
        (options.perception, names.PERCEPTION_NODE),
        (options.moveit, names.MOVEIT_SKILLS_NODE),
        (options.speech, names.SPEECH_NODE),
    )
    return [*(name for wanted, name in started if wanted), *own]


def notice(options: Options) -> str:
    """What a person has to know about this choice of nodes, in one line; empty when nothing."""
    if options.sim:
        return ""
    shipped = {
        "perception": options.perception,
        "moveit_skills": options.moveit,
        "speech": options.speech,
    }
    servers = {name: offers for name, offers in ROBOT_SERVERS.items() if not shipped.get(name)}
    told = f"{names.NAV2_SKILLS_NODE} offers {', '.join(NAV2_SKILLS)}"
    if not options.nav2:
        servers["navigation"] = NAV2_SKILLS
        told = "nothing is started that moves it"
    offers = "; ".join(f"{name}: {', '.join(skills)}" for name, skills in servers.items())
    return (
        f"a real robot: {told}; its own servers must offer {offers} (see docs/robot_bringup.md and "
        "'roboinstruct doctor --robot')"
    )


def _sim_robot(options: Options) -> NodeSpec:
    return NodeSpec(
        names.SIM_ROBOT_NODE,
        "roboinstruct_ros.skill_servers.sim.node",
        {"world": options.world, "speed_factor": float(options.speed_factor)},
    )


def _robot_server(
    options: Options, name: str, folder: str, **parameters: ParameterValue
) -> NodeSpec:
    """A skill server of a real robot, with the robot's own parameters."""
    given = options.robot_params
    return NodeSpec(
        name,
        f"roboinstruct_ros.skill_servers.{folder}.node",
        parameters,
        parameters_file=str(Path(given).expanduser()) if given else "",
    )


def _executor(options: Options) -> NodeSpec:
    servers = robot_nodes(options)
    # a list without a member has no type in ROS
    watched: dict[str, ParameterValue] = {"skill_server_nodes": servers} if servers else {}
    return NodeSpec(
        names.EXECUTOR_NODE,
        "roboinstruct_ros.nodes.executor.node",
        {
            "map": options.world,
            "policies": options.policies,
            "on_hazard": options.on_hazard,
            "stop_when_lost": options.stop_when_lost,
            **watched,
        },
    )


def _generator(options: Options) -> NodeSpec:
    return NodeSpec(
        names.GENERATOR_NODE,
        "roboinstruct_ros.nodes.generator.node",
        {
            "map": options.world,
            "model": options.model,
            "policies": options.policies,
            "library": options.library,
            **options.chosen(),
        },
        niceness=10,
    )


def _recorder(options: Options) -> NodeSpec:
    return NodeSpec(
        names.RECORDER_NODE,
        "roboinstruct_ros.nodes.recorder",
        {"directory": options.directory, "metrics_file": options.metrics_file},
        niceness=5,
    )


def _kiosk(options: Options) -> NodeSpec:
    return NodeSpec(
        names.KIOSK_NODE,
        "roboinstruct_ros.nodes.kiosk.node",
        {
            "map": options.world,
            "host": options.host,
            "port": options.port,
            "robot_nodes": ",".join(robot_nodes(options)),
            "max_rounds": options.max_rounds,
            "approve_each_round": options.approve_each_round,
        },
    )
