"""A run that was interrupted is offered, and one that runs is held."""

from __future__ import annotations

from fake_link import PROGRAM, FakeLink, sha256
from fastapi.testclient import TestClient
from served_kiosk import press_stop
from test_app import EVENTS, error_of, in_phase, ready

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.web.robot_link import InterruptedRun, InterruptedSeen, NothingRuns, StopAnswer

RUN = InterruptedRun("t7", "Carry the cup", PROGRAM, sha256(), 3, "pick('cup')", 1000.0)


def offered(page: TestClient, link: FakeLink, *runs: InterruptedRun) -> list[dict[str, object]]:
    link.say(InterruptedSeen(runs))
    with page.websocket_connect(EVENTS) as socket:
        return list(socket.receive_json()["interrupted"])


def test_an_interrupted_run_is_shown_and_needs_a_new_approval(
    page: TestClient, link: FakeLink
) -> None:
    (seen,) = offered(page, link, RUN)
    assert (seen["text"], seen["calls"], seen["in_flight"]) == ("Carry the cup", 3, "pick('cup')")
    task = page.post("/api/v1/interrupted/t7/resume").json()
    assert task["phase"] == "ready" and task["source"] == PROGRAM and task["steps"]
    assert "after 3 calls" in task["notes"][0]
    assert not link.executed, "nothing moves before the approval"
    page.post("/api/v1/tasks/t7/approve", json={"sha256": sha256()})
    assert link.executed == [("t7", "Carry the cup", PROGRAM, sha256())]
    assert link.resumed == [True]


def test_an_ordinary_task_resumes_nothing(page: TestClient, link: FakeLink) -> None:
    task_id = ready(page, link)
    page.post(f"/api/v1/tasks/{task_id}/approve", json={"sha256": sha256()})
    assert link.resumed == [False]


def test_a_run_that_is_forgotten_is_offered_no_more(page: TestClient, link: FakeLink) -> None:
    offered(page, link, RUN)
    assert page.post("/api/v1/interrupted/t7/forget").status_code == 202
    assert link.forgotten == ["t7"]
    assert offered(page, link) == []
    assert error_of(page.post("/api/v1/interrupted/t7/resume"), 404) == "NOT_FOUND"


def test_a_run_of_another_client_ends_with_the_executor_and_leaves_room_for_a_task(
    page: TestClient, link: FakeLink
) -> None:
    task_id = ready(page, link)
    page.post(f"/api/v1/tasks/{task_id}/approve", json={"sha256": sha256()})
    for other, paused in (("t8", False), ("t9", True)):
        link.event(EventKind.RUN_STARTED, other, instruction="Drive", program_sha256="")
        link.event(EventKind.RUN_PAUSED, other, paused=paused)
    in_phase(page, "t9", "paused")
    link.say(NothingRuns())
    for other in ("t8", "t9"):
        assert in_phase(page, other, "failed")["error"]["error_name"] == "PROGRAM_LOST"
    in_phase(page, task_id, "running")  # its goal ends it
    link.end_run(task_id)
    ready(page, link)


def test_a_paused_run_is_seen_and_can_still_be_stopped(page: TestClient, link: FakeLink) -> None:
    task_id = ready(page, link)
    page.post(f"/api/v1/tasks/{task_id}/approve", json={"sha256": sha256()})
    page.post("/api/v1/pause", json={"paused": True})
    assert link.pauses == [True]
    link.event(EventKind.HAZARD_SEEN, task_id, line=4, code="x", message="full", reaction="pause")
    link.event(EventKind.RUN_PAUSED, task_id, paused=True)
    assert in_phase(page, task_id, "paused")["ahead"] == "line 4: full"
    link.event(EventKind.RUN_PAUSED, task_id, paused=False)
    in_phase(page, task_id, "running")
    link.event(EventKind.RUN_PAUSED, task_id, paused=True)
    in_phase(page, task_id, "paused")
    press_stop(page)
    in_phase(page, task_id, "stopping")


def test_a_pause_that_comes_before_the_run_has_begun_is_not_lost(
    page: TestClient, link: FakeLink
) -> None:
    for paused in (True, False):
        task_id = ready(page, link)
        page.post(f"/api/v1/tasks/{task_id}/approve", json={"sha256": sha256()})
        if paused:
            page.post("/api/v1/pause", json={"paused": True})
        link.event(EventKind.RUN_STARTED, task_id, instruction="", program_sha256=sha256())
        in_phase(page, task_id, "running")
        link.end_run(task_id)
        in_phase(page, task_id, "succeeded")
        assert link.pauses == [True, True], "the next run is another one"


def test_what_a_stop_has_stopped_is_told_before_it_is_told_as_done(
    page: TestClient, link: FakeLink
) -> None:
    task_id = ready(page, link)
    with page.websocket_connect(EVENTS) as events:
        page.post(f"/api/v1/tasks/{task_id}/approve", json={"sha256": sha256()})
        press_stop(page)
        link.say(StopAnswer(True, 0.01, "stopping"))
        phase = ""
        while (message := events.receive_json())["type"] != "stopped":
            if message["type"] == "task":
                phase = message["task"].get("phase", phase)
        assert phase == "stopping"
