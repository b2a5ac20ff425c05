"""The page in a browser over a fake link: what people see, and what starts or stops motion."""

from __future__ import annotations

import json
import re
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Literal

import axe_playwright_python
import pytest
from chromium import chromium, expect_no_wider
from fake_link import ACCEPTED, PROGRAM, REJECTED, FakeLink, sha256
from fastapi import FastAPI
from playwright.sync_api import Browser, Locator, Page, Route, expect
from served_kiosk import served
from test_kept_tasks import keep
from waiting import until

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.domain.semantic_map import Pose, Room, SemanticMap
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.library.task_library import TaskLibrary
from roboinstruct_ros.web.robot_link import (
    AnswerTime,
    InterruptedRun,
    InterruptedSeen,
    NodesSeen,
    Question,
    RobotPose,
    Speech,
    StopAnswer,
    Thing,
    WorldSeen,
)

UP = NodesSeen({"generator": "up", "executor": "up", "sim_robot": "up"})
NAMES = "all => all.map(one => one.innerText.trim() || one.getAttribute('aria-label'))"
APART = """() => {
    const edge = document.querySelector('#map svg').getBoundingClientRect();
    const names = [...document.querySelectorAll('#map .room-name, #map .object-name')];
    const boxes = names.map(name => name.getBoundingClientRect());
    const apart = (a, b) => a.right <= b.left + 2 || b.right <= a.left + 2
        || a.bottom <= b.top + 2 || b.bottom <= a.top + 2;
    return names.length > 2 && boxes.every((box, i) => box.left >= edge.left - 2
        && box.right <= edge.right + 2 && boxes.slice(i + 1).every(other => apart(box, other)));
}"""
"""Whether no name on the map covers another, to 2 CSS pixels, or the edge."""
BAGS = Path(__file__).parents[1] / "bags"
AXE = Path(axe_playwright_python.__file__).parent / "axe.min.js"
MARKUP = "<img src=x onerror=window.hurt=1>"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def screen(app: FastAPI, link: FakeLink, browser: Browser) -> Iterator[Page]:
    with served(app) as port:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"http://localhost:{port}")
        link.say(UP)
        expect(page.locator("#write")).to_be_enabled()
        yield page
        page.close()


def ask(screen: Page, link: FakeLink, text: str = "Go to the kitchen.") -> str:
    before = len(link.generated)
    screen.locator("#words").fill(text)
    screen.locator("#words").press("Enter")
    until(lambda: len(link.generated) > before)
    return link.generated[-1][0]


def phase(screen: Page, name: str) -> None:
    expect(screen.locator("body")).to_have_attribute("data-phase", name)


def heights(locator: Locator) -> list[float]:
    """Of all that it finds, at one moment; one by one, the page may draw them anew in between."""
    found = locator.evaluate_all("all => all.map(one => one.getBoundingClientRect().height)")
    return list(found)


def test_no_key_starts_motion_and_the_button_approves_what_is_shown(
    screen: Page, link: FakeLink
) -> None:
    task_id = ask(screen, link)
    link.event(EventKind.TOKENS, task_id, draft=1, text="def task_program", tokens=3)
    expect(screen.locator("#code")).to_contain_text("def task_program")
    link.finish_generation(task_id)
    phase(screen, "ready")
    expect(screen.locator("#verdict")).to_contain_text("accepted")
    expect(screen.locator("#plan li").first).to_contain_text("Go to the kitchen")
    expect(screen.locator("#approve")).to_be_enabled()
    task_id = ask(screen, link)  # Enter once more only writes once more
    link.finish_generation(task_id)
    expect(screen.locator("#approve")).to_be_enabled()
    assert len(link.generated) == 2
    assert not link.executed
    screen.locator("#approve").click()
    until(lambda: link.executed)
    assert link.executed[0][2:] == (PROGRAM, sha256())


@pytest.mark.parametrize("way", ["click", "Escape"])
def test_stop_is_there_while_a_program_is_written(screen: Page, link: FakeLink, way: str) -> None:
    task_id = ask(screen, link)
    phase(screen, "writing")
    pressed = time.time()
    if way == "click":
        screen.locator("#stop").click()
    else:
        screen.locator("#words").press("Escape")
    until(lambda: link.stops)
    assert pressed - 1 < link.stops[0][1] < time.time() + 1
    until(lambda: link.cancelled == [task_id])
    assert len(link.stops) == 1, "one press is one stop"


def test_violations_stand_under_their_line(screen: Page, link: FakeLink) -> None:
    task_id = ask(screen, link)
    link.finish_generation(task_id, verdict=REJECTED, code=TaskErrorCode.NO_ACCEPTED_PROGRAM)
    phase(screen, "rejected")
    expect(screen.locator("#verdict")).to_contain_text("rejected")
    expect(screen.locator("#code .wrong + .why")).to_have_text("the hand is full")
    expect(screen.locator("#approve")).to_be_disabled()


def test_a_doubt_stands_at_its_step_and_the_button_says_what_it_starts(
    screen: Page, link: FakeLink
) -> None:
    taken = "I take it that a charger is in the library."
    link.judges = [ACCEPTED | {"assumptions": [taken]}]
    task_id = ask(screen, link)
    link.finish_generation(task_id, notes=("The program uses 'kitchen'.",))
    expect(screen.locator("#plan li .doubt")).to_have_text(
        "Look twice: The program uses 'kitchen'."
    )
    expect(screen.locator("#plan li").first.locator(".doubt")).to_be_visible()
    expect(screen.locator("#notes")).to_have_text(taken)  # no step names a charger
    approve = screen.locator("#approve")
    expect(approve).to_have_accessible_name("Approve & run 2 steps: drives to the kitchen")
    expect(approve).to_be_enabled()
    approve.click()
    expect(screen.locator("#notes")).to_be_hidden()
    expect(screen.locator(".doubt")).to_have_count(0)


def test_an_assumption_that_is_not_so_is_told(screen: Page, link: FakeLink) -> None:
    task_id = ask(screen, link)
    link.finish_generation(task_id)
    expect(screen.locator("#approve")).to_be_enabled()
    screen.locator("#approve").click()
    until(lambda: link.executed)
    message = "I took it that a charger is in the library, and that is not so (line 3)"
    shown = message.replace("line 3", "step 2")  # as the plan has it
    code = int(TaskErrorCode.ASSUMPTION_FAILED)
    link.end_run(task_id, "failed", error_code=code, error_msg=message)
    expect(screen.locator("#run .failed")).to_contain_text(shown)
    expect(screen.locator("#plan li.wrong .number")).to_have_text("2")


FULL = "The banana cannot be picked up: the robot already holds the cup."
STORY = [
    {"skill": skill, "arguments": [name], "line": line, "result": None, "failed": ""}
    for line, (skill, name) in enumerate(
        [("go_to", "kitchen"), ("pick", "cup"), ("go_to", "hallway"), ("pick", "banana")], 2
    )
]


def tell_story(screen: Page, link: FakeLink) -> None:
    """Has a program rejected, and the story of it told on the map."""
    task_id = ask(screen, link, "Bring the cup and the banana.")
    wrong = {"code": "hand_full", "line": 5, "message": FULL, "counterexample": {"calls": STORY}}
    refused = REJECTED | {"violations": [wrong]}
    link.event(EventKind.DRAFT_VERIFIED, task_id, draft=1, source=PROGRAM, verdict=refused)
    by_ros = REJECTED | {"violations": [{**wrong, "counterexample": {"steps": ["x"]}}]}
    code = TaskErrorCode.NO_ACCEPTED_PROGRAM
    link.finish_generation(task_id, verdict=by_ros, code=code)
    phase(screen, "rejected")
    screen.get_by_role("button", name="Show it on the map").click()
    expect(screen.locator("#story-words")).to_contain_text("1 of 4: Go to the kitchen")


def test_a_rejection_is_a_sentence_a_story_and_ways_out(screen: Page, link: FakeLink) -> None:
    link.say(RobotPose(3.0, 1.0, 0.0))
    tell_story(screen, link)
    expect(screen.locator("#said-title")).to_have_text("That would go wrong")
    expect(screen.locator("#said-words")).to_have_text(FULL)
    expect(screen.locator("#story-words")).to_have_text(f"4 of 4: Pick up the banana – {FULL}")
    ghost = screen.locator("#map .ghost")
    expect(screen.locator("#map .ghost-name")).to_have_text("cup")
    expect(ghost).to_have_attribute("transform", "translate(300 -100)")  # in the hallway
    expect(screen.locator("#where")).to_have_text("Robot: hallway")
    screen.get_by_role("button", name="Close").click()
    expect(ghost).to_be_hidden()
    screen.get_by_role("button", name="One thing after the other").click()
    until(lambda: len(link.generated) == 2)
    assert link.generated[-1][1] == "Bring the cup and the banana, one thing after the other"
    assert not link.executed


