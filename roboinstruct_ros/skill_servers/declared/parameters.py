"""Parameters of the robot simulated from its domain file."""

from __future__ import annotations

from dataclasses import dataclass

from roboinstruct_ros.domain.option import option
from roboinstruct_ros.nodes.rule_options import DOMAIN, MAP
from roboinstruct_ros.skill_servers.sim.parameters import SPEED


@dataclass(frozen=True, kw_only=True)
class DeclaredOptions:
    domain: str = option("arm", DOMAIN)
    speed_factor: float = SPEED()


@dataclass(frozen=True, kw_only=True)
class DeclaredParameters(DeclaredOptions):
    map: str = option("", MAP)
    world: str = option("", "YAML with the initial state; empty: the world of the domain file")
    seed: int = option(0, "seed of all facts that neither file gives", 0, 2**31 - 1)
    skill_limit: float = option(
        3600.0, "maximum duration of one skill, including waits", 1.0, 86_400.0, "s", live=True
    )
