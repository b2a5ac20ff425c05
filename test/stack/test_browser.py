"""The whole stack as a person meets it: a browser, the kiosk, the model, the simulated robot."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import psutil
import pytest
from chromium import chromium, expect_no_wider
from firefox import firefox
from given_time import GivenTime
from playwright.sync_api import Page, expect
from skill_client import SkillClient
from waiting import until

pytestmark = pytest.mark.stack

STARTED_WITHIN = 120.0  # s, on a busy machine, model included
STOPPED_WITHIN = 0.1  # s from the finger to standing still, the promise of the kiosk
SPEED = 2
Start = Callable[..., Any]


@pytest.fixture
def url(stack_process: Start, port: int) -> str:
    """The kiosk of a whole stack whose nodes are all there."""
    world = ("--ros-args", "-p", "map:=home")
    stack_process(
        "roboinstruct_ros.skill_servers.sim.node",
        *("--ros-args", "-p", "world:=home", "-p", f"speed_factor:={float(SPEED)}"),
    )
    stack_process("roboinstruct_ros.nodes.executor.node", *world)
    stack_process("roboinstruct_ros.nodes.generator.node", *world)
    kiosk = stack_process("roboinstruct_ros.nodes.kiosk.node", *world, "-p", f"port:={port}")
    url = f"http://127.0.0.1:{port}"

    def all_up() -> bool:
        assert kiosk.poll() is None, stack_process.log_of(kiosk)  # type: ignore[attr-defined]
        return set(_health(url).get("nodes", {"": ""}).values()) == {"up"}

    until(all_up, lambda: f"all nodes are up: {_health(url)}", STARTED_WITHIN)
    return url


def _health(url: str) -> dict[str, Any]:
    try:
        with urllib.request.urlopen(f"{url}/api/v1/health", timeout=60) as answer:
            return dict(json.load(answer))
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return {}


@pytest.fixture
def page(url: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The kiosk's page on a touch screen; it must raise no error and load nothing from outside."""
    faults: list[str] = []
    with getattr(request, "param", chromium)() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "request",
            lambda request: None if request.url.startswith(url) else faults.append(request.url),
        )
        page.goto(url)
        yield page
    assert not faults


def write(page: Page, text: str) -> None:
    """Types a task and waits until its program may be approved."""
    expect(page.locator("#write")).to_be_enabled()
    page.locator("#words").fill(text)
    page.locator("#words").press("Enter")
    expect(page.locator("body")).to_have_attribute("data-phase", "ready")
    expect(page.locator("#approve")).to_be_enabled()


def test_a_task_is_changed_and_the_change_is_what_runs(page: Page) -> None:
    write(page, "Go to the kitchen.")
    page.get_by_label("Change it").fill("the study instead of the kitchen")
    page.get_by_label("Change it").press("Enter")
    versions = page.get_by_role("list", name="Versions of this task").get_by_role("button")
    expect(versions).to_have_count(2)
    expect(versions.nth(1)).to_have_accessible_name(
        "Version 2, other values: the study instead of the kitchen"
    )
    page.get_by_role("button", name="Changes from 1").click()
    expect(page.locator("#diff .added")).to_contain_text('go_to("study")')
    expect(page.locator("#where")).to_have_text("Robot: hallway")  # nothing has moved
    page.locator("#approve").click()
    expect(page.locator("body")).to_have_attribute("data-phase", "succeeded")
    expect(page.locator("#where")).to_have_text("Robot: study")


@pytest.mark.parametrize("page", [chromium, firefox], indirect=True)
def test_a_task_goes_from_words_to_the_robot_in_the_kitchen(page: Page) -> None:
    expect(page.locator("#where")).to_have_text("Robot: hallway")
    write(page, "Go to the kitchen.")
    expect(page.locator("#code")).to_contain_text('go_to("kitchen")')
    expect(page.locator("#verdict")).to_contain_text("accepted")
    expect(page.locator("#plan")).to_contain_text("kitchen")
    # Enter wrote a program; only the button starts motion.
    page.keyboard.press("Enter")
    expect(page.locator("#where")).to_have_text("Robot: hallway")
    expect(page.locator("body")).to_have_attribute("data-phase", "ready")

    expect(page.locator("#approve")).to_be_enabled()
    page.locator("#approve").click()
    expect(page.locator("#code .now")).to_contain_text("go_to")
    expect(page.locator("body")).to_have_attribute("data-phase", "succeeded")
    expect(page.locator("#where")).to_have_text("Robot: kitchen")
    expect(page.locator("#history")).to_contain_text("done")

    _check_errors_are_inline(page)
    _check_it_fits(page, 390, 844)
    _check_it_fits(page, 1280, 800)


def _check_errors_are_inline(page: Page) -> None:
    page.locator("#words").fill("?")
    page.locator("#write").click()
    expect(page.locator("#ask-error")).to_contain_text("Nothing to do")


def _check_it_fits(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    expect_no_wider(page, width)
    box = page.locator("#stop").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert 0 <= box["y"] < height
    assert min(box["width"], box["height"]) >= 40, "too small for a finger"


def test_stop_in_the_middle_of_a_drive_holds_the_robot(page: Page, ros_domain: int) -> None:
    write(page, "Go to the garage.")
    page.evaluate(
        """document.addEventListener("pointerdown", () => {
            window.pressed = (performance.timeOrigin + performance.now()) / 1000;
        }, true)"""
    )
    with SkillClient(ros_domain) as robot:
        page.locator("#approve").click()
        until(lambda: len(robot.moving) > 25 and all(m for _, m in robot.moving[-25:]))
        expect(page.locator("#stop")).to_be_enabled()
        running = psutil.Process().children(recursive=True)  # the browser's too
        given = GivenTime(*(one.pid for one in running))
        page.locator("#stop").click()
        pressed = float(page.evaluate("window.pressed"))
        took = robot.still_after(pressed) - given.withheld()
        assert took < STOPPED_WITHIN, f"{took * 1000:.0f} ms"
        expect(page.locator("body")).to_have_attribute("data-phase", "cancelled")
        heard = len(robot.moving)
        until(lambda: len(robot.moving) > heard + 25)
        assert not any(moving for _, moving in robot.moving[-25:])
    expect(page.locator("#history")).to_contain_text("stopped")
    # The next task is not harmed.
    write(page, "Go to the kitchen.")
