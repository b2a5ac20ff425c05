"""Parameters of the kiosk node."""

from __future__ import annotations

from dataclasses import dataclass

from roboinstruct_ros import names
from roboinstruct_ros.domain.files.world_names import SERVICE_ROBOT
from roboinstruct_ros.domain.option import option
from roboinstruct_ros.domain.phrase import BROWSERS, LANGUAGES
from roboinstruct_ros.generate.rounds.progressive import RoundOptions
from roboinstruct_ros.nodes.rule_options import DOMAIN, LIBRARY, POLICIES, RUNS


@dataclass(frozen=True, kw_only=True)
class KioskOptions(RoundOptions):
    """Options that apply to the stack as a whole."""

    domain: str = option(SERVICE_ROBOT, DOMAIN)
    host: str = option(
        "127.0.0.1",
        "address the kiosk listens on; any address other than this machine's own needs tls or "
        "proxy",
    )
    port: int = option(8080, "TCP port of the kiosk", 1, 65535)
    tls: str = option(
        "", "folder of a certificate ('roboinstruct devices certificate' makes one); the kiosk "
        "then serves host on tls_port, and this machine on 127.0.0.1 and port",
    )  # fmt: skip
    tls_port: int = option(8443, "TCP port for other machines", 1, 65535)
    proxy: str = option(
        "", "address of a TLS proxy that forwards other machines with X-Forwarded-For"
    )
    devices: str = option("", "file of the paired devices; empty: the user's own")
    session_days: float = option(30.0, "how long a pairing lasts", 0.01, 365.0, "days")
    audit: str = option("", "audit log: who did what; empty: the user's own file")
    language: str = option(
        BROWSERS, "language of the pages until somebody chooses one; browser follows the "
        "browser's setting", choices=(BROWSERS, *LANGUAGES),
    )  # fmt: skip
    policies: str = option("", POLICIES)
    library: str = option("", LIBRARY)
    directory: str = option("", RUNS)


@dataclass(frozen=True, kw_only=True)
class KioskParameters(KioskOptions):
    map: str = option(
        "home", "world or map YAML to draw: a path or the name of a shipped one; changes are "
        "read with the next task at the latest; empty: no map",
    )  # fmt: skip
    allowed_hosts: str = option(
        "", "further host names of this machine in browsers, separated by commas"
    )
    robot_nodes: str = option(
        names.SIM_ROBOT_NODE, "nodes of the robot to watch, separated by commas"
    )
