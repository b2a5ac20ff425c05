"""The talk button: what is said while it is held comes into the input, and nothing else happens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import test_page
from chromium import chromium
from fake_link import FakeLink
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, Locator, Page, expect
from waiting import until

from roboinstruct_ros.web import talk_button
from roboinstruct_ros.web.robot_link import Dictated, DictationSeen

screen = test_page.screen
SAID = "Go to the kitchen"
PRESS = """down => fetch("/api/v1/talk", {
    method: "POST", body: JSON.stringify({ down }), headers: { "Content-Type": "application/json" },
})"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def talk(screen: Page, link: FakeLink) -> Locator:
    """The button of a robot that has dictation."""
    link.say(DictationSeen(True))
    button = screen.get_by_role("button", name="Hold to talk")
    expect(button).to_be_enabled()
    return button


def test_where_nothing_writes_down_what_is_said_there_is_no_button(
    screen: Page, link: FakeLink
) -> None:
    expect(screen.locator("#talk")).to_be_hidden()
    link.say(DictationSeen(True))
    expect(screen.locator("#talk")).to_be_visible()
    screen.reload()
    expect(screen.locator("#talk")).to_be_visible()
    link.say(DictationSeen(False))
    expect(screen.locator("#talk")).to_be_hidden()


def hold(screen: Page, talk: Locator, way: str) -> None:
    if way == "pointer":
        talk.hover()
        screen.mouse.down()
    else:
        talk.focus()
        screen.keyboard.down(way)


def let_go(screen: Page, way: str) -> None:
    if way == "pointer":
        screen.mouse.up()
    else:
        screen.keyboard.up(way)


@pytest.mark.parametrize("way", ["pointer", "Space", "Enter"])
def test_what_was_said_comes_behind_what_was_typed_to_be_read_first(
    screen: Page, link: FakeLink, talk: Locator, way: str
) -> None:
    words = screen.locator("#words")
    words.fill("Please")
    hold(screen, talk, way)
    until(lambda: link.talks == [True])
    expect(talk).to_have_attribute("aria-pressed", "true")
    expect(screen.get_by_text("Let go when you are done")).to_be_visible()
    let_go(screen, way)
    until(lambda: link.talks == [True, False])
    expect(screen.get_by_text("What you said is being written down")).to_be_visible()
    link.say(Dictated(SAID))
    expect(words).to_have_value(f"Please {SAID}")
    expect(words).to_be_focused()
    expect(screen.locator("#talk-said")).to_be_empty()
    assert not link.generated and not link.executed and not link.stops


def test_a_finger_that_slides_away_or_a_page_that_goes_lets_go(
    screen: Page, link: FakeLink, talk: Locator
) -> None:
    hold(screen, talk, "pointer")
    until(lambda: link.talks == [True])
    screen.mouse.move(5, 400)
    screen.mouse.up()
    until(lambda: link.talks == [True, False])
    hold(screen, talk, "Space")
    until(lambda: len(link.talks) == 3)
    screen.locator("#words").focus()
    until(lambda: link.talks == [True, False] * 2)


def test_what_others_said_and_markup_are_no_words_of_this_page(
    screen: Page, link: FakeLink, talk: Locator
) -> None:
    for down in (True, False):  # as another page would
        screen.evaluate(PRESS, down)
    link.say(Dictated("What somebody else has said"))
    link.talks.clear()
    talk.dispatch_event("click", {"detail": 0})  # as screen readers do it
    until(lambda: link.talks == [True])
    talk.dispatch_event("click", {"detail": 0})
    until(lambda: link.talks == [True, False])
    link.say(Dictated(test_page.MARKUP))
    expect(screen.locator("#words")).to_have_value(test_page.MARKUP)
    assert screen.evaluate("window.hurt") is None


def test_it_waits_while_the_robot_is_at_work_and_stop_still_stops(
    screen: Page, link: FakeLink, talk: Locator
) -> None:
    hold(screen, talk, "Space")
    until(lambda: link.talks == [True])
    screen.keyboard.press("Escape")
    until(lambda: len(link.stops) == 1)
    screen.keyboard.up("Space")
    task_id = test_page.ask(screen, link)
    expect(talk).to_be_disabled()
    link.finish_generation(task_id)
    expect(talk).to_be_enabled()


@pytest.mark.parametrize(("width", "height"), [(800, 480), (1024, 600), (360, 740), (480, 800)])
def test_it_takes_no_room_from_the_plan(
    screen: Page, link: FakeLink, talk: Locator, width: int, height: int
) -> None:
    screen.set_viewport_size({"width": width, "height": height})
    assert min(test_page.heights(talk)) >= 44
    assert not test_page.unreachable(screen)
    test_page.test_a_plan_of_six_steps_is_seen_with_approve_and_stop(screen, link, width, height)


def talks(page: TestClient, down: bool) -> Any:
    return page.post("/api/v1/talk", json={"down": down})


def test_without_dictation_a_press_is_refused_in_one_line(page: TestClient, link: FakeLink) -> None:
    refused = talks(page, True)
    assert refused.status_code == 503
    assert refused.json()["message"] == "no node writes down what is said now; type it instead"
    assert not link.talks


def test_a_button_that_nobody_lets_go_is_let_go(
    page: TestClient, link: FakeLink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(talk_button, "LONGEST", 0.01)
    link.say(DictationSeen(True))
    until(lambda: talks(page, True).status_code == 202)
    until(lambda: not link.talks[-1])
    assert link.talks == [True, False]


def test_what_is_said_without_the_button_is_told_to_no_page(
    page: TestClient, link: FakeLink
) -> None:
    with page.websocket_connect("ws://localhost:8080/api/v1/events") as socket:
        assert socket.receive_json()["dictation"] is False
        link.say(Dictated("something private"))
        link.say(DictationSeen(True))
        assert socket.receive_json()["type"] == "dictation"
        until(lambda: talks(page, True).status_code == 202)
        talks(page, False)
        link.say(Dictated(SAID))
        told = [socket.receive_json() for _ in range(2)]  # and who has control now
        assert told[-1]["text"] == SAID
