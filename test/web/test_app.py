"""What the kiosk answers, and whom it does not answer."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from fake_link import PROGRAM, REJECTED, FakeLink, sha256
from fastapi import FastAPI
from fastapi.testclient import TestClient
from served_kiosk import press_stop
from starlette.websockets import WebSocketDisconnect
from waiting import until

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.web.app import create_app
from roboinstruct_ros.web.robot_link import NodesSeen, Question, RobotPose, Speech
from roboinstruct_ros.web.task_board import MAX_TASKS

EVENTS = "ws://localhost:8080/api/v1/events"


def submit(page: TestClient, text: str = "Go to the kitchen.") -> str:
    answer = page.post("/api/v1/tasks", json={"text": text})
    assert answer.status_code == 202, answer.text
    return str(answer.json()["id"])


def in_phase(page: TestClient, task_id: str, phase: str) -> dict[str, Any]:
    def task() -> dict[str, Any]:
        return dict(page.get(f"/api/v1/tasks/{task_id}").json())

    until(lambda: task()["phase"] == phase)
    return task()


def ready(page: TestClient, link: FakeLink) -> str:
    task_id = submit(page)
    link.finish_generation(task_id)
    in_phase(page, task_id, "ready")
    return task_id


@contextmanager
def open_page(page: TestClient) -> Iterator[Any]:
    """The socket of one more page, which the kiosk has to forget when it closes."""
    before = page.get("/api/v1/health").json()["pages"]
    with page.websocket_connect(EVENTS) as socket:
        yield socket
        socket.close()
        until(lambda: page.get("/api/v1/health").json()["pages"] <= before)


def heard(socket: Any, kind: str) -> dict[str, Any]:
    while (message := socket.receive_json())["type"] != kind:
        pass
    return dict(message)


def error_of(answer: Any, status: int) -> str:
    assert answer.status_code == status, answer.text
    body = answer.json()
    assert set(body) == {"error_code", "error_name", "message"}
    assert "\n" not in body["message"]
    return str(body["error_name"])


# Who may ask


@pytest.mark.parametrize("path", ["/api/v1/tasks", "/api/v1/stop", "/api/v1/answer"])
def test_a_page_of_another_site_is_refused(page: TestClient, link: FakeLink, path: str) -> None:
    answer = page.post(path, json={"text": "hi"}, headers={"Origin": "http://evil.example"})
    assert error_of(answer, 403) == "FOREIGN_ORIGIN"
    assert not link.generated
    assert not link.stops


def test_the_same_name_on_another_port_is_another_site(page: TestClient) -> None:
    answer = page.post("/api/v1/stop", headers={"Origin": "http://localhost:9999"})
    assert error_of(answer, 403) == "FOREIGN_ORIGIN"


@pytest.mark.parametrize("origin", ["null", "http://["])
def test_an_origin_without_a_name_is_refused(page: TestClient, origin: str) -> None:
    assert error_of(page.post("/api/v1/stop", headers={"Origin": origin}), 403) == "FOREIGN_ORIGIN"


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "", "a b"])
def test_a_name_that_was_made_to_resolve_here_is_refused(page: TestClient, host: str) -> None:
    assert error_of(page.get("/api/v1/tasks", headers={"Host": host}), 403) == "FOREIGN_ORIGIN"


@pytest.mark.parametrize("host", ["localhost:8080", "127.0.0.1:8080", "[::1]:8080"])
def test_this_machine_may_ask(page: TestClient, host: str) -> None:
    assert page.get("/api/v1/health", headers={"Host": host}).status_code == 200


def test_a_configured_name_may_ask(page: TestClient) -> None:
    headers = {"Host": "robot.example:8080", "Origin": "http://robot.example:8080"}
    assert page.post("/api/v1/tasks", json={"text": "Go home."}, headers=headers).status_code == 202


@pytest.mark.parametrize(
    "headers", [{"Origin": "http://evil.example"}, {"Host": "evil.example"}], ids=["origin", "host"]
)
def test_a_socket_of_another_site_is_refused(page: TestClient, headers: dict[str, str]) -> None:
    with pytest.raises(WebSocketDisconnect), page.websocket_connect(EVENTS, headers=headers):
        pass


def test_browsers_may_load_nothing_from_elsewhere(page: TestClient) -> None:
    headers = page.get("/").headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-frame-options"] == "DENY"
    assert headers["x-content-type-options"] == "nosniff"


# Instructions


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("", "INSTRUCTION_EMPTY"),
        ("  \n ", "INSTRUCTION_EMPTY"),
        ("go " * 3334, "INSTRUCTION_TOO_LONG"),
        ("去厨房拿苹果", "INSTRUCTION_SCRIPT"),
    ],
    ids=["empty", "blank", "10,000 characters", "script"],
)
def test_a_bad_instruction_is_a_typed_error(
    page: TestClient, link: FakeLink, text: str, name: str
) -> None:
    assert error_of(page.post("/api/v1/tasks", json={"text": text}), 422) == name
    assert not link.generated
    assert page.get("/api/v1/tasks").json() == []


@pytest.mark.parametrize("body", [b"{}", b"no json", b'{"text": 3}', b'{"text": "a", "b": 1}'])
def test_a_malformed_request_is_a_typed_error(page: TestClient, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    answer = page.post("/api/v1/tasks", content=body, headers=headers)
    assert error_of(answer, 422) == "BAD_REQUEST"


def test_what_an_error_quotes_is_short_and_on_its_line(page: TestClient) -> None:
    answer = page.post("/api/v1/tasks", json={"text": "Go home.", "a\nb" * 10_000: 1})
    assert error_of(answer, 422) == "BAD_REQUEST"
    assert len(answer.json()["message"]) < 200
    assert error_of(page.get("/api/v1/tasks/a%0Ab"), 404) == "NOT_FOUND"


def test_a_request_without_end_is_refused(page: TestClient) -> None:
    assert error_of(page.post("/api/v1/tasks", json={"text": "x" * 100_000}), 413) == "TOO_LARGE"


def test_a_second_task_waits_for_the_first(page: TestClient) -> None:
    submit(page)
    assert error_of(page.post("/api/v1/tasks", json={"text": "Go home."}), 409) == "BUSY"


def test_nobody_is_to_wait_for_a_paused_task(page: TestClient, link: FakeLink) -> None:
    task_id = ready(page, link)
    page.post(f"/api/v1/tasks/{task_id}/approve", json={"sha256": sha256()})
    link.event(EventKind.RUN_PAUSED, task_id, paused=True)
    in_phase(page, task_id, "paused")
    answer = page.post("/api/v1/tasks", json={"text": "Go home."})
    assert answer.json()["message"] == "another task is paused; press Go on or Stop"


def test_a_lost_writer_is_a_typed_error(page: TestClient, link: FakeLink) -> None:
    link.missing = True
    assert error_of(page.post("/api/v1/tasks", json={"text": "Go."}), 503) == "NODE_MISSING"
    assert page.get("/api/v1/tasks").json() == []


# From instruction to run


def test_a_program_grows_and_becomes_ready(page: TestClient, link: FakeLink) -> None:
    task_id = submit(page)
    link.event(EventKind.DRAFT_STARTED, task_id, draft=1)
    link.event(EventKind.TOKENS, task_id, draft=1, text="def task", tokens=2)
    link.finish_generation(task_id)
    task = in_phase(page, task_id, "ready")
    assert task["source"] == PROGRAM
    assert task["sha256"] == sha256()
    assert task["steps"]
    assert not link.executed


@pytest.mark.parametrize("order", ["in order", "result first"])
def test_how_sure_one_may_be_stands_beside_the_plan(
    page: TestClient, link: FakeLink, order: str
) -> None:
    task_id = submit(page)
    link.event(EventKind.DRAFT_STARTED, task_id, draft=3, attempt=1)
    steps = [
        lambda: link.tell_generation(task_id, confidence=0.8, agreed=[4, 5]),
        lambda: link.finish_generation(task_id),
    ]
    for step in steps if order == "in order" else reversed(steps):
        step()
    in_phase(page, task_id, "ready")
    until(lambda: page.get(f"/api/v1/tasks/{task_id}").json()["confidence"])
    task = page.get(f"/api/v1/tasks/{task_id}").json()
    assert task["confidence"] == {"key": "plan.agree", "values": {"some": 4, "all": 5}}
    assert (task["draft"], task["attempt"]) == (3, 1)


@pytest.mark.parametrize("order", ["in order", "result first"])
def test_what_was_rejected_on_the_way_is_kept(page: TestClient, link: FakeLink, order: str) -> None:
    task_id, wrong = submit(page), "def task_program():\n    place('x')\n"

    def reject() -> None:
        link.event(EventKind.DRAFT_VERIFIED, task_id, draft=1, source=wrong, verdict=REJECTED)

    steps = [reject, lambda: link.finish_generation(task_id)]
    for step in steps if order == "in order" else reversed(steps):
        step()
    task = in_phase(page, task_id, "ready")
    for _ in range(100):
        if task["rejected"]:
            break
        task = in_phase(page, task_id, "ready")
    assert [one["source"] for one in task["rejected"]] == [wrong]
    assert task["source"] == PROGRAM and task["verdict"]["status"] == "accepted"


def test_nothing_runs_before_it_is_approved(page: TestClient, link: FakeLink) -> None:
    task_id = ready(page, link)
    assert not link.executed
    answer = page.post(f"/api/v1/tasks/{task_id}/approve", json={"sha256": sha256()})
    assert answer.status_code == 202
    assert link.executed == [(task_id, "Go to the kitchen.", PROGRAM, sha256())]


@pytest.mark.parametrize("wrong", ["", "0" * 64, sha256("pass"), sha256().upper()])
def test_an_approval_of_another_text_is_refused(
    page: TestClient, link: FakeLink, wrong: str
) -> None:
    task_id = ready(page, link)
    answer = page.post(f"/api/v1/tasks/{task_id}/approve", json={"sha256": wrong})
    assert error_of(answer, 409) == "HASH_MISMATCH"
    assert not link.executed


def test_a_rejected_program_cannot_be_approved(page: TestClient, link: FakeLink) -> None:
    task_id = submit(page)
    link.finish_generation(task_id, verdict=REJECTED, code=TaskErrorCode.NO_ACCEPTED_PROGRAM)
    in_phase(page, task_id, "rejected")
    answer = page.post(f"/api/v1/tasks/{task_id}/approve", json={"sha256": sha256()})
    assert error_of(answer, 409) == "WRONG_PHASE"
    assert not link.executed


def test_a_second_approval_is_refused(page: TestClient, link: FakeLink) -> None:
    task_id = ready(page, link)
    page.post(f"/api/v1/tasks/{task_id}/approve", json={"sha256": sha256()})
    answer = page.post(f"/api/v1/tasks/{task_id}/approve", json={"sha256": sha256()})
    assert error_of(answer, 409) == "WRONG_PHASE"
    assert len(link.executed) == 1


def test_a_discarded_program_cannot_be_approved(page: TestClient, link: FakeLink) -> None:
    task_id = ready(page, link)
    page.post(f"/api/v1/tasks/{task_id}/discard")
    assert in_phase(page, task_id, "discarded")["source"] == PROGRAM
    answer = page.post(f"/api/v1/tasks/{task_id}/approve", json={"sha256": sha256()})
    assert error_of(answer, 409) == "WRONG_PHASE"


def test_a_run_is_followed_to_its_end(page: TestClient, link: FakeLink) -> None:
    task_id = ready(page, link)
    page.post(f"/api/v1/tasks/{task_id}/approve", json={"sha256": sha256()})
    link.event(EventKind.RUN_STARTED, task_id, instruction="", program_sha256=sha256())
    call = {"index": 0, "skill": "go_to", "arguments": ["kitchen"], "line": 2}
    link.event(EventKind.SKILL_STARTED, task_id, **call)
    link.event(EventKind.SKILL_FINISHED, task_id, **call, result=None, error_code=0, error_msg="")
    link.end_run(task_id, made=[call])
    task = in_phase(page, task_id, "succeeded")
    assert task["duration"] == 3.0
    assert [call["skill"] for call in task["calls"]] == ["go_to"]


def test_what_is_heard_of_a_run_after_its_end_changes_nothing(
    page: TestClient, link: FakeLink
) -> None:
    task_id = ready(page, link)
    page.post(f"/api/v1/tasks/{task_id}/approve", json={"sha256": sha256()})
    link.event(EventKind.RUN_STARTED, task_id, instruction="", program_sha256=sha256())
    call = {"index": 0, "skill": "go_to", "arguments": ["kitchen"], "line": 2}
    link.end_run(task_id, made=[{**call, "started": 1.0, "ended": 2.0}])
    over = in_phase(page, task_id, "succeeded")
    link.event(EventKind.SKILL_STARTED, task_id, **call)
    link.event(EventKind.HAZARD_SEEN, task_id, line=3, message="the hand is full")
    link.event(EventKind.RUN_FINISHED, task_id, outcome="succeeded", duration=3.0)
    link.event(EventKind.PROGRAM_PRINTED, task_id, text="the last")
    until(lambda: page.get(f"/api/v1/tasks/{task_id}").json()["printed"] == ["the last"])
    now = page.get(f"/api/v1/tasks/{task_id}").json()
    assert {**now, "printed": []} == over


def test_a_task_that_runs_is_not_forgotten_for_those_of_other_clients(
    page: TestClient, link: FakeLink
) -> None:
    task_id = ready(page, link)
    page.post(f"/api/v1/tasks/{task_id}/approve", json={"sha256": sha256()})
    for number in range(MAX_TASKS):
        link.event(EventKind.GENERATION_STARTED, f"elsewhere {number}", instruction="Go home.")
    until(lambda: page.get("/api/v1/tasks").json()[-1]["id"] == f"elsewhere {MAX_TASKS - 1}")
    assert page.get(f"/api/v1/tasks/{task_id}").json()["phase"] == "running"
    assert len(page.get("/api/v1/tasks").json()) == MAX_TASKS


def test_a_task_that_nobody_gave_is_not_found(page: TestClient) -> None:
    assert error_of(page.get("/api/v1/tasks/nothing"), 404) == "NOT_FOUND"
    assert error_of(page.get("/api/v1/nothing"), 404) == "NOT_FOUND"


# Stop


def test_stop_does_not_wait_for_a_generation_that_hangs(page: TestClient, link: FakeLink) -> None:
    task_id = submit(page)  # the fake link never finishes it
    began = time.time()
    press_stop(page)
    assert len(link.stops) == 1
    assert began <= link.stops[0][1] <= time.time()
    until(lambda: link.cancelled == [task_id])


def test_stop_is_seen_by_a_page_that_is_open(page: TestClient, link: FakeLink) -> None:
    task_id = ready(page, link)
    page.post(f"/api/v1/tasks/{task_id}/approve", json={"sha256": sha256()})
    pressed = time.time() - 0.02
    with open_page(page) as socket:
        heard(socket, "snapshot")
        press_stop(page, pressed)
        while heard(socket, "task")["task"].get("phase") != "stopping":
            pass
    assert link.stops == [("Stop pressed", pressed)]


def test_noise_on_the_socket_does_not_end_it(page: TestClient, link: FakeLink) -> None:
    with open_page(page) as socket:
        heard(socket, "snapshot")
        for noise in ("no json", "[]", "3", "{}", '{"type": []}', '{"type": "go"}', '"' * 3):
            socket.send_text(noise)
        link.say(Speech("still here"))
        assert heard(socket, "speech")["text"] == "still here"
    assert not link.stops


# What a page hears


def test_a_page_begins_with_all_there_is(page: TestClient, link: FakeLink) -> None:
    task_id = ready(page, link)
    link.say(RobotPose(1.0, 2.0, 0.5))
    link.say(NodesSeen({"generator": "up"}))
    link.say(Question("Tea?", "Ann", ("yes", "no"), live=True))
    until(lambda: page.get("/api/v1/health").json()["nodes"])
    with open_page(page) as socket:
        snapshot = socket.receive_json()
    assert snapshot["type"] == "snapshot"
    assert [task["id"] for task in snapshot["tasks"]] == [task_id]
    assert snapshot["pose"] == {"x": 1.0, "y": 2.0, "yaw": 0.5}
    assert snapshot["nodes"] == {"generator": "up"}


def test_a_page_hears_what_happens_in_order(page: TestClient, link: FakeLink) -> None:
    with open_page(page) as socket:
        seq = socket.receive_json()["seq"]
        for text in ("one", "two", "three"):
            link.say(Speech(text))
        said = [socket.receive_json() for _ in range(3)]
    assert [message["text"] for message in said] == ["one", "two", "three"]
    assert [message["seq"] for message in said] == [seq + 1, seq + 2, seq + 3]


def test_a_page_hears_that_the_kiosk_is_there_while_nothing_happens(page: TestClient) -> None:
    with open_page(page) as socket:
        assert socket.receive_json()["type"] == "snapshot"
        assert socket.receive_json() == {"type": "alive"}


def test_what_only_a_bag_has_a_use_for_goes_to_no_page(page: TestClient, link: FakeLink) -> None:
    task_id = submit(page)
    with open_page(page) as socket:
        socket.receive_json()
        link.event(EventKind.RUN_SETTING, task_id, source="x", setting={"domain": {}})
        link.say(Speech("after"))
        assert socket.receive_json()["text"] == "after"


def test_a_lost_node_is_told_once(page: TestClient, link: FakeLink) -> None:
    with open_page(page) as socket:
        link.say(NodesSeen({"executor": "up"}))
        link.say(NodesSeen({"executor": "lost"}))
        event = heard(socket, "event")
        assert event["kind"] == "node_lost"
        assert event["data"]["node"] == "executor"
    assert page.get("/api/v1/health").json()["status"] == "degraded"


def test_the_task_of_another_client_ends_with_the_program_writer(
    page: TestClient, link: FakeLink
) -> None:
    link.say(NodesSeen({"generator": "up"}))
    link.event(EventKind.GENERATION_STARTED, "elsewhere", instruction="Go home.")
    until(lambda: page.get("/api/v1/tasks").json() != [])
    assert error_of(page.post("/api/v1/tasks", json={"text": "Go."}), 409) == "BUSY"
    link.say(NodesSeen({"generator": "lost"}))
    assert in_phase(page, "elsewhere", "failed")["error"]["error_name"] == "MODEL_FAILED"
    submit(page)


def test_a_live_question_is_answered_with_one_of_its_options(
    page: TestClient, link: FakeLink
) -> None:
    with open_page(page) as socket:
        link.say(Question("Tea?", "Ann", ("yes", "no"), live=True, goal_id="1"))
        heard(socket, "question")
        wrong = page.post("/api/v1/answer", json={"question": "Tea?", "answer": "maybe"})
        assert error_of(wrong, 422) == "BAD_REQUEST"
        late = page.post("/api/v1/answer", json={"question": "Coffee?", "answer": "yes"})
        assert error_of(late, 422) == "BAD_REQUEST"
        good = page.post("/api/v1/answer", json={"question": "Tea?", "answer": "yes"})
        assert good.status_code == 202
    assert link.answers == [("Tea?", "yes", "1")]


def test_a_late_answer_of_one_person_is_none_of_the_next_who_is_asked_the_same(
    page: TestClient, link: FakeLink
) -> None:
    with open_page(page) as socket:
        for number, person in ("1", "Ann"), ("2", "Bob"):
            link.say(Question("Tea?", person, ("yes", "no"), live=True, goal_id=number))
            seen = heard(socket, "question")["question"]
            assert seen["goal_id"] == number
        said = {"question": "Tea?", "answer": "yes"}
        late = page.post("/api/v1/answer", json={**said, "goal_id": "1"})
        assert error_of(late, 422) == "BAD_REQUEST" and link.answers == []
        good = page.post("/api/v1/answer", json={**said, "goal_id": "2"})
        assert good.status_code == 202 and link.answers == [("Tea?", "yes", "2")]


# The page


def test_the_map_has_every_room(page: TestClient) -> None:
    rooms = page.get("/api/v1/map").json()["rooms"]
    assert [room["name"] for room in rooms] == ["kitchen", "hallway"]
    assert rooms[0]["polygon"][1] == [2, 0]


def test_the_page_needs_nothing_from_elsewhere(page: TestClient, app: FastAPI) -> None:
    html = page.get("/").text
    assert 'id="stop"' in html
    assert "http://" not in html
    assert "https://" not in html
    for name in ("main.js", "style.css", "map.css", "icon.svg"):
        assert page.get(f"/static/{name}").status_code == 200


def test_a_robot_without_rooms_has_no_map_but_tasks_to_try(link: FakeLink) -> None:
    app = create_app(link, None, "two_gripper_arm", examples=["Pick up the cup"])
    with TestClient(app, base_url="http://localhost:8080", client=("127.0.0.1", 50000)) as page:
        link.ready()
        link.prove("Pick up the cup")
        until(lambda: page.get("/api/v1/map").json()["examples"])
        told = page.get("/api/v1/map").json()
    assert (told["name"], told["rooms"], told["examples"]) == (
        "two_gripper_arm", [], ["Pick up the cup"],
    )  # fmt: skip
