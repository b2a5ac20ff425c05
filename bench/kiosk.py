"""The page in a real browser: how soon it can be used, how late a token is seen, what it costs.

The browser runs on the cores that the stack runs on.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from executor_process import LIMIT, ExecutorClient, wait_until
from graph import Processes, own_graph
from idle import node_times
from playwright.sync_api import Browser, Page
from rich.console import Console
from rich.table import Table
from verification import percentile
from whole_stack import WholeStack, whole_stack

from roboinstruct_msgs.msg import Event, StopRequest
from roboinstruct_ros import names
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.nodes.qos import EVENTS

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "test" / "web"))

OPENINGS, TOKENS, PRESSES = 10, 400, 100
TOKEN_PERIOD = 0.03
"""s; 33 token/s."""
WATCHERS = 30
WATCHED = 15.0
"""s of a drive."""
_SETTLED = 2.0  # s after pages have come
_DRIVE = """\
def task_program():
    for i in range(200):
        go_to("garage")
        go_to("kitchen")
"""
_USABLE = """() => document.querySelectorAll("#map .room").length > 0
    && !document.getElementById("write").disabled && performance.now()"""
_NOTE_TOKENS = """() => {
    window.drawn = [];
    const code = document.getElementById("code");
    new MutationObserver(() => requestAnimationFrame(() => setTimeout(() => {
        const last = Number(/(\\d+)\\s*$/.exec(code.textContent)?.[1] ?? -1);
        window.drawn.push([last, performance.timeOrigin + performance.now()]);
    }))).observe(code, { childList: true, subtree: true, characterData: true });
}"""
_NOTE_PRESSES = """() => {
    window.presses = [];
    document.addEventListener("pointerdown",
        () => presses.push(performance.timeOrigin + performance.now()), true);
}"""


@dataclass(frozen=True)
class KioskFigures:
    """Attributes:
    usable: from the address to a page on which a task can be written, s, nothing cached.
    transferred: for it, bytes over the network, answers and messages.
    tokens: from the event to the frame that shows it, s.
    share: of a core that the kiosk takes, by the number of pages that watch a drive.
    rate: messages a second that each of them gets.
    stops: from the finger on the page to a listener of the request, s.
    """

    usable: Sequence[float]
    transferred: int
    tokens: Sequence[float]
    share: dict[int, float]
    rate: float
    stops: Sequence[float]


def kiosk_figures() -> KioskFigures:
    """Measure on a stack of its own; two minutes."""
    from chromium import chromium

    with own_graph() as processes, whole_stack(processes) as stack, ExitStack() as ends:
        client = ends.enter_context(ExecutorClient(processes))
        browser = ends.enter_context(chromium())
        opened = [_open(browser, stack.port) for _ in range(OPENINGS)]
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{stack.port}")
        page.wait_for_function(_USABLE)
        stops, tokens = _stops(page, client), _tokens(page, client)
        page.close()
        return KioskFigures(
            [seconds for seconds, _ in opened],
            max(size for _, size in opened),
            tokens,
            *_shares(processes, stack, client),
            stops,
        )


def print_kiosk(console: Console) -> None:
    """Measure and print."""
    with console.status("looking at the page"):
        seen = kiosk_figures()
    table = Table(title="the page in a browser")
    for column in ("what", "median", "p95", "p99", "goal"):
        table.add_column(column)
    for what, seconds, goal in (
        (f"the page is usable ({OPENINGS} times, nothing cached)", seen.usable, "1,000 ms"),
        (f"from a token to the frame that shows it ({TOKENS})", seen.tokens, "p95 100 ms"),
        (f"from the finger on Stop to a skill server ({PRESSES})", seen.stops, "p99 30 ms"),
    ):
        parts = (percentile(seconds, part) * 1e3 for part in (0.5, 0.95, 0.99))
        table.add_row(what, *(f"{one:.0f} ms" for one in parts), goal)
    table.add_row("transferred for it", f"{seen.transferred / 1e3:.0f} kB", "", "", "150 kB")
    for count, share in seen.share.items():
        goal = "half" if count == WATCHERS else ""
        what = f"kiosk's share of a core, {count} watching a drive, {seen.rate:.0f} messages/s each"
        table.add_row(what, f"{share:.2f}", "", "", goal)
    ratio = seen.share[WATCHERS] / seen.share[1]
    table.add_row(f"the same, {WATCHERS} watchers : one", f"{ratio:.1f} : 1", "", "", "")
    console.print(table)


def _open(browser: Browser, port: int) -> tuple[float, int]:
    """How long until it is usable, s, and how many bytes have come until then."""
    came = [0]
    with browser.new_context() as context:
        page = context.new_page()
        network = context.new_cdp_session(page)
        network.send("Network.enable")

        def answer(told: dict[str, float]) -> None:
            came[0] += int(told["encodedDataLength"])

        network.on("Network.loadingFinished", answer)
        page.on("websocket", lambda socket: socket.on("framereceived", message))

        def message(data: str | bytes) -> None:
            came[0] += len(data)

        page.goto(f"http://127.0.0.1:{port}", wait_until="commit")
        usable = page.wait_for_function(_USABLE).json_value()
        return float(usable) / 1e3, came[0]


def _tokens(page: Page, client: ExecutorClient) -> list[float]:
    """Of a text that is written elsewhere, which the page shows all the same."""
    events = client.node.create_publisher(Event, names.EVENTS_TOPIC, EVENTS)
    wait_until(lambda: events.get_subscription_count() > 2, "somebody listens")
    page.locator("#code-fold").click()
    page.evaluate(_NOTE_TOKENS)
    sent: list[float] = []

    def tell(kind: EventKind, **data: object) -> None:
        stamp = client.node.get_clock().now().to_msg()
        one = Event(kind=kind.value, task_id="measured", stamp=stamp, source="bench")
        one.data = json.dumps(data)
        events.publish(one)

    tell(EventKind.GENERATION_STARTED, instruction="measure", asked_by="bench")
    tell(EventKind.DRAFT_STARTED, draft=1, attempt=1)
    for number in range(TOKENS):
        time.sleep(TOKEN_PERIOD)
        sent.append(time.time())
        tell(EventKind.TOKENS, draft=1, text=f"# {number}\n", tokens=number + 1)
    page.wait_for_function("last => drawn.some(([number]) => number >= last)", arg=TOKENS - 1)
    ahead = _clock_ahead(page)
    drawn = [(number, at / 1e3 - ahead) for number, at in page.evaluate("drawn")]
    return [
        next(at for last, at in drawn if last >= number) - when for number, when in enumerate(sent)
    ]


def _stops(page: Page, client: ExecutorClient) -> list[float]:
    came: list[float] = []
    fresh = threading.Event()

    def hear(_: StopRequest) -> None:
        if not fresh.is_set():  # the executor may tell of the same stop once more
            came.append(time.time())
            fresh.set()

    client.node.create_subscription(StopRequest, names.STOP_REQUEST_TOPIC, hear, 10)
    wait_until(lambda: client.node.count_publishers(names.STOP_REQUEST_TOPIC) > 1, "the kiosk")
    page.evaluate(_NOTE_PRESSES)
    page.locator("#stop").hover()
    for number in range(PRESSES + 1):  # the first is to be heard by somebody new
        fresh.clear()
        page.mouse.down()
        assert fresh.wait(LIMIT) or not number, "a stop was not heard"
        page.mouse.up()
        time.sleep(0.1)
    ahead = _clock_ahead(page)
    pressed = [at / 1e3 - ahead for at in page.evaluate("presses")]
    return [there - at for at, there in zip(pressed[-PRESSES:], came[-PRESSES:], strict=True)]


def _clock_ahead(page: Page) -> float:
    """How far the page's clock is ahead of this process', s; by the fastest of some answers."""
    looks = []
    for _ in range(20):
        before = time.time()
        there = float(page.evaluate("performance.timeOrigin + performance.now()")) / 1e3
        after = time.time()
        looks.append((after - before, there - (before + after) / 2))
    return min(looks)[1]


def _shares(
    processes: Processes, stack: WholeStack, client: ExecutorClient
) -> tuple[dict[int, float], float]:
    driving = client.begin(_DRIVE)
    client.states.clear()
    wait_until(lambda: "running" in client.states, "the robot drives")
    shares, rate = {}, 0.0
    for count in (1, WATCHERS):
        pages = processes.talking("pages.py", str(stack.port), str(count))
        time.sleep(_SETTLED)
        messages = pages.ask("messages")
        before, begun = node_times(stack.supervisor)["kiosk"], time.monotonic()
        time.sleep(WATCHED)
        taken = node_times(stack.supervisor)["kiosk"] - before
        passed = time.monotonic() - begun
        shares[count], rate = taken / passed, (pages.ask("messages") - messages) / passed
        pages.end()
    client.stop()
    client.result(driving)
    return shares, rate


if __name__ == "__main__":
    print_kiosk(Console(width=120))
