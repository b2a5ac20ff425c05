"""Devices in a browser: this machine shows a PIN, another pairs, and both share one robot."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from chromium import chromium, expect_no_wider
from fake_link import FakeLink
from fastapi import FastAPI
from playwright.sync_api import Browser, Page, Route, expect
from served_kiosk import served
from waiting import until

from roboinstruct_ros.domain.phrase import LANGUAGES, messages
from roboinstruct_ros.security.kiosk_certificate import (
    fingerprint,
    make_certificate,
    server_context,
)
from roboinstruct_ros.web.access.access import Access
from roboinstruct_ros.web.robot_link import NodesSeen

AXE = Path(axe_playwright_python.__file__).parent / "axe.min.js"
MARKUP = "<img src=x onerror=window.hurt=1>"
UP = NodesSeen({"generator": "up", "executor": "up", "sim_robot": "up"})


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@dataclass
class Screens:
    """The robot's own, and one on the network with a device of its own."""

    own: Page
    other: Page
    sha256: str
    access: Access


@pytest.fixture
def screens(app: FastAPI, link: FakeLink, browser: Browser, tmp_path: Path) -> Iterator[Screens]:
    sha256 = make_certificate(tmp_path / "tls")
    app.state.access.fingerprint = fingerprint(tmp_path / "tls")
    listening = socket.create_server(("127.0.0.1", 0))
    with served(app, network=(listening, server_context(tmp_path / "tls"))) as port:
        size: Any = {"width": 1024, "height": 700}
        own = browser.new_context(base_url=f"http://localhost:{port}", viewport=size)
        address = f"https://localhost:{listening.getsockname()[1]}"
        other = browser.new_context(base_url=address, ignore_https_errors=True, viewport=size)
        yield Screens(own.new_page(), other.new_page(), sha256, app.state.access)
        own.close()
        other.close()


def pair(screens: Screens, role: str, name: str) -> None:
    """As people do it; ends on the other screen's kiosk."""
    screens.own.goto("/devices")
    screens.own.locator("#role").select_option(role)
    screens.own.get_by_role("button", name="Show a PIN").click()
    pin = screens.own.locator(".pin").inner_text()
    screens.other.goto("/")
    assert screens.other.url.endswith("/devices")
    screens.other.get_by_label("How people call this device").fill(name)
    screens.other.get_by_label("PIN", exact=True).fill(pin)
    screens.other.get_by_role("button", name="Pair").click()
    screens.other.wait_for_url(lambda url: not url.endswith("/devices"))
    expect(screens.other.locator("#words")).to_be_visible()


def unhurt(*pages: Page) -> None:
    for page in pages:
        assert page.evaluate("window.hurt") is None
        assert page.locator("img[onerror]").count() == 0


def test_a_device_is_paired_and_shares_the_robot(screens: Screens, link: FakeLink) -> None:
    pair(screens, "operator", MARKUP)
    expect(screens.own.locator("#fingerprint")).to_contain_text(screens.sha256)
    link.say(UP)
    expect(screens.other.locator("#engineer-link")).to_be_hidden()
    screens.other.locator("#words").fill("Go to the kitchen.")
    screens.other.locator("#words").press("Enter")
    until(lambda: link.generated)
    link.finish_generation(link.generated[0][0])
    screens.own.goto("/")
    own = screens.own.locator("#control")
    expect(own).to_contain_text(f"{MARKUP} has control.")
    expect(screens.own.locator("#author")).to_have_text(f"asked for by {MARKUP}")
    expect(screens.other.locator("#control")).to_be_hidden()
    own.get_by_role("button", name="Ask for control").click()
    expect(screens.other.locator("#control")).to_contain_text("The robot's own screen asks")
    screens.other.get_by_role("button", name="Give control").click()
    expect(own).to_be_hidden()
    expect(screens.other.locator("#control")).to_contain_text("The robot's own screen has control")
    screens.other.locator("#stop").click()
    until(lambda: link.stops)
    screens.own.goto("/devices")
    expect(screens.own.locator("#devices")).to_contain_text(MARKUP)
    unhurt(screens.own, screens.other)
    screens.own.get_by_role("button", name=f"Withdraw {MARKUP}").click()
    screens.other.wait_for_url("**/devices")
    expect(screens.other.locator("#pairing")).to_be_visible()


def test_a_viewer_is_told_that_it_may_watch(screens: Screens) -> None:
    pair(screens, "viewer", "Bob")
    expect(screens.other.locator("#control")).to_contain_text("may watch, and stop the robot")


def test_a_wrong_pin_is_told_and_lets_nobody_in(screens: Screens) -> None:
    screens.other.goto("/devices")
    screens.other.locator("#name").fill(MARKUP)
    screens.other.locator("#pin").fill("000000")
    screens.other.locator("#pair button").click()
    expect(screens.other.locator("#pair-error")).to_contain_text("this PIN is wrong or over")
    unhurt(screens.other)
    assert not screens.access.devices.all()


