"""The engineer's page in a browser over a fake link."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from chromium import chromium, expect_no_wider
from fake_link import PROGRAM, FakeLink, sha256
from fastapi import FastAPI
from playwright.sync_api import Browser, Page, expect
from served_kiosk import served
from test_kept_tasks import keep
from waiting import until

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.web.robot_link import DiagnosisSeen, NodesSeen

UP = NodesSeen({"generator": "up", "executor": "up", "sim_robot": "up"})
AXE = Path(axe_playwright_python.__file__).parent / "axe.min.js"
MARKUP = "<img src=x onerror=window.hurt=1>"
PARTS = ("program", "generation", "events", "nodes", "policies", "map-editor")
SMALL = """() => [...document.querySelectorAll('button, select, input, textarea, nav a, .switch')]
    .filter(one => one.getClientRects().length)
    .filter(one => one.getBoundingClientRect().height < 44)
    .map(one => one.id || one.innerText)"""
"""What a finger would miss."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def faults() -> list[str]:
    return []


@pytest.fixture
def screen(
    app: FastAPI, link: FakeLink, browser: Browser, library: Path, faults: list[str]
) -> Iterator[Page]:
    keep(library, "hall", f"Go to the hallway {MARKUP}", PROGRAM.replace("kitchen", "hallway"))
    with served(app) as port:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
        page.goto(f"http://localhost:{port}/engineer")
        until(lambda: link._listener)
        link.say(UP)
        yield page
        assert page.evaluate("window.hurt") is None
        page.close()


def show(screen: Page, part: str) -> None:
    screen.goto(f"{screen.url.partition('#')[0]}#{part}")
    expect(screen.locator(f"#{part}")).to_be_visible()


def generate(link: FakeLink, **more: Any) -> None:
    link.event(EventKind.GENERATION_STARTED, "t1", instruction=MARKUP, model="demo")
    rejected = [{"draft": 1, "code": "hand_full", "line": 2, "message": "the hand is full"}]
    stats = {
        "cached_tokens": 700, "drawn": 3, "first_token": 0.4, "writing": 1.5, "verification": 0.25,
        "tokens_per_second": 61.5, "rejected": rejected, "fallbacks": [],
    }  # fmt: skip
    link.event(
        EventKind.GENERATION_FINISHED, "t1", source=PROGRAM, program_sha256=sha256(), duration=2.0,
        attempts=2, prompt_tokens=900, generated_tokens=92, stats=stats, error_code=0, **more,
    )  # fmt: skip


def test_one_switch_leads_there_and_back(screen: Page) -> None:
    screen.get_by_role("link", name="To the task").click()
    expect(screen.locator("#words")).to_be_visible()
    screen.get_by_role("link", name="Engineer").click()
    expect(screen.get_by_role("heading", name="Engineer")).to_be_visible()


def test_a_verdict_is_told_in_full(screen: Page) -> None:
    whole = screen.locator("#verdict-whole")
    expect(whole).to_contain_text("accepted")
    expect(whole).to_contain_text("1, none left out (exhaustive)")
    expect(whole).to_contain_text("2 of 2")
    expect(screen.locator("#code")).to_contain_text('go_to("hallway")')
    expect(screen.locator("#chosen option")).to_have_text(f"Kept: Go to the hallway {MARKUP}")


def test_a_policy_on_trial_is_told_at_its_call_or_at_its_line(screen: Page) -> None:
    show(screen, "policies")
    expect(screen.locator("#policies-list")).to_contain_text("off quiet")
    hold = screen.get_by_role("button", name="Check the program")
    hold.click()
    answer = screen.locator("#try-answer")
    expect(answer).to_contain_text("Line 3: ")
    expect(answer.locator(".violation ol").first).to_contain_text('Line 3: Say "I am here"')
    screen.locator("#try-policy").fill("name: quiet\nnevr: say(...)")
    expect(screen.locator("#try-policy")).to_be_focused()
    hold.click()
    expect(screen.locator("#try-fault")).to_contain_text("Line 2: ")
    expect(screen.locator("#try-fault")).to_contain_text("did you mean 'never'")
    expect(screen.locator("#try-policy")).to_be_focused()
    assert screen.evaluate("document.getSelection().toString()") == "nevr: say(...)"
    screen.locator("#try-policy").fill('name: far\nnever: go_to("kitchen")')
    hold.click()
    expect(answer).to_contain_text("obeys it in every world")


