"""Runs one node as a process: handles signals, ends its threads, shows users no traceback."""

from __future__ import annotations

import faulthandler
import gc
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from types import FrameType

import rclpy
from rclpy.exceptions import ParameterException
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from rclpy.utilities import remove_ros_args

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.end_signals import end_signals
from roboinstruct_ros.nodes.dds.security import one_line_refusals
from roboinstruct_ros.nodes.dds.transport import choose_transport
from roboinstruct_ros.nodes.log_folder import with_log_folder
from roboinstruct_ros.nodes.patient_executor import PatientExecutor

BAD_INPUT = 2
"""Exit code for bad parameters; a restart would not help."""
FAILED = 1
"""Exit code when a callback raised or the shutdown hangs; a restart may help."""

EXIT_LIMIT = 2.0
"""Time (s) after a signal until the shutdown counts as hanging. It takes 0.2 s, or 1 s for a
low-priority node on a fully loaded computer."""
ANSWER_LIMIT = 0.2  # s to deliver the results of ended goals


def run_node(
    make: Callable[[], Node], threads: int = 4, args: list[str] | None = None, name: str = ""
) -> int:
    """Spin a node until a signal of `end_signals`, then end within 1 s, if it gets the CPU.

    Shutdown has an order: motion stops, goals end and are answered, callbacks end, the node frees
    its resources, and then the context is shut down. The same happens when a callback raises. A
    shutdown that hangs is abandoned after `EXIT_LIMIT` s.

    Args:
        make: makes the node; may raise ConfigError. At the end the node's `halt` ends what is in
            progress, motion first, while it is still spun; then its `close` frees its resources.
        threads: callbacks that may run at once.
        name: prefix of the line that says why the node cannot be started.

    Returns:
        Exit code: 0, `FAILED`, or `BAD_INPUT` after one line on stderr. A process whose shutdown
        hangs exits with `FAILED`.
    """
    asked_to_end = _AskedToEnd()
    try:
        node = make_node(make, args)
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
            return  # failures during shutdown are its consequence, or already logged
        told = "".join(traceback.format_exception(error)).rstrip()
        node.get_logger().fatal(f"a callback failed; ending:\n{told}")
        failed.set()
        asked_to_end.set()

    # Spin in another thread: Python handles a signal only while the main thread runs Python code,
    # and polling for signals would wake an idle process for nothing.
    spinning = threading.Thread(target=_spin, args=(executor, fail), name="spin", daemon=True)
    spinning.start()
    asked_to_end.wait()
    _end(node, executor)
    # Under `ros2 launch`, Ctrl-C arrives twice: from the terminal and from launch. While Python
    # shuts down it has no handlers left, and the second would kill it. So does a closed terminal's.
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    gc.freeze()  # skips the final garbage collection, most of the work at exit
    return FAILED if failed.is_set() else 0


def make_node(make: Callable[[], Node], args: list[str] | None = None) -> Node:
    """Initialise rclpy and make a node; signals are left to the caller, who stops motion first.

    Args:
        args: ROS arguments; None for those of the process.

    Raises:
        ConfigError: an argument is none of ROS, or DDS refuses the node for security.
    """
    _check_arguments(args)
    choose_transport()
    with one_line_refusals():
        rclpy.init(args=with_log_folder(args), signal_handler_options=SignalHandlerOptions.NO)
        return make()


def _check_arguments(args: list[str] | None) -> None:
    """Check what rcl refuses with a traceback, and what it ignores: `-p` without `--ros-args`."""
    try:
        left = remove_ros_args(sys.argv[1:] if args is None else args)
    except RuntimeError as error:
        told = str(error).partition(", at /")[0]  # without the places in rcl's source
        raise ConfigError("arguments", 0, "", f"ROS refuses them: {told}") from None
    options = [one for one in left if one.startswith("-")]
    if options:
        message = f"'{options[0]}' is no option of a node; parameters: --ros-args -p NAME:=VALUE"
        raise ConfigError("arguments", 0, "", message)


def _spin(executor: PatientExecutor, fail: Callable[[Exception], None]) -> None:
    while not executor.ended:
        try:
            executor.spin_once()
        except Exception as error:
            fail(error)


def keep_what_is_there() -> None:
    """Exempt existing objects from garbage collection, once the node is made.

    A collection over all of them would delay the handling of a stop.
    """
    gc.collect()
    gc.freeze()


class _AskedToEnd:
    """Set by a signal or a thread; the main thread sleeps until then.

    Uses a pipe, not a lock: the kernel may deliver a signal to any thread, Python runs its handler
    in the main thread only, and a lock wait in the main thread is not interrupted by that.
    """

    def __init__(self) -> None:
        self._set = False
        self._reads, self._writes = os.pipe()
        os.set_blocking(self._writes, False)
        for number in end_signals():
            signal.signal(number, self._hear)
        # written to in whichever thread receives the signal
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
    executor.wait_idle(ANSWER_LIMIT)
    executor.shutdown(timeout_sec=EXIT_LIMIT)
    executor.finish()
    node.close()
    node.destroy_node()
    rclpy.try_shutdown()
    last_resort.cancel()


def give_up(name: str) -> None:
    """End a process whose shutdown hangs, with an exit code that its supervisor sees.

    With PYTHONFAULTHANDLER=1 it prints the stack of each thread.
    """
    if faulthandler.is_enabled():
        faulthandler.dump_traceback(sys.stderr.fileno(), all_threads=True)
    words = f"{name}: its end hangs; gone with what was left undone\n"
    os.write(sys.stderr.fileno(), words.encode())  # not the stream: its lock may be held
    os._exit(FAILED)
