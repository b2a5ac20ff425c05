"""Somebody who has seen nothing but the page does five tasks at a small touch screen.

They read what is visible and touch what they have read; nothing here knows how the page is made.
`ROBOINSTRUCT_RECORD=FOLDER` keeps a recording of it there, for `playwright show-trace`.
"""

from __future__ import annotations

import json
import os
import re
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import yaml
from chromium import LIMIT, chromium
from playwright.sync_api import Locator, Page, expect
from waiting import until

from roboinstruct_ros.domain.files.shared_files import shared_file

pytestmark = pytest.mark.stack

STARTED_WITHIN = 180.0  # s, on a busy machine
SCREEN = {"width": 1024, "height": 600}
READY, DONE = "Ready: read the plan, then approve", "Done in"


@pytest.fixture
def url(stack_process: Callable[..., Any], port: int, tmp_path: Path) -> str:
    """The kiosk of the stack that `make demo` starts, ready; Alice answers at the screen."""
    home = yaml.safe_load(shared_file("config/worlds/home.yaml").read_text())
    next(one for one in home["people"] if one["name"] == "Alice")["live"] = True
    world = tmp_path / "home.yaml"
    world.write_text(yaml.safe_dump(home))
    own = ("--library", str(tmp_path / "library.sqlite"), "--directory", str(tmp_path / "runs"))
    demo = ("--world", str(world), "--port", str(port), "--speed", "4")
    up = stack_process("roboinstruct_ros.cli", "up", *demo, *own)
    until(lambda: up.poll() is not None or _health(port) == "ok", "it is up", STARTED_WITHIN)
    assert up.poll() is None, stack_process.log_of(up)  # type: ignore[attr-defined]
    return f"http://127.0.0.1:{port}"


def _health(port: int) -> str:
    with (
        suppress(OSError),
        urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/health") as told,
    ):
        return str(json.load(told)["status"])
    return ""


class Newcomer:
    """Reads, touches and types."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def reads(self, text: str) -> None:
        """Waits until it stands on the screen."""
        expect(self._seen(self._page.get_by_text(text)).first).to_be_in_viewport()

    def touches(self, words: str) -> None:
        """A button with these words, which is to be seen whole and not covered."""
        button = self._page.get_by_role("button", name=re.compile(re.escape(words)))
        target = self._seen(button).first
        expect(target).to_be_enabled()
        expect(target).to_be_in_viewport(ratio=1)
        target.tap()

    def writes(self, box: str, words: str) -> None:
        """Touches what is labelled so and types."""
        where = self._page.get_by_label(box)
        where.tap()
        where.fill(words)

    def asks_for(self, words: str, *steps: str) -> None:
        """Has a plan written and reads in it what was meant."""
        self.writes("What should the robot do?", words)
        self.touches("Write program")
        self.reads(READY)
        for step in steps:
            self.reads(step)

    @staticmethod
    def _seen(found: Locator) -> Locator:
        return found.locator("visible=true")


@pytest.fixture
def newcomer(url: str, request: pytest.FixtureRequest) -> Iterator[Newcomer]:
    folder = os.environ.get("ROBOINSTRUCT_RECORD", "")
    with chromium() as browser:
        context = browser.new_context(viewport=SCREEN, has_touch=True)  # type: ignore[arg-type]
        context.set_default_timeout(LIMIT)
        if folder:
            context.tracing.start(screenshots=True, snapshots=True)
        page = context.new_page()
        page.goto(url)
        yield Newcomer(page)
        if folder:
            context.tracing.stop(path=Path(folder) / f"{request.node.name}.zip")


def test_five_tasks_by_touch(newcomer: Newcomer) -> None:
    # Fetch
    newcomer.asks_for(
        "Go to the kitchen and if there is an apple, bring it to the living room",
        "Go to the kitchen",
        "Pick up the apple",
    )
    newcomer.touches("Approve & run")
    newcomer.reads("Robot: living room")
    newcomer.reads(DONE)
    # Ask
    newcomer.asks_for("Ask Alice in the living room if she is hungry, and tell me what she says")
    newcomer.touches("Approve & run")
    newcomer.reads("The robot asks Alice")
    newcomer.reads("s to answer")
    newcomer.touches("Yes")
    newcomer.reads(DONE)
    # Tour
    newcomer.asks_for("Check every bedroom for a pillow and tell me which ones have one")
    newcomer.touches("Approve & run")
    newcomer.reads(DONE)
    # Change
    newcomer.asks_for("Go to the kitchen.", "Go to the kitchen")
    newcomer.writes("Change it", "the study instead of the kitchen")
    newcomer.touches("Write version")
    newcomer.reads("Go to the study")
    newcomer.reads(READY)
    newcomer.touches("Approve & run")
    newcomer.reads("Robot: study")
    newcomer.reads(DONE)
    # Stop
    newcomer.asks_for("Go to the garage.", "Go to the garage")
    newcomer.touches("Approve & run")
    newcomer.reads("Running")
    newcomer.touches("Stop")
    newcomer.reads("Stopped")
    newcomer.reads("Stopped after")
