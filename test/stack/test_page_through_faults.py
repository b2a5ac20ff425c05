"""The page while the kiosk is killed, the connection cut, the disk full: in every state of a task.

It says what is so, goes on when that is over, and nothing that was typed is lost.
"""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import yaml
from cable import Cable
from chromium import LIMIT, chromium
from playwright.sync_api import Page, expect
from running_stack import nodes_of, pid_of, wait_up
from waiting import until

from roboinstruct_ros.domain.files.shared_files import shared_file

pytestmark = pytest.mark.stack

TYPED = "and then, if there is still time,"
LOST = "The connection to the kiosk is lost"
DRIVE, ASK = "Go to the garage.", "Ask Alice in the living room if she is hungry"


@pytest.fixture(scope="module")
def up(
    shared_stack: Any, shared_port: int, tmp_path_factory: pytest.TempPathFactory
) -> subprocess.Popen[bytes]:
    """A whole stack in which Alice answers at the screen."""
    processes, _ = shared_stack
    folder = tmp_path_factory.mktemp("home")
    home = yaml.safe_load(shared_file("config/worlds/home.yaml").read_text())
    next(one for one in home["people"] if one["name"] == "Alice")["live"] = True
    world = folder / "home.yaml"
    world.write_text(yaml.safe_dump(home))
    options = ("--world", str(world), "--port", str(shared_port), "--speed", "2")
    up: subprocess.Popen[bytes] = processes(
        "roboinstruct_ros.cli", "up", *options, env={"HOME": str(folder)}
    )
    wait_up(lambda: processes.log_of(up))
    return up


@pytest.fixture(scope="module")
def cable(up: subprocess.Popen[bytes], shared_port: int) -> Iterator[Cable]:
    """Between the page and the kiosk."""
    with Cable(shared_port) as cable:
        yield cable


@pytest.fixture(scope="module")
def screen(cable: Cable) -> Iterator[Page]:
    """One page for all of it, which is never loaded anew."""
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1024, "height": 600})
        page.set_default_timeout(LIMIT)
        page.goto(f"http://127.0.0.1:{cable.port}")
        yield page


def phase(screen: Page, *names: str) -> str:
    """Waits for one of these, and gives which it is."""
    expect(screen.locator("body")).to_have_attribute("data-phase", re.compile("|".join(names)))
    return str(screen.locator("body").get_attribute("data-phase"))


def ask(screen: Page, words: str) -> None:
    expect(screen.locator("#write")).to_be_enabled()
    screen.locator("#words").fill(words)
    screen.locator("#words").press("Enter")
    phase(screen, "writing", "ready")


def run(screen: Page, words: str) -> None:
    ask(screen, words)
    expect(screen.locator("#approve")).to_be_enabled()
    screen.locator("#approve").click()
    phase(screen, "running")


def writing(screen: Page) -> None:
    ask(screen, "Check every bedroom for a pillow and tell me which ones have one")


def waiting(screen: Page) -> None:
    ask(screen, DRIVE)
    expect(screen.locator("#approve")).to_be_enabled()


def running(screen: Page) -> None:
    run(screen, DRIVE)


def asked(screen: Page) -> None:
    run(screen, ASK)
    expect(screen.locator("#question")).to_be_visible()


def paused(screen: Page) -> None:
    run(screen, DRIVE)
    screen.get_by_role("button", name="Pause").click()
    phase(screen, "paused")


STATES = {"writing": writing, "plan": waiting, "run": running, "question": asked}
State = pytest.mark.parametrize("state", STATES)


def taken(screen: Page) -> bool:
    """Whether the words are: a kiosk that has just come back may not hear the generator yet."""
    try:
        expect(screen.locator("body")).to_have_attribute("data-phase", "writing", timeout=10e3)
    except AssertionError:
        return False
    return True


