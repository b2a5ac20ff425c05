"""Tasks that stay, in a browser: favourites, duplicates, times to come, what was refused."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from chromium import chromium, expect_no_wider
from fake_link import ACCEPTED, PROGRAM, REJECTED, FakeLink, sha256
from fastapi import FastAPI
from playwright.sync_api import Browser, Page, Route, expect
from served_kiosk import served
from still_clock import StillClock
from test_kept_tasks import keep
from test_page import SIX_STEPS, STOP_FREE, UP, ask, heights, phase, unreachable
from waiting import until

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.library.task_library import TaskLibrary

MARKUP = "<img src=x onerror=window.hurt=1>"
CUP, TOUR = "Fetch the cup", "Go through all rooms"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def address(app: FastAPI, library: Path) -> Iterator[str]:
    keep(library, "fetch", CUP)
    keep(library, "tour", TOUR, PROGRAM.replace("kitchen", "hallway"))
    with served(app) as port:
        yield f"http://localhost:{port}"


def opened(browser: Browser, address: str, link: FakeLink, zone: str | None = None) -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": 800}, timezone_id=zone)
    page.goto(address)
    link.say(UP)
    expect(page.locator("#write")).to_be_enabled()
    return page


@pytest.fixture
def screen(address: str, browser: Browser, link: FakeLink) -> Iterator[Page]:
    page = opened(browser, address, link)
    yield page
    page.close()


def test_a_favourite_stands_first_and_outlives_a_restart_of_the_page(screen: Page) -> None:
    expect(screen.locator("#kept li")).to_have_count(2)
    expect(screen.locator("#favourites-title")).to_be_hidden()
    star = screen.get_by_role("button", name=f"Favourite: {CUP}")
    star.focus()
    star.press("Enter")
    expect(screen.locator("#favourites li")).to_contain_text(CUP)
    expect(screen.locator("#kept li")).to_have_count(1)
    expect(star).to_have_attribute("aria-pressed", "true")
    expect(star).to_be_focused()
    screen.reload()
    expect(screen.locator("#favourites li")).to_contain_text(CUP)
    expect(screen.locator("#kept li")).to_contain_text(TOUR)
    star.click()
    expect(screen.locator("#favourites li")).to_have_count(0)
    expect(screen.locator("#kept li")).to_have_count(2)


def test_a_task_of_this_session_can_be_a_favourite(screen: Page, link: FakeLink) -> None:
    screen.locator("#kept button", has_text=CUP).click()
    phase(screen, "ready")
    screen.locator("#history").get_by_role("button", name=f"Favourite: {CUP}").click()
    expect(screen.locator("#favourites li")).to_contain_text(CUP)
    assert not link.executed


def test_a_duplicate_is_a_draft_of_its_words(screen: Page, link: FakeLink) -> None:
    screen.get_by_role("button", name=f"More: {CUP}").click()
    screen.get_by_role("button", name=f"Duplicate: {CUP}").click()
    expect(screen.locator("#words")).to_have_value(CUP)
    expect(screen.locator("#words")).to_be_focused()
    screen.locator("#words").press("End")
    screen.keyboard.type(" from the hallway")
    screen.keyboard.press("Enter")
    until(lambda: link.generated)
    assert link.generated[0][1] == f"{CUP} from the hallway"


def test_what_was_refused_is_listed_with_its_reason_after_a_restart_too(
    screen: Page, link: FakeLink
) -> None:
    rejected = ask(screen, link, f"Take two cups {MARKUP}")
    code = TaskErrorCode.NO_ACCEPTED_PROGRAM
    link.finish_generation(rejected, verdict=REJECTED, code=code)
    phase(screen, "rejected")
    link.say_instead(ask(screen, link, "Fly to the moon"), "cannot", "The robot cannot fly.")
    phase(screen, "answered")
    link.say_instead(ask(screen, link, "hello"), "reply", "Hello!")
    phase(screen, "answered")
    for _ in range(2):
        rows = screen.locator("#runs .attempt")
        expect(rows).to_have_count(2)
        expect(rows.nth(0)).to_contain_text("Fly to the moon")
        expect(rows.nth(0)).to_contain_text("The robot cannot fly.")
        expect(rows.nth(1)).to_contain_text(MARKUP)
        expect(rows.nth(1)).to_contain_text("The hand is full")
        screen.reload()
    assert screen.evaluate("window.hurt") is None
    screen.get_by_label("Search tasks and runs").fill("moon")
    expect(screen.locator("#runs .attempt")).to_have_count(1)
    expect(screen.locator("#history li .words")).to_have_text(["Fly to the moon"])


def done(library: Path) -> None:
    with closing(TaskLibrary.open(str(library))) as tasks:
        tasks.succeeded("fetch", sha256())


def plan_daily(screen: Page, clicks: int = 1) -> None:
    screen.get_by_role("button", name=f"More: {CUP}").first.click()
    screen.get_by_role("button", name=f"At a time or daily: {CUP}").click()
    expect(screen.locator("#later")).to_be_visible()
    screen.get_by_label("How often").select_option("daily")
    screen.get_by_label("Day, or first day").fill("2026-11-18")
    screen.get_by_label("Time", exact=True).fill("18:00")
    screen.get_by_role("button", name="Approve for these times").click(click_count=clicks)


def listen(screen: Page) -> None:
    """Writes down what the page says, into `window.said`."""
    screen.evaluate("""() => {
        window.said = [];
        speechSynthesis.speak = (one) => window.said.push(one.text);
    }""")


def test_a_task_is_approved_for_a_time_announced_and_started(
    screen: Page, link: FakeLink, library: Path, clock: StillClock
) -> None:
    done(library)
    screen.reload()
    screen.get_by_role("button", name=f"More: {CUP}").click()
    screen.get_by_role("button", name=f"At a time or daily: {CUP}").click()
    later = screen.locator("#later")
    expect(later).to_contain_text("Go to the kitchen")
    expect(later).to_contain_text("approves the program above in advance")
    expect(later).to_contain_text("Europe/Berlin")
    assert not unreachable(screen)
    assert min(heights(later.locator("input, select, button"))) >= 44
    screen.get_by_label("Day, or first day").fill("2020-01-01")
    screen.get_by_role("button", name="Approve for these times").click()
    expect(screen.locator("#later-error")).to_contain_text("two minutes from now")
    screen.get_by_role("button", name="Close").last.click()
    expect(later).to_be_hidden()
    screen.get_by_role("button", name="At a time or daily…").click()
    screen.get_by_label("How often").select_option("daily")
    screen.get_by_label("Day, or first day").fill("2026-11-18")
    screen.get_by_label("Time", exact=True).fill("18:00")
    for width, height in ((360, 740), (800, 480), (1280, 800)):
        screen.set_viewport_size({"width": width, "height": height})
        expect_no_wider(screen, width)
        expect(screen.locator("#stop")).to_be_in_viewport(ratio=1)
    for place in (screen.get_by_label("Time", exact=True), screen.get_by_text("Approve for these")):
        place.press("Enter")  # which starts no motion, now or later
    expect(later).to_be_visible()
    expect(screen.locator("#planned")).to_be_hidden()
    screen.get_by_role("button", name="Approve for these times").click()
    expect(screen.locator("#planned")).to_contain_text("Daily at ")
    expect(screen.locator("#planned")).to_contain_text("Approved by kiosk.")
    assert not link.executed
    screen.locator("#discard").click()
    listen(screen)
    link.mouth = "nobody serves it"
    clock.now = 1_795_021_200.0 - 60  # 18:00 in Berlin, and a minute less
    coming = screen.locator("#coming")
    expect(coming).to_contain_text(f"The robot starts by itself: “{CUP}”.")
    expect(coming.get_by_role("timer")).to_contain_text("s")
    screen.wait_for_function("() => window.said.length")
    said = f"In a minute I start by myself: {CUP}. Touch “Not now” if I should not."
    assert screen.evaluate("window.said") == [said] == link.announced
    assert not unreachable(screen)
    clock.now += 60
    until(lambda: link.executed)
    assert link.executed[0][1:] == (CUP, PROGRAM, sha256())
    phase(screen, "running")
    expect(coming).to_have_count(0)


@pytest.mark.parametrize(("width", "height"), [(800, 480), (1024, 600), (360, 740)])
def test_a_plan_that_can_be_scheduled_is_seen_whole_with_approve_and_stop(
    screen: Page, link: FakeLink, width: int, height: int
) -> None:
    screen.set_viewport_size({"width": width, "height": height})
    link.finish_generation(ask(screen, link, "Bring it. " * 8), SIX_STEPS, task="t", version=1)
    expect(screen.locator("#approve")).to_be_enabled()
    steps = screen.locator("#plan li")
    for one in (steps.first, steps.last, screen.locator("#approve"), screen.locator("#stop")):
        expect(one).to_be_in_viewport(ratio=1)


def test_the_second_of_two_clicks_on_close_does_not_approve_what_was_below(
    screen: Page, link: FakeLink
) -> None:
    screen.set_viewport_size({"width": 800, "height": 480})
    program = "def task_program():\n" + '    say("Hello")\n' * 12
    link.finish_generation(ask(screen, link, CUP), program, task="fetch", version=1)
    expect(screen.locator("#approve")).to_be_enabled()
    screen.locator("#at-a-time").click()
    screen.locator("#later-close").dblclick()
    expect(screen.locator("#later")).to_be_hidden()
    expect(screen.locator("#approve")).to_be_enabled()
    assert not link.executed


def test_two_clicks_approve_one_start(screen: Page, library: Path, clock: StillClock) -> None:
    done(library)
    screen.reload()
    sent: list[str] = []
    screen.on("request", lambda one: sent.append(one.url) if "/schedule" in one.url else None)
    plan_daily(screen, clicks=2)
    expect(screen.locator("#planned")).to_contain_text(CUP)
    assert len(sent) == 1


def test_a_planned_time_is_that_of_the_robots_wall_whatever_the_pages_zone_leaves_out(
    address: str, browser: Browser, link: FakeLink
) -> None:
    page = opened(browser, address, link, "Europe/Berlin")
    task = {"id": "a", "words": CUP, "local": "2026-03-29T02:30", "daily": True}
    schedule = {"zone": "UTC", "utc_offset": 0, "held": False, "coming": None, "not_run": []}
    page.evaluate(
        "async (told) => (await import('/static/schedule_view.js')).takeSchedule(told)",
        {"type": "schedule", "schedule": {**schedule, "tasks": [{**task, "approved_by": "Ann"}]}},
    )
    expect(page.locator("#planned")).to_contain_text("Daily at 02:30")
    page.close()


def test_a_task_that_could_not_be_deleted_is_there_again(screen: Page) -> None:
    screen.evaluate("(() => { const wait = setTimeout; setTimeout = (f) => wait(f, 300); })()")
    screen.route("**/library/fetch", lambda route: route.fulfill(status=500, json={}))
    screen.get_by_role("button", name=f"More: {CUP}").click()
    with screen.expect_response("**/library/fetch"):
        screen.get_by_role("button", name=f"Delete: {CUP}").click()
        expect(screen.locator("#kept")).not_to_contain_text(CUP)
    expect(screen.locator("#kept")).to_contain_text(CUP)


def test_an_answer_to_an_earlier_search_is_not_shown(screen: Page) -> None:
    late: list[Route] = []
    screen.route("**/attempts?words=b", lambda route: late.append(route))
    found = {"id": "a", "created": 1, "by": "x", "outcome": "rejected", "why": "no", "phrase": None}
    answer = [{**found, "words": "bob"}]
    screen.route("**/attempts?words=bob", lambda route: route.fulfill(json=answer))
    with screen.expect_request("**/attempts?words=b"):
        screen.locator("#search").fill("b")
    screen.locator("#search").fill("bob")
    expect(screen.locator("#runs")).to_contain_text("bob")
    with screen.expect_response("**/attempts?words=b"):
        late[0].fulfill(json=[{**found, "words": "the box"}])
    screen.evaluate("new Promise((done) => setTimeout(done, 100))")
    expect(screen.locator("#runs")).to_contain_text("bob")


def test_not_now_a_stop_and_cancel_are_one_touch_each(
    screen: Page, link: FakeLink, library: Path, clock: StillClock
) -> None:
    done(library)
    screen.reload()
    plan_daily(screen)
    expect(screen.locator("#planned")).to_contain_text(CUP)
    listen(screen)
    clock.now = 1_795_021_200.0 - 60
    until(lambda: link.announced)
    screen.get_by_role("button", name="Not now").click()
    expect(screen.locator("#coming")).to_have_count(0)
    assert not screen.evaluate("window.said")  # the robot has said it
    expect(screen.locator("#planned")).to_contain_text("kiosk has said not now.")
    screen.locator("#stop").click()
    expect(screen.locator("#planned")).to_contain_text("because Stop was pressed")
    assert not unreachable(screen)
    assert min(heights(screen.locator("#planned button"))) >= 44
    screen.get_by_role("button", name="Let them start again").click()
    expect(screen.locator("#planned")).not_to_contain_text("because Stop was pressed")
    screen.get_by_role("button", name=f"Cancel: {CUP}").click()
    expect(screen.locator("#planned .when")).to_have_count(1)
    assert not link.executed


@pytest.mark.parametrize("words", [CUP, "Bring the cup to Ann. " * 45])
@pytest.mark.parametrize(("width", "height"), [(800, 480), (360, 740), (640, 400)])
def test_a_coming_start_never_lies_over_stop(
    screen: Page, words: str, width: int, height: int
) -> None:
    screen.set_viewport_size({"width": width, "height": height})
    coming = {"id": "a", "words": words, "due": 1, "left": 60, "approved_by": "Ann", "aloud": True}
    schedule = {"zone": "", "utc_offset": 0, "held": False, "tasks": [], "not_run": []}
    screen.evaluate(
        """async (message) => {
            (await import('/static/schedule_view.js')).takeSchedule(message);
            scrollTo(0, 1000);
        }""",
        {"type": "schedule", "schedule": {**schedule, "coming": coming}},
    )
    assert screen.evaluate("scrollY") > 0
    assert screen.evaluate(STOP_FREE)
    not_now = screen.get_by_role("button", name="Not now")
    expect(not_now).to_be_in_viewport(ratio=1)
    not_now.click(trial=True)


def test_a_scheduled_start_does_not_take_away_the_plan_that_is_read(
    screen: Page, link: FakeLink, library: Path, clock: StillClock
) -> None:
    done(library)
    screen.reload()
    plan_daily(screen)
    expect(screen.locator("#later")).to_be_hidden()
    link.finish_generation(ask(screen, link, "Say hello"), 'def task_program():\n    say("hi")\n')
    expect(screen.locator("#approve")).to_be_enabled()
    link.judges = [None]
    clock.now = 1_795_021_200.0 - 60
    expect(screen.locator("#coming")).to_be_visible()
    clock.now += 60
    expect(screen.locator("#history li")).to_have_count(3)
    expect(screen.locator("#history [aria-current]")).to_contain_text("Say hello")
    expect(screen.locator("#approve")).to_be_disabled()
    assert not link.executed


def test_a_plan_in_one_window_is_not_replaced_from_another(
    screen: Page, browser: Browser, address: str, link: FakeLink
) -> None:
    link.finish_generation(ask(screen, link))
    phase(screen, "ready")
    other = opened(browser, address, link)
    expect(other.locator("#author")).to_have_text("asked for in another window")
    other.locator("#words").fill("Say hello")
    other.locator("#words").press("Enter")
    expect(other.locator("#ask-error")).to_contain_text('asked for "Go to the kitchen." first')
    assert not unreachable(other)
    assert len(link.generated) == 1
    expect(screen.locator("#plan")).to_contain_text("Go to the kitchen")
    expect(screen.locator("#approve")).to_be_enabled()
    other.get_by_role("button", name="Discard that plan").click()
    phase(screen, "discarded")
    expect(other.locator("#ask-error")).to_be_hidden()
    other.locator("#words").press("Enter")
    until(lambda: len(link.generated) == 2)
    link.finish_generation(link.generated[-1][0])
    phase(other, "ready")
    phase(screen, "ready")
    expect(screen.locator("#author")).to_have_text("asked for in another window")
    screen.locator("#words").fill("Say bye")  # and the other way round
    screen.locator("#words").press("Enter")
    expect(screen.locator("#waiting")).to_be_visible()
    assert link.judges == [ACCEPTED] and not link.executed
    other.locator("#approve").click()
    until(lambda: len(link.executed) == 1)
    link.event(
        EventKind.RUN_STARTED, link.generated[-1][0], instruction="", program_sha256=sha256()
    )
    expect(screen.locator("#ask-error, #waiting").filter(visible=True)).to_have_count(0)
    other.close()


def test_a_plan_that_was_never_done_is_not_offered_times(screen: Page, link: FakeLink) -> None:
    task_id = ask(screen, link, "Go to the kitchen.")
    link.finish_generation(task_id, task="lib", version=1)
    phase(screen, "ready")
    screen.locator("#at-a-time").click()
    expect(screen.locator("#later")).to_contain_text("Do it once with somebody there first")
    expect(screen.get_by_role("button", name="Approve for these times")).to_be_disabled()
    screen.locator("#later").get_by_role("button", name="Close").click()
    task_id = ask(screen, link, "Go to the kitchen.")
    link.finish_generation(task_id, task="lib", version=1, succeeded=1)
    phase(screen, "ready")
    screen.locator("#at-a-time").click()
    expect(screen.get_by_role("button", name="Approve for these times")).to_be_enabled()


def test_a_version_is_called_by_all_words_of_its_task(screen: Page, link: FakeLink) -> None:
    first = ask(screen, link, CUP)
    link.finish_generation(first, task="lib", version=1)
    screen.get_by_label("Change it").fill("undo")
    screen.get_by_label("Change it").press("Enter")
    until(lambda: len(link.generated) == 2)
    place = {"task": "lib", "version": 1, "steering": "return", "words": CUP}
    link.finish_generation(link.generated[-1][0], **place)
    phase(screen, "ready")
    screen.locator("#approve").click()
    until(lambda: link.executed)
    assert link.executed[0][1] == CUP
    link.finish_run(link.executed[0][0])
    expect(screen.locator(".toast", has_text="Done")).to_contain_text(f"Done: {CUP}")
    expect(screen.locator("#history .words")).to_have_text([CUP, CUP])


def test_a_run_says_how_long_it_has_taken_and_usually_takes(
    screen: Page, link: FakeLink, clock: StillClock
) -> None:
    def recorded(
        duration: float, outcome: str = "succeeded", words: str = CUP
    ) -> dict[str, object]:
        times = {"begun": clock.now, "duration": duration}
        return {"name": words, "words": words, "outcome": outcome, "why": "", "calls": 1, **times}

    runs = [
        recorded(83),
        recorded(90),
        recorded(80),
        recorded(5, "failed"),
        recorded(7, words=TOUR),
    ]
    screen.route("**/api/v1/runs?*", lambda route: route.fulfill(json=runs))
    screen.reload()
    task_id = ask(screen, link, CUP)
    link.finish_generation(task_id)
    phase(screen, "ready")
    expect(screen.locator("#run-time")).to_have_text("usually 1 min 23 s")
    screen.locator("#approve").click()
    link.stamp = time.time()
    link.event(EventKind.RUN_STARTED, task_id, instruction="", program_sha256=sha256())
    phase(screen, "running")
    expect(screen.locator("#run-time")).to_have_text(re.compile(r"^0:0\d of about 1:23$"))
    first = screen.locator("#run-time").inner_text()
    expect(screen.locator("#run-time")).not_to_have_text(first)
    link.stamp -= 100  # longer than usual
    link.event(EventKind.RUN_STARTED, task_id, instruction="", program_sha256=sha256())
    expect(screen.locator("#run-time")).to_have_text(re.compile(r"^\d:\d\d$"))


def test_a_usual_time_of_no_length_is_not_told(
    screen: Page, link: FakeLink, clock: StillClock
) -> None:
    run = {"name": CUP, "words": CUP, "outcome": "succeeded", "why": "", "calls": 1}
    runs = [{**run, "begun": clock.now, "duration": 0.074}]
    screen.route("**/api/v1/runs?*", lambda route: route.fulfill(json=runs))
    screen.reload()
    link.finish_generation(ask(screen, link, CUP))
    phase(screen, "ready")
    expect(screen.locator("#runs li")).to_have_count(1)
    expect(screen.locator("#run-time")).to_be_hidden()