def test_a_story_does_not_move_by_itself_for_who_wants_no_motion(
    screen: Page, link: FakeLink
) -> None:
    screen.emulate_media(reduced_motion="reduce")
    link.say(RobotPose(3.0, 1.0, 0.0))
    tell_story(screen, link)
    ghost = screen.locator("#map .ghost")
    expect(ghost).to_have_attribute("transform", "translate(100 -100)")
    screen.get_by_role("button", name="Next").click()
    expect(screen.locator("#story-words")).to_have_text("2 of 4: Pick up the cup")
    screen.get_by_role("button", name="Next").click()
    expect(ghost).to_have_attribute("transform", "translate(300 -100)")


def test_what_the_robot_cannot_do_comes_with_what_it_can(screen: Page, link: FakeLink) -> None:
    link.ready()
    link.prove()
    link.say_instead(ask(screen, link, "Open the window"), "cannot", "I cannot open windows.")
    expect(screen.locator("#said-title")).to_have_text("I cannot do that")
    tries = screen.locator("#said-tries button")
    expect(tries).to_have_count(2)
    expect(tries.first).to_have_text("Go to the hallway and say hello")
    tries.first.click()
    until(lambda: len(link.generated) == 2)
    assert link.generated[-1][1] == "Go to the hallway and say hello"


@pytest.mark.parametrize(
    ("offer", "task"),
    [
        ("look for Ann", "Look for Ann"),
        ("look whether somebody is in the study", "Look whether somebody is in the study"),
        ("ask somebody to do it", ""),
        ("go to a room that you name", ""),
        ("look whether something or somebody is there", ""),
        ("bring things from room to room", ""),
    ],
)
def test_what_a_refusal_offers_is_one_touch_away(
    screen: Page, link: FakeLink, offer: str, task: str
) -> None:
    link.ready()
    link.say_instead(ask(screen, link, "Watch Ann"), "cannot", f"I cannot see. I can {offer}.")
    expect(screen.locator("#said-title")).to_have_text("I cannot do that")
    tries = screen.locator("#said-tries button")
    expect(tries).to_have_text([task] if task else [])
    if task:
        tries.click()
        until(lambda: len(link.generated) == 2)
        assert link.generated[-1][1] == task


@pytest.mark.parametrize("width", [1280, 360])
def test_the_plan_is_read_first_while_it_is_written_too_and_the_code_is_folded(
    screen: Page, link: FakeLink, width: int
) -> None:
    screen.set_viewport_size({"width": width, "height": 800})
    task_id = ask(screen, link)
    text = 'def task_program():\n    go_to("kitchen")\n    say("I'
    link.event(EventKind.TOKENS, task_id, draft=1, text=text, tokens=9)
    expect(screen.locator("#plan li")).to_have_text(["1Go to the kitchen."])
    expect(screen.locator("#code")).to_be_hidden()
    link.finish_generation(task_id)
    expect(screen.locator("#plan li")).to_have_count(2)
    top = "all => all.map(one => one.getBoundingClientRect().top)"
    plan, program = screen.locator("#plan, #program").evaluate_all(top)
    assert plan < program
    screen.get_by_role("button", name="Code").click()
    expect(screen.locator("#code")).to_be_visible()


def test_enter_approves_nothing_wherever_the_focus_is(screen: Page, link: FakeLink) -> None:
    link.finish_generation(ask(screen, link))
    expect(screen.locator("#approve")).to_be_enabled()
    for _ in range(3):
        screen.locator("#approve").press("Enter")
    assert screen.evaluate("document.activeElement.id") == "approve"
    screen.locator("#approve").press("Space")
    until(lambda: link.executed)
    assert len(link.executed) == 1, "what came before has started nothing"


def test_the_second_of_two_clicks_approves_nothing_more(screen: Page, link: FakeLink) -> None:
    link.finish_generation(ask(screen, link))
    expect(screen.locator("#approve")).to_be_enabled()
    asked: list[str] = []
    screen.on("request", lambda one: asked.append(one.url) if "approve" in one.url else None)
    screen.locator("#approve").dblclick()
    until(lambda: link.executed)
    phase(screen, "running")
    assert len(asked) == 1
    expect(screen.locator("#toasts")).to_be_empty()


def test_a_click_before_the_page_has_heard_of_the_run_approves_nothing_more(
    screen: Page, link: FakeLink
) -> None:
    link.finish_generation(ask(screen, link))
    expect(screen.locator("#approve")).to_be_enabled()
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(json={})

    screen.route("**/approve", answer)
    with screen.expect_response("**/approve"):
        screen.locator("#approve").click()
    screen.locator("#approve").click()
    screen.evaluate("new Promise((done) => setTimeout(done, 100))")
    assert len(asked) == 1


def test_a_plan_that_is_complete_begins_at_its_first_step(screen: Page, link: FakeLink) -> None:
    screen.set_viewport_size({"width": 1280, "height": 800})
    task_id = ask(screen, link)
    long = "def task_program():\n" + "".join(f'    say("{n}")\n' for n in range(60))
    link.event(EventKind.TOKENS, task_id, draft=1, text=long, tokens=300)
    expect(screen.locator("#plan li").last).to_be_in_viewport()
    link.finish_generation(task_id, long)
    phase(screen, "ready")
    screen.wait_for_function("() => document.getElementById('plan-scroll').scrollTop === 0")


def test_what_is_approved_is_the_text_that_was_shown(screen: Page, link: FakeLink) -> None:
    link.finish_generation(ask(screen, link))
    expect(screen.locator("#approve")).to_be_enabled()
    bodies: list[object] = []
    screen.on("request", lambda one: bodies.append((one.url[-8:], one.post_data_json)))
    screen.locator("#approve").click()
    until(lambda: link.executed)
    assert bodies[0] == ("/approve", {"sha256": sha256()})


STOP_BOX = (
    "stop => { const r = stop.getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; }"
)
STOP_FREE = """() => {
    const stop = document.getElementById('stop'), box = stop.getBoundingClientRect();
    const hit = (x, y) => document.elementFromPoint(box.x + x * box.width, box.y + y * box.height);
    return [0.1, 0.5, 0.9].every(x => [0.1, 0.5, 0.9].every(y => stop.contains(hit(x, y))));
}"""
"""Whether nothing lies over Stop, from edge to edge."""


@pytest.mark.parametrize(
    ("width", "height"), [(800, 480), (1024, 600), (1280, 720), (360, 740), (3840, 2160)]
)
def test_stop_is_large_and_stays_where_it_is(
    screen: Page, link: FakeLink, width: int, height: int
) -> None:
    screen.set_viewport_size({"width": width, "height": height})
    places = []

    def note() -> None:
        expect(screen.locator("#stop")).to_be_in_viewport(ratio=1)
        screen.locator("#stop").click(trial=True)  # nothing covers it
        places.append(screen.locator("#stop").evaluate(STOP_BOX))

    note()
    task_id = ask(screen, link)
    note()
    link.finish_generation(task_id, SIX_STEPS, notes=("The program uses 'cup'.",))
    expect(screen.locator("#approve")).to_be_enabled()
    note()
    screen.locator("#approve").click()
    until(lambda: link.executed)
    link.event(EventKind.RUN_STARTED, task_id, instruction="", program_sha256=sha256())
    link.event(EventKind.RUN_PAUSED, task_id, paused=True)
    phase(screen, "paused")
    note()
    link.say(Question("Tea or coffee?", "Ann", ("tea", "coffee"), live=True))
    expect(screen.locator("#question")).to_be_visible()
    note()
    link.say(Question())
    link.end_run(task_id)
    phase(screen, "succeeded")
    tell_story(screen, link)
    note()
    link.say(NodesSeen({**UP.states, "executor": "lost"}))
    expect(screen.locator("#banners")).to_contain_text("lost")
    note()
    assert places[0][2] >= 88 and places[0][3] >= 88
    assert all(place == places[0] for place in places)


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (800, 480), (360, 740), (400, 240)])
def test_no_toast_and_no_settings_lie_over_stop(screen: Page, width: int, height: int) -> None:
    screen.set_viewport_size({"width": width, "height": height})
    screen.evaluate("""async () => {
        const { toast } = await import('/static/notices.js');
        for (const n of [1, 2, 3]) toast(`Done: ${n} ${'bring the cup to Ann '.repeat(45)}`);
    }""")
    assert screen.evaluate(STOP_FREE)
    screen.locator("#settings-open").click()
    expect(screen.locator("#settings")).to_be_visible()
    assert screen.evaluate(STOP_FREE)


