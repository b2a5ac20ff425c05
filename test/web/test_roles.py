"""Who may do what: every route by every role."""

from __future__ import annotations

import re

import pytest
from devices_of_people import People, Person
from fake_link import FakeLink, sha256
from starlette.websockets import WebSocketDisconnect
from waiting import until

from roboinstruct_ros.web.access.roles import Role

STRANGER, VIEWER, OPERATOR, ENGINEER = "stranger", "viewer", "operator", "engineer"
RANKS = (STRANGER, VIEWER, OPERATOR, ENGINEER)

ROUTES: dict[tuple[str, str], str] = {
    ("GET", "/tasks"): VIEWER,
    ("GET", "/tasks/x"): VIEWER,
    ("GET", "/library"): VIEWER,
    ("GET", "/map"): VIEWER,
    ("GET", "/health"): VIEWER,
    ("GET", "/me"): VIEWER,
    ("POST", "/tasks"): OPERATOR,
    ("POST", "/tasks/x/approve"): OPERATOR,
    ("POST", "/tasks/x/follow"): OPERATOR,
    ("POST", "/tasks/x/answer"): OPERATOR,
    ("POST", "/tasks/x/discard"): OPERATOR,
    ("POST", "/tasks/x/cancel"): OPERATOR,
    ("POST", "/library/x/again"): OPERATOR,
    ("GET", "/library/x/file"): VIEWER,
    ("POST", "/library"): OPERATOR,
    ("DELETE", "/library/x"): OPERATOR,
    ("POST", "/library/x/favourite"): OPERATOR,
    ("GET", "/attempts"): VIEWER,
    ("GET", "/schedule"): VIEWER,
    ("POST", "/tasks/x/schedule"): OPERATOR,
    ("POST", "/schedule/x/not-now"): OPERATOR,
    ("POST", "/schedule/go-on"): OPERATOR,
    ("DELETE", "/schedule/x"): OPERATOR,
    ("GET", "/runs"): VIEWER,
    ("GET", "/runs/x/replay"): VIEWER,
    ("GET", "/runs/x/bag"): VIEWER,
    ("POST", "/pause"): OPERATOR,
    ("POST", "/interrupted/x/resume"): OPERATOR,
    ("POST", "/interrupted/x/forget"): OPERATOR,
    ("POST", "/answer"): OPERATOR,
    ("POST", "/talk"): OPERATOR,
    ("POST", "/control/ask"): OPERATOR,
    ("POST", "/control/answer"): OPERATOR,
    ("POST", "/pin"): ENGINEER,
    ("GET", "/devices"): ENGINEER,
    ("GET", "/engineer/events"): ENGINEER,
    ("GET", "/engineer/generations"): ENGINEER,
    ("GET", "/engineer/nodes"): ENGINEER,
    ("POST", "/engineer/verdict"): ENGINEER,
    ("GET", "/engineer/policies"): ENGINEER,
    ("POST", "/engineer/policies/try"): ENGINEER,
    ("GET", "/engineer/library-check"): ENGINEER,
    ("GET", "/engineer/map"): ENGINEER,
    ("PUT", "/engineer/map"): ENGINEER,
    ("POST", "/engineer/map/undo"): ENGINEER,
    ("POST", "/pair"): STRANGER,
    ("GET", "/openapi.json"): STRANGER,
    ("GET", "/asyncapi.json"): STRANGER,
    ("POST", "/devices/x/withdraw"): VIEWER,
}
"""The least that each takes; of the last, the device's own."""


def asker(people: People, role: str) -> Person:
    return people.stranger() if role == STRANGER else people.let_in(Role(role))


