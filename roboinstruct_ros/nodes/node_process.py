"""Runs one node as a process: signals heard, threads ended, no traceback at a user."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Protocol

import rclpy
from rclpy.exceptions import ParameterException
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.nodes.dds_transport import choose_transport
from roboinstruct_ros.nodes.patient_executor import PatientExecutor

BAD_INPUT = 2
"""Exit code for bad parameters; starting again would not help."""

EXIT_LIMIT = 0.8  # s that everything gets to end after a signal
SPIN_PERIOD = 0.1  # s within which a signal is seen


class RunnableNode(Protocol):
    """What `run_node` needs of a node beside being one."""

    def halt(self) -> None:
        """End what is in progress, motion first; called once, while the node is still spun."""

    def close(self) -> None:
        """Free what the node holds; called once, when it is spun no more."""


def run_node(make: Callable[[], Node], threads: int = 4, args: list[str] | None = None) -> int:
    """Spin a node until SIGINT or SIGTERM; ends within 1 s of it.

    Args:
        make: makes the node, which is also a `RunnableNode`; may raise ConfigError.
        threads: callbacks that may run at once.

    Returns:
        Exit code: 0, or `BAD_INPUT` after one line on stderr.
    """
    # rclpy's own handlers would end the context before motion could be stopped
    choose_transport()
    rclpy.init(args=args, signal_handler_options=SignalHandlerOptions.NO)
    asked_to_end = _on_signals()
    try:
        node = make()
    except (ConfigError, FileNotFoundError, ParameterException) as error:
        print(str(error), file=sys.stderr)
        rclpy.try_shutdown()
        return BAD_INPUT
    executor = PatientExecutor(num_threads=threads)
    executor.add_node(node)
    while not asked_to_end.is_set():
        executor.spin_once(timeout_sec=SPIN_PERIOD)
    _end(node, executor)
    return 0


def _on_signals() -> threading.Event:
    asked_to_end = threading.Event()

    def on_signal(number: int, frame: FrameType | None) -> None:
        asked_to_end.set()

    signal.signal(signal.SIGINT, on_signal)
    signal.signal(signal.SIGTERM, on_signal)
    return asked_to_end


def _end(node: Node, executor: PatientExecutor) -> None:
    last_resort = threading.Timer(EXIT_LIMIT, os._exit, (0,))
    last_resort.daemon = True
    last_resort.start()
    halting = threading.Thread(target=node.halt, name="halt")  # type: ignore[attr-defined]
    halting.start()
    while halting.is_alive():
        executor.spin_once(timeout_sec=0.01)
    executor.shutdown(timeout_sec=EXIT_LIMIT)
    executor.finish()
    node.close()  # type: ignore[attr-defined]
    node.destroy_node()
    rclpy.try_shutdown()
    last_resort.cancel()
