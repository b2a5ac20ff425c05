"""What is approved in advance starts at its time, or says why it does not."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest
from devices_of_people import People
from fake_link import ACCEPTED, PROGRAM, REJECTED, FakeLink, sha256
from fastapi.testclient import TestClient
from served_kiosk import press_stop
from still_clock import StillClock
from test_app import error_of, in_phase, open_page, submit
from test_kept_tasks import FETCH, keep
from waiting import until

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.robot_name import RobotName
from roboinstruct_ros.library.attempts import Attempt, Attempts
from roboinstruct_ros.library.task_library import TaskLibrary
from roboinstruct_ros.web.access.roles import Role
from roboinstruct_ros.web.app import create_app
from roboinstruct_ros.web.robot_link import (
    InterruptedRun,
    InterruptedSeen,
    NodesSeen,
    ProgramJudged,
    RobotEvent,
)

OWN, HERE = "http://localhost:8080", ("127.0.0.1", 50000)
DAY = 86400.0
AT = "2026-11-18T18:00"


def done_once(library: Path, name: str = "fetch", words: str = FETCH) -> None:
    keep(library, name, words)
    with closing(TaskLibrary.open(str(library))) as tasks:
        tasks.succeeded(name, sha256())


@pytest.fixture
def done(library: Path) -> None:
    done_once(library)


def schedule(page: TestClient, at: str = AT, daily: bool = False) -> dict[str, Any]:
    """Shows the task and approves it in advance."""
    task = page.post("/api/v1/library/fetch/again").json()
    assert in_phase(page, task["id"], "ready")["schedulable"]
    body = {"sha256": sha256(), "at": at, "daily": daily}
    answer = page.post(f"/api/v1/tasks/{task['id']}/schedule", json=body)
    assert answer.status_code == 201, answer.text
    page.post(f"/api/v1/tasks/{task['id']}/discard")
    made: dict[str, Any] = answer.json()
    return made


def state(page: TestClient) -> dict[str, Any]:
    told: dict[str, Any] = page.get("/api/v1/schedule").json()
    return told


def announce(page: TestClient, clock: StillClock, due: float) -> None:
    clock.now = due - 60
    until(lambda: state(page)["coming"])


def why_not(page: TestClient) -> str:
    until(lambda: state(page)["not_run"])
    return str(state(page)["not_run"][0]["why"])


@pytest.mark.usefixtures("done")
def test_an_announced_task_starts_at_its_time_judged_anew_and_in_the_name_of_who_approved(
    page: TestClient, link: FakeLink, clock: StillClock
) -> None:
    made = schedule(page)
    assert (made["local"], made["approved_by"], made["daily"]) == (AT, "kiosk", False)
    with open_page(page):
        announce(page, clock, made["due"])
        coming = state(page)["coming"]
        assert (coming["words"], coming["left"]) == (FETCH, 60)
        assert not link.executed
        shown = len(link.shown)
        clock.now = made["due"]
        until(lambda: link.executed)
        assert len(link.shown) == shown + 1, "the executor has judged it anew"
        assert link.executed[0][1:] == (FETCH, PROGRAM, sha256())
        assert link.approvals == ["kiosk, in advance on 2026-11-18 12:06"]
        assert link.stop_numbers == [0], "no stop since it was announced"
        assert state(page)["tasks"] == [] and state(page)["coming"] is None


# Said by the robot itself


def aloud(page: TestClient) -> bool | None:
    """Whether the robot says it; None as long as that is not known."""
    coming = state(page)["coming"]
    assert coming is not None
    return cast("bool | None", coming["aloud"])


@pytest.mark.usefixtures("done")
def test_the_robot_says_that_it_starts_by_itself_and_nothing_else(
    page: TestClient, link: FakeLink, clock: StillClock
) -> None:
    due = schedule(page)["due"]
    shown = len(link.shown)
    with open_page(page):
        announce(page, clock, due)
        until(lambda: aloud(page) is True)
        (said,) = link.announced
        assert said.startswith("In a minute I start by myself: Fetch")
        (_, judged) = link.shown[shown]  # by the executor, before it was said
        assert judged == f"def task_program():\n    say({said!r})\n"
        assert not link.executed


@pytest.mark.usefixtures("done")
@pytest.mark.parametrize("why", ["no mouth", "rejected", "nobody judges"])
def test_a_page_says_it_where_the_robot_does_not_and_the_start_is_made_all_the_same(
    page: TestClient,
    link: FakeLink,
    clock: StillClock,
    why: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("roboinstruct_ros.web.second_opinion.PAUSES", ())
    due = schedule(page)["due"]
    link.mouth = "nobody serves skills/say" if why == "no mouth" else ""
    link.judges = {"rejected": [REJECTED], "nobody judges": []}.get(why, link.judges)
    with open_page(page):
        announce(page, clock, due)
        until(lambda: aloud(page) is False)
        assert len(link.announced) == (why == "no mouth")
        link.judges = [ACCEPTED]
        clock.now = due
        until(lambda: link.executed)


@pytest.mark.usefixtures("done")
def test_a_robot_that_never_ends_to_speak_delays_no_start(
    page: TestClient, link: FakeLink, clock: StillClock
) -> None:
    link.mouth = None
    due = schedule(page)["due"]
    with open_page(page):
        announce(page, clock, due)
        until(lambda: link.announced)
        assert aloud(page) is None
        clock.now = due
        until(lambda: link.executed)
        until(lambda: link.hushed)  # what runs is not spoken over


@pytest.mark.usefixtures("done")
def test_what_is_left_out_is_not_announced_any_more(
    page: TestClient, link: FakeLink, clock: StillClock
) -> None:
    link.mouth = None
    made = schedule(page, daily=True)
    with open_page(page):
        announce(page, clock, made["due"])
        until(lambda: link.announced)
        page.post(f"/api/v1/schedule/{made['id']}/not-now", json={"due": made["due"]})
        assert len(link.hushed) == 1


@pytest.mark.usefixtures("done")
def test_nothing_is_said_after_a_stop_of_a_start_that_was_announced_before(
    page: TestClient, link: FakeLink, clock: StillClock
) -> None:
    due = schedule(page)["due"]
    link.judges = [None]
    with open_page(page):
        shown = len(link.shown)
        announce(page, clock, due)
        until(lambda: len(link.shown) > shown)
        pressed(page, link)
        task_id, source = link.shown[-1]
        verdict = ACCEPTED | {"program_sha256": sha256(source)}
        link.say(ProgramJudged(task_id, sha256(source), verdict))
        link.event(EventKind.GENERATION_STARTED, "heard after it", instruction="Go home.")
        in_phase(page, "heard after it", "writing")
        assert not link.announced


@pytest.mark.usefixtures("done")
def test_a_task_that_runs_is_not_spoken_over(
    page: TestClient, link: FakeLink, clock: StillClock
) -> None:
    due = schedule(page)["due"]
    with open_page(page):
        busy(page, link)
        announce(page, clock, due)
        assert aloud(page) is False and not link.announced


@pytest.mark.usefixtures("done")
def test_a_daily_task_starts_each_day_and_never_twice(
    page: TestClient, link: FakeLink, clock: StillClock
) -> None:
    due = schedule(page, daily=True)["due"]
    with open_page(page):
        for day in range(2):
            announce(page, clock, due + day * DAY)
            clock.now = due + day * DAY
            until(lambda day=day: len(link.executed) == day + 1)  # type: ignore[misc]
            link.end_run(link.executed[-1][0])
            in_phase(page, link.executed[-1][0], "succeeded")
            clock.now -= 1800  # the clock of the machine is set back
            assert state(page)["tasks"][0]["due"] == due + (day + 1) * DAY
    assert len({task_id for task_id, *_ in link.executed}) == 2


@contextmanager
def kiosk(
    link: FakeLink, library: Path, clock: StillClock, robot: RobotName | None = None
) -> Iterator[TestClient]:
    """One start of it; it is over at the end of the block."""
    zone = ZoneInfo("Europe/Berlin")
    kept = {"library": str(library), "robot": robot}
    app = create_app(link, None, clock=clock, zone=zone, steady=clock, **kept)  # type: ignore[arg-type]
    with TestClient(app, base_url=OWN, client=HERE) as page:
        yield page


def test_what_is_approved_on_one_robot_moves_no_other_one(
    link: FakeLink, library: Path, clock: StillClock
) -> None:
    first, second = RobotName(3, "r1"), RobotName(3, "r3")
    keep(library, "fetch", FETCH)
    with closing(TaskLibrary.open(str(library), robot=first)) as tasks:
        tasks.succeeded("fetch", sha256())
    with kiosk(link, library, clock, first) as page:
        due = schedule(page, daily=True)["due"]
    clock.now = due + 2.5 * DAY
    with kiosk(link, library, clock, second) as page:
        assert [one["succeeded"] for one in page.get("/api/v1/library").json()] == [0]
        assert state(page)["tasks"] == []
        press_stop(page)
    with kiosk(link, library, clock, first) as page:
        why_not(page)
        assert [(one["due"], one["held"]) for one in state(page)["tasks"]] == [
            (due + 3 * DAY, False)
        ]
    with kiosk(link, library, clock, second) as page:
        assert state(page)["not_run"] == [] and page.get("/api/v1/attempts").json() == []


@pytest.mark.usefixtures("done")
def test_what_is_scheduled_outlives_a_restart_and_what_was_missed_is_told_and_not_made_up_for(
    link: FakeLink, library: Path, clock: StillClock
) -> None:
    with kiosk(link, library, clock) as page:
        due = schedule(page, daily=True)["due"]
    clock.now = due + 2.5 * DAY
    with kiosk(link, library, clock) as page, open_page(page):
        assert why_not(page) == "the kiosk was not running then"
        assert [one["due"] for one in state(page)["tasks"]] == [due + 3 * DAY]
        assert not link.executed
    with kiosk(link, library, clock) as page:
        attempts = page.get("/api/v1/attempts").json()
        assert [(one["words"], one["outcome"], one["created"]) for one in attempts] == [
            (FETCH, "not_run", due)
        ]


@pytest.mark.usefixtures("done")
def test_a_start_that_was_missed_is_kept_before_it_is_told(
    link: FakeLink, library: Path, clock: StillClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has read it may end the kiosk at once."""
    begun, told, keep_it = threading.Event(), [], Attempts.add

    def add(attempts: Attempts, one: Attempt) -> None:
        begun.wait(60)
        told.append(state(page)["not_run"])
        keep_it(attempts, one)

    with kiosk(link, library, clock) as page:
        due = schedule(page)["due"]
    clock.now = due + DAY
    monkeypatch.setattr(Attempts, "add", add)
    with kiosk(link, library, clock) as page:
        begun.set()
        assert why_not(page) == "the kiosk was not running then"
    assert told == [[]]


