"""Parameters of the kiosk node."""

from __future__ import annotations

from dataclasses import dataclass

from roboinstruct_ros import names
from roboinstruct_ros.domain.option import option
from roboinstruct_ros.domain.phrase import LANGUAGES
from roboinstruct_ros.domain.world_names import SERVICE_ROBOT
from roboinstruct_ros.generate.rounds.progressive import RoundOptions
from roboinstruct_ros.nodes.rule_options import DOMAIN, LIBRARY, POLICIES, RUNS
from roboinstruct_ros.web.pages import BROWSERS


@dataclass(frozen=True, kw_only=True)
class KioskOptions(RoundOptions):
    """Options that apply to the stack as a whole."""

    domain: str = option(SERVICE_ROBOT, DOMAIN)
    host: str = option(
        "127.0.0.1",
        "address that the kiosk listens on; another than this machine's own needs tls or proxy",
    )
    port: int = option(8080, "TCP port of the kiosk", 1, 65535)
    tls: str = option(
        "", "folder of a certificate ('roboinstruct devices certificate' makes one): host then "
        "listens on tls_port, and this machine's own page stays at 127.0.0.1 and port",
    )  # fmt: skip
    tls_port: int = option(8443, "TCP port for other machines", 1, 65535)
    proxy: str = option(
        "", "address from which a proxy that speaks TLS passes others on, with X-Forwarded-For"
    )
    devices: str = option("", "file of the devices that were let in; empty is the user's own")
    session_days: float = option(30.0, "how long a device stays let in", 0.01, 365.0, "days")
    audit: str = option("", "file of what was done and by whom; empty is the user's own")
    language: str = option(
        BROWSERS, "language of the pages where nobody has chosen one on them; browser: what the "
        "browser is set to", choices=(BROWSERS, *LANGUAGES),
    )  # fmt: skip
    policies: str = option("", POLICIES)
    library: str = option("", LIBRARY)
    directory: str = option("", RUNS)


@dataclass(frozen=True, kw_only=True)
class KioskParameters(KioskOptions):
    """All parameters of the node."""

    map: str = option(
        "home", "world or map YAML, path or shipped name, whose rooms are drawn; read again when "
        "it has changed, at the latest with the next task; empty draws none",
    )  # fmt: skip
    allowed_hosts: str = option("", "more names of this machine in browsers, by commas")
    robot_nodes: str = option(names.SIM_ROBOT_NODE, "nodes of the robot to watch, by commas")
