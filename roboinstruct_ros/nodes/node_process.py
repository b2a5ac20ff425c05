"""Runs one node as a process: signals heard, threads ended, no traceback at a user."""

from __future__ import annotations

import faulthandler
import gc
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from types import FrameType
from typing import Protocol

import rclpy
from rclpy.exceptions import ParameterException
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.nodes.dds_security import one_line_refusals
from roboinstruct_ros.nodes.dds_transport import choose_transport
from roboinstruct_ros.nodes.patient_executor import PatientExecutor

BAD_INPUT = 2
"""Exit code for bad parameters; starting again would not help."""
FAILED = 1
"""Exit code when a callback raised, or the end hangs; starting again may help."""

EXIT_LIMIT = 2.0
"""s after a signal until an end that is not over counts as one that hangs. It takes 0.2 s, and 1 s
for a node that gives way to others on a computer at its limit."""
ANSWER_LIMIT = 0.2  # s for the answers of what was ended
_LOOK = 0.01  # s between two looks at whether all has been answered


class RunnableNode(Protocol):
    """What `run_node` needs of a node beside being one."""

    def halt(self) -> None:
        """End what is in progress, motion first; called once, while the node is still spun."""

    def close(self) -> None:
        """Free what the node holds; called once, when it is spun no more."""


def run_node(
    make: Callable[[], Node], threads: int = 4, args: list[str] | None = None, name: str = ""
) -> int:
    """Spin a node until SIGINT or SIGTERM; ends within 1 s of it, of the time that the node gets.

    The end has an order: motion stands, goals end and are answered, callbacks end, the node frees
    what it holds, and only then the context goes. The same when a callback raises. What hangs is
    left after `EXIT_LIMIT` s.

    Args:
        make: makes the node, which is also a `RunnableNode`; may raise ConfigError.
        threads: callbacks that may run at once.
        name: stands before the line that says why the node cannot be started.

    Returns:
        Exit code: 0, `FAILED`, or `BAD_INPUT` after one line on stderr. A process whose end hangs
        ends with `FAILED` too.
    """
    asked_to_end = _AskedToEnd()
    try:
        choose_transport()
        # rclpy's own handlers would end the context before motion could be stopped
        with one_line_refusals():
            rclpy.init(args=args, signal_handler_options=SignalHandlerOptions.NO)
            node = make()
    except (ConfigError, FileNotFoundError, ParameterException) as error:
        words = " ".join(str(error).split())
        print(f"{name}: {words}" if name else words, file=sys.stderr)
        rclpy.try_shutdown()
        return BAD_INPUT
    keep_what_is_there()
    executor = PatientExecutor(num_threads=threads)
    executor.add_node(node)
    failed = threading.Event()

    def fail(error: Exception) -> None:
        if asked_to_end.is_set():
            return  # what fails at the end fails because of it, or has been told
        told = "".join(traceback.format_exception(error)).rstrip()
        node.get_logger().fatal(f"a callback failed; ending:\n{told}")
        failed.set()
        asked_to_end.set()

    # Not in this thread: Python hears a signal only where the main thread is in Python, and to
    # look for one now and then wakes an idle process for nothing.
    spinning = threading.Thread(target=_spin, args=(executor, fail), name="spin", daemon=True)
    spinning.start()
    asked_to_end.wait()
    _end(node, executor)
    # Ctrl-C in a terminal comes twice below `ros2 launch`: from the terminal and from launch. While
    # Python takes itself down it has no handlers left, and the second would kill it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()  # or Python would look through all that it made, most of the work of its end
    return FAILED if failed.is_set() else 0


def _spin(executor: PatientExecutor, fail: Callable[[Exception], None]) -> None:
    while not executor.ended:
        try:
            executor.spin_once()
        except Exception as error:
            fail(error)


def keep_what_is_there() -> None:
    """Once a node is made: what it and its modules consist of is no garbage.

    Python would look through all of it now and then, and for that time not hear a stop.
    """
    gc.collect()
    gc.freeze()


class _AskedToEnd:
    """Set by SIGINT, SIGTERM or a thread; the main thread waits for it and is not woken before.

    A pipe, and no lock: the kernel may give a signal to any thread, Python runs its handler in the
    main one only, and that one does not leave a lock because another thread was signalled.
    """

    def __init__(self) -> None:
        self._set = False
        self._reads, self._writes = os.pipe()
        os.set_blocking(self._writes, False)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._hear)
        # written to in whichever thread the signal comes
        signal.set_wakeup_fd(self._writes, warn_on_full_buffer=False)

    def is_set(self) -> bool:
        return self._set

    def set(self) -> None:
        self._set = True
        os.write(self._writes, b"\0")

    def wait(self) -> None:
        os.read(self._reads, 1)
        self._set = True

    def _hear(self, number: int, frame: FrameType | None) -> None:
        self._set = True


def _end(node: Node, executor: PatientExecutor) -> None:
    last_resort = threading.Timer(EXIT_LIMIT, give_up, (node.get_name(),))
    last_resort.daemon = True
    last_resort.start()
    halting = threading.Thread(target=node.halt, name="halt")
    halting.start()
    halting.join()
    answered_by = time.monotonic() + ANSWER_LIMIT
    while not executor.idle and time.monotonic() < answered_by:
        time.sleep(_LOOK)
    executor.shutdown(timeout_sec=EXIT_LIMIT)
    executor.finish()
    node.close()
    node.destroy_node()
    rclpy.try_shutdown()
    last_resort.cancel()


def give_up(name: str) -> None:
    """A process that hangs at its end ends all the same; whoever watches it must see that.

    With PYTHONFAULTHANDLER=1 it says where each of its threads is.
    """
    if faulthandler.is_enabled():
        faulthandler.dump_traceback(sys.stderr.fileno(), all_threads=True)
    words = f"{name}: its end hangs; gone with what was left undone\n"
    os.write(sys.stderr.fileno(), words.encode())  # not the stream: who hangs may hold its lock
    os._exit(FAILED)
