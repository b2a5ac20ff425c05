"""Nodes speak by UDP, and to this machine alone unless they are told otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psutil
import pytest
from live_executor import LiveExecutor

from roboinstruct_ros.nodes.dds.transport import REACH, reach, transport_variables


@pytest.mark.parametrize(
    "said",
    [
        {"FASTRTPS_DEFAULT_PROFILES_FILE": "mine.xml"},
        {"FASTDDS_DEFAULT_PROFILES_FILE": "mine.xml"},
        {"FASTDDS_BUILTIN_TRANSPORTS": "LARGE_DATA"},
    ],
)
def test_what_the_user_says_of_fast_dds_holds(said: dict[str, str]) -> None:
    assert transport_variables({REACH: "LOCALHOST", **said}) == {}


def test_other_machines_are_reached_where_that_is_wanted() -> None:
    assert transport_variables({}) == {"FASTDDS_BUILTIN_TRANSPORTS": "UDPv4"}
    assert reach({}) == "SUBNET"
    assert reach({REACH: "OFF"}) == "OFF"


def test_what_was_chosen_is_not_chosen_again() -> None:
    chosen = transport_variables({REACH: "LOCALHOST"})
    assert transport_variables(chosen) == {}
    assert reach(chosen) == "LOCALHOST"


@pytest.mark.stack
def test_a_node_is_deaf_to_other_machines_and_shares_no_memory(
    stack_process: Any, ros_domain: int, tmp_path: Path
) -> None:
    with LiveExecutor(stack_process, ros_domain, tmp_path) as live:
        live.check_next()
        process = psutil.Process(live.process.pid)
        assert {one.laddr.ip for one in process.net_connections(kind="udp")} == {"127.0.0.1"}
        mapped = [one.path for one in process.memory_maps()]
        assert not [path for path in mapped if path.startswith("/dev/shm/fast")]