def test_stop_is_done_when_the_robot_says_so(screen: Page, link: FakeLink) -> None:
    task_id = ask(screen, link)
    link.finish_generation(task_id)
    expect(screen.locator("#approve")).to_be_enabled()
    screen.locator("#approve").click()
    until(lambda: link.executed)
    word = screen.locator("#stop-word")
    screen.locator("#stop").click()
    expect(word).to_have_text("Stopping…")
    link.say(StopAnswer(True, 0.01, "stopping"))
    phase(screen, "stopping")
    expect(word).to_have_text("Stopping…")
    link.say(StopAnswer(False, 0.01, ""))  # to a press that was repeated for want of an answer
    link.end_run(task_id, "cancelled", error_code=int(TaskErrorCode.STOPPED))
    expect(word).to_have_text("Stopped")
    assert screen.locator("#toasts").inner_text() == ""  # a toast would go by itself
    expect(word).to_have_text("Stop")
    screen.locator("#stop").click()
    link.say(StopAnswer(False, 0.01, ""))
    expect(screen.locator("#toasts")).to_contain_text("Nothing was running")


def test_a_stop_whose_run_ended_while_the_page_was_cut_off_is_done(
    app: FastAPI, screen: Page, link: FakeLink
) -> None:
    task_id = ask(screen, link)
    link.finish_generation(task_id)
    screen.locator("#approve").click()
    until(lambda: link.executed)
    screen.locator("#stop").click()
    link.say(StopAnswer(True, 0.01, "stopping"))
    phase(screen, "stopping")
    with silent(app, screen):
        link.end_run(task_id, "cancelled", error_code=int(TaskErrorCode.STOPPED))
    phase(screen, "cancelled")
    expect(screen.locator("#stop-word")).to_have_text("Stopped")


def test_a_stop_whose_answer_was_told_while_the_page_was_cut_off_is_done(
    app: FastAPI, screen: Page, link: FakeLink
) -> None:
    with silent(app, screen):
        screen.locator("#stop").click()
        until(lambda: link.stops)
        expect(screen.locator("#stop-word")).to_have_text("No answer")
    expect(screen.locator("#stop-word")).to_have_text("Stopped")


def test_a_duplicated_tab_is_a_window_of_its_own(screen: Page) -> None:
    name = "async () => (await import('/static/connection.js')).WINDOW"
    first = screen.evaluate(name)
    with screen.expect_popup() as opened:
        screen.evaluate("void open('/')")  # which copies what the tab has kept
    other = opened.value
    expect(other.locator("#write")).to_be_enabled()
    until(lambda: other.evaluate(name) != first, limit=5)
    second = other.evaluate(name)
    for page, kept in ((screen, first), (other, second)):
        for path in ("/engineer", "/"):
            page.evaluate("path => { location.href = path }", path)
            page.wait_for_url(f"**{path}")
            expect(page.locator("#stop")).to_be_visible()
            assert page.evaluate(name) == kept
        page.reload()
        assert page.evaluate(name) == kept


def test_a_stop_that_nobody_answers_is_not_shown_as_done(screen: Page, link: FakeLink) -> None:
    screen.locator("#stop").click()
    until(lambda: link.stops)
    expect(screen.locator("#stop-word")).to_have_text("No answer")
    expect(screen.locator("#toasts")).to_contain_text("use its own stop button")
    link.say(StopAnswer(False, 0.01, ""))
    expect(screen.locator("#stop-word")).to_have_text("Stopped")


def test_a_pause_looks_like_a_pause(screen: Page, link: FakeLink) -> None:
    task_id = ask(screen, link)
    link.finish_generation(task_id)
    expect(screen.locator("#approve")).to_be_enabled()
    screen.locator("#approve").click()
    until(lambda: link.executed)
    link.event(EventKind.RUN_STARTED, task_id, instruction="", program_sha256=sha256())
    call = {"index": 0, "skill": "go_to", "arguments": ["kitchen"], "line": 2}
    link.event(EventKind.SKILL_STARTED, task_id, **call)
    link.event(EventKind.RUN_PAUSED, task_id, paused=True)
    expect(screen.locator("#status")).to_contain_text("Paused")
    expect(screen.locator("#run").get_by_role("img", name="paused")).to_be_visible()
    expect(screen.locator("#run .failed")).to_have_count(0)
    expect(screen.locator("#plan .held")).to_contain_text("Go to the kitchen")
    screen.locator("#words").press("Enter")
    expect(screen.locator("#ask-error")).to_have_text(
        "One thing at a time: the task is paused; press Go on or Stop"
    )
    screen.get_by_role("button", name="Go on").click()
    until(lambda: link.pauses == [False])
    link.event(EventKind.RUN_PAUSED, task_id, paused=False)
    expect(screen.locator("#ask-error")).to_contain_text("wait for the end of the task")


def test_the_second_of_two_clicks_on_pause_does_not_let_the_robot_go_on(
    screen: Page, link: FakeLink
) -> None:
    task_id = ask(screen, link)
    link.finish_generation(task_id)
    screen.locator("#approve").click()
    until(lambda: link.executed)
    link.event(EventKind.RUN_STARTED, task_id, instruction="", program_sha256=sha256())
    phase(screen, "running")
    screen.evaluate("""new MutationObserver((_, watch) => {
        if (document.body.dataset.phase !== 'paused') return;
        watch.disconnect();
        document.getElementById('pause').click();
    }).observe(document.body, { attributes: true })""")
    screen.locator("#pause").click()
    until(lambda: link.pauses == [True])
    link.event(EventKind.RUN_PAUSED, task_id, paused=True)
    phase(screen, "paused")
    screen.get_by_role("button", name="Go on").click()  # which waits until it can be pressed
    until(lambda: len(link.pauses) > 1)
    assert link.pauses == [True, False]
    expect(screen.locator("#pause")).to_be_focused()


def test_a_run_that_was_paused_while_the_page_was_cut_off_is_shown(
    app: FastAPI, screen: Page, link: FakeLink
) -> None:
    link.finish_generation(ask(screen, link))
    phase(screen, "ready")
    screen.locator("#discard").click()
    phase(screen, "discarded")
    with silent(app, screen):
        link.event(EventKind.GENERATION_STARTED, "other", instruction="Go on", asked_by="Ann")
        link.tell_generation("other")
        link.event(EventKind.RUN_STARTED, "other", instruction="Go on", program_sha256=sha256())
        link.event(EventKind.RUN_PAUSED, "other", paused=True)
    phase(screen, "paused")
    expect(screen.locator("#pause")).to_have_text("Go on")


def test_a_fault_that_is_over_when_the_page_is_back_is_gone(
    app: FastAPI, screen: Page, link: FakeLink
) -> None:
    task_id = ask(screen, link)
    phase(screen, "writing")
    screen.locator("#words").press("Enter")
    expect(screen.locator("#ask-error")).to_contain_text("One thing at a time")
    with silent(app, screen):
        link.finish_generation(task_id)
    phase(screen, "ready")
    expect(screen.locator("#ask-error")).to_be_hidden(timeout=3000)


def test_no_duration_has_sixty_seconds_beside_its_minutes(screen: Page) -> None:
    told = "async (s) => (await import('/static/messages.js')).duration(s)"
    durations = [screen.evaluate(told, s) for s in (59.9, 60, 119.4, 119.7, 3599.6)]
    assert durations == ["59.9 s", "1 min 0 s", "1 min 59 s", "2 min 0 s", "60 min 0 s"]


def test_a_version_is_made_looked_at_and_compared_and_no_key_starts_it(
    screen: Page, link: FakeLink
) -> None:
    first = ask(screen, link)
    expect(screen.locator("#change")).to_be_hidden()
    link.finish_generation(first, task="lib", version=1)
    box = screen.get_by_label("Change it")
    expect(box).to_be_visible()
    expect(screen.locator("#versions")).to_be_hidden()
    expect(screen.locator("#approve")).to_be_enabled()  # so that a wrong Enter could start it
    box.fill("say hello instead")
    box.press("Enter")
    until(lambda: len(link.generated) == 2)
    second, words = link.generated[-1]
    assert words == "say hello instead" and link.followed[-1] == "lib/1"
    changed = PROGRAM.replace("I am here", "hello")
    place = {"task": "lib", "version": 2, "steering": "tweak", "parent_sha256": sha256()}
    link.finish_generation(second, source=changed, **place)
    phase(screen, "ready")
    expect(box).to_be_empty()
    screen.get_by_role("button", name="Changes from 1").click()
    expect(screen.locator("#diff .removed")).to_have_text('-Removed:     say("I am here")')
    expect(screen.locator("#diff .added")).to_have_text('+Added:     say("hello")')
    expect(screen.locator("#code")).to_be_hidden()
    versions = screen.get_by_role("list", name="Versions of this task").get_by_role("button")
    expect(versions).to_have_count(2)
    expect(versions.nth(1)).to_have_attribute("aria-current", "true")
    expect(versions.nth(1)).to_have_accessible_name("Version 2, other values: say hello instead")
    versions.nth(0).click()
    expect(screen.locator("#code")).to_contain_text("I am here")
    assert not link.executed
    screen.locator("#approve").click()
    until(lambda: link.executed)
    assert link.executed[0][0] == first and link.executed[0][3] == sha256()


