"""`roboinstruct status`: the state of a running stack, once or continuously."""

from __future__ import annotations

import json
import queue
import threading
import time
from datetime import datetime
from typing import Annotated, Any

import typer

from roboinstruct_ros.commands.ending import ExitCode, drop_unwritable
from roboinstruct_ros.commands.joining import Namespace, Security, join, on_signals
from roboinstruct_ros.domain.configuration import InputError, on_one_line
from roboinstruct_ros.domain.events import EventKind

_HEARD_LIMIT = 5.0  # s until some node must be heard
_LOOK = 0.2  # period of the check for lost nodes, s
_LONGEST = 160  # characters of an event's data


def status(
    follow: Annotated[
        bool, typer.Option("--follow", help="Print every event too, until Ctrl-C.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object, and one for each event.")
    ] = False,
    namespace: Namespace = "",
    security: Security = "",
) -> ExitCode:
    """Show the state of the stack; with `follow` every event too, until Ctrl-C."""
    from roboinstruct_ros.nodes.discovery import elsewhere
    from roboinstruct_ros.nodes.stack_watch import StackWatch

    join(namespace)
    interrupt = on_signals()
    with StackWatch(interrupt, namespace) as watch:
        if not watch.wait_heard(_HEARD_LIMIT):
            if interrupt.is_set():
                return ExitCode.INTERRUPTED
            raise InputError(
                f"the stack is not running: no node was heard within {_HEARD_LIMIT:g} s; start it "
                f"with 'roboinstruct up' ({elsewhere(watch.node)})"
            )
        try:
            told = watch.status()
            print(json.dumps(told) if as_json else status_text(told), flush=True)
            if follow:
                return _follow(watch, interrupt, as_json)
        except BrokenPipeError:  # the reader has closed the pipe
            drop_unwritable()
    return ExitCode.INTERRUPTED if interrupt.is_set() else ExitCode.SUCCESS


def status_text(status: dict[str, Any]) -> str:
    now = status["executor"]
    lines = [f"{name:<16} {state}" for name, state in status["nodes"].items()]
    if now is not None:
        place = f", line {now['line']}" if now["line"] else ""
        task = f"  {now['task_id']}  {_short(now['instruction'])}" if now["task_id"] else ""
        lines.append(f"{'state':<16} {now['state']}{place}{task}")
        if now["message"]:
            lines.append(f"{'':<16} {_short(now['message'])}")
        lines.append(f"{'waiting':<16} {now['waiting']}")
    for run in status["interrupted"]:
        told = f"{run['task_id']}  {_short(run['instruction'])}  ({run['calls']} calls made)"
        lines.append(f"{'interrupted':<16} {told}")
    for doubt in status["doubts"]:
        lines.append(f"{doubt['level'].lower():<16} {doubt['name']}: {_short(doubt['message'])}")
    return "\n".join(lines)


def event_line(event: dict[str, Any]) -> str:
    """An event in one line, with the local time."""
    at, data = _clock(event["t"]), event["data"]
    if event["kind"] == EventKind.EVENTS_LOST.value:
        count = data["count"]
        many = f"{count} events" if count > 1 else "1 event"
        return f"{at}  {many} of the {event['source']} {'were' if count > 1 else 'was'} lost"
    told = ", ".join(f"{key}={_plain(value)}" for key, value in data.items())
    return f"{at}  {event['source']}  {event['task_id'] or '-'}  {event['kind']}  {_short(told)}"


def _follow(watch: Any, interrupt: threading.Event, as_json: bool) -> ExitCode:
    nodes = watch.nodes()
    while not interrupt.is_set():
        try:
            event = watch.events.get(timeout=_LOOK)
            print(json.dumps(event) if as_json else event_line(event), flush=True)
        except queue.Empty:
            pass
        before, nodes = nodes, watch.nodes()
        for name, state in nodes.items():
            if before.get(name) != state:
                change = {"node": name, "state": state}
                line = f"{_clock(time.time())}  the node '{name}' is {state}"
                print(json.dumps(change) if as_json else line, flush=True)
    return ExitCode.INTERRUPTED


def _clock(stamp: float) -> str:
    """A time (s since the epoch) to the millisecond."""
    return f"{datetime.fromtimestamp(stamp):%H:%M:%S.%f}"[:-3]


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _short(text: str) -> str:
    """The text in one line, shortened, without terminal control characters."""
    line = on_one_line(" ".join(text.split()))
    return line if len(line) <= _LONGEST else line[: _LONGEST - 3] + "..."