def test_the_end_of_an_earlier_pin_does_not_take_away_the_one_that_is_shown(
    screens: Screens,
) -> None:
    screens.own.goto("/devices")
    pins = [("222222", 100), ("111111", 1)]

    def answer(route: Route) -> None:
        pin, left = pins.pop()
        until = time.time() + left
        route.fulfill(json={"pin": pin, "role": "viewer", "expires": until, "life": left})

    screens.own.route("**/pin", answer)
    for pin in ("111111", "222222"):
        screens.own.get_by_role("button", name="Show a PIN").click()
        expect(screens.own.locator(".pin")).to_have_text(pin)
    screens.own.evaluate("new Promise((done) => setTimeout(done, 1200))")
    expect(screens.own.locator(".pin")).to_have_text("222222", timeout=100)


def test_a_pin_is_shown_as_long_as_it_lives_whatever_the_devices_clock_says(
    screens: Screens,
) -> None:
    screens.own.add_init_script("const now = Date.now; Date.now = () => now() + 600_000")
    screens.own.goto("/devices")
    screens.own.get_by_role("button", name="Show a PIN").click()
    expect(screens.own.locator(".pin")).to_be_visible(timeout=5_000)
    screens.own.evaluate("new Promise((done) => setTimeout(done, 300))")
    expect(screens.own.locator(".pin")).to_be_visible(timeout=100)


def test_a_device_is_asked_to_pair_only_where_it_is_known_that_it_is_not_let_in(
    screens: Screens,
) -> None:
    fault = {"error_name": "DEVICES_FAILED", "message": "the devices cannot be read now: locked"}
    screens.own.route("**/api/v1/me", lambda route: route.fulfill(status=503, json=fault))
    screens.own.goto("/devices")
    expect(screens.own.locator("#toasts")).to_contain_text("cannot be read")
    expect(screens.own.locator("#pairing")).to_be_hidden(timeout=100)
    screens.own.unroute("**/api/v1/me")
    expect(screens.own.locator("#own")).to_be_visible()


def test_devices_that_cannot_be_listed_are_told(screens: Screens) -> None:
    fault = {"error_name": "DEVICES_FAILED", "message": "the devices cannot be read now: locked"}
    screens.own.route("**/api/v1/devices", lambda route: route.fulfill(status=503, json=fault))
    screens.own.goto("/devices")
    expect(screens.own.locator("#toasts")).to_contain_text("cannot be read", timeout=5_000)


@pytest.mark.parametrize("language", LANGUAGES)
def test_stop_says_that_it_was_sent_where_nothing_is_heard_of_the_robot(
    screens: Screens, link: FakeLink, language: str
) -> None:
    words = messages(language)
    pages = [(screens.other, "/devices"), (screens.own, "/devices"), (screens.own, "/engineer")]
    for page, path in pages:
        page.goto(path)
        page.evaluate("language => { document.cookie = `language=${language}` }", language)
        page.goto(path)
        page.locator("#stop").click()
        until(lambda: link.stops)
        link.stops.clear()
        expect(page.locator("#stop-word")).to_have_text(str(words["stop.passed"]))
        expect(page.locator("#toasts")).to_contain_text(str(words["stop.unseen"]))
        expect(page.locator("#stop-word")).to_have_text(str(words["stop.idle"]))


def test_a_stop_that_does_not_reach_the_kiosk_is_not_told_as_sent(screens: Screens) -> None:
    screens.own.add_init_script("WebSocket.prototype.send = () => {}")
    screens.own.route("**/stop", lambda route: route.abort())
    screens.own.goto("/devices")
    screens.own.locator("#stop").click()
    expect(screens.own.locator("#stop-word")).to_have_text("No answer")
    expect(screens.own.locator("#toasts")).to_contain_text("Stop did not get through")


def test_this_machines_page_asks_for_nothing(screens: Screens) -> None:
    screens.own.goto("/")
    expect(screens.own.locator("#words")).to_be_visible()
    expect(screens.own.locator("#control")).to_be_hidden()
    assert screens.own.url.endswith("/")


@pytest.mark.parametrize(
    ("path", "language"), [*(("/devices", language) for language in LANGUAGES), ("/docs", "en")]
)
def test_the_pages_are_accessible_and_fit_a_phone(
    screens: Screens, path: str, language: str
) -> None:
    faults: list[str] = []
    screens.own.on("pageerror", lambda error: faults.append(str(error)))
    screens.own.on("console", lambda line: faults.append(line.text) if line.type == "error" else 0)
    screens.own.set_extra_http_headers({"Accept-Language": language})
    screens.own.goto(path)
    shown = "#listed" if path == "/devices" else "#sockets h3 >> nth=1"
    expect(screens.own.locator(shown)).to_be_visible()
    screens.own.evaluate(AXE.read_text())
    found = screens.own.evaluate("axe.run().then(found => found.violations.map(one => one.id))")
    assert found == []
    screens.own.set_viewport_size({"width": 360, "height": 740})
    expect_no_wider(screens.own, 360)
    assert not faults