def test_what_writing_took_is_told(screen: Page, link: FakeLink) -> None:
    show(screen, "generation")
    expect(screen.locator("#generation-none")).to_be_visible()
    generate(link)
    told = screen.locator("#generations li").first
    expect(told).to_contain_text(MARKUP)
    expect(told).to_contain_text("61.5 tokens/s")
    expect(told).to_contain_text("3 begun, 2 verified as programs, 1 rejected")
    expect(told).to_contain_text("2.0 s: 1.5 s writing, 0.3 s verifying, 0.3 s for the rest")
    expect(told).to_contain_text("Draft 1. Line 2: the hand is full (hand_full)")


def test_events_come_by_themselves_and_can_be_held_filtered_and_taken(
    screen: Page, link: FakeLink
) -> None:
    show(screen, "events")
    link.event(EventKind.WARNING, "", message=MARKUP)
    link.event(EventKind.TOKENS, "t1", draft=1, text="x", tokens=1)
    generate(link)
    rows = screen.locator("#events-list > li")
    expect(rows).to_have_count(3)
    screen.locator("#events-filter").fill("WARNING fake")
    expect(rows).to_have_count(1)
    rows.locator("summary").click()
    expect(rows.locator("pre")).to_contain_text(MARKUP)
    with screen.expect_download() as download:
        screen.get_by_role("link", name="Download").click()
    [line] = Path(download.value.path()).read_text().splitlines()
    assert json.loads(line)["data"] == {"message": MARKUP}
    screen.locator("#events-filter").fill("")
    screen.get_by_role("button", name="Pause").click()
    link.event(EventKind.WARNING, "", message="held")
    screen.get_by_role("button", name="Go on").click()
    expect(rows).to_have_count(4)
    expect(rows.last).to_contain_text("warning")


def test_many_events_stay_bounded(screen: Page, link: FakeLink) -> None:
    show(screen, "events")
    for number in range(600):
        link.event(EventKind.WARNING, "", message=f"number {number}")
    expect(screen.locator("#events-list > li").last).to_contain_text("warning")
    expect(screen.locator("#events-list > li")).to_have_count(500)


def test_nodes_say_how_they_are(screen: Page, link: FakeLink) -> None:
    link.say(DiagnosisSeen("executor", "task", "warn", MARKUP, {"waiting": "2"}))
    show(screen, "nodes")
    executor = screen.locator("#nodes-list > li").filter(has_text="executor")
    expect(executor).to_contain_text("up")
    expect(executor).to_contain_text("0.1 s ago")
    expect(executor).to_contain_text(f"warn task: {MARKUP}")
    expect(executor).to_contain_text("waiting")
    link.say(NodesSeen({"generator": "lost", "executor": "up", "sim_robot": "up"}))
    generator = screen.locator("#nodes-list > li").filter(has_text="generator")
    expect(generator).to_contain_text("lost")


def press_at(screen: Page, x: float, y: float) -> tuple[float, float]:
    """The screen's point of a place in m."""
    place = screen.evaluate(
        """([x, y]) => { const svg = document.querySelector('#map svg');
        const at = new DOMPoint(100 * x, -100 * y).matrixTransform(svg.getScreenCTM());
        return [at.x, at.y]; }""",
        [x, y],
    )
    return place[0], place[1]


