"""Parameters of the executor node."""

from __future__ import annotations

from dataclasses import dataclass

from roboinstruct_ros import names
from roboinstruct_ros.domain.files.user_folders import data_folder
from roboinstruct_ros.domain.files.world_names import SERVICE_ROBOT
from roboinstruct_ros.domain.option import option
from roboinstruct_ros.execute.hazard import OnHazard
from roboinstruct_ros.nodes.rule_options import DOMAIN, MAP, POLICIES


@dataclass(frozen=True, kw_only=True)
class ExecutorOptions:
    """Options that apply to the stack as a whole."""

    domain: str = option(SERVICE_ROBOT, DOMAIN)
    policies: str = option("", POLICIES)
    stop_when_lost: str = option(
        "",
        "nodes whose loss stops a running task, e.g. kiosk, separated by commas; no task "
        "starts without them",
    )
    on_hazard: OnHazard = option(
        OnHazard.PAUSE, "reaction when the rest of a running program could go wrong"
    )


@dataclass(frozen=True, kw_only=True)
class ExecutorParameters(ExecutorOptions):
    map: str = option("", MAP)
    recovery: str = option(
        "", "recovery YAML: what to try when a skill fails; empty: the shipped one"
    )
    journal: str = option(
        lambda: str(data_folder() / "journal"),
        "folder of the run journals; empty: keep none, and no run can be resumed",
    )
    queue_length: int = option(4, "maximum number of waiting tasks", 0, 4)
    max_calls: int = option(10_000, "maximum number of skill calls in one program", 1, 1_000_000)
    seed: int = option(
        -1, "seed of the program's random numbers, -1 for a new one in each run", -1, 2**31 - 1
    )
    skill_server_nodes: tuple[str, ...] = option(
        (names.SIM_ROBOT_NODE,), "nodes whose heartbeat must continue during a skill call"
    )
    skill_ready_limit: float = option(
        5.0, "how long to wait for a missing skill server", 0.1, 60.0, "s"
    )
    skill_call_limit: float = option(
        3600.0, "maximum duration of one skill call", 0.1, 86_400.0, "s"
    )