def settled(screen: Page) -> None:
    """Everything is as before: nothing is said, nothing runs, and a task is done."""
    expect(screen.locator("#banners")).to_be_empty()
    expect(screen.locator("#write")).to_be_visible()
    if screen.locator("#question").is_visible() or screen.locator("#discard").is_enabled():
        screen.locator("#stop").click()
    phase(screen, *"none ready answered rejected succeeded failed cancelled discarded".split())
    screen.locator("#words").fill("Go to the kitchen.")
    written = ""
    while written != "ready":  # the writer may still be busy with what a killed kiosk had asked
        expect(screen.locator("#write")).to_be_enabled()
        screen.locator("#words").press("Enter")
        if taken(screen):
            written = phase(screen, "ready", "rejected", "failed")
    expect(screen.locator("#approve")).to_be_enabled()
    screen.locator("#approve").click()
    phase(screen, "succeeded")


def type_ahead(screen: Page) -> None:
    """As far as the page lets somebody: a question fills it."""
    screen.locator("#words").evaluate("(box, words) => { box.value = words; }", TYPED)


@State
def test_a_cut_connection_is_told_and_all_is_there_when_it_is_back(
    screen: Page, cable: Cable, state: str
) -> None:
    STATES[state](screen)
    type_ahead(screen)
    cable.cut()
    expect(screen.locator("#banners")).to_contain_text(LOST)
    expect(screen.locator("#stop")).to_be_enabled()
    expect(screen.locator("#approve")).to_be_disabled()
    cable.mend()
    expect(screen.locator("#banners")).to_be_empty()
    expect(screen.locator("#words")).to_have_value(TYPED)
    expect(screen.locator("#plan li").first).to_be_visible()
    settled(screen)


@pytest.mark.parametrize("state", [*STATES, "pause"])
def test_a_killed_kiosk_is_told_and_stop_works_as_soon_as_it_is_back(
    up: subprocess.Popen[bytes], screen: Page, state: str
) -> None:
    STATES.get(state, paused)(screen)
    type_ahead(screen)
    kiosk = pid_of(up.pid, "kiosk")
    assert kiosk is not None
    os.kill(kiosk, signal.SIGKILL)
    expect(screen.locator("#banners")).to_contain_text(LOST)
    until(lambda: pid_of(up.pid, "kiosk") not in (None, kiosk), "the kiosk is back")
    expect(screen.locator("#banners")).to_be_empty()
    expect(screen.locator("#words")).to_have_value(TYPED)
    if state in ("run", "question"):  # what goes on in the executor is shown again
        phase(screen, "running", "succeeded")
    elif state == "pause":
        phase(screen, "paused")
    settled(screen)


@contextmanager
def full_disk(supervisor: int) -> Iterator[None]:
    """The kernel takes no further byte of a file from any node: what a full disk is to a write."""
    unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    nodes = nodes_of(supervisor).values()
    for node in nodes:
        resource.prlimit(node.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
    yield
    for node in nodes:
        resource.prlimit(node.pid, resource.RLIMIT_FSIZE, unlimited)


@State
def test_a_full_disk_ends_a_task_with_a_reason_at_most(
    up: subprocess.Popen[bytes], screen: Page, state: str
) -> None:
    if state == "writing":
        screen.locator("#words").fill("")
    else:
        STATES[state](screen)
    with full_disk(up.pid):
        if state == "writing":
            writing(screen)
            phase(screen, "ready")
        elif state == "plan":
            screen.locator("#approve").click()
            phase(screen, "failed")
            expect(screen.locator("#run")).to_contain_text("The run cannot be recorded")
        elif state == "question":
            screen.locator("#question-options button").first.click()
            phase(screen, "failed", "succeeded")
        else:
            phase(screen, "failed")
            expect(screen.locator("#run")).to_contain_text("The run cannot be recorded")
        type_ahead(screen)
        expect(screen.locator("#stop")).to_be_enabled()
    expect(screen.locator("#words")).to_have_value(TYPED)
    settled(screen)