def test_a_follow_up_without_a_program_can_be_said_in_other_words(
    screen: Page, link: FakeLink
) -> None:
    first = ask(screen, link)
    link.finish_generation(first, task="lib", version=1)
    box = screen.get_by_label("Change it")
    box.fill("only on Sundays")
    screen.get_by_role("button", name="Write version").click()
    until(lambda: len(link.generated) == 2)
    code = TaskErrorCode.NO_ACCEPTED_PROGRAM
    said = "this model cannot change that"
    link.finish_generation(link.generated[-1][0], "", {}, code, error_msg=said)
    phase(screen, "rejected")
    expect(screen.locator("#run")).to_contain_text("this model cannot change that")
    expect(screen.locator("#said-title")).to_have_text("That did not work out")
    expect(screen.locator("#said-words")).to_have_text("This model cannot change that")
    screen.get_by_role("button", name="Try it once more").click()
    until(lambda: len(link.generated) == 3)
    assert link.generated[-1][1] == "only on Sundays" and link.followed[-1] == "lib/1"
    never = str(phrase("told.unchangeable"))
    link.finish_generation(link.generated[-1][0], "", {}, code, error_msg=never)
    phase(screen, "rejected")
    screen.locator("#words").fill("")
    screen.get_by_role("button", name="Change the words of the whole task").click()
    expect(screen.locator("#words")).to_have_value("Go to the kitchen.")
    expect(screen.get_by_role("button", name="Try it once more")).to_have_count(0)
    box.fill("also say hello")
    box.press("Enter")
    until(lambda: len(link.generated) == 4)
    assert link.followed[-1] == "lib/1"


def test_a_warning_of_the_stack_is_shown(screen: Page, link: FakeLink) -> None:
    link.event(EventKind.WARNING, "", message="the task library is damaged")
    expect(screen.locator("#toasts")).to_contain_text("The task library is damaged")


def test_the_line_in_execution_is_marked(screen: Page, link: FakeLink) -> None:
    task_id = ask(screen, link)
    link.finish_generation(task_id)
    screen.locator("#approve").click()
    until(lambda: link.executed)
    link.event(EventKind.RUN_STARTED, task_id, instruction="", program_sha256=sha256())
    call = {"index": 0, "skill": "go_to", "arguments": ["kitchen"], "line": 2}
    link.event(EventKind.SKILL_STARTED, task_id, **call)
    expect(screen.locator("#code .now")).to_contain_text("go_to")
    expect(screen.locator("#plan .now")).to_contain_text("Go to the kitchen")
    link.event(EventKind.SKILL_FINISHED, task_id, **call, result=None, error_code=0, error_msg="")
    link.end_run(task_id, made=[call])
    phase(screen, "succeeded")
    expect(screen.locator("#history")).to_contain_text("done")


def test_a_live_person_answers_with_a_button(screen: Page, link: FakeLink) -> None:
    link.say(Question("Tea or coffee?", "Ann", ("tea", "coffee"), live=True))
    expect(screen.locator("#question-text")).to_have_text("Tea or coffee?")
    expect(screen.locator("#question-left")).to_be_hidden()  # nobody knows how long
    link.say(AnswerTime(40.0))
    expect(screen.get_by_role("timer")).to_have_text(re.compile(r"\d\d s to answer"))
    left = int(screen.get_by_role("timer").inner_text().split()[0])
    expect(screen.get_by_role("timer")).not_to_have_text(f"{left} s to answer")  # it runs
    options = screen.locator("#question-options button")
    assert min(heights(options)) >= 80
    box = screen.locator("#question").bounding_box()
    assert box is not None and box["width"] == 1280 and box["height"] > 700, "it fills the page"
    expect(options.first).not_to_be_focused()  # Enter may be on its way to the task
    screen.get_by_role("button", name="coffee", exact=True).click()
    until(lambda: link.answers)
    assert link.answers == [("Tea or coffee?", "coffee", "")]
    link.say(Question())
    expect(screen.locator("#question")).to_be_hidden()


TEA = Question("Tea or coffee?", "Ann", ("tea", "coffee"), live=True, goal_id="1")


def test_the_same_question_to_somebody_else_is_another_one(screen: Page, link: FakeLink) -> None:
    link.say(TEA)
    expect(screen.locator("#question-who")).to_contain_text("Ann")
    link.say(Question("Tea or coffee?", "Bob", ("mint tea", "coffee"), live=True))
    expect(screen.locator("#question-who")).to_contain_text("Bob")
    screen.get_by_role("button", name="mint tea", exact=True).click()
    until(lambda: link.answers == [("Tea or coffee?", "mint tea", "")])


def test_the_same_question_again_is_another_one_and_an_answer_is_for_the_one_that_is_seen(
    screen: Page, link: FakeLink
) -> None:
    link.say(TEA)
    coffee = screen.get_by_role("button", name="coffee", exact=True)
    coffee.evaluate("(button) => button.dataset.seen = 'first'")
    link.say(replace(TEA, goal_id="2"))
    expect(screen.locator("#question-options [data-seen]")).to_have_count(0)
    with screen.expect_request("**/api/v1/answer") as sent:
        coffee.click()
    assert sent.value.post_data_json["goal_id"] == "2"
    until(lambda: link.answers == [("Tea or coffee?", "coffee", "2")])


def test_a_touch_that_was_meant_for_another_button_answers_no_question(
    screen: Page, link: FakeLink
) -> None:
    screen.evaluate("""() => new MutationObserver((_, seen) => {
        const [option] = document.querySelectorAll("#question-options button");
        option?.click();
        if (option) seen.disconnect();
    }).observe(document.getElementById("question-options"), { childList: true })""")
    link.say(TEA)
    screen.get_by_role("button", name="coffee", exact=True).click()
    until(lambda: link.answers)
    assert link.answers == [("Tea or coffee?", "coffee", "1")]


def test_a_question_takes_no_text_from_who_types_and_gives_the_focus_back(
    screen: Page, link: FakeLink
) -> None:
    words = screen.locator("#words")
    words.press_sequentially("Fetch")
    link.say(TEA)
    expect(screen.locator("#question")).to_be_visible()
    expect(screen.locator("#speech")).to_contain_text("Tea or coffee?")
    words.page.keyboard.type(" the cup")
    expect(words).to_have_value("Fetch the cup")
    screen.keyboard.press("Tab")  # leaves the box
    expect(screen.locator("#question")).to_be_focused()
    assert screen.locator("main").evaluate("main => [...main.children].every(one => one.inert)")
    link.say(Question())  # answered in another window
    expect(words).to_be_focused()
    assert not link.stops


def test_a_space_between_words_is_no_stop(screen: Page, link: FakeLink) -> None:
    screen.locator("h1").click()  # so that nothing has the focus
    screen.keyboard.type("the cup ")
    screen.evaluate("() => new Promise(done => setTimeout(done, 1100))")
    screen.keyboard.press("Space")
    until(lambda: link.stops)
    assert len(link.stops) == 1


def test_the_robot_is_where_it_is_and_a_lost_node_is_named(screen: Page, link: FakeLink) -> None:
    link.say(RobotPose(1.0, 1.0, 0.0))
    expect(screen.locator("#where")).to_have_text("Robot: kitchen")
    link.say(RobotPose(3.0, 1.0, 1.0))
    expect(screen.locator("#where")).to_have_text("Robot: hallway")
    link.say(NodesSeen({**UP.states, "executor": "lost"}))
    expect(screen.locator("#banners")).to_contain_text("program runner is lost")
    link.say(UP)
    expect(screen.locator("#banners")).to_be_empty()


