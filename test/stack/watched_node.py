"""Runs a node and notes which of the project's code runs in which thread, and when.

`python -m watched_node MODULE FILE [ROS arguments]` writes to FILE as JSON: `ran`, rows of
[s on the monotonic clock, process, thread, file], and `calls`, rows of [begin, end] of the skill
calls of programs, s. A program tells of its own process along with its messages.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

from roboinstruct_ros.sandbox import confined_child, wire

PACKAGE = str(Path(wire.__file__).parents[1]) + "/"
BEHIND_THE_SERVER = "skill_servers/sim/"
SERVER = "skill_servers/sim/node.py"

ran: list[tuple[float, str, str, str]] = []
calls: list[list[float]] = []


def note(process: str) -> Any:
    def called(frame: FrameType, event: str, _: Any) -> None:
        file = _file_of(frame)
        if event == "call" and file and not _is_of_the_house(frame):
            ran.append((time.monotonic(), process, threading.current_thread().name, file))

    return called


def _file_of(frame: FrameType) -> str:
    name = frame.f_code.co_filename
    return name[len(PACKAGE) :] if name.startswith(PACKAGE) else ""


def _is_of_the_house(frame: FrameType | None) -> bool:
    """What a robot does behind its skill server is not ours to count."""
    while frame is not None:
        file = _file_of(frame)
        if file.startswith(BEHIND_THE_SERVER) and file != SERVER:
            return True
        frame = frame.f_back
    return False


def watch_program() -> None:
    """In the process of a program, before it is confined."""
    send = wire.Wire.send

    def telling(self: wire.Wire, message: dict[str, Any]) -> None:
        message["ran"] = ran[:]
        ran.clear()
        send(self, message)

    wire.Wire.send = telling  # type: ignore[method-assign]
    sys.setprofile(note("program"))


def main() -> int:
    module, file = sys.argv[1:3]
    del sys.argv[1:3]
    receive, send = wire.Wire.receive, wire.Wire.send
    in_call: set[int] = set()

    def received(self: wire.Wire, timeout: float | None = None) -> dict[str, Any]:
        message = receive(self, timeout)
        told = [tuple(row) for row in message.pop("ran", ())]
        if "call" in message:
            calls.append([min((row[0] for row in told), default=time.monotonic()), 0.0])
            in_call.add(id(self))
        ran.extend(told)
        return message

    def sent(self: wire.Wire, message: dict[str, Any]) -> None:
        send(self, message)
        if id(self) in in_call:
            in_call.discard(id(self))
            calls[-1][1] = time.monotonic()

    wire.Wire.receive, wire.Wire.send = received, sent  # type: ignore[method-assign]
    begin = "import_module(sys.argv[2]).main()"
    watched = f"import_module('watched_node').watch_program()\n{begin}"
    confined_child._BOOT = confined_child._BOOT.replace(begin, watched)
    server = import_module("roboinstruct_ros.skill_servers.kit.skill_server")
    server.THREADS = 2  # type: ignore[attr-defined]  # what one goal needs; others take more where more come
    hook = note(module.split(".")[-2])
    threading.setprofile(hook)
    sys.setprofile(hook)
    code = int(import_module(module).main())
    sys.setprofile(None)
    threading.setprofile(None)  # type: ignore[arg-type]
    Path(file).write_text(json.dumps({"ran": ran, "calls": calls}))
    return code


if __name__ == "__main__":
    # by its name, so that a program's process finds the same module
    sys.exit(import_module("watched_node").main())
