"""Node `kiosk`: a web server for the page, beside a spinning node."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import threading

import rclpy
from rclpy.exceptions import ParameterException
from rclpy.node import Node

from roboinstruct_ros import names
from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.domain.end_signals import end_signals
from roboinstruct_ros.domain.files.rule_files import RuleFiles
from roboinstruct_ros.domain.files.user_folders import data_folder
from roboinstruct_ros.domain.map_of_now import MapOfNow
from roboinstruct_ros.domain.option import names_in
from roboinstruct_ros.domain.skills import domain_named
from roboinstruct_ros.execute.run_counters import RunCounters
from roboinstruct_ros.library.library_file import place_for
from roboinstruct_ros.nodes.kiosk.parameters import KioskOptions, KioskParameters
from roboinstruct_ros.nodes.kiosk.reach import address_lines, open_reach, tls_fingerprint
from roboinstruct_ros.nodes.kiosk.ros_robot_link import RosRobotLink
from roboinstruct_ros.nodes.node_process import (
    BAD_INPUT,
    EXIT_LIMIT,
    give_up,
    keep_what_is_there,
    make_node,
)
from roboinstruct_ros.nodes.parameters import GIVEN, declare
from roboinstruct_ros.nodes.robot_name import robot_of
from roboinstruct_ros.web.access.access import Access
from roboinstruct_ros.web.access.arrivals import Arrivals
from roboinstruct_ros.web.access.audit import AuditLog, audit_path
from roboinstruct_ros.web.access.devices import Devices, devices_path
from roboinstruct_ros.web.app import create_app
from roboinstruct_ros.web.door.server import KioskServer
from roboinstruct_ros.web.engineer.workbench import Workbench

SWITCH_INTERVAL = 0.001
"""Longest time (s) that a computing thread keeps the interpreter from the accepting thread."""


def serve(node: Node, given: KioskParameters) -> None:
    """Serve until asked to end. Raises InputError: the map or the port cannot be used."""
    domain = domain_named(given.domain)
    files = RuleFiles(domain, given.map, given.policies)
    map_path, library = files.map_path, place_for(given.library, domain)
    rooms = MapOfNow(map_path, node.get_logger().warning) if map_path else None
    access, sockets = access_of(given), open_reach(given)
    counters = RunCounters(domain.skill_names)
    link = RosRobotLink(node, names_in(given.robot_nodes), counters)
    hosts = names_in(given.allowed_hosts)
    app = create_app(
        link, rooms, map_path.stem if map_path else domain.name, hosts,
        rounds=given, metrics=counters.text, library=library,
        robot=robot_of(node, domain),
        runs=given.directory, access=access, bench=Workbench(files, library),
        examples=tuple(one.instruction for one in domain.to_try), language=given.language,
        proven=data_folder() / "proven_examples.json",
    )  # fmt: skip
    keep_what_is_there()
    for line in address_lines(given):
        node.get_logger().info(f"the kiosk is at {line}")
    asyncio.run(_serve(KioskServer(app, *sockets), link))


def access_of(chosen: KioskOptions) -> Access:
    """Access rules: devices, audit log, arrivals. Raises InputError: a file cannot be used."""
    return Access(
        Devices(devices_path(chosen.devices), chosen.session_days),
        AuditLog(audit_path(chosen.audit)),
        Arrivals(chosen.proxy),
        tls_fingerprint(chosen),
    )


async def _serve(server: KioskServer, link: RosRobotLink) -> None:
    loop = asyncio.get_running_loop()
    closed = threading.Event()

    def leave() -> None:
        if not closed.is_set():
            give_up(names.KIOSK_NODE)
        os._exit(0)  # do not wait for a page that fails to close

    def end() -> None:
        last_resort = threading.Timer(EXIT_LIMIT, leave)
        last_resort.daemon = True
        last_resort.start()
        link.close()
        closed.set()
        server.should_exit = True

    for number in end_signals():
        loop.add_signal_handler(number, end)
    await server.serve()


def main(args: list[str] | None = None) -> int:
    """Run the node until it is asked to end. Returns 2 if its configuration is unusable."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    try:
        node = make_node(lambda: Node(names.KIOSK_NODE, **GIVEN), args)
        serve(node, declare(node, KioskParameters()))
    except (InputError, FileNotFoundError, ParameterException) as error:
        print(f"{names.KIOSK_NODE}: {' '.join(str(error).split())}", file=sys.stderr)
        return BAD_INPUT
    finally:
        rclpy.try_shutdown()
        gc.freeze()  # skips the final garbage collection, most of the work at exit
    return 0


if __name__ == "__main__":
    sys.exit(main())