def paused(page: TestClient, link: FakeLink) -> None:
    busy(page, link)
    link.event(EventKind.RUN_PAUSED, link.executed[-1][0], paused=True)
    in_phase(page, link.executed[-1][0], "paused")


def busy(page: TestClient, link: FakeLink) -> None:
    task_id = submit(page)
    link.finish_generation(task_id)
    in_phase(page, task_id, "ready")
    page.post(f"/api/v1/tasks/{task_id}/approve", json={"sha256": sha256()})


def rejected(page: TestClient, link: FakeLink) -> None:
    link.judges = [REJECTED]


def lost(page: TestClient, link: FakeLink) -> None:
    link.say(NodesSeen({"generator": "lost", "executor": "lost"}))


def interrupted(page: TestClient, link: FakeLink) -> None:
    link.say(InterruptedSeen((InterruptedRun("x", "x", PROGRAM, sha256(), 1),)))


def pressed(page: TestClient, link: FakeLink) -> None:
    press_stop(page)
    until(lambda: state(page)["held"])


def pressed_elsewhere(page: TestClient, link: FakeLink) -> None:
    link.say(RobotEvent(EventKind.STOP_REQUESTED.value, "", {}, "cli", 1.0))
    until(lambda: state(page)["held"])


def stopped_by_the_stack(page: TestClient, link: FakeLink) -> None:
    link.stop("the executor is lost", 0.0)


