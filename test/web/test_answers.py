"""What the program writer says instead of a program: shown as what it is, and nothing moves."""

from __future__ import annotations

from typing import Any

import pytest
from fake_link import PROGRAM, FakeLink, sha256
from fastapi.testclient import TestClient
from waiting import until

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.task_error import TaskErrorCode

WORDS = {
    "cannot": "I cannot open windows. I can look who is there.",
    "question": "Which lab do you mean?",
    "reply": "Hello. Say what I should do, and where.",
}


def submit(page: TestClient, text: str = "Clean up the lab") -> str:
    return str(page.post("/api/v1/tasks", json={"text": text}).json()["id"])


def answered(page: TestClient, task_id: str) -> dict[str, Any]:
    def task() -> dict[str, Any]:
        return dict(page.get(f"/api/v1/tasks/{task_id}").json())

    until(lambda: task()["phase"] == "answered")
    return task()


@pytest.mark.parametrize("kind", list(WORDS))
def test_words_are_no_failure_and_there_is_nothing_to_run(
    page: TestClient, link: FakeLink, kind: str
) -> None:
    task_id = submit(page)
    link.event(EventKind.DRAFT_STARTED, task_id, draft=1)
    link.event(EventKind.TOKENS, task_id, draft=1, text="    # Can", tokens=3)
    link.say_instead(task_id, kind, WORDS[kind], *(["lab 1"] if kind == "question" else []))
    task = answered(page, task_id)
    assert task["answer"]["kind"] == kind and task["answer"]["words"] == WORDS[kind]
    assert (task["error"], task["source"], task["verdict"]) == (None, "", None)
    assert task["ended"] and not task["busy"] and not task["approvable"] and not task["changeable"]
    refused = page.post(f"/api/v1/tasks/{task_id}/approve", json={"sha256": sha256("")})
    assert refused.status_code == 409 and link.executed == []
    assert submit(page) != task_id  # nothing is in the way of the next task


def test_a_choice_completes_the_instruction(page: TestClient, link: FakeLink) -> None:
    task_id = submit(page)
    link.say_instead(task_id, "question", WORDS["question"], "lab 1", "lab 2")
    assert answered(page, task_id)["answerable"]
    made = page.post(f"/api/v1/tasks/{task_id}/answer", json={"text": "lab 2"})
    assert made.status_code == 202 and made.json()["text"] == "Clean up the lab (lab 2)"
    assert link.generated[-1] == (made.json()["id"], "Clean up the lab (lab 2)")
    busy = page.post(f"/api/v1/tasks/{task_id}/answer", json={"text": "lab 1"})
    assert busy.status_code == 409 and busy.json()["error_name"] == "BUSY"


def test_a_choice_for_a_follow_up_follows_the_same_task(page: TestClient, link: FakeLink) -> None:
    first = submit(page)
    link.finish_generation(first)
    until(lambda: page.get(f"/api/v1/tasks/{first}").json()["phase"] == "ready")
    asked = page.post(f"/api/v1/tasks/{first}/follow", json={"text": "also the lab"}).json()["id"]
    link.say_instead(asked, "question", WORDS["question"], "lab 1", "lab 2")
    answered(page, asked)
    page.post(f"/api/v1/tasks/{asked}/answer", json={"text": "lab 1"})
    assert link.generated[-1][1] == "also the lab (lab 1)"
    assert link.followed[-1] == link.followed[-2] == first


@pytest.mark.parametrize("kind", ["cannot", "reply", "question"])
def test_where_nothing_is_offered_nothing_can_be_chosen(
    page: TestClient, link: FakeLink, kind: str
) -> None:
    task_id = submit(page)
    link.say_instead(task_id, kind, WORDS[kind])
    assert not answered(page, task_id)["answerable"]
    said = page.post(f"/api/v1/tasks/{task_id}/answer", json={"text": "lab 1"})
    assert said.status_code == 409 and said.json()["error_name"] == "WRONG_PHASE"
    assert len(link.generated) == 1


def test_words_beside_a_program_are_never_an_approval(page: TestClient, link: FakeLink) -> None:
    task_id = submit(page)
    answer = {"kind": "reply", "words": "Yes.", "choices": []}
    link.finish_generation(task_id, PROGRAM, code=TaskErrorCode.NONE, answer=answer)
    assert not answered(page, task_id)["approvable"]


def test_words_of_no_known_kind_end_the_task_with_an_error(
    page: TestClient, link: FakeLink
) -> None:
    task_id = submit(page)
    link.say_instead(task_id, "song", "La la la")
    until(lambda: page.get(f"/api/v1/tasks/{task_id}").json()["phase"] == "failed")
