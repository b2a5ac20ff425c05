"""The process in which MoveIt runs: `python -m roboinstruct_ros.skill_servers.moveit.arm_process`.

MoveIt's Python bindings hold the interpreter's lock while they plan, and a fault in C++ ends the
whole process. So the node that hears cancels and stops lives elsewhere and talks over two pipes, a
JSON object a line. A stop is heard by a thread of its own; when the node dies, the pipe ends, and
the arm is stopped too.

Requests: `{"call", "epoch", "number", ...}`; `{"stop": epoch}` ends what has that epoch or a lower
one, also when it arrives first. Replies: `{"number", ...}` or `{"number", "problem", "message"}`.
"""

from __future__ import annotations

import importlib
import json
import os
import queue
import sys
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, Any, Protocol

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.skill_servers.kit.rotation import Vector
from roboinstruct_ros.skill_servers.moveit.arm import Arm, ArmFault, ArmProblem, NotYet
from roboinstruct_ros.skill_servers.moveit.arm_wire import box_in, placement_in

BAD_INPUT = 2
NOT_YET = 3
"""Exit code of a process that waited in vain for something which may come yet."""

STOP_AGAIN = 0.02
"""s between two stops of a motion that has not ended: one that just begins misses the first."""

STOP_LIMIT = 5.0
"""s for which a motion is stopped again; one that has not ended then hears nothing."""


class LocalWay(Protocol):
    """A plan where it was made."""

    points: int
    duration: float
    start: Mapping[str, float]
    tips: Sequence[Vector]


class ArmServer:
    """Answers requests with an arm; `stop` may come from any thread."""

    def __init__(self, arm: Arm[LocalWay], replies: IO[str]) -> None:
        """Takes the arm and where answers go."""
        self._arm, self._replies = arm, replies
        self._ways: dict[int, LocalWay] = {}
        self._lock = threading.Lock()
        self._stopped = -1
        self._executing: int | None = None

    def answer(self, request: Mapping[str, Any]) -> None:
        """Carries one request out and replies."""
        number = request["number"]
        try:
            reply = self._do(request)
        except ArmFault as fault:
            reply = {"problem": fault.problem.value, "message": str(fault)}
        except Exception as error:  # whatever MoveIt's bindings raise: the node must hear of it
            message = f"{request['call']}: {type(error).__name__}: {error}"
            reply = {"problem": ArmProblem.NOT_EXECUTED.value, "message": message}
        self._replies.write(json.dumps({"number": number, **reply}) + "\n")
        self._replies.flush()

    def stop(self, epoch: int) -> None:
        """Refuses what has this epoch or a lower one, and stops it until it has ended."""
        with self._lock:
            self._stopped = max(self._stopped, epoch)
        self._arm.stop()
        deadline = time.monotonic() + STOP_LIMIT
        while (running := self._executing) is not None and running <= self._stopped:
            self._arm.stop()
            time.sleep(STOP_AGAIN)
            if time.monotonic() > deadline:
                return

    def _do(self, request: Mapping[str, Any]) -> dict[str, Any]:
        call, number = request["call"], request["number"]
        if call in ("plan_to", "plan_line"):
            plan = self._arm.plan_to if call == "plan_to" else self._arm.plan_line
            return self._keep(number, plan(placement_in(request["goal"])))
        if call == "plan_named":
            return self._keep(number, self._arm.plan_named(request["name"]))
        if call == "execute":
            self._execute(request["plan"], request["epoch"])
        elif call == "show":
            self._arm.show([box_in(box) for box in request["boxes"]])
        elif call == "attach":
            self._arm.attach(box_in(request["box"]))
        elif call == "detach":
            self._arm.detach(box_in(request["box"]))
        else:
            raise ArmFault(ArmProblem.NOT_READY, f"the arm's process knows no call '{call}'")
        return {}

    def _keep(self, number: int, way: LocalWay) -> dict[str, Any]:
        self._ways = {number: way}  # an older plan begins elsewhere
        return {
            "points": way.points,
            "duration": way.duration,
            "start": dict(way.start),
            "tips": [list(tip) for tip in way.tips],
        }

    def _execute(self, number: int, epoch: int) -> None:
        way = self._ways.pop(number, None)
        if way is None:
            raise ArmFault(ArmProblem.NOT_EXECUTED, "that plan is not the last one; nothing moved")
        with self._lock:
            if epoch <= self._stopped:
                raise ArmFault(ArmProblem.STOPPED, "the arm was told to stop")
            self._executing = epoch
        try:
            self._arm.execute(way)
        finally:
            self._executing = None
        if epoch <= self._stopped:
            raise ArmFault(ArmProblem.STOPPED, "the arm was told to stop")


def serve(arm: Arm[LocalWay], requests: Iterable[str], replies: IO[str]) -> None:
    """Answers until the requests end; then the arm is stopped and the process ends."""
    server = ArmServer(arm, replies)
    waiting: queue.Queue[dict[str, Any]] = queue.Queue()

    def read() -> None:
        for line in requests:
            request = json.loads(line)
            if "stop" in request:
                # in a thread of its own: a second stop must not wait for the first
                threading.Thread(target=server.stop, args=(request["stop"],), daemon=True).start()
            else:
                waiting.put(request)
        server.stop(sys.maxsize)
        os._exit(0)

    threading.Thread(target=read, name="requests", daemon=True).start()
    replies.write(json.dumps({"ready": True}) + "\n")
    replies.flush()
    while True:
        try:
            server.answer(waiting.get())
        except BrokenPipeError:  # the node has died, and the other thread ends this process
            threading.Event().wait()


def main() -> int:
    """Arguments: the number of each pipe, `module:function` that makes the arm, its settings.

    Gives, after one line on stderr, 2 when the arm cannot be made as asked, 3 when it may be made
    later, 1 for anything else.
    """
    read, write, maker, settings = sys.argv[1:5]
    module, _, function = maker.partition(":")
    try:
        arm = getattr(importlib.import_module(module), function)(json.loads(settings))
    except Exception as error:  # whatever MoveIt's bindings raise
        hopeless = isinstance(error, (ConfigError, FileNotFoundError))
        known = hopeless or isinstance(error, RuntimeError)
        words = str(error) if known else f"{type(error).__name__}: {error}"
        print(" ".join(words.split()), file=sys.stderr, flush=True)
        # MoveIt's threads could change the exit code
        os._exit(BAD_INPUT if hopeless else NOT_YET if isinstance(error, NotYet) else 1)
    with os.fdopen(int(read)) as requests, os.fdopen(int(write), "w") as replies:
        serve(arm, requests, replies)
    return 0


if __name__ == "__main__":
    sys.exit(main())