def test_the_place_is_told_when_the_rooms_come_last(
    app: FastAPI, link: FakeLink, browser: Browser
) -> None:
    rooms: list[Route] = []
    with served(app) as port:
        page = browser.new_page()
        page.route("**/api/v1/map", lambda route: rooms.append(route))
        link.say(UP)
        link.say(RobotPose(1.0, 1.0, 0.0))
        page.goto(f"http://localhost:{port}", wait_until="commit")
        expect(page.locator("#map .robot")).to_be_visible()  # so its pose is there
        until(lambda: page.evaluate("true") and rooms)
        expect(page.locator("#where")).to_be_empty()
        rooms[0].continue_()
        expect(page.locator("#where")).to_have_text("Robot: kitchen")
        page.close()


def test_a_changed_map_is_drawn_with_the_next_task(
    screen: Page, link: FakeLink, maps: list[SemanticMap]
) -> None:
    link.say(RobotPose(1.0, 1.0, 0.0))
    expect(screen.locator("#where")).to_have_text("Robot: kitchen")
    kitchen, hallway = maps[0].rooms
    maps.append(SemanticMap((kitchen, Room("corridor", (), hallway.pose, hallway.polygon))))
    ask(screen, link)
    expect(screen.locator("#map .room title")).to_have_text(["kitchen", "corridor"])
    expect(screen.locator("#map .room.here title")).to_have_text("kitchen")
    link.say(RobotPose(3.0, 1.0, 0.0))
    expect(screen.locator("#where")).to_have_text("Robot: corridor")


def test_examples_are_those_that_hold_on_the_map_and_are_only_put_into_the_box(
    screen: Page, link: FakeLink, maps: list[SemanticMap]
) -> None:
    chips = screen.get_by_role("group", name="Examples").get_by_role("button")
    expect(chips).to_have_count(0)
    shown = ("Bring me the tea", MARKUP, "Fly to the moon")
    maps.append(replace(maps[0], examples=shown))
    link.ready()
    link.prove(*shown[:2])
    expect(chips).to_have_text(shown[:2])
    words = screen.locator("#words")
    expect(words).to_have_attribute("placeholder", shown[0])
    chips.first.click()
    expect(words).to_have_value(shown[0])
    assert not link.generated
    screen.reload()
    expect(chips).to_have_text(shown[:2])
    maps.append(maps[0])
    expect(chips).to_have_count(0)
    expect(words).to_have_attribute("placeholder", "")


def test_the_plan_is_to_be_read_on_a_low_screen_too(screen: Page, link: FakeLink) -> None:
    screen.set_viewport_size({"width": 1024, "height": 600})
    link.finish_generation(ask(screen, link), task="lib", version=1)
    expect(screen.locator("#approve")).to_be_enabled()
    step = screen.locator("#plan li").last
    expect(step).to_be_in_viewport(ratio=1)
    expect(screen.locator("#words")).to_be_in_viewport(ratio=1)
    expect(screen.locator("#code")).to_be_hidden()
    screen.get_by_role("button", name="Code").click()
    expect(screen.locator("#code")).to_contain_text("go_to")
    expect(screen.locator("#code")).to_be_visible()
    expect(screen.locator("#approve")).to_be_in_viewport(ratio=1)


def test_what_a_finger_has_to_hit_is_large_enough(screen: Page, link: FakeLink) -> None:
    link.ready()
    link.prove()
    first = ask(screen, link)
    link.finish_generation(first, task="lib", version=1)
    screen.get_by_label("Change it").fill("say hello instead")
    screen.get_by_role("button", name="Write version").click()
    until(lambda: len(link.generated) == 2)
    place = {"task": "lib", "version": 2, "steering": "tweak", "parent_sha256": sha256()}
    link.finish_generation(link.generated[-1][0], **place)
    phase(screen, "ready")
    for what in ("#examples button", "#history button", "#change button", "#change input"):
        until(lambda what=what: min(heights(screen.locator(what)), default=0) >= 44)  # type: ignore[misc]


def test_steps_name_places_as_people_do(screen: Page, link: FakeLink) -> None:
    task_id = ask(screen, link)
    link.finish_generation(task_id)
    screen.locator("#approve").click()
    until(lambda: link.executed)
    link.event(EventKind.RUN_STARTED, task_id, instruction="", program_sha256=sha256())
    for index, room in enumerate(("kitchen", "Bob's office", "classroom 4")):
        call = {"index": index, "skill": "go_to", "arguments": [room], "line": 2}
        link.event(EventKind.SKILL_STARTED, task_id, **call)
    steps = screen.locator("#run li")
    expect(steps.nth(0)).to_contain_text("Go to the kitchen")
    expect(steps.nth(1)).to_contain_text("Go to Bob's office")
    expect(steps.nth(2)).to_contain_text("Go to classroom 4")


def test_text_from_anywhere_is_never_markup(screen: Page, link: FakeLink) -> None:
    task_id = ask(screen, link, f"Say {MARKUP}")
    program = f"def task_program():\n    say({json.dumps(MARKUP)})\n"
    verdict = ACCEPTED | {"warnings": [MARKUP]}
    link.finish_generation(task_id, source=program, verdict=verdict)
    link.say(Speech(MARKUP))
    link.say(Question(MARKUP, MARKUP, (MARKUP,), live=True))
    expect(screen.locator("#question-text")).to_have_text(MARKUP)
    expect(screen.locator("#code")).to_contain_text(MARKUP)
    assert screen.locator("main img").count() == 0
    assert screen.evaluate("window.hurt") is None


def test_a_vote_is_a_draft_and_their_agreement_stands_beside_the_plan(
    screen: Page, link: FakeLink
) -> None:
    task_id = ask(screen, link)
    link.event(EventKind.DRAFT_STARTED, task_id, draft=3, attempt=1)
    expect(screen.locator("#progress-text")).to_contain_text("draft 3")
    link.event(EventKind.DRAFT_STARTED, task_id, draft=4, attempt=2)
    expect(screen.locator("#progress-text")).to_contain_text("attempt 2")
    screen.set_viewport_size({"width": 390, "height": 844})
    link.tell_generation(task_id, confidence=0.8, agreed=[4, 5])
    link.finish_generation(task_id)
    phase(screen, "ready")
    expect(screen.locator("#confidence")).to_have_text("4 of 5 drafts agree")
    screen.wait_for_function("() => confidence.scrollWidth <= confidence.clientWidth")  # on a phone
    ask(screen, link, "Another one.")
    expect(screen.locator("#confidence")).to_be_empty()


def test_names_on_a_crowded_map_cover_neither_each_other_nor_the_edge(
    screen: Page, link: FakeLink, maps: list[SemanticMap]
) -> None:
    def square(left: float) -> tuple[tuple[float, float], ...]:
        return ((left, 0), (left + 2, 0), (left + 2, 2), (left, 2))

    lefts = [2.0 * number for number in range(30)]
    rooms = [Room(f"conference room {x:g}", (), Pose(x, 1.0, 0.0), square(x)) for x in lefts]
    maps.append(SemanticMap((*rooms, Room("hall", (), Pose(9.0, -3.0, 0.0),
                                          ((0, -6), (60, -6), (60, 0), (0, 0))))))  # fmt: skip
    bottles = tuple(Thing("bottle of water", x, 1.0) for x in (0.2, 30.0, 30.4, 30.8, 59.9))
    link.say(WorldSeen(objects=bottles))
    link.say(RobotPose(9.0, -3.0, 0.0))
    link.finish_generation(ask(screen, link), 'def task_program():\n    pick("bottle of water")\n')
    expect(screen.locator("#map .room-name")).to_contain_text(["hall"])
    screen.wait_for_function(APART)
    assert screen.locator("#map .object-name").count() >= 2
    link.say(RobotPose(31.0, 1.0, 0.0))  # into a room whose name has no place
    expect(screen.locator("#map .room-name")).to_contain_text(["conference room 30", "hall"])


SIX_STEPS = "def task_program():\n" + "".join(
    f'    {call}\n'
    for call in ('go_to("kitchen")', 'pick("cup")', 'go_to("hallway")', 'place("cup")',
                 'go_to("kitchen")', 'say("It is done")')
)  # fmt: skip


@pytest.mark.parametrize(
    ("width", "height"),
    [
        *((800, 480), (1024, 600), (1280, 720), (360, 740), (3840, 2160)),
        *((480, 800), (600, 1024), (720, 1280), (740, 360), (2160, 3840)),
    ],
)
def test_a_plan_of_six_steps_is_seen_with_approve_and_stop(
    screen: Page, link: FakeLink, width: int, height: int
) -> None:
    screen.set_viewport_size({"width": width, "height": height})
    kept = {"task": "lib", "version": 1}  # so that it can be approved for later too
    link.finish_generation(ask(screen, link, "Bring the cup. " * 8), SIX_STEPS, **kept)
    expect(screen.locator("#approve")).to_be_enabled()
    expect(screen.locator("#plan li")).to_have_count(6)
    last = screen.locator("#plan li").last
    shown = (screen.locator("#plan li").first, last, screen.locator("#approve"))
    for one in (*shown, screen.locator("#stop"), screen.locator("#at-a-time")):
        expect(one).to_be_in_viewport(ratio=1)
    assert min(heights(screen.locator("#at-a-time"))) >= 44
    below = last.evaluate(
        "li => { const { left, top } = li.getBoundingClientRect();"
        "return li.contains(document.elementFromPoint(left + 60, top + 12)); }"
    )
    assert below, "nothing covers the last step"