def test_a_room_is_placed_by_a_press_and_turned_by_a_pull(screen: Page, site: Path) -> None:
    show(screen, "map-editor")
    expect(screen.locator("#map .pose")).to_have_count(2)
    before = site.read_text()
    screen.mouse.move(*press_at(screen, 0.5, 0.5))
    screen.mouse.down()
    screen.mouse.move(*press_at(screen, 0.5, 1.5))
    screen.mouse.up()
    expect(screen.locator("#room-yaw")).to_have_value("1.571")
    assert site.read_text() == before, "nothing is saved before it is said"
    screen.get_by_role("button", name="Save the room").click()
    expect(screen.locator("#check-text")).to_have_text("This change breaks none of 1 kept task.")
    pose = load_semantic_map(site).room("kitchen").pose
    assert (round(pose.x, 1), round(pose.y, 1), pose.yaw) == (0.5, 0.5, 1.571)
    assert "# beside the sink" in site.read_text()


def test_a_rename_names_the_task_that_it_breaks_and_can_be_undone(screen: Page, site: Path) -> None:
    before = site.read_text()
    show(screen, "map-editor")
    screen.locator("#room-chosen").select_option("hallway")
    screen.locator("#room-name").fill(MARKUP)
    screen.locator("#room-aliases").fill("corridor, passage")
    screen.locator("#room-name").press("Enter")
    expect(screen.locator("#check-text")).to_have_text("Of 1 kept task, this change breaks 1.")
    expect(screen.locator("#check-broken li")).to_contain_text(f"Go to the hallway {MARKUP}")
    expect(screen.locator("#check-broken li")).to_contain_text("hallway")
    assert load_semantic_map(site).room("corridor").name == MARKUP
    expect(screen.locator("#versions li")).to_have_count(2)
    screen.get_by_role("button", name="Undo the last change").click()
    expect(screen.locator("#check-text")).to_have_text("This change breaks none of 1 kept task.")
    assert site.read_text() == before
    expect(screen.get_by_role("button", name="Undo the last change")).to_be_disabled()


def test_a_room_is_added_by_a_press_and_removed_again(
    screen: Page, site: Path, faults: list[str]
) -> None:
    show(screen, "map-editor")
    chosen = screen.locator("#room-chosen")
    expect(chosen.locator("option")).to_have_text(["kitchen", "hallway", "A new room"])
    chosen.select_option("A new room")
    expect(screen.get_by_role("button", name="Remove the room")).to_be_disabled()
    screen.locator("#room-name").fill("Hallway")
    screen.get_by_role("button", name="Add the room").click()
    assert load_semantic_map(site).room_names == ("kitchen", "hallway"), "it takes a place first"
    screen.mouse.move(*press_at(screen, 3.5, 0.5))
    screen.mouse.down()
    screen.mouse.move(*press_at(screen, 3.5, 1.5))
    screen.mouse.up()
    expect(screen.locator("#map .pose")).to_have_count(3)
    screen.get_by_role("button", name="Add the room").click()
    expect(screen.locator("#map-fault")).to_contain_text("already a name of room 'hallway'")
    screen.locator("#room-name").fill("charging bay")
    screen.locator("#room-aliases").fill("dock")
    screen.get_by_role("button", name="Add the room").click()
    expect(chosen.locator("option:checked")).to_have_text("charging bay")
    room = load_semantic_map(site).room("dock")
    assert (round(room.pose.x, 1), round(room.pose.y, 1), room.pose.yaw) == (3.5, 0.5, 1.571)
    chosen.select_option("hallway")
    screen.get_by_role("button", name="Remove the room").click()
    expect(screen.locator("#check-text")).to_have_text("Of 1 kept task, this change breaks 1.")
    expect(screen.locator("#check-broken li")).to_contain_text("Go to the hallway")
    expect(chosen.locator("option:checked")).to_have_text("kitchen")
    assert load_semantic_map(site).room_names == ("kitchen", "charging bay")


def test_a_place_outside_its_room_is_refused_in_one_line(
    screen: Page, site: Path, faults: list[str]
) -> None:
    before = site.read_text()
    show(screen, "map-editor")
    screen.locator("#room-x").fill("9")
    screen.get_by_role("button", name="Save the room").click()
    expect(screen.locator("#map-fault")).to_contain_text("lies outside the polygon of 'kitchen'")
    assert site.read_text() == before
    expect(screen.locator("#room-x")).to_have_value("9")


