"""The nodes of the stack as processes of a command, from their start to its end."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from roboinstruct_ros.bringup.supervisor import Supervisor
from roboinstruct_ros.commands.joining import START_LIMIT, Hear
from roboinstruct_ros.domain.configuration import InputError

if TYPE_CHECKING:
    from roboinstruct_ros.nodes.task_client import TaskClient


@contextmanager
def started(
    supervisor: Supervisor,
    namespace: str,
    hear: Hear,
    interrupt: threading.Event,
    writes: bool = True,
) -> Iterator[TaskClient]:
    """Start the nodes, wait until all are ready, and stop them at the end.

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
            ready = False
            while not ready:
                try:
                    client.wait_ready(0.5, supervisor.node_names, writes)
                    ready = True
                except StackError as error:
                    if supervisor.failed or time.monotonic() > deadline:
                        raise InputError(supervisor.failure or str(error)) from None
                except Interrupted:
                    raise KeyboardInterrupt from None
            yield client
    finally:
        supervisor.stop()
