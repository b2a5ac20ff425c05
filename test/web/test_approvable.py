"""What may be approved: what this kiosk's own goal brought, and the executor accepts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from fake_link import ACCEPTED, PROGRAM, REJECTED, FakeLink, sha256
from fastapi.testclient import TestClient
from served_kiosk import press_stop
from test_app import error_of, in_phase, submit
from waiting import until

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.rounds.progressive import RoundOptions
from roboinstruct_ros.web.robot_link import ProgramJudged, RobotEvent
from roboinstruct_ros.web.second_opinion import PAUSES

EVIL = 'def task_program():\n    go_to("garage")\n'


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("roboinstruct_ros.web.second_opinion.PAUSES", (0.01,) * len(PAUSES))


def approve(page: TestClient, task_id: str, source: str = PROGRAM) -> str:
    answer = page.post(f"/api/v1/tasks/{task_id}/approve", json={"sha256": sha256(source)})
    return error_of(answer, answer.status_code) if answer.status_code != 202 else ""


def judge(link: FakeLink, task_id: str, code: TaskErrorCode, source: str = PROGRAM) -> None:
    link.say(ProgramJudged(task_id, sha256(source), None, int(code), "others are first"))


def test_a_forged_event_makes_nothing_ready(page: TestClient, link: FakeLink) -> None:
    task_id = submit(page)
    link.tell_generation(task_id, EVIL)
    link.event(EventKind.PROGRAM_VERIFIED, task_id, verdict=ACCEPTED, plan=[])
    link.event(EventKind.GENERATION_STARTED, task_id, model="all heard")
    until(lambda: page.get(f"/api/v1/tasks/{task_id}").json()["model"] == "all heard")
    task = page.get(f"/api/v1/tasks/{task_id}").json()
    assert task["phase"] == "writing" and task["verdict"] is None
    assert approve(page, task_id, EVIL) == "WRONG_PHASE"
    link.finish_generation(task_id)
    assert in_phase(page, task_id, "ready")["source"] == PROGRAM


def test_an_event_does_not_change_what_is_read_for_approval(
    page: TestClient, link: FakeLink
) -> None:
    task_id = submit(page)
    link.finish_generation(task_id)
    before = in_phase(page, task_id, "ready")
    link.tell_generation(task_id, EVIL, notes=["all is well"])
    link.event(EventKind.PROGRAM_VERIFIED, task_id, verdict=ACCEPTED | {"paths": 99}, plan=["1 x"])
    link.event(EventKind.TOKENS, task_id, text="#", tokens=1)
    link.event(EventKind.DRAFT_VERIFIED, task_id, draft=1, source=EVIL, verdict=ACCEPTED)
    link.event(EventKind.GENERATION_STARTED, task_id, model="all heard")
    until(lambda: page.get(f"/api/v1/tasks/{task_id}").json()["model"] == "all heard")
    after = page.get(f"/api/v1/tasks/{task_id}").json()
    assert after == before | {"model": "all heard"}


def test_a_task_of_another_client_is_seen_and_never_approved(
    page: TestClient, link: FakeLink
) -> None:
    link.event(EventKind.GENERATION_STARTED, "theirs", instruction="Go to the garage.")
    link.tell_generation("theirs", EVIL)
    task = in_phase(page, "theirs", "ready")
    assert task["source"] == EVIL and not task["approvable"]
    assert approve(page, "theirs", EVIL) == "WRONG_PHASE"
    assert not link.executed and not link.shown


def test_the_verdict_beside_it_is_the_executors(page: TestClient, link: FakeLink) -> None:
    link.judges[:] = [ACCEPTED | {"paths": 77}]
    task_id = submit(page)
    link.finish_generation(task_id)
    task = in_phase(page, task_id, "ready")
    assert task["verdict"]["paths"] == 77 and task["approvable"]
    assert link.shown == [(task_id, PROGRAM)]


def test_what_the_executor_refuses_is_rejected(page: TestClient, link: FakeLink) -> None:
    link.judges[:] = [REJECTED]
    task_id = submit(page)
    link.finish_generation(task_id)
    task = in_phase(page, task_id, "rejected")
    assert task["verdict"]["status"] == "rejected"
    assert task["error"]["error_name"] == "NOT_VERIFIED"
    assert approve(page, task_id) == "WRONG_PHASE"


def test_a_busy_executor_is_asked_again(page: TestClient, link: FakeLink) -> None:
    link.judges[:] = [None]
    task_id = submit(page)
    link.finish_generation(task_id)
    until(lambda: len(link.shown) == 1)
    judge(link, task_id, TaskErrorCode.BUSY)
    until(lambda: len(link.shown) == 2)
    link.judges[:] = [ACCEPTED]
    judge(link, task_id, TaskErrorCode.BUSY)
    in_phase(page, task_id, "ready")


def test_an_executor_that_stays_busy_is_one_line(page: TestClient, link: FakeLink) -> None:
    link.judges[:] = [None]
    task_id = submit(page)
    link.finish_generation(task_id)
    for number in range(len(PAUSES) + 1):
        until(lambda n=number: len(link.shown) == n + 1)  # type: ignore[misc]
        judge(link, task_id, TaskErrorCode.BUSY)
    error = in_phase(page, task_id, "failed")["error"]
    assert (error["error_name"], error["message"]) == ("BUSY", "others are first")


def test_without_an_executor_nothing_is_ready(page: TestClient, link: FakeLink) -> None:
    link.judges.clear()
    task_id = submit(page)
    link.finish_generation(task_id)
    in_phase(page, task_id, "failed")
    assert len(link.shown) == len(PAUSES) + 1


def test_an_answer_to_another_text_is_not_believed(page: TestClient, link: FakeLink) -> None:
    link.judges[:] = [None]
    task_id = submit(page)
    link.finish_generation(task_id)
    until(lambda: link.shown)
    for source in (EVIL, PROGRAM):
        verdict = ACCEPTED | {"program_sha256": sha256(EVIL)}
        link.say(ProgramJudged(task_id, sha256(source), verdict))
    in_phase(page, task_id, "rejected")


@pytest.mark.parametrize("way", ["stop", "discard"])
def test_what_is_still_judged_can_be_ended(page: TestClient, link: FakeLink, way: str) -> None:
    link.judges[:] = [None]
    task_id = submit(page)
    link.finish_generation(task_id)
    until(lambda: link.shown)
    if way == "stop":
        press_stop(page)
    else:
        page.post(f"/api/v1/tasks/{task_id}/discard")
    in_phase(page, task_id, "cancelled")
    link.say(ProgramJudged(task_id, sha256(), ACCEPTED | {"program_sha256": sha256()}))
    assert approve(page, task_id) == "WRONG_PHASE"


@pytest.fixture
def once(page_with: Callable[[RoundOptions], TestClient]) -> Iterator[TestClient]:
    with page_with(RoundOptions(max_rounds=3, approve_each_round=False)) as client:
        yield client


def test_what_goes_on_by_itself_carries_the_stop_number_of_its_approval(
    once: TestClient, link: FakeLink
) -> None:
    press_stop(once)
    task_id = submit(once)
    link.finish_generation(task_id, deferred="When it is known what Bob needs: bring it")
    in_phase(once, task_id, "ready")
    assert approve(once, task_id) == ""
    link.finish_run(task_id, ("ask", ["Bob", "What?", ["tea"]], "tea"))
    until(lambda: len(link.generated) == 2)
    link.stops.append(("another kiosk's", 0.0))  # known to the link, not yet to the session
    link.finish_generation(task_id)
    until(lambda: len(link.executed) == 2)
    assert link.stop_numbers == [1, 1], "the executor refuses the second"


# Text and shapes from anywhere


def test_text_that_is_no_unicode_is_refused(page: TestClient, link: FakeLink) -> None:
    headers = {"Content-Type": "application/json"}
    for path, body in (
        ("/api/v1/tasks/x/approve", b'{"sha256": "\\ud800"}'),
        ("/api/v1/answer", b'{"question": "\\ud800", "answer": "\\udfff"}'),
        ("/api/v1/tasks", b'{"text": "\\ud800\\udc"}'),
        ("/api/v1/tasks", b'{"text": "Go to the \\ud800 kitchen"}'),
    ):
        answer = page.post(path, content=body, headers=headers)
        assert answer.status_code in (202, 404, 422), answer.text
    assert page.get("/api/v1/tasks").status_code == 200
    assert all("\ud800" not in words for _, words in link.generated)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"outcome": "won"},
        {"outcome": "succeeded", "made": 3},
        {"outcome": "succeeded", "duration": 10**400},
        {"outcome": "succeeded", "error_code": "x"},
    ],
)
def test_a_malformed_end_is_an_end(
    page: TestClient, link: FakeLink, data: dict[str, object]
) -> None:
    from roboinstruct_ros.web.robot_link import JobEnded

    task_id = submit(page)
    link.finish_generation(task_id)
    in_phase(page, task_id, "ready")
    approve(page, task_id)
    link.say(JobEnded(EventKind.RUN_FINISHED, task_id, data))
    error = in_phase(page, task_id, "failed")["error"]
    assert error["error_name"] == "UNKNOWN"


def test_malformed_events_change_nothing(page: TestClient, link: FakeLink) -> None:
    task_id = submit(page)
    for kind in EventKind:
        for data in ({}, {"verdict": 3}, {"text": None, "index": [], "line": {}, "skill": 1},
                     {"index": 10**400, "skill": "x", "arguments": 5, "source": []}):  # fmt: skip
            if kind is not EventKind.STOP_REQUESTED:
                link.say(RobotEvent(kind.value, task_id, data, "x", 1.0))
    link.finish_generation(task_id)
    task = in_phase(page, task_id, "ready")
    assert task["source"] == PROGRAM and page.get("/api/v1/tasks").status_code == 200


def test_the_health_is_that_of_now(page: TestClient, link: FakeLink) -> None:
    assert page.get("/api/v1/health").json()["status"] == "ok"
    link.turned = 5.0
    health = page.get("/api/v1/health").json()
    assert health["status"] == "degraded" and health["robot_thread"] == 5.0
    assert health["silence"] == {"executor": 0.05}
