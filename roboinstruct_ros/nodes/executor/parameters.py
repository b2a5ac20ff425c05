"""Parameters of the executor node."""

from __future__ import annotations

from dataclasses import dataclass

from roboinstruct_ros import names
from roboinstruct_ros.domain.option import option
from roboinstruct_ros.domain.world_names import SERVICE_ROBOT
from roboinstruct_ros.execute.run_monitor import OnHazard
from roboinstruct_ros.nodes.rule_options import DOMAIN, MAP, POLICIES


@dataclass(frozen=True, kw_only=True)
class ExecutorOptions:
    """Options that apply to the stack as a whole."""

    domain: str = option(SERVICE_ROBOT, DOMAIN)
    policies: str = option("", POLICIES)
    stop_when_lost: str = option(
        "", "nodes whose loss stops a running task, by commas, e.g. kiosk; without them none begins"
    )
    on_hazard: OnHazard = option(
        OnHazard.PAUSE, "what is done when the rest of a running program could go wrong"
    )


def _journals() -> str:
    from roboinstruct_ros.execute.journal import default_folder  # not needed by the CLI

    return str(default_folder())


@dataclass(frozen=True, kw_only=True)
class ExecutorParameters(ExecutorOptions):
    """All parameters of the node."""

    map: str = option("", MAP)
    recovery: str = option(
        "", "recovery YAML: what is tried when a skill fails; empty is the shipped one"
    )
    journal: str = option(
        _journals, "folder of the journals of runs; empty keeps none, and "
        "nothing can be resumed",
    )  # fmt: skip
    queue_length: int = option(4, "tasks that may wait for their turn", 0, 4)
    max_calls: int = option(10_000, "skill calls that one program may make", 1, 1_000_000)
    seed: int = option(
        -1, "of the random numbers of every program; -1 draws one for each run", -1, 2**31 - 1
    )
    skill_server_nodes: tuple[str, ...] = option(
        (names.SIM_ROBOT_NODE,), "nodes whose heartbeat must not end during a skill call"
    )
    skill_ready_limit: float = option(
        5.0, "how long to wait for a skill server that is not there", 0.1, 60.0, "s"
    )
    skill_call_limit: float = option(
        3600.0, "longest that one skill call may take", 0.1, 86_400.0, "s"
    )