HELD = "Stop was pressed, and nobody has let the scheduled tasks go on since"


@pytest.mark.usefixtures("done")
@pytest.mark.parametrize(
    ("happens", "why"),
    [
        (busy, "the robot was busy with another task"),
        (paused, "another task was paused"),
        (rejected, "the hand is full"),
        (lost, "part of the robot was missing: executor"),
        (interrupted, "an interrupted task waited for somebody to decide on it"),
        (pressed, HELD),
        (pressed_elsewhere, HELD),
        (stopped_by_the_stack, "the robot was stopped while it was announced"),
    ],
)
def test_it_does_not_move_where_something_speaks_against_it(
    page: TestClient,
    link: FakeLink,
    clock: StillClock,
    happens: Callable[[TestClient, FakeLink], None],
    why: str,
) -> None:
    due = schedule(page)["due"]
    with open_page(page):
        announce(page, clock, due)
        happens(page, link)
        before = len(link.executed)
        clock.now = due
        assert why_not(page) == why
        assert len(link.executed) == before and state(page)["tasks"] == []


@pytest.mark.usefixtures("done")
def test_a_start_that_no_page_has_announced_is_not_made(
    page: TestClient, link: FakeLink, clock: StillClock
) -> None:
    due = schedule(page)["due"]
    clock.now = due - 20
    with open_page(page):
        until(lambda: state(page)["coming"])
        clock.now = due
        assert why_not(page) == "no page was open for the minute in which it is announced"
    assert not link.executed


