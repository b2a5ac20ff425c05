"""A model that is wrong at first, on a server of its own, is mended by the verifier's words; a
person sees it happen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from chromium import chromium
from model_server import ModelServer, Reply, model_server, models
from playwright.sync_api import Page, expect
from running_stack import wait_up

pytestmark = pytest.mark.stack

WRONG = '    go_to("kitchen")\n    pick("apple")\n    pick("cup")\n'
RIGHT = (
    '    go_to("kitchen")\n    pick("apple")\n    go_to("living room")\n    place("apple")\n'
    '    go_to("kitchen")\n    pick("cup")\n    go_to("living room")\n    place("cup")\n'
)
WORDS = "Bring the apple and the cup from the kitchen to the living room."


def mends_what_it_is_told(reply: Reply) -> None:
    """As a code model does: another program once the prompt says what was wrong."""
    told = "# - line 4: " in reply.asked["prompt"]
    reply.begin()
    for line in (RIGHT if told else WRONG).splitlines(keepends=True):
        reply.say(line)
    reply.say("", "stop")
    reply.done()


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as server:
        server.answers["GET /v1/models"] = models({"id": "tiny", "max_model_len": 8192})
        server.completes(mends_what_it_is_told)
        yield server


@pytest.fixture
def page(stack_process: Callable[..., Any], server: ModelServer, port: int) -> Iterator[Page]:
    up = stack_process(
        "roboinstruct_ros.cli", "up", "--port", str(port), "--speed", "0",
        "--model", f"{server.address}?model=tiny",
    )  # fmt: skip
    wait_up(lambda: stack_process.log_of(up))  # type: ignore[attr-defined]
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"http://127.0.0.1:{port}")
        yield page


def test_a_wrong_program_is_seen_being_repaired(page: Page, server: ModelServer) -> None:
    expect(page.locator("#write")).to_be_enabled()
    page.locator("#words").fill(WORDS)
    page.locator("#words").press("Enter")
    expect(page.locator("body")).to_have_attribute("data-phase", "ready")
    expect(page.locator("#tries-count")).to_have_text("1 program was rejected before this one")
    page.locator("#code-fold").click()
    page.locator("#tries summary").first.click()
    expect(page.locator("#tries-list")).to_contain_text("line 4:")
    expect(page.locator("#code")).to_contain_text('place("cup")')
    asked = [body["prompt"] for place, body, _ in server.asked if place.endswith("/completions")]
    # the kiosk may have its examples written afterwards
    assert any(WRONG in prompt for prompt in asked), "the model was shown its own program"
