"""What can be chosen of the kiosk."""

from __future__ import annotations

from dataclasses import dataclass

from roboinstruct_ros import names
from roboinstruct_ros.domain.option import option
from roboinstruct_ros.generate.rounds.progressive import RoundOptions
from roboinstruct_ros.nodes.rule_options import LIBRARY


@dataclass(frozen=True, kw_only=True)
class KioskOptions(RoundOptions):
    """What is chosen for the whole stack."""

    host: str = option(
        "127.0.0.1", "address that the kiosk listens on; 0.0.0.0 lets every machine in"
    )
    port: int = option(8080, "TCP port of the kiosk", 1, 65535)
    library: str = option("", LIBRARY)


@dataclass(frozen=True, kw_only=True)
class KioskParameters(KioskOptions):
    """What the node reads."""

    map: str = option(
        "home", "world or map YAML, path or shipped name, whose rooms are drawn; read again when "
        "it has changed, at the latest with the next task",
    )  # fmt: skip
    allowed_hosts: str = option("", "more names of this machine in browsers, by commas")
    robot_nodes: str = option(names.SIM_ROBOT_NODE, "nodes of the robot to watch, by commas")
