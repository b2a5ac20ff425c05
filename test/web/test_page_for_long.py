"""A page that is open for hours, and many at a time."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
import test_page
from chromium import chromium
from fake_link import ACCEPTED, PROGRAM, FakeLink, sha256
from fastapi import FastAPI
from playwright.sync_api import Browser, CDPSession, Page, expect
from served_kiosk import served
from waiting import until
from websockets.sync.client import connect

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.web.robot_link import (
    NodesSeen,
    Question,
    RobotPose,
    Speech,
    Thing,
    WorldSeen,
)

screen = test_page.screen
TASKS = 120
"""Of an hour."""
CALLS, POSES = 12, 100
"""Of a task."""
MOST_NODES, MOST_HEAP = 6000, 24e6  # bytes
WATCHERS, PAGES = 27, 3


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def an_hour(screen: Page, link: FakeLink, name: str) -> None:
    """Tasks one after the other, each written and carried out, as fast as the page takes them."""
    for number in range(TASKS):
        task_id = f"{name}-{number}"
        whole_task(link, task_id)
        screen.wait_for_function("text => speech.textContent.includes(text)", arg=task_id)


def whole_task(link: FakeLink, task_id: str) -> None:
    link.event(EventKind.GENERATION_STARTED, task_id, instruction=f"Task {task_id}", asked_by="x")
    for token in range(20):
        link.event(EventKind.TOKENS, task_id, draft=1, text=f"# {token}\n", tokens=token)
    link.tell_generation(task_id)
    link.event(EventKind.PROGRAM_VERIFIED, task_id, verdict=ACCEPTED, plan=["1 Go."])
    link.event(EventKind.RUN_STARTED, task_id, instruction="x", program_sha256=sha256())
    for index in range(CALLS):
        call = {"index": index, "skill": "go_to", "arguments": [f"room {index}"], "line": 2}
        link.event(EventKind.SKILL_STARTED, task_id, **call)
        link.event(EventKind.PROGRAM_PRINTED, task_id, text=f"line {index}", line=2)
        link.event(EventKind.SKILL_FINISHED, task_id, **call, result=None, error_code=0)
    for step in range(POSES):
        link.say(RobotPose(step * 0.04, 1.0, 0.0))
    link.say(WorldSeen(people=(Thing(f"Ann {task_id}", 0.5, 0.5),), held=task_id))
    link.say(Question("Tea?", "Ann", ("tea", "none"), live=True))
    link.say(Question())
    link.event(EventKind.WARNING, "", message=f"warning of {task_id}")
    link.say(NodesSeen({**test_page.UP.states, "sim_robot": "lost"}))
    link.say(test_page.UP)
    link.event(EventKind.RUN_FINISHED, task_id, outcome="succeeded", error_code=0, duration=3.0)
    link.say(Speech(f"done with {task_id}"))


def kept(browser_session: CDPSession) -> tuple[int, int]:
    """DOM nodes and bytes of JavaScript that are still there when all garbage is collected."""
    for _ in range(3):
        browser_session.send("HeapProfiler.collectGarbage")
    nodes = browser_session.send("Memory.getDOMCounters")["nodes"]
    return int(nodes), int(browser_session.send("Runtime.getHeapUsage")["usedSize"])


def test_a_page_that_is_open_for_an_hour_keeps_no_more_than_in_the_first(
    screen: Page, link: FakeLink
) -> None:
    session = screen.context.new_cdp_session(screen)
    screen.locator("#words").fill("half a sentence")
    an_hour(screen, link, "first")
    nodes, heap = kept(session)
    an_hour(screen, link, "second")

    def kept_as_much() -> bool:
        later_nodes, later_heap = kept(session)
        assert later_nodes < MOST_NODES and later_heap < MOST_HEAP
        return later_nodes < 1.2 * nodes and later_heap < 1.2 * heap

    # Chromium frees some memory later than it is told to
    until(kept_as_much, lambda: f"{kept(session)} kept, {nodes, heap} before")
    expect(screen.locator("#words")).to_have_value("half a sentence")
    screen.locator("#stop").click()
    until(lambda: link.stops)


def test_thirty_watch_one_run_and_a_stop_from_one_is_seen_by_all(
    app: FastAPI, link: FakeLink, browser: Browser
) -> None:
    ended: list[int] = []

    def watch(port: int, number: int) -> None:
        with connect(f"ws://localhost:{port}/api/v1/events", open_timeout=60) as socket:
            for message in socket:
                told = json.loads(message)
                if told["type"] == "task" and told["task"].get("phase") == "cancelled":
                    ended.append(number)
                    return

    with served(app) as port, ExitStack() as ends:
        watchers = [threading.Thread(target=watch, args=(port, n)) for n in range(WATCHERS)]
        for one in watchers:
            one.start()
        pages = [browser.new_page() for _ in range(PAGES)]
        for page in pages:
            ends.callback(page.close)
            page.goto(f"http://localhost:{port}")
        link.say(test_page.UP)
        task_id = test_page.ask(pages[0], link)
        until(lambda: app.state.session.hub.listeners == WATCHERS + PAGES)
        link.finish_generation(task_id, PROGRAM)
        expect(pages[0].locator("#approve")).to_be_enabled()
        pages[0].locator("#approve").click()
        until(lambda: link.executed)
        link.event(EventKind.RUN_STARTED, task_id, instruction="", program_sha256=sha256())
        for index in range(50):
            call = {"index": index, "skill": "go_to", "arguments": [f"room {index}"], "line": 2}
            link.event(EventKind.SKILL_STARTED, task_id, **call)
            link.say(RobotPose(0.05 * index, 1.0, 0.0))
        for page in pages:
            expect(page.locator("#run li").last).to_contain_text("Go to room 49")
            expect(page.locator("#where")).to_have_text("Robot: hallway")
        pages[-1].locator("#stop").click()
        until(lambda: link.stops)
        link.end_run(task_id, "cancelled")
        for page in pages:
            test_page.phase(page, "cancelled")
        for one in watchers:
            one.join(60)
        assert sorted(ended) == list(range(WATCHERS))