def test_an_earlier_task_is_shown_again_and_again(
    screen: Page, link: FakeLink, library: Path
) -> None:
    keep(library, "fetch", "Fetch the cup")
    screen.reload()
    screen.locator("#kept button:first-child").click()
    expect(screen.locator("#plan li").first).to_contain_text("Go to the kitchen")
    screen.locator("#approve").click()
    until(lambda: link.executed)
    link.finish_run(link.executed[0][0])
    phase(screen, "succeeded")
    expect(screen.locator("#kept button:first-child")).to_have_count(0)
    expect(screen.locator("#approve")).to_be_hidden()
    screen.locator("#again").click()
    expect(screen.locator("#approve")).to_be_enabled()
    assert len(link.executed) == 1 and not link.generated


def test_a_task_is_deleted_unless_that_is_undone(screen: Page, library: Path) -> None:
    keep(library, "fetch", "Fetch the cup")
    keep(library, "tour", "Go through all rooms", PROGRAM.replace("kitchen", "hallway"))
    screen.reload()
    tasks = screen.locator("#kept li")
    expect(tasks).to_have_count(2)
    screen.get_by_role("button", name="More: Fetch the cup").click()
    screen.get_by_role("button", name="Delete: Fetch the cup").click()
    expect(tasks).to_have_count(1)
    screen.get_by_role("button", name="Undo").click()
    expect(tasks).to_have_count(2)
    screen.get_by_label("Search tasks and runs").fill("CUP")
    expect(tasks).to_have_count(1)
    expect(tasks).to_contain_text("Fetch the cup")
    screen.get_by_role("button", name="Delete: Fetch the cup").click()
    screen.get_by_label("Search tasks and runs").fill("")
    with closing(TaskLibrary.open(str(library))) as kept:
        until(lambda: [one.task_id for one in kept.tasks()] == ["tour"])
    screen.reload()
    expect(tasks).to_have_count(1)


def test_a_shared_task_is_taken_in_and_waits_for_its_own_approval(
    screen: Page, link: FakeLink, library: Path, tmp_path: Path
) -> None:
    keep(library, "fetch", "Fetch the cup")
    screen.reload()
    with screen.expect_download() as download:
        screen.get_by_role("button", name="More: Fetch the cup").click()
        screen.get_by_role("link", name="Share: Fetch the cup").click()
    file = tmp_path / "shared.json"
    download.value.save_as(file)
    screen.locator("#import").set_input_files(file)
    phase(screen, "ready")
    expect(screen.locator("#plan li").first).to_contain_text("Go to the kitchen")
    assert len(link.shown) == 1 and not link.executed
    file.write_text("my diary")
    screen.locator("#import").set_input_files(file)
    expect(screen.locator("#toasts")).to_contain_text("no task that was shared")


def test_what_comes_from_files_is_never_markup(
    screen: Page, link: FakeLink, library: Path, tmp_path: Path
) -> None:
    keep(library, "fetch", MARKUP)
    screen.reload()
    expect(screen.locator("#kept button:first-child")).to_contain_text(MARKUP)
    screen.locator("#words").fill("img")
    expect(screen.locator("#examples button")).to_have_text([MARKUP])
    file = tmp_path / f"{MARKUP}.json"
    source = f"def task_program():\n    say({json.dumps(MARKUP)})\n"
    file.write_text(json.dumps({"words": MARKUP, "source": source, "sha256": sha256(source)}))
    screen.locator("#import").set_input_files(file)
    phase(screen, "ready")
    expect(screen.locator("#plan li")).to_contain_text(MARKUP)
    file.write_text(json.dumps({"words": MARKUP, "source": source, "sha256": MARKUP}))
    screen.locator("#approve").focus()
    screen.locator("#discard").click()
    screen.locator("#import").set_input_files(file)
    expect(screen.locator("#toasts")).not_to_be_empty()
    screen.get_by_role("button", name=f"More: {MARKUP}").first.click()
    screen.get_by_role("button", name=f"Delete: {MARKUP}").first.click()
    expect(screen.locator("#toasts")).to_contain_text(MARKUP)
    assert screen.locator("main img, #toasts img").count() == 0
    assert screen.evaluate("window.hurt") is None


def test_a_run_of_before_is_replayed_and_stop_is_still_there(
    screen: Page, link: FakeLink, runs: Path
) -> None:
    shutil.copytree(BAGS / "brought", runs / "20260102T030405Z_brought")
    screen.reload()
    run = screen.locator("#runs li")
    expect(run).to_contain_text("bring Ada in the living room a cup from the kitchen")
    expect(run).to_contain_text("done")
    run.get_by_role("button").click()
    replay = screen.frame_locator("#replay-frame")
    expect(replay.locator("#where")).to_contain_text("Robot:")
    replay.locator("#scrub").focus()
    replay.locator("#scrub").press("End")
    expect(replay.locator("#where")).to_have_text("Robot: living room")
    replay.locator("#scrub").press("Escape")
    until(lambda: link.stops)
    screen.locator("#stop").click()
    until(lambda: len(link.stops) == 2)
    screen.get_by_role("button", name="Close").last.click()
    expect(screen.locator("#replay")).to_be_hidden()
    screen.locator("#words").click()


def test_by_keyboard_alone_at_most_three_tabs_lead_from_the_words_to_approve(
    screen: Page, link: FakeLink
) -> None:
    screen.locator("#words").focus()
    screen.keyboard.type("Fetch the cup")
    screen.keyboard.press("Enter")
    until(lambda: link.generated)
    link.finish_generation(link.generated[0][0], SIX_STEPS, notes=("The program uses 'cup'.",))
    expect(screen.locator("#approve")).to_be_enabled()
    tabs = 0
    while screen.evaluate("document.activeElement.id") != "approve":
        screen.keyboard.press("Tab")
        tabs += 1
        assert tabs <= 3, screen.evaluate("document.activeElement.outerHTML")
    expect(screen.locator("#approve")).to_be_focused()
    screen.keyboard.press("Space")
    until(lambda: link.executed)


def test_who_types_on_while_a_program_is_written_stays_in_the_box(
    screen: Page, link: FakeLink
) -> None:
    task_id = ask(screen, link)
    screen.locator("#words").press_sequentially(" and the saucer")
    link.finish_generation(task_id)
    expect(screen.locator("#approve")).to_be_enabled()
    expect(screen.locator("#words")).to_be_focused()


def test_what_is_typed_brings_up_what_was_asked_before(screen: Page, library: Path) -> None:
    keep(library, "fetch", "Fetch the cup")
    screen.reload()
    expect(screen.locator("#kept button:first-child")).to_have_count(1)
    screen.locator("#words").fill("cup")
    expect(screen.locator("#examples button")).to_have_text(["Fetch the cup"])
    screen.locator("#examples button").click()
    expect(screen.locator("#words")).to_have_value("Fetch the cup")


def test_what_is_typed_brings_up_the_names_of_the_map(screen: Page, link: FakeLink) -> None:
    link.say(WorldSeen(people=(Thing("Ann Marie", 0.5, 0.5),)))
    expect(screen.locator("#map .person-name")).to_have_text("Ann Marie")
    screen.locator("#words").fill("Take the cup to ki")
    expect(screen.locator("#examples button")).to_have_text(["Take the cup to kitchen"])
    screen.locator("#words").fill("Bring it to ann m")
    screen.locator("#examples button").click()
    expect(screen.locator("#words")).to_have_value("Bring it to Ann Marie")
    screen.locator("#words").fill("Bring it to k")
    expect(screen.locator("#examples button")).not_to_have_text(["Bring it to kitchen"])


def test_a_page_that_is_opened_on_a_plan_can_approve_it(screen: Page, link: FakeLink) -> None:
    link.finish_generation(ask(screen, link))
    phase(screen, "ready")
    screen.reload()
    expect(screen.locator("#approve")).to_be_enabled()
    screen.locator("#approve").click()
    until(lambda: link.executed)


