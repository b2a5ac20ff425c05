"""A follow-up at the kiosk is a version of its task: who may give one, and what it changed."""

from __future__ import annotations

from typing import Any

import pytest
from fake_link import PROGRAM, REJECTED, FakeLink, sha256
from fastapi.testclient import TestClient
from test_app import error_of, in_phase, ready, submit

from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.domain.task_error import TaskErrorCode

MORE = PROGRAM + '    go_to("hallway")\n'


def follow(page: TestClient, task_id: str, text: str = "also go to the hallway") -> dict[str, Any]:
    answer = page.post(f"/api/v1/tasks/{task_id}/follow", json={"text": text})
    assert answer.status_code == 202, answer.text
    return dict(answer.json())


def first_version(page: TestClient, link: FakeLink) -> str:
    task_id = submit(page)
    link.finish_generation(task_id, task="lib1", version=1)
    in_phase(page, task_id, "ready")
    return task_id


def second_version(page: TestClient, link: FakeLink, **place: object) -> dict[str, Any]:
    made = follow(page, first_version(page, link))
    place = {"task": "lib1", "version": 2, "steering": "extend", "parent_sha256": sha256(), **place}
    link.finish_generation(made["id"], source=MORE, **place)  # type: ignore[arg-type]
    return in_phase(page, made["id"], "ready")


def test_a_follow_up_is_written_for_the_version_that_is_shown(
    page: TestClient, link: FakeLink
) -> None:
    task_id = first_version(page, link)
    made = follow(page, task_id)
    assert link.generated[-1] == (made["id"], "also go to the hallway")
    assert link.followed == ["", "lib1/1"] and not link.executed
    assert (made["phase"], made["follows"], made["task"]) == ("writing", task_id, "lib1")


def test_a_version_knows_its_parent_and_what_it_changed(page: TestClient, link: FakeLink) -> None:
    version = second_version(page, link)
    assert (version["task"], version["version"], version["steering"]) == ("lib1", 2, "extend")
    assert version["diff_from"] == 1 and version["parent_sha256"] == sha256()
    assert [mark for mark, _ in version["diff"]] == [" ", " ", " ", "+"]
    assert version["diff"][-1] == ["+", '    go_to("hallway")']


def test_a_result_that_is_faster_than_its_event_loses_nothing(
    page: TestClient, link: FakeLink
) -> None:
    made = follow(page, first_version(page, link))
    known = {"steering": "extend", "parent_sha256": sha256()}  # what the action's result has
    link.finish_generation(made["id"], source=MORE, **known)
    assert in_phase(page, made["id"], "ready")["version"] == 0
    link.tell_generation(made["id"], source=MORE, **known, task="lib1", version=2)
    follow(page, made["id"])
    assert link.followed[-1] == "lib1/2"


def test_a_return_is_compared_with_what_was_left(page: TestClient, link: FakeLink) -> None:
    two = second_version(page, link)
    back = follow(page, two["id"], "undo")
    place = {"task": "lib1", "version": 1, "steering": "return", "parent_sha256": sha256()}
    link.finish_generation(back["id"], **place)  # type: ignore[arg-type]
    told = in_phase(page, back["id"], "ready")
    assert told["diff_from"] == 2 and told["diff"][-1] == ["-", '    go_to("hallway")']


def test_a_version_is_run_under_all_words_of_its_task(page: TestClient, link: FakeLink) -> None:
    whole = "go to the kitchen, then go to the hallway"
    two = second_version(page, link, words=whole)
    assert (two["text"], two["words"]) == ("also go to the hallway", whole)
    page.post(f"/api/v1/tasks/{two['id']}/approve", json={"sha256": sha256(MORE)})
    assert link.executed[-1][1] == whole
    link.finish_run(two["id"])
    in_phase(page, two["id"], "succeeded")
    assert follow(page, two["id"], "undo")["changes"] == whole


def test_a_new_task_is_compared_with_nothing(page: TestClient, link: FakeLink) -> None:
    new = second_version(page, link, task="lib2", version=1, steering="fresh", parent_sha256="")
    assert new["diff"] == [] and new["task"] == "lib2"