class TestWhereTheClockIsSet:
    """Time has not gone by, whatever it shows."""

    @pytest.fixture
    def steady(self) -> Callable[[], float]:
        return lambda: 100.0

    @pytest.mark.usefixtures("done")
    def test_forward_a_start_is_not_made_before_its_minute_is_over(
        self, page: TestClient, link: FakeLink, clock: StillClock
    ) -> None:
        due = schedule(page)["due"]
        with open_page(page):
            announce(page, clock, due)
            clock.now = due
            assert why_not(page) == "the clock was set forward while it was announced"
        assert not link.executed

    @pytest.mark.usefixtures("done")
    def test_back_a_start_is_announced_again_in_its_minute(
        self, page: TestClient, link: FakeLink, clock: StillClock
    ) -> None:
        due = schedule(page)["due"]
        with open_page(page):
            announce(page, clock, due)
            until(lambda: len(link.announced) == 1)
            clock.now -= 3600
            until(lambda: not state(page)["coming"])
            announce(page, clock, due)
            until(lambda: len(link.announced) == 2)


@pytest.mark.usefixtures("done")
def test_a_page_that_was_closed_again_is_none(
    page: TestClient, link: FakeLink, clock: StillClock
) -> None:
    due = schedule(page)["due"]
    with open_page(page):
        announce(page, clock, due)
    until(lambda: page.get("/api/v1/health").json()["pages"] == 0)
    clock.now = due
    assert why_not(page) == "no page was open to announce it on"
    assert not link.executed


@pytest.mark.usefixtures("done")
def test_after_a_stop_nothing_starts_before_a_person_lets_it_go_on(
    link: FakeLink, library: Path, clock: StillClock
) -> None:
    with kiosk(link, library, clock) as page:
        due = schedule(page, daily=True)["due"]
        press_stop(page)
        until(lambda: state(page)["held"])
        with closing(TaskLibrary.open(str(library))) as tasks:
            held = "SELECT held FROM schedule"
            until(lambda: tasks._connection.execute(held).fetchone()[0])
    with kiosk(link, library, clock) as page, open_page(page):
        until(lambda: state(page)["held"])
        clock.now = due
        assert why_not(page) == HELD
        page.post("/api/v1/schedule/go-on")
        assert not state(page)["held"]
        announce(page, clock, due + DAY)
        clock.now = due + DAY
        until(lambda: link.executed)


@pytest.mark.usefixtures("done")
def test_a_stop_while_it_is_judged_ends_it(
    page: TestClient, link: FakeLink, clock: StillClock
) -> None:
    due = schedule(page)["due"]
    link.judges = [None]
    with open_page(page):
        announce(page, clock, due)
        shown = len(link.shown)
        clock.now = due
        until(lambda: len(link.shown) > shown)
        press_stop(page)
        assert why_not(page) == "it was stopped before it began"
    assert not link.executed


@pytest.mark.usefixtures("done")
def test_not_now_leaves_one_start_out(page: TestClient, link: FakeLink, clock: StillClock) -> None:
    made = schedule(page, daily=True)
    with open_page(page):
        announce(page, clock, made["due"])
        path = f"/api/v1/schedule/{made['id']}/not-now"
        assert page.post(path, json={"due": made["due"]}).status_code == 200
        assert why_not(page) == "kiosk has said not now"
        assert error_of(page.post(path, json={"due": made["due"]}), 409) == "WRONG_PHASE"
        assert [one["due"] for one in state(page)["tasks"]] == [made["due"] + DAY]
        assert state(page)["coming"] is None
    assert error_of(page.post("/api/v1/schedule/x/not-now", json={"due": 1}), 404) == "NOT_FOUND"