def test_what_is_typed_outlives_a_reload(screen: Page) -> None:
    screen.locator("#words").fill("Fetch the")
    screen.reload()
    expect(screen.locator("#words")).to_have_value("Fetch the")


def test_enter_while_a_task_is_in_progress_says_so(screen: Page, link: FakeLink) -> None:
    ask(screen, link)
    phase(screen, "writing")
    screen.locator("#words").press("Enter")
    expect(screen.locator("#ask-error")).to_contain_text("One thing at a time")
    assert len(link.generated) == 1
    link.finish_generation(link.generated[0][0])
    expect(screen.locator("#ask-error")).to_be_hidden()


def test_a_search_without_a_find_says_so(screen: Page, link: FakeLink) -> None:
    rows = screen.locator("#history li")
    expect(rows).to_have_text("Tasks of this session and how they ended.")
    ask(screen, link)
    screen.locator("#search").fill("zzzz")
    expect(rows).to_have_text("Nothing found in this session.")
    screen.locator("#search").fill("kitchen")
    expect(rows).to_contain_text("Go to the kitchen.")


def test_a_tap_on_the_map_writes_the_name(screen: Page, link: FakeLink) -> None:
    link.say(WorldSeen(people=(Thing("Ann", 0.5, 0.5),)))
    expect(screen.locator("#map .person-name")).to_have_text("Ann")
    screen.locator("#words").fill("Take the cup to")
    screen.locator("#map .person").click()
    expect(screen.locator("#words")).to_have_value("Take the cup to Ann")
    screen.locator("#words").fill("")
    screen.locator("#map .room").first.click()
    expect(screen.locator("#words")).to_have_value("kitchen")


def unreachable(screen: Page) -> list[tuple[str, str]]:
    """What axe finds against WCAG 2.2 AA and good practice: the rule, and the first element."""
    rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    screen.evaluate(AXE.read_text())  # the page's own policy lets no script in
    found = screen.evaluate("rules => axe.run({runOnly: rules})", rules)
    return [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]]


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_everybody_can_use_each_state_of_the_page(
    screen: Page, link: FakeLink, colours: Literal["light", "dark"]
) -> None:
    screen.emulate_media(color_scheme=colours)
    assert not unreachable(screen)
    task_id = ask(screen, link)
    phase(screen, "writing")
    assert not unreachable(screen)
    link.finish_generation(task_id, notes=("The program uses 'study'.",))
    phase(screen, "ready")
    expect(screen.locator("#approve")).to_be_enabled()
    assert not unreachable(screen)
    screen.locator("#approve").click()
    phase(screen, "running")
    link.say(Question("Ann", "Tea or coffee?", ("tea", "coffee"), live=True))
    expect(screen.locator("#question")).to_be_visible()
    assert not unreachable(screen)
    link.say(Question())
    link.finish_run(task_id)
    phase(screen, "succeeded")
    screen.set_viewport_size({"width": 360, "height": 740})
    assert not unreachable(screen)
    link.finish_generation(
        ask(screen, link), verdict=REJECTED, code=TaskErrorCode.NO_ACCEPTED_PROGRAM
    )
    phase(screen, "rejected")
    assert not unreachable(screen)


def test_what_the_robot_and_its_neighbours_say_is_never_markup(
    screen: Page, link: FakeLink, maps: list[SemanticMap]
) -> None:
    kitchen, hallway = maps[0].rooms
    maps.append(SemanticMap((kitchen, Room(MARKUP, (MARKUP,), hallway.pose, hallway.polygon))))
    things = (Thing(MARKUP, 1.0, 1.0),)
    link.say(WorldSeen(doors=things, objects=things, people=things, held=MARKUP))
    link.say(RobotPose(3.0, 1.0, 0.0))
    link.say(NodesSeen({**UP.states, MARKUP: "lost"}))
    link.say(InterruptedSeen((InterruptedRun("t", MARKUP, PROGRAM, sha256(), 3, MARKUP),)))
    task_id = ask(screen, link)
    wrong = [{"code": MARKUP, "line": 1, "message": MARKUP, "counterexample": {"steps": [MARKUP]}}]
    refused = REJECTED | {"violations": wrong, "warnings": [{"message": MARKUP, "line": 1}]}
    link.event(EventKind.DRAFT_VERIFIED, task_id, draft=1, source=MARKUP, verdict=refused)
    link.judges = [ACCEPTED | {"assumptions": [MARKUP]}]
    link.finish_generation(task_id, notes=(MARKUP,), steering=MARKUP, deferred=MARKUP, now=MARKUP)
    phase(screen, "ready")
    screen.locator("#approve").click()
    until(lambda: link.executed)
    link.event(EventKind.RUN_STARTED, task_id, instruction="", program_sha256=sha256())
    call = {"index": 0, "skill": MARKUP, "arguments": [MARKUP, [MARKUP]], "line": 2}
    link.event(EventKind.SKILL_STARTED, task_id, **call)
    link.event(EventKind.SKILL_FINISHED, task_id, **call, result=MARKUP, error_msg=MARKUP)
    link.event(EventKind.PROGRAM_PRINTED, task_id, text=MARKUP, line=2)
    link.event(EventKind.WARNING, "", message=MARKUP)
    link.end_run(task_id, "failed", error_code=int(TaskErrorCode.SKILL_FAILED), error_msg=MARKUP)
    phase(screen, "failed")
    expect(screen.locator("#run")).to_contain_text(MARKUP)
    expect(screen.locator("#nodes")).to_contain_text(MARKUP)
    expect(screen.locator("#where")).to_have_text(f"Robot: {MARKUP}")
    assert screen.locator("main img").count() == 0
    assert screen.evaluate("window.hurt") is None


def test_a_verdicts_warnings_are_words(screen: Page, link: FakeLink) -> None:
    link.event(EventKind.RUN_STARTED, "theirs", instruction="Go to the kitchen.")
    warned = ACCEPTED | {"warnings": [{"code": "x", "line": 3, "message": "nobody waits"}]}
    link.event(EventKind.PROGRAM_VERIFIED, "theirs", verdict=warned, plan=["1 Go to the kitchen."])
    expect(screen.locator("#warnings")).to_have_text("⚠ nobody waits")


def test_a_run_of_many_calls_is_followed(screen: Page, link: FakeLink) -> None:
    task_id = ask(screen, link)
    link.finish_generation(task_id)
    screen.locator("#approve").click()
    until(lambda: link.executed)
    link.event(EventKind.RUN_STARTED, task_id, instruction="", program_sha256=sha256())
    for index in range(1000):
        call = {"index": index, "skill": "go_to", "arguments": [f"room {index}"], "line": 2}
        link.event(EventKind.SKILL_STARTED, task_id, **call)
        link.event(EventKind.SKILL_FINISHED, task_id, **call, result=None, error_code=0)
    expect(screen.locator("#run li").last).to_contain_text("Go to room 999")
    expect(screen.locator("#run li")).to_have_count(201)
    expect(screen.locator("#run li").first).to_contain_text("800 earlier steps")
    screen.locator("#stop").click()
    until(lambda: link.stops)
    assert len(link.stops) == 1


def test_a_lost_connection_is_told_and_comes_back(
    app: FastAPI, link: FakeLink, browser: Browser
) -> None:
    page = browser.new_page()
    with served(app) as port:
        page.goto(f"http://localhost:{port}")
        expect(page.locator("#write")).to_be_enabled()
    expect(page.locator("#banners")).to_contain_text("connection to the kiosk is lost")
    expect(page.locator("#stop")).to_be_enabled()
    expect(page.locator("#write")).to_be_disabled()
    with served(app, port):
        expect(page.locator("#banners")).to_be_empty()
        expect(page.locator("#write")).to_be_enabled()
        page.close()


@contextmanager
def silent(app: FastAPI, screen: Page) -> Iterator[None]:
    """The kiosk's loop stands still, and the page has noticed."""
    awake = threading.Event()
    app.state.loop.call_soon_threadsafe(awake.wait)
    try:
        expect(screen.locator("#banners")).to_contain_text("connection to the kiosk is lost")
        yield
    finally:
        awake.set()


def test_a_kiosk_that_falls_silent_is_told_and_stop_still_goes_out(
    app: FastAPI, screen: Page, link: FakeLink
) -> None:
    with silent(app, screen):
        expect(screen.locator("#write")).to_be_disabled()
        screen.locator("#stop").click()
        until(lambda: link.stops)
    expect(screen.locator("#banners")).to_be_empty()
    expect(screen.locator("#write")).to_be_enabled()


