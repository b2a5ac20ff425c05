"""The process that runs MoveIt: `python -m roboinstruct_ros.skill_servers.moveit.arm_process`.

MoveIt's Python bindings hold the GIL while they plan, and a fault in C++ ends the whole process. So
the node that receives cancels and stops is a separate process, connected by two pipes of
`multiprocessing.connection`. A thread of its own receives stops; when the node dies, the pipe
closes and the arm is stopped too.

Requests: `(number, epoch, call, arguments)`; `(epoch,)` stops requests of that epoch or a lower
one, even if they arrive later. Replies: `(number, result, fault)`, where fault is None or
`(problem, message)`; the first, `()`, says that the arm is ready.
"""

from __future__ import annotations

import importlib
import json
import os
import queue
import sys
import threading
import time
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import Any

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.skill_servers.moveit.arm import Arm, ArmFault, ArmProblem, NotYet, Plan

BAD_INPUT = 2
NOT_YET = 3
"""Exit code of a process that waited in vain for something that may still come."""

STOP_AGAIN = 0.02
"""Interval (s) between stops of a running motion: one that just begins misses the first."""

STOP_LIMIT = 5.0
"""Time (s) for which a stop is repeated; a motion that still runs then ignores stops."""

Reply = tuple[int, Any, "tuple[ArmProblem, str] | None"]


class ArmServer:
    """Answers requests with an arm; `stop` may come from any thread."""

    def __init__(self, arm: Arm) -> None:
        self._arm = arm
        self._plans: dict[int, Plan] = {}
        self._lock = threading.Lock()
        self._stopped = -1
        self._executing: int | None = None

    def answer(self, number: int, epoch: int, call: str, arguments: tuple[Any, ...]) -> Reply:
        try:
            return number, self._do(number, epoch, call, arguments), None
        except ArmFault as fault:
            return number, None, (fault.problem, str(fault))
        except Exception as error:  # MoveIt's bindings may raise anything; report it to the node
            message = f"{call}: {type(error).__name__}: {error}"
            return number, None, (ArmProblem.NOT_EXECUTED, message)

    def stop(self, epoch: int) -> None:
        """Refuse requests of this epoch or a lower one, and stop a running motion until it ends."""
        with self._lock:
            self._stopped = max(self._stopped, epoch)
        self._arm.stop()
        deadline = time.monotonic() + STOP_LIMIT
        while (running := self._executing) is not None and running <= self._stopped:
            self._arm.stop()
            time.sleep(STOP_AGAIN)
            if time.monotonic() > deadline:
                return

    def _do(self, number: int, epoch: int, call: str, arguments: tuple[Any, ...]) -> Plan | None:
        if call == "execute":
            self._execute(arguments[0], epoch)
            return None
        plan: Plan | None = getattr(self._arm, call)(*arguments)
        if plan is None:
            return None
        self._plans = {number: plan}  # an older plan starts elsewhere
        return replace(plan, trajectory=None, number=number, made=time.monotonic())

    def _execute(self, number: int, epoch: int) -> None:
        plan = self._plans.pop(number, None)
        if plan is None:
            raise ArmFault(ArmProblem.NOT_EXECUTED, "that plan is not the last one; nothing moved")
        with self._lock:
            if epoch <= self._stopped:
                raise ArmFault(ArmProblem.STOPPED, "the arm was told to stop")
            self._executing = epoch
        try:
            self._arm.execute(plan)
        finally:
            self._executing = None
        if epoch <= self._stopped:
            raise ArmFault(ArmProblem.STOPPED, "the arm was told to stop")


def serve(arm: Arm, requests: Connection[Any, Any], replies: Connection[Any, Any]) -> None:
    """Answer requests until the pipe closes; then stop the arm and end the process."""
    server = ArmServer(arm)
    waiting: queue.Queue[tuple[Any, ...]] = queue.Queue()

    def read() -> None:
        with suppress(EOFError, OSError):
            while True:
                request = requests.recv()
                if len(request) == 1:
                    # in a thread of its own: a second stop must not wait for the first
                    threading.Thread(target=server.stop, args=request, daemon=True).start()
                else:
                    waiting.put(request)
        server.stop(sys.maxsize)
        os._exit(0)

    threading.Thread(target=read, name="requests", daemon=True).start()
    with suppress(BrokenPipeError):  # the node has died, and the other thread ends this process
        replies.send(())
        while True:
            replies.send(server.answer(*waiting.get()))
    threading.Event().wait()


def main() -> int:
    """Arguments: file descriptors of the two pipes, `module:function` to create the arm, its
    settings.

    Returns:
        After one line on stderr: 2 if the configuration is unusable, 3 if the arm may be available
        later, 1 for anything else.
    """
    read, write, maker, settings = sys.argv[1:5]
    module, _, function = maker.partition(":")
    try:
        arm = getattr(importlib.import_module(module), function)(json.loads(settings))
    except Exception as error:  # MoveIt's bindings may raise anything
        hopeless = isinstance(error, (ConfigError, FileNotFoundError))
        known = hopeless or isinstance(error, RuntimeError)
        words = str(error) if known else f"{type(error).__name__}: {error}"
        print(" ".join(words.split()), file=sys.stderr, flush=True)
        # MoveIt's threads could change the exit code
        os._exit(BAD_INPUT if hopeless else NOT_YET if isinstance(error, NotYet) else 1)
    serve(arm, Connection(int(read), writable=False), Connection(int(write), readable=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