@pytest.mark.usefixtures("done")
@pytest.mark.parametrize("way", ["cancelled", "task deleted", "task deleted elsewhere"])
def test_what_is_cancelled_starts_nothing(
    page: TestClient, link: FakeLink, clock: StillClock, library: Path, way: str
) -> None:
    made = schedule(page, daily=True)
    with open_page(page):
        announce(page, clock, made["due"])
        if way == "cancelled":
            assert page.delete(f"/api/v1/schedule/{made['id']}").status_code == 200
            assert error_of(page.delete(f"/api/v1/schedule/{made['id']}"), 404) == "NOT_FOUND"
        elif way == "task deleted":
            page.delete("/api/v1/library/fetch")
        else:
            with closing(TaskLibrary.open(str(library))) as tasks:
                tasks.forget("fetch")
        clock.now = made["due"]
        until(lambda: not state(page)["tasks"])
        assert state(page)["coming"] is None
    assert not link.executed


def test_only_what_was_done_here_before_can_be_approved_in_advance(
    page: TestClient, link: FakeLink, library: Path
) -> None:
    keep(library, "fetch", FETCH)
    task = page.post("/api/v1/library/fetch/again").json()
    in_phase(page, task["id"], "ready")
    path, body = f"/api/v1/tasks/{task['id']}/schedule", {"sha256": sha256(), "at": AT}
    assert task["succeeded"] == 0
    answer = page.post(path, json=body)
    assert error_of(answer, 409) == "WRONG_PHASE"
    assert answer.json()["message"].startswith("do it once with somebody there first")
    assert error_of(page.post(path, json={**body, "sha256": "x"}), 409) == "HASH_MISMATCH"
    assert error_of(page.post(path, json={**body, "at": "soon"}), 422) == "BAD_REQUEST"
    page.post(f"/api/v1/tasks/{task['id']}/discard")
    assert error_of(page.post(path, json=body), 409) == "WRONG_PHASE"
    task_id = submit(page)
    link.finish_generation(task_id, task="t", version=1, deferred="When it is known: go home")
    assert not in_phase(page, task_id, "ready")["schedulable"], "only a part of it is known"
    assert state(page)["tasks"] == []


@pytest.mark.usefixtures("done")
def test_an_approval_ends_with_the_device_that_gave_it(
    people: People, link: FakeLink, clock: StillClock
) -> None:
    anna = people.let_in(Role.OPERATOR, "Anna's tablet")
    task = anna.ask("POST", "/library/fetch/again").json()
    until(lambda: anna.ask("GET", f"/tasks/{task['id']}").json()["phase"] == "ready")
    body = {"sha256": sha256(), "at": AT, "daily": True}
    made = anna.ask("POST", f"/tasks/{task['id']}/schedule", body).json()
    assert made["approved_by"] == "Anna's tablet"
    with people.here.open_page():
        for day in range(2):
            clock.now = made["due"] + day * DAY - 60
            until(lambda: people.here.ask("GET", "/schedule").json()["coming"])
            if day:
                people.here.ask("POST", f"/devices/{anna.id}/withdraw")
            clock.now += 60
            until(lambda: not people.here.ask("GET", "/schedule").json()["coming"])
            until(lambda: link.executed)
            link.end_run(link.executed[-1][0])
        until(lambda: people.here.ask("GET", "/schedule").json()["not_run"])
        told = people.here.ask("GET", "/schedule").json()["not_run"]
    assert told[0]["why"] == "Anna's tablet, who approved it, may not have tasks run any more"
    assert link.approvals == ["Anna's tablet, in advance on 2026-11-18 12:06"]


@pytest.mark.usefixtures("done")
def test_of_two_at_the_same_time_one_starts_and_the_other_is_told(
    page: TestClient, link: FakeLink, clock: StillClock
) -> None:
    due = schedule(page)["due"]
    schedule(page)
    with open_page(page):
        announce(page, clock, due)
        clock.now = due
        assert why_not(page) == "the robot was busy with another task"
        until(lambda: link.executed)
    assert len(link.executed) == 1


@pytest.mark.usefixtures("done")
def test_a_schedule_that_cannot_be_written_starts_nothing(
    page: TestClient, link: FakeLink, clock: StillClock, library: Path
) -> None:
    due = schedule(page)["due"]
    with open_page(page):
        announce(page, clock, due)
        with closing(TaskLibrary.open(str(library))) as tasks:
            tasks._connection.execute("BEGIN EXCLUSIVE")
            clock.now = due
            assert "locked" in why_not(page)
            tasks._connection.execute("ROLLBACK")
    assert not link.executed and link.judges == [ACCEPTED]