def test_everything_that_can_be_pressed_has_a_name_and_a_size(screen: Page) -> None:
    buttons = screen.get_by_role("button")
    for width, height in ((1280, 800), (390, 844)):
        screen.set_viewport_size({"width": width, "height": height})
        expect_no_wider(screen, width)
        until(lambda: min(heights(buttons), default=0) >= 24)
        assert all(buttons.evaluate_all(NAMES))
    expect(screen.get_by_label("What should the robot do?")).to_be_visible()


def test_a_task_in_rounds_shows_what_is_done_now_and_what_comes_later(
    screen: Page, link: FakeLink
) -> None:
    task_id = ask(screen, link)
    left = f"When it is known what Bob needs: bring it to {MARKUP}"
    link.ask_first(task_id, "Please say what Bob needs.", left)
    expect(screen.locator("#say-question")).to_have_text("Please say what Bob needs.")
    expect(screen.locator("#approve")).to_be_disabled()
    screen.locator("#say-words").fill("?!")
    screen.locator("#say button").click()
    expect(screen.locator("#say-error")).to_contain_text("no words")
    screen.locator("#say-words").fill("tea")
    screen.locator("#say-words").press("Enter")
    expect(screen.locator("#say")).to_be_hidden()
    link.finish_generation(task_id, now="Go to the kitchen", deferred=left)
    expect(screen.locator("#rounds")).to_contain_text("Now: Go to the kitchen")
    expect(screen.locator("#rounds")).to_contain_text(
        f"Later: when it is known what Bob needs: bring it to {MARKUP}"
    )
    assert screen.evaluate("window.hurt") is None
    assert link.found[-1] == ('the person answered "tea" to "what Bob needs"',)
    screen.locator("#approve").click()
    until(lambda: link.executed)
    link.finish_run(task_id, ("ask", ["Bob", "What?", ["tea"]], "tea"))
    expect(screen.locator("#rounds")).to_contain_text("Round 2")
    link.finish_generation(task_id, now="bring the tea to Bob")
    expect(screen.locator("#rounds summary")).to_contain_text("What was found")
    expect(screen.locator("#approve")).to_be_enabled()
    assert len(link.executed) == 1
    for width, height in ((390, 844), (1280, 800)):
        screen.set_viewport_size({"width": width, "height": height})
        expect_no_wider(screen, width)
        for name in ("#approve", "#stop"):
            expect(screen.locator(name)).to_be_visible()


@pytest.mark.parametrize(
    ("kind", "title"),
    [
        ("cannot", "I cannot do that"),
        ("question", "A question to you"),
        ("reply", "The robot answers"),
    ],
)
def test_words_instead_of_a_program_are_shown_as_what_they_are(
    screen: Page, link: FakeLink, kind: str, title: str
) -> None:
    link.say_instead(ask(screen, link, "hi"), kind, MARKUP)
    phase(screen, "answered")
    expect(screen.locator("#said")).to_be_visible()
    expect(screen.locator("#said-title")).to_have_text(title)
    expect(screen.locator("#said-words")).to_have_text(MARKUP)
    expect(screen.locator("#said-choices button")).to_have_count(0)
    expect(screen.locator("body")).not_to_contain_text("No safe program", use_inner_text=True)
    expect(screen.locator("#approve")).to_be_disabled()
    expect(screen.locator("#write")).to_be_enabled()
    assert screen.evaluate("window.hurt") is None
    ask(screen, link)
    expect(screen.locator("#said")).to_be_hidden()


@pytest.mark.parametrize(
    ("refusal", "leads"),
    [
        ("I cannot do things at a set time. I can do it now.", True),
        ("I cannot repeat a task by a schedule. I can do it now.", True),
        ("I cannot open windows. I can look who is there.", False),
    ],
)
def test_a_refusal_of_set_times_leads_to_the_button_for_them(
    screen: Page, link: FakeLink, refusal: str, leads: bool
) -> None:
    link.say_instead(ask(screen, link, "Go to the kitchen at 6 pm"), "cannot", refusal)
    expect(screen.locator("#said-words")).to_have_text(refusal)
    told = re.compile("with “Later…”" if leads else "^(?!.*Later)")
    expect(screen.locator("#said-more")).to_have_text(told)


def test_who_has_given_no_task_is_shown_some(screen: Page, link: FakeLink) -> None:
    link.ready()
    link.prove()
    link.say_instead(ask(screen, link, "Help"), "question", "What should I do?")
    expect(screen.locator("#said-words")).to_have_text("What should I do?")
    expect(screen.locator("#said-tries button")).to_have_count(2)
    expect(screen.locator("#said-more")).to_have_text("You can ask me, for example:")


def test_what_is_answered_to_a_follow_up_leads_to_no_other_task(
    screen: Page, link: FakeLink
) -> None:
    link.ready()
    link.prove()
    link.finish_generation(ask(screen, link), task="lib", version=1)
    phase(screen, "ready")
    screen.get_by_label("Change it").fill("undo")
    screen.get_by_label("Change it").press("Enter")
    until(lambda: len(link.generated) == 2)
    link.say_instead(link.generated[-1][0], "reply", "There is nothing to undo.")
    expect(screen.locator("#said-words")).to_have_text("There is nothing to undo.")
    expect(screen.locator("#said-tries button")).to_have_count(0)
    expect(screen.locator("#change")).to_be_visible()


def test_a_refusal_offers_nothing_that_drops_a_condition(screen: Page, link: FakeLink) -> None:
    link.ready()
    asked = ask(screen, link, "Watch Ann unless Bob is there")
    link.say_instead(asked, "cannot", "I cannot see. I can look for Ann.")
    expect(screen.locator("#said-title")).to_have_text("I cannot do that")
    expect(screen.locator("#said-tries button")).to_have_count(0)


def test_a_version_that_was_run_again_is_one_version(screen: Page, link: FakeLink) -> None:
    link.finish_generation(ask(screen, link), task="lib", version=1)
    phase(screen, "ready")
    link.finish_generation(ask(screen, link), task="lib", version=1)
    phase(screen, "ready")
    expect(screen.locator("#versions")).to_be_hidden()
    screen.get_by_label("Change it").fill("say hello instead")
    screen.get_by_role("button", name="Write version").click()
    until(lambda: len(link.generated) == 3)
    link.finish_generation(link.generated[-1][0], task="lib", version=2)
    expect(screen.locator("#versions-list b")).to_have_text(["1", "2"])


def test_a_question_without_choices_says_how_to_answer_it(screen: Page, link: FakeLink) -> None:
    asked = ask(screen, link, "Take everything to the clean room")
    link.say_instead(asked, "question", "What should I bring to the clean room?")
    expect(screen.locator("#said-words")).to_have_text("What should I bring to the clean room?")
    told = "Say the whole task again, with your answer in it."
    expect(screen.locator("#said-more")).to_have_text(told)


def test_a_choice_is_a_button_that_completes_the_instruction(screen: Page, link: FakeLink) -> None:
    task_id = ask(screen, link, "Clean up the lab")
    link.say_instead(task_id, "question", "Which lab do you mean?", "lab 1", "lab 2")
    expect(screen.locator("#said-choices button")).to_have_text(["lab 1", "lab 2"])
    screen.locator("#said-choices").get_by_role("button", name="lab 2").click()
    phase(screen, "writing")
    expect(screen.locator("#said")).to_be_hidden()
    assert link.generated[-1][1] == "Clean up the lab (lab 2)" and link.executed == []
    link.finish_generation(link.generated[-1][0])
    phase(screen, "ready")


WHOLE_LINES = """() => {
    const line = parseFloat(getComputedStyle(words).lineHeight);
    return words.clientHeight >= line && words.clientHeight % line < 0.5;
}"""


@pytest.mark.parametrize(("width", "height"), [(800, 480), (1024, 600), (1280, 800), (360, 740)])
def test_the_box_of_the_task_shows_whole_lines_and_grows(
    screen: Page, link: FakeLink, width: int, height: int
) -> None:
    screen.set_viewport_size({"width": width, "height": height})
    box = screen.locator("#words")
    low = heights(box)[0]
    box.fill("Go to the kitchen and look for an apple there. " * 5)
    assert low < heights(box)[0]
    assert screen.evaluate(WHOLE_LINES)
    link.finish_generation(ask(screen, link, "Bring the cup to the study. " * 8), SIX_STEPS)
    expect(screen.locator("#approve")).to_be_enabled()
    for one in (screen.locator("#plan li").last, screen.locator("#approve")):
        expect(one).to_be_in_viewport(ratio=1)
    assert screen.evaluate(WHOLE_LINES)
    box.fill("Go to the kitchen. " * 60)
    expect(screen.locator("#plan li").last).to_be_in_viewport(ratio=1)
    assert screen.evaluate(WHOLE_LINES)
