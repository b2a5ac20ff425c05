"""How a command joins the running stack, or starts one of its own.

Imports little: a stop must not wait for it.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

from roboinstruct_ros.bringup.graph import GraphOptions, check_namespace
from roboinstruct_ros.commands.arguments import like
from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.domain.end_signals import end_signals
from roboinstruct_ros.nodes.dds.transport import REACH, choose_transport
from roboinstruct_ros.security.environment import enter_command_line

if TYPE_CHECKING:
    from roboinstruct_ros.bringup.supervisor import Supervisor
    from roboinstruct_ros.nodes.task_client import TaskClient

START_LIMIT = 60.0  # s until every node must be heard

Namespace = Annotated[str, like(GraphOptions(), "namespace")]
Security = Annotated[
    str,
    like(GraphOptions(), "security", envvar="ROBOINSTRUCT_SECURITY", callback=enter_command_line),
]
"""For every command that talks to the stack; its callback does the rest."""

Hear = Callable[[dict[str, Any]], None]
"""Receives every event of the stack."""


def unheard(event: dict[str, Any]) -> None:
    """For a command that tells no events."""


@contextmanager
def joined(
    namespace: str, hear: Hear = unheard, interrupt: threading.Event | None = None
) -> Iterator[TaskClient]:
    """A client of the running stack.

    Args:
        interrupt: set when the user wants to end.

    Raises:
        InputError: `namespace` is no ROS namespace, or a part of the stack is missing.
        KeyboardInterrupt: the user wants to end.
    """
    from roboinstruct_ros.nodes.task_client import Interrupted, StackError, TaskClient

    join(namespace)
    with TaskClient(hear, interrupt or threading.Event(), namespace) as client:
        try:
            yield client
        except StackError as error:
            raise InputError(str(error)) from None
        except Interrupted:
            raise KeyboardInterrupt from None


@contextmanager
def started(
    supervisor: Supervisor,
    namespace: str,
    hear: Hear,
    interrupt: threading.Event,
    writes: bool = True,
) -> Iterator[TaskClient]:
    """Start the nodes as processes of the command, wait until all are ready, and stop them at the
    end.

    Args:
        interrupt: set when the user wants to end.
        writes: there is a generator among them.

    Raises:
        InputError: a node cannot be started, or is not heard within `START_LIMIT`.
        KeyboardInterrupt: the user wants to end before they are ready.
    """
    from roboinstruct_ros.nodes.task_client import Interrupted, StackError, TaskClient

    supervisor.start()
    try:
        with TaskClient(hear, interrupt, namespace) as client:
            deadline = time.monotonic() + START_LIMIT
            while True:
                try:
                    client.wait_ready(0.5, supervisor.node_names, writes)
                    break
                except StackError as error:
                    if supervisor.failure or time.monotonic() > deadline:
                        raise InputError(supervisor.failure or str(error)) from None
                except Interrupted:
                    raise KeyboardInterrupt from None
            yield client
    finally:
        supervisor.stop()


def join(namespace: str) -> None:
    """Prepare the process for its node. Raises ConfigError: `namespace` is no ROS namespace."""
    check_namespace(namespace)
    bound_to_this_machine()


def bound_to_this_machine() -> None:
    """Restrict DDS to this machine unless the user has chosen otherwise."""
    os.environ.setdefault(REACH, "LOCALHOST")
    choose_transport()


def on_signals() -> threading.Event:
    """An event set by `end_signals` from now on; none of them ends the process itself."""
    interrupt = threading.Event()
    for number in end_signals():
        signal.signal(number, lambda *_: interrupt.set())
    return interrupt
