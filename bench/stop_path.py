"""From the page's Stop to the skill servers, and what a page is sent of a long program."""

from __future__ import annotations

import http.client
import random
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass

from executor_process import LIMIT, ExecutorClient, wait_until
from graph import TalkingProcess, own_graph
from rich.console import Console
from rich.table import Table
from stops import BUSY, busy
from verification import percentile
from whole_stack import whole_stack

from roboinstruct_msgs.msg import StopRequest
from roboinstruct_ros import names

IDLE, LOADED = 200, 40
"""Stops."""
PAGES = 30
SHORT, LONG = 1000, 8000
"""Calls of a program."""
LONGEST_RUN = 300.0  # s that `LONG` calls may take
_LATEST = 10.0  # s of such a run after which Stop is pressed, at the latest


@dataclass(frozen=True)
class StopPath:
    """Attributes:
    idle: from the press to a listener of the request, s, while nothing happens.
    loaded: the same beside two processes that compute and `PAGES` pages that watch a program.
    bytes_per_call: that a page is sent, by the number of calls of its program.
    """

    idle: Sequence[float]
    loaded: Sequence[float]
    bytes_per_call: dict[int, float]


def stop_path(
    idle: int = IDLE, loaded: int = LOADED, calls: Sequence[int] = (SHORT, LONG)
) -> StopPath:
    """Measure on a stack of its own; some minutes."""
    with own_graph() as processes, whole_stack(processes) as stack, ExitStack() as ends:
        client = ends.enter_context(ExecutorClient(processes))
        button = _Button(client, stack.port)
        at_rest = [button.press() for _ in range(idle)]
        one_page = processes.talking("pages.py", str(stack.port), "1")
        sent = {count: _bytes_per_call(client, one_page, count) for count in calls}
        processes.talking("pages.py", str(stack.port), str(PAGES))
        ends.enter_context(busy(processes))
        under_load = [_press_in_run(client, button) for _ in range(loaded)]
        return StopPath(at_rest, under_load, sent)


def print_stop_path(console: Console) -> None:
    """Measure and print."""
    with console.status("pressing Stop on the page"):
        path = stop_path()
    table = Table(title="the page")
    for column in ("what", "median", "p99", "goal"):
        table.add_column(column)
    for what, seconds, goal in (
        (f"from Stop on the page to a skill server ({len(path.idle)})", path.idle, "p99 30 ms"),
        (
            f"the same beside {BUSY} processes that compute and {PAGES} pages that watch a program"
            f" of {LONG} calls ({len(path.loaded)})",
            path.loaded,
            "p99 100 ms",
        ),
    ):
        half, most = percentile(seconds, 0.5) * 1e3, percentile(seconds, 0.99) * 1e3
        table.add_row(what, f"{half:.1f} ms", f"{most:.1f} ms", goal)
    for calls, sent in path.bytes_per_call.items():
        table.add_row(f"what a page is sent for each call of {calls}", f"{sent:.0f} bytes", "", "")
    console.print(table)


class _Button:
    """Presses Stop as the page does, on a new connection, and hears what comes of it."""

    def __init__(self, client: ExecutorClient, port: int) -> None:
        self._port = port
        self._came = threading.Event()
        self._moment = 0.0
        client.node.create_subscription(StopRequest, names.STOP_REQUEST_TOPIC, self._hear, 10)
        wait_until(lambda: bool(self._once(2.0)), "a stop comes to its listener")

    def press(self) -> float:
        """How long it took, s."""
        took = self._once(LIMIT)
        assert took > 0, f"a stop was not heard within {LIMIT:g} s"
        return took

    def _once(self, limit: float) -> float:
        self._came.clear()
        pressed = time.monotonic()
        with closing(http.client.HTTPConnection("127.0.0.1", self._port, timeout=LIMIT)) as kiosk:
            kiosk.request("POST", "/api/v1/stop")
            heard = self._came.wait(limit)
        return self._moment - pressed if heard else 0.0

    def _hear(self, request: StopRequest) -> None:
        if not self._came.is_set():  # the executor may tell of the same stop once more
            self._moment = time.monotonic()
            self._came.set()


def _program(calls: int) -> str:
    return f"def task_program():\n    for i in range({calls}):\n        get_current_location()\n"


def _press_in_run(client: ExecutorClient, button: _Button) -> float:
    handle = client.begin(_program(LONG))
    client.states.clear()
    wait_until(lambda: "running" in client.states, "the program runs")
    time.sleep(random.uniform(0.1, _LATEST))
    took = button.press()
    client.result(handle)
    return took


def _bytes_per_call(client: ExecutorClient, page: TalkingProcess, calls: int) -> float:
    time.sleep(1.0)
    before = page.ask(None)
    ended = client.result(client.begin(_program(calls)), LONGEST_RUN)
    assert ended.outcome == "succeeded", ended.error_msg
    last, got = before, page.ask(None)
    while last != got:  # the last of it is on its way
        time.sleep(1.0)
        last, got = got, page.ask(None)
    return float((got - before) / calls)


if __name__ == "__main__":
    path = stop_path(*map(int, sys.argv[1:3]))  # type: ignore[arg-type]  # two of its three
    for what, seconds in (("idle", path.idle), ("loaded", path.loaded)):
        if seconds:
            print(
                what, *(f"{percentile(seconds, part) * 1e3:.1f}" for part in (0.5, 0.99, 1.0)), "ms"
            )
    print("bytes per call", {calls: round(sent) for calls, sent in path.bytes_per_call.items()})