def test_people_and_things_are_added_changed_and_removed(screen: Page, site: Path) -> None:
    show(screen, "map-editor")
    screen.locator("#entry-name").fill("Ann")
    screen.get_by_role("button", name="Add", exact=True).click()
    expect(screen.locator("#entry-chosen option")).to_have_text(["A new person", "Ann"])
    screen.locator("#entry-what").select_option("Things")
    screen.locator("#entry-chosen").select_option("apple")
    screen.locator("#entry-name").fill("pear")
    screen.locator("#entry-save").click()
    expect(screen.locator("#entry-chosen option")).to_have_text(["A new thing", "pear", "cup"])
    screen.locator("#entry-chosen").select_option("cup")
    screen.get_by_role("button", name="Remove", exact=True).click()
    expect(screen.locator("#entry-chosen option")).to_have_text(["A new thing", "pear"])
    rooms = load_semantic_map(site)
    assert (rooms.objects, rooms.people) == (("pear",), ("Ann",))


def test_a_save_below_a_run_is_asked_about_first(screen: Page, link: FakeLink, site: Path) -> None:
    before = site.read_text()
    show(screen, "map-editor")
    link.event(EventKind.RUN_STARTED, "elsewhere", instruction="x", program_sha256="")
    screen.locator("#room-aliases").fill("galley")
    screen.get_by_role("button", name="Save the room").click()
    expect(screen.locator("#map-below")).to_contain_text("a task is running by this map")
    assert site.read_text() == before
    screen.get_by_role("button", name="Save anyway").click()
    expect(screen.locator("#versions li")).to_have_count(2)
    expect(screen.locator("#map-below")).to_be_hidden()
    assert load_semantic_map(site).room("galley").name == "kitchen"


@pytest.mark.parametrize("part", PARTS)
def test_every_part_is_accessible_and_fits_a_phone(
    screen: Page, link: FakeLink, part: str, faults: list[str]
) -> None:
    generate(link)
    link.event(EventKind.WARNING, "", message="low battery " * 30)
    link.say(DiagnosisSeen("executor", "task", "ok", "idle " * 40, {"waiting": "2"}))
    show(screen, part)
    ready = {
        "program": "#verdict-whole dl", "generation": "#generations li",
        "events": "#events-list li", "nodes": "#nodes-list dl",
        "policies": "#policies-list li", "map-editor": "#map .pose",
    }[part]  # fmt: skip
    expect(screen.locator(ready).first).to_be_visible()
    for scheme in ("light", "dark"):
        screen.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        screen.evaluate(AXE.read_text())
        found = screen.evaluate("axe.run().then(found => found.violations.map(one => one.id))")
        assert found == []
    assert screen.evaluate(SMALL) == []
    screen.set_viewport_size({"width": 360, "height": 740})
    expect_no_wider(screen, 360)
    assert not faults


def test_language_and_colours_are_behind_their_button(screen: Page) -> None:
    expect(screen.locator("#settings")).to_be_hidden()
    screen.locator("#settings-open").click()
    expect(screen.locator("#language")).to_be_visible()


def test_stop_is_there_and_works(screen: Page, link: FakeLink) -> None:
    show(screen, "map-editor")
    box = screen.locator("#stop").bounding_box()
    assert box is not None and box["height"] >= 88
    screen.locator("#room-name").press("Escape")
    until(lambda: link.stops)


def test_parts_are_reached_by_keyboard_alone(screen: Page) -> None:
    show(screen, "program")
    screen.get_by_role("link", name="Nodes").focus()
    screen.keyboard.press("Enter")
    expect(screen.locator("#nodes")).to_be_visible()
    expect(screen.get_by_role("link", name="Nodes")).to_have_attribute("aria-current", "page")
