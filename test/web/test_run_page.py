"""The page of a recorded run opens from its file, needs no network, and stands where it is put."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from chromium import chromium
from playwright.sync_api import Browser, Page, expect
from test_page import MARKUP

from roboinstruct_ros.trace.document import document_of
from roboinstruct_ros.web.kept.run_page import run_page

BAGS = Path(__file__).parents[1] / "bags"
MOST = 2_000_000  # bytes


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    faults: list[str] = []
    page = browser.new_page(viewport={"width": 1280, "height": 800}, offline=True)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("requestfailed", lambda request: faults.append(request.url))
    page.on("request", lambda request: _note(request.url, faults))
    yield page
    page.close()
    assert not faults


def _note(url: str, faults: list[str]) -> None:
    if not url.startswith(("file:", "data:")):
        faults.append(url)


def opened(page: Page, path: Path, document: dict[str, Any]) -> None:
    path.write_text(run_page(document), encoding="utf-8")
    page.goto(path.as_uri())
    expect(page.locator("#time")).to_contain_text("0.0 of")


def test_map_code_plan_and_calls_stand_at_the_moment(page: Page, tmp_path: Path) -> None:
    opened(page, tmp_path / "run.html", document_of(BAGS / "brought"))
    words = "bring Ada in the living room a cup from the kitchen"
    expect(page.locator("#title")).to_have_text(words)
    expect(page.locator("#outcome")).to_have_text("Done")
    expect(page.locator("#verdict")).to_contain_text("accepted")
    expect(page.locator("#where")).not_to_have_text("Robot: kitchen")
    page.locator("#calls li", has_text="pick").click()
    expect(page.locator("#where")).to_have_text("Robot: kitchen")
    expect(page.locator("#calls li.now")).to_contain_text('pick("cup")')
    expect(page.locator("#code li.now")).to_contain_text('pick("cup")')
    expect(page.locator("#plan li.now")).to_contain_text("cup")
    page.locator("#scrub").focus()
    page.keyboard.press("End")
    expect(page.locator("#where")).to_have_text("Robot: living room")
    page.keyboard.press("Home")
    expect(page.locator("#calls li.now")).to_contain_text('go_to("kitchen")')


def test_what_was_tried_again_and_what_failed_is_marked(page: Page, tmp_path: Path) -> None:
    opened(page, tmp_path / "run.html", document_of(BAGS / "failed"))
    expect(page.locator("#calls li.failed.tried")).to_contain_text("no red cup in")
    expect(page.locator("#calls li.failed")).to_contain_text("after 1 more try")
    expect(page.locator("#failure")).to_contain_text("red cup")


def test_a_pause_is_told_and_is_no_time_of_its_call(page: Page, tmp_path: Path) -> None:
    document = document_of(BAGS / "brought")
    took = document["calls"][0]["ended"] - document["calls"][0]["began"]
    document["calls"][0]["paused"] = took
    opened(page, tmp_path / "run.html", document)
    first = page.locator("#calls li").first
    expect(first.locator(".came")).to_contain_text(f"paused {took:.1f} s")
    expect(first.locator(".seconds")).to_have_text("0.0 s")


def test_a_run_without_map_or_drive_is_shown_too_and_words_are_no_markup(
    page: Page, tmp_path: Path
) -> None:
    document = document_of(BAGS / "asked")
    closing = f"</script>{MARKUP}"
    bare = {"rooms": [], "poses": [], "worlds": [], "verdict": None, "instruction": closing}
    opened(page, tmp_path / "run.html", {**document, **bare})
    expect(page.locator("#title")).to_have_text(closing)
    assert page.evaluate("window.hurt") is None
    page.locator("#play").click()
    expect(page.locator("#play")).to_have_text("Pause")
    expect(page.locator("#calls li.now")).not_to_contain_text('go_to("kitchen")')


def test_a_run_of_ten_minutes_is_a_small_page() -> None:
    document = document_of(BAGS / "searched")
    calls = document["calls"] * 40
    poses = [[number / 10, 1.234, 5.678, 0.123] for number in range(6000)]
    begin = time.process_time()
    page = run_page({**document, "calls": calls, "poses": poses, "worlds": []})
    assert len(page.encode()) < MOST and time.process_time() - begin < 2