def test_what_is_kept_by_nobody_is_named_by_its_request(page: TestClient, link: FakeLink) -> None:
    task_id = ready(page, link)
    follow(page, task_id)
    assert link.followed == ["", task_id]


def test_only_an_accepted_program_can_be_changed(page: TestClient, link: FakeLink) -> None:
    task_id = submit(page)
    path = f"/api/v1/tasks/{task_id}/follow"
    assert error_of(page.post(path, json={"text": "also wait"}), 409) == "WRONG_PHASE"
    link.finish_generation(task_id, verdict=REJECTED, code=TaskErrorCode.NO_ACCEPTED_PROGRAM)
    in_phase(page, task_id, "rejected")
    assert error_of(page.post(path, json={"text": "also wait"}), 409) == "WRONG_PHASE"
    assert len(link.generated) == 1


@pytest.mark.parametrize(
    ("reason", "ways"),
    [
        ("the hand is full", [("follow", "also go to the hallway")]),
        (str(phrase("told.unchangeable")), [("edit", "Go to the kitchen.")]),
    ],
)
def test_a_refused_follow_up_is_tried_again_as_one_unless_that_cannot_help(
    page: TestClient, link: FakeLink, reason: str, ways: list[tuple[str, str]]
) -> None:
    made = follow(page, first_version(page, link))
    code = TaskErrorCode.NO_ACCEPTED_PROGRAM
    link.finish_generation(made["id"], "", {}, code, error_msg=reason)
    refusal = in_phase(page, made["id"], "rejected")["refusal"]
    assert [(way["kind"], way["words"]) for way in refusal["ways_out"]] == ways


@pytest.mark.parametrize(
    ("text", "status", "name"),
    [("", 422, "INSTRUCTION_EMPTY"), ("x" * 1001, 422, "INSTRUCTION_TOO_LONG")],
)
def test_bad_words_are_refused_and_the_version_stays(
    page: TestClient, link: FakeLink, text: str, status: int, name: str
) -> None:
    task_id = first_version(page, link)
    answer = page.post(f"/api/v1/tasks/{task_id}/follow", json={"text": text})
    assert error_of(answer, status) == name
    assert page.get(f"/api/v1/tasks/{task_id}").json()["phase"] == "ready"


def test_a_lost_writer_leaves_no_half_version(page: TestClient, link: FakeLink) -> None:
    task_id = first_version(page, link)
    link.missing = True
    answer = page.post(f"/api/v1/tasks/{task_id}/follow", json={"text": "also wait"})
    assert error_of(answer, 503) == "NODE_MISSING"
    assert [task["id"] for task in page.get("/api/v1/tasks").json()] == [task_id]


def test_another_site_cannot_change_a_task(page: TestClient, link: FakeLink) -> None:
    task_id = first_version(page, link)
    headers = {"Origin": "http://evil.example"}
    path = f"/api/v1/tasks/{task_id}/follow"
    assert error_of(page.post(path, json={"text": "x"}, headers=headers), 403) == "FOREIGN_ORIGIN"
    assert len(link.generated) == 1


def test_a_later_round_cannot_be_changed(page: TestClient, link: FakeLink) -> None:
    task_id = first_version(page, link)
    link.finish_generation(task_id, task="lib1", version=1, deferred="go to the hallway")
    other = submit(page)
    link.finish_generation(other, task="lib2", version=1, deferred="go to the hallway")
    in_phase(page, other, "ready")
    page.post(f"/api/v1/tasks/{other}/approve", json={"sha256": sha256()})
    link.finish_run(other, ("go_to", ["kitchen"], None))
    in_phase(page, other, "writing")
    link.finish_generation(other, source=MORE)
    assert in_phase(page, other, "ready")["round"] == 2
    answer = page.post(f"/api/v1/tasks/{other}/follow", json={"text": "also wait"})
    assert error_of(answer, 409) == "WRONG_PHASE"
