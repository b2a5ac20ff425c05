"""Which nodes make up the stack: one description for `ros2 launch` and for `roboinstruct up`."""

from __future__ import annotations

from dataclasses import dataclass, field

from roboinstruct_ros import names
from roboinstruct_ros.generate.memory_plan import AUTO_LAYERS

ParameterValue = bool | int | float | str

ROBOT_SERVERS: dict[str, tuple[str, ...]] = {
    "nav2_skills": (
        names.GO_TO_ACTION, names.GET_CURRENT_LOCATION_SERVICE, names.GET_ALL_ROOMS_SERVICE,
    ),
    "moveit_skills": (names.PICK_ACTION, names.PLACE_ACTION),
    "perception": (names.IS_IN_ROOM_SERVICE,),
    "speech": (names.SAY_ACTION, names.ASK_ACTION),
}  # fmt: skip
"""The skill servers that a robot brings, by what each is for; their node names are free."""


@dataclass(frozen=True)
class Options:
    """What can be chosen when the stack is brought up.

    Attributes:
        sim: start the simulated robot; otherwise the robot's own skill servers are expected.
        model: name or path of a model, or address of a server; empty is the shipped one.
        world: world or map YAML, path or shipped name.
        policies: policies YAML; empty is the shipped one.
        library: file of the tasks and their versions; empty is the user's own, "none" keeps none.
        namespace: of every node and topic; empty for none.
        host: address that the kiosk listens on.
        port: TCP port of the kiosk.
        record: one MCAP bag for each run.
        log_level: debug, info, warn, error or fatal.
        headless: no kiosk.
        speed_factor: of the simulated robot; 1 is real time, 0 as fast as possible.
        directory: where bags go; empty is the recorder's default.
        n_ctx: tokens of context of the model; 0 is its own.
        n_gpu_layers: of a GGUF; -1 is all, -2 as many as the GPU has room for.
        kv_cache: number format of a GGUF's keys and values, f16, q8_0 or q4_0.
        flash_attn: auto, on or off, for a GGUF.
        max_rounds: programs of one task at the most, at the kiosk.
        approve_each_round: a person at the kiosk approves the program of every round.
    """

    sim: bool = True
    model: str = ""
    world: str = "home"
    policies: str = ""
    library: str = ""
    namespace: str = ""
    host: str = "127.0.0.1"
    port: int = 8080
    record: bool = True
    log_level: str = "info"
    headless: bool = False
    speed_factor: float = 1.0
    directory: str = ""
    n_ctx: int = 0
    n_gpu_layers: int = AUTO_LAYERS
    kv_cache: str = "f16"
    flash_attn: str = "auto"
    max_rounds: int = 3
    approve_each_round: bool = True


@dataclass(frozen=True)
class NodeSpec:
    """One node of the stack.

    Attributes:
        name: node name, and name of its executable in `lib/roboinstruct`.
        module: Python module to run with `-m`.
        respawn: start it again when it dies; never after exit code 2 (bad input).
        niceness: how far it stands back for the processor; what moves the robot, or stops it, does
            not.
    """

    name: str
    module: str
    parameters: dict[str, ParameterValue] = field(default_factory=dict)
    respawn: bool = True
    niceness: int = 0


def describe(options: Options) -> tuple[NodeSpec, ...]:
    """The nodes to start, in this order."""
    candidates = (
        (options.sim, _sim_robot(options)),
        (True, _executor(options)),
        (True, _generator(options)),
        (options.record, _recorder(options)),
        (not options.headless, _kiosk(options)),
    )
    return tuple(spec for wanted, spec in candidates if wanted)


def notice(options: Options) -> str:
    """What a person has to know about this choice of nodes, in one line; empty when nothing."""
    if options.sim:
        return ""
    offers = "; ".join(f"{name}: {', '.join(skills)}" for name, skills in ROBOT_SERVERS.items())
    return (
        "no simulated robot: this version ships skill servers for the simulated robot only, so the "
        f"robot's own must offer {offers} (see docs/interfaces.md)"
    )


def _sim_robot(options: Options) -> NodeSpec:
    return NodeSpec(
        names.SIM_ROBOT_NODE,
        "roboinstruct_ros.skill_servers.sim_robot",
        {"world": options.world, "speed_factor": float(options.speed_factor)},
    )


def _executor(options: Options) -> NodeSpec:
    return NodeSpec(
        names.EXECUTOR_NODE,
        "roboinstruct_ros.nodes.executor",
        {"map": options.world, "policies": options.policies},
    )


def _generator(options: Options) -> NodeSpec:
    return NodeSpec(
        names.GENERATOR_NODE,
        "roboinstruct_ros.nodes.generator",
        {
            "map": options.world,
            "model": options.model,
            "policies": options.policies,
            "library": options.library,
            "n_ctx": options.n_ctx,
            "n_gpu_layers": options.n_gpu_layers,
            "kv_cache": options.kv_cache,
            "flash_attn": options.flash_attn,
        },
        niceness=10,
    )


def _recorder(options: Options) -> NodeSpec:
    return NodeSpec(
        names.RECORDER_NODE,
        "roboinstruct_ros.nodes.recorder",
        {"directory": options.directory},
        niceness=5,
    )


def _kiosk(options: Options) -> NodeSpec:
    return NodeSpec(
        names.KIOSK_NODE,
        "roboinstruct_ros.nodes.kiosk",
        {
            "map": options.world,
            "host": options.host,
            "port": options.port,
            "max_rounds": options.max_rounds,
            "approve_each_round": options.approve_each_round,
        },
    )
