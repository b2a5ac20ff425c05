"""A page is told what has changed of a task, and that costs the same for each call."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fake_link import PROGRAM, REJECTED, FakeLink, sha256
from fastapi.testclient import TestClient
from served_kiosk import served
from test_app import EVENTS, heard, in_phase, ready, submit
from test_metrics import ROOMS
from waiting import until
from websockets.sync.client import connect

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.web.app import create_app
from roboinstruct_ros.web.events_socket import TOO_SLOW
from roboinstruct_ros.web.robot_link import Speech
from roboinstruct_ros.web.task_view import MAX_CALLS, TaskView, difference, whole

LONG = MAX_CALLS + 1000


def approved(page: TestClient, link: FakeLink) -> str:
    task_id = ready(page, link)
    page.post(f"/api/v1/tasks/{task_id}/approve", json={"sha256": sha256()})
    link.event(EventKind.RUN_STARTED, task_id, instruction="", program_sha256=sha256())
    in_phase(page, task_id, "running")
    return task_id


def begin(link: FakeLink, task_id: str, index: int) -> dict[str, Any]:
    data = {"index": index, "skill": "get_current_location", "arguments": [], "line": 2}
    link.event(EventKind.SKILL_STARTED, task_id, **data)
    return data


def finish(link: FakeLink, task_id: str, begun: dict[str, Any]) -> dict[str, Any]:
    """Ends a call; gives it as the result of the run has it."""
    data = {**begun, "result": "kitchen", "error_code": 0, "error_msg": ""}
    link.event(EventKind.SKILL_FINISHED, task_id, **data)
    return data


def call(link: FakeLink, task_id: str, index: int) -> dict[str, Any]:
    return finish(link, task_id, begin(link, task_id, index))


def bytes_of(page: TestClient, link: FakeLink, calls: int) -> int:
    """What a page is sent for so many calls, told in steps that the kiosk can keep up with."""
    with page.websocket_connect(EVENTS) as socket:
        socket.receive_json()
        task_id = approved(page, link)
        sent = 0
        for first in range(0, calls, 20):
            for index in range(first, first + 20):
                call(link, task_id, index)
            told = False
            while not told:
                text = socket.receive_text()
                sent += len(text)
                task = json.loads(text).get("task", {})
                calls = task.get("calls_more") or task.get("calls", ())
                told = any(one["index"] == first + 19 and one["ended"] for one in calls)
        link.end_run(task_id, made=[{"index": 0, "skill": "say", "arguments": ["x"], "line": 1}])
        in_phase(page, task_id, "succeeded")
        return sent


def test_the_bytes_for_a_call_do_not_grow_with_their_number(
    page: TestClient, link: FakeLink
) -> None:
    few, many = bytes_of(page, link, 100) / 100, bytes_of(page, link, LONG) / LONG
    assert many < 1.2 * few, (few, many)
    assert many < 500, many


def test_the_last_calls_are_kept_and_the_others_counted(page: TestClient, link: FakeLink) -> None:
    task_id = approved(page, link)
    for index in range(MAX_CALLS + 50):
        call(link, task_id, index)
    path = f"/api/v1/tasks/{task_id}"
    until(lambda: page.get(path).json()["calls_before"] == 50)
    kept = [one["index"] for one in page.get(path).json()["calls"]]
    assert kept == list(range(50, MAX_CALLS + 50))


def test_what_a_page_puts_together_is_what_there_is(page: TestClient, link: FakeLink) -> None:
    with page.websocket_connect(EVENTS) as socket:
        socket.receive_json()
        task_id = submit(page)
        for text in ("def task_", "program():\n", "    pass\n"):
            link.event(EventKind.TOKENS, task_id, draft=1, text=text, tokens=1)
        link.event(EventKind.DRAFT_VERIFIED, task_id, draft=1, source="x", verdict=REJECTED)
        link.finish_generation(task_id)
        in_phase(page, task_id, "ready")
        page.post(f"/api/v1/tasks/{task_id}/approve", json={"sha256": sha256()})
        link.event(EventKind.RUN_STARTED, task_id, instruction="", program_sha256=sha256())
        begun = begin(link, task_id, 0)
        task: dict[str, Any] = {}
        while not task.get("calls"):
            task = put_together(task, heard(socket, "task")["task"])
        made = [finish(link, task_id, begun)]
        for index in range(1, MAX_CALLS + 30):
            made.append(call(link, task_id, index))
            link.event(EventKind.PROGRAM_PRINTED, task_id, text=str(index), line=2)
        link.end_run(task_id, made=made)
        in_phase(page, task_id, "succeeded")
        link.say(Speech("the end"))
        page.get("/api/v1/tasks")
        while task.get("phase") != "succeeded":
            task = put_together(task, heard(socket, "task")["task"])
    assert task == page.get(f"/api/v1/tasks/{task_id}").json()


def put_together(task: dict[str, Any], told: dict[str, Any]) -> dict[str, Any]:
    """As the page does it."""
    if not task:
        return told
    now = {**task, **told}
    anew = task["run_started"] != now["run_started"]
    now["source"] += now.pop("source_more", "")
    calls = {one["index"]: one for one in ([] if anew else now["calls"])}
    calls |= {one["index"]: one for one in now.pop("calls_more", [])}
    now["calls"] = list(calls.values())[-MAX_CALLS:]
    now["printed"] = [*([] if anew else now["printed"]), *now.pop("printed_more", [])]
    now["printed"] = now["printed"][-200:]
    return now


def test_nothing_is_told_of_a_field_that_is_as_it_was() -> None:
    task = TaskView(id="1", text="Go.", created=1.0, source=PROGRAM)
    assert difference(task, task.changed(line=2)) == {"id": "1", "line": 2}
    assert difference(task, task.changed(source=PROGRAM + "#")) == {"id": "1", "source_more": "#"}
    assert difference(task, task.changed(source="")) == {"id": "1", "source": ""}
    assert difference(None, task) == whole(task)


def test_a_page_begins_with_a_bounded_message(page: TestClient, link: FakeLink) -> None:
    for _ in range(10):
        task_id = approved(page, link)
        for index in range(MAX_CALLS):
            call(link, task_id, index)
            link.event(EventKind.PROGRAM_PRINTED, task_id, text="x" * 5000, line=2)
        link.end_run(task_id, made=[call_data(index) for index in range(MAX_CALLS)])
        in_phase(page, task_id, "succeeded")
    with page.websocket_connect(EVENTS) as socket:
        tasks = socket.receive_json()["tasks"]
    assert [len(task["calls"]) for task in tasks] == [20] * 5 + [MAX_CALLS] * 5
    assert max(len(json.dumps(task)) for task in tasks[:5]) < 50_000
    assert max(len(json.dumps(task)) for task in tasks) < 450_000


def call_data(index: int) -> dict[str, Any]:
    return {"index": index, "skill": "say", "arguments": ["x" * 5000], "line": 1}


def test_a_page_that_does_not_read_is_closed_with_a_word(link: FakeLink) -> None:
    with served(create_app(link, lambda: ROOMS)) as port:
        page = connect(f"ws://localhost:{port}/api/v1/events", max_queue=1, legacy=True)
        for _ in range(3000):
            link.say(Speech("x" * 100_000))
        with pytest.raises(Exception, match=str(TOO_SLOW)):
            while True:
                page.recv(10.0)
