"""How a command joins the ROS graph of the stack. Imports little: a stop must not wait for it."""

from __future__ import annotations

import os
import signal
import threading
from types import FrameType
from typing import Annotated

from roboinstruct_ros.bringup.graph import GraphOptions, check_namespace
from roboinstruct_ros.commands.arguments import like
from roboinstruct_ros.nodes.dds_transport import REACH, choose_transport
from roboinstruct_ros.security.environment import enter_command_line

START_LIMIT = 60.0  # s until every node must be heard
SECURITY = {"envvar": "ROBOINSTRUCT_SECURITY", "callback": enter_command_line}

Namespace = Annotated[str, like(GraphOptions(), "namespace")]
Security = Annotated[str, like(GraphOptions(), "security", **SECURITY)]
"""For every command that talks to the stack; its callback does the rest."""


def join(namespace: str) -> None:
    """Prepare the process for its node. Raises ConfigError: `namespace` is no ROS namespace."""
    check_namespace(namespace)
    bound_to_this_machine()


def bound_to_this_machine() -> None:
    """Restrict DDS to this machine unless the user has chosen otherwise."""
    os.environ.setdefault(REACH, "LOCALHOST")
    choose_transport()


def on_signals() -> threading.Event:
    """An event set by SIGINT and SIGTERM from now on; neither ends the process itself."""
    interrupt = threading.Event()

    def on_signal(number: int, frame: FrameType | None) -> None:
        interrupt.set()

    signal.signal(signal.SIGINT, on_signal)
    signal.signal(signal.SIGTERM, on_signal)
    return interrupt