@pytest.mark.parametrize("role", RANKS)
def test_each_role_may_do_what_is_its_own_and_no_more(people: People, role: str) -> None:
    person = asker(people, role)
    people.access.requests._count = 1000
    for (method, path), least in ROUTES.items():
        own = path.replace("devices/x", f"devices/{person.id}") if person.id else path
        answer = person.ask(method, own, {} if method == "POST" else None)
        if RANKS.index(role) >= RANKS.index(least):
            assert answer.status_code not in (401, 403), (method, path, answer.text)
        elif role == STRANGER:
            assert answer.status_code == 401, (method, path, answer.text)
            assert answer.json()["error_name"] == "NOT_PAIRED"
        else:
            assert answer.status_code == 403, (method, path, answer.text)
            assert answer.json()["error_name"] == "NOT_ALLOWED"


def test_the_table_has_every_route_and_the_document_says_the_same(people: People) -> None:
    paths = people.here.ask("GET", "/openapi.json").json()["paths"]
    described = {
        (method.upper(), re.sub(r"\{\w+\}", "x", path.removeprefix("/api/v1"))): route["x-role"]
        for path, methods in paths.items()
        for method, route in methods.items()
    }
    files = {("GET", "/runs/x/replay"), ("GET", "/runs/x/bag")}
    documents = {("GET", "/openapi.json"), ("GET", "/asyncapi.json")} | files
    known = {route: role for route, role in ROUTES.items() if route not in documents}
    named = {**known, ("POST", "/stop"): STRANGER}
    assert described == {
        route: "anybody" if role == STRANGER else role for route, role in named.items()
    }


def test_who_is_at_this_machine_needs_no_pin_and_is_an_engineer(people: People) -> None:
    assert people.here.ask("GET", "/me").json()["role"] == "engineer"
    for (method, path), _ in ROUTES.items():
        answer = people.here.ask(method, path, {} if method == "POST" else None)
        assert answer.status_code not in (401, 403), (method, path, answer.text)


@pytest.mark.parametrize("address", ["10.0.0.9", "192.0.2.1", "2001:db8::1", "testclient"])
def test_who_comes_in_without_tls_and_proxy_is_refused(people: People, address: str) -> None:
    stranger = Person(people.client, address, "", "")
    assert stranger.ask("GET", "/tasks").json()["error_name"] == "NOT_PAIRED"
    body = {"pin": "000000", "name": "x"}
    assert stranger.ask("POST", "/pair", body).json()["error_name"] == "NOT_PAIRED"


def test_a_stranger_sees_no_page_but_that_of_devices(people: People) -> None:
    stranger = people.stranger()
    page = people.client.get("/", headers=stranger.headers, follow_redirects=False)
    assert (page.status_code, page.headers["location"]) == (303, "/devices")
    assert people.client.get("/", headers=people.here.headers).status_code == 200
    with stranger.open_page() as socket, pytest.raises(WebSocketDisconnect) as closed:
        socket.receive_json()
    assert closed.value.code == 4001


def test_the_engineers_page_is_for_engineers(people: People) -> None:
    for role, status in ((Role.VIEWER, 303), (Role.OPERATOR, 303), (Role.ENGINEER, 200)):
        headers = people.let_in(role, f"{role.value}'s").headers
        page = people.client.get("/engineer", headers=headers, follow_redirects=False)
        assert page.status_code == status, role


def test_a_task_carries_who_asked_for_it_and_who_approved_it(
    people: People, link: FakeLink
) -> None:
    anna = people.let_in(Role.OPERATOR, "Anna's tablet")
    task = anna.ask("POST", "/tasks", {"text": "Go to the kitchen."}).json()
    assert task["author"] == "Anna's tablet"
    assert link.askers == ["Anna's tablet"]
    link.finish_generation(task["id"])
    until(lambda: people.here.ask("GET", f"/tasks/{task['id']}").json()["phase"] == "ready")
    approval = {"sha256": sha256()}
    assert anna.ask("POST", f"/tasks/{task['id']}/approve", approval).status_code == 202
    assert link.approvals == ["Anna's tablet"]


def test_a_task_of_this_machine_is_the_kiosks(people: People, link: FakeLink) -> None:
    task = people.here.ask("POST", "/tasks", {"text": "Go to the kitchen."}).json()
    assert task["author"] == "kiosk"
    assert link.askers == ["kiosk"]
