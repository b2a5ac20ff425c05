"""What was written before is offered again, and runs only after a new verdict and approval."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from fake_link import PROGRAM, REJECTED, FakeLink, sha256
from fastapi.testclient import TestClient
from test_app import error_of, in_phase, submit
from waiting import until

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.library.task_library import NewVersion, TaskLibrary

FETCH, TOUR = "Fetch the cup from the kitchen", "Go through all rooms"


def keep(library: Path, name: str, words: str, source: str = PROGRAM, deferred: str = "") -> None:
    new = NewVersion(name, name, words, words, source, worlds=3, deferred=deferred)
    with closing(TaskLibrary.open(str(library))) as tasks:
        tasks.record(new, 100.0)


@pytest.fixture
def kept(library: Path) -> None:
    keep(library, "fetch", FETCH)
    keep(library, "tour", TOUR, PROGRAM.replace("kitchen", "hallway"))


def words(page: TestClient, typed: str = "") -> list[str]:
    return [one["words"] for one in page.get("/api/v1/library", params={"words": typed}).json()]


@pytest.mark.usefixtures("kept")
def test_tasks_are_found_by_words_the_last_one_first(page: TestClient) -> None:
    assert words(page) == [TOUR, FETCH]
    assert words(page, "CUP fetch") == [FETCH]
    assert words(page, "cup rooms") == []


def test_a_robot_that_has_done_nothing_has_nothing_to_offer(page: TestClient) -> None:
    assert words(page) == []


@pytest.mark.usefixtures("kept")
def test_a_task_runs_again_after_a_new_approval(
    page: TestClient, link: FakeLink, library: Path
) -> None:
    task = page.post("/api/v1/library/fetch/again").json()
    shown = in_phase(page, task["id"], "ready")
    assert (shown["text"], shown["source"], shown["sha256"]) == (FETCH, PROGRAM, sha256())
    assert shown["verdict"]["status"] == "accepted" and shown["steps"]
    assert not link.generated and not link.executed, "nothing moves before the approval"
    page.post(f"/api/v1/tasks/{task['id']}/approve", json={"sha256": sha256()})
    assert link.executed == [(task["id"], FETCH, PROGRAM, sha256())]
    with closing(TaskLibrary.open(str(library))) as tasks:
        tasks.succeeded(task["id"], sha256())
    assert page.get("/api/v1/library").json()[1]["succeeded"] == 1, "the run counts for the task"


@pytest.mark.usefixtures("kept")
def test_what_the_verifier_would_not_accept_today_cannot_be_approved(
    page: TestClient, link: FakeLink
) -> None:
    link.judges = [REJECTED]
    task = page.post("/api/v1/library/fetch/1/again").json()
    assert in_phase(page, task["id"], "rejected")["error"]["error_name"] == "NOT_VERIFIED"
    answer = page.post(f"/api/v1/tasks/{task['id']}/approve", json={"sha256": sha256()})
    assert error_of(answer, 409) == "WRONG_PHASE"


@pytest.mark.usefixtures("kept")
def test_one_thing_at_a_time(page: TestClient) -> None:
    submit(page)
    assert error_of(page.post("/api/v1/library/fetch/again"), 409) == "BUSY"


def test_a_program_that_does_a_part_only_is_written_anew(
    page: TestClient, link: FakeLink, library: Path
) -> None:
    keep(library, "part", "Go to the kitchen, then do what I say", deferred="do what I say")
    page.post("/api/v1/library/part/again")
    assert [text for _, text in link.generated] == ["Go to the kitchen, then do what I say"]


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("name", ["nobody", "fetch/9", "%2e%2e/x"])
def test_a_task_that_is_not_kept_is_told(page: TestClient, name: str) -> None:
    assert error_of(page.post(f"/api/v1/library/{name}/again"), 404) == "NOT_FOUND"


def test_the_words_of_a_shared_task_are_an_instruction(page: TestClient, link: FakeLink) -> None:
    shared = {"words": "Fetch it\n# \u202enow", "source": PROGRAM, "sha256": sha256()}
    assert page.post("/api/v1/library", json=shared).json()["text"] == "Fetch it # now"
    until(lambda: page.get("/api/v1/tasks").json()[0]["phase"] == "ready")
    answer = page.post("/api/v1/library", json={**shared, "words": " \n"})
    assert error_of(answer, 422) == "INSTRUCTION_EMPTY"
    assert words(page) == ["Fetch it # now"]


def test_a_task_of_many_follow_ups_can_be_shared(page: TestClient, library: Path) -> None:
    keep(library, "long", "Go to the kitchen. " * 80)
    shared = page.get("/api/v1/library/long/file").json()
    assert shared["words"].startswith("Go to the kitchen.")
    assert page.post("/api/v1/library", json=shared).status_code == 202


def test_a_file_that_is_no_library_is_told_and_left_alone(page: TestClient, library: Path) -> None:
    library.write_text("my diary")
    assert error_of(page.get("/api/v1/library"), 503) == "LIBRARY_FAILED"
    assert library.read_text() == "my diary"


@pytest.mark.usefixtures("kept")
def test_favourites_stand_first_and_outlive_a_restart(page: TestClient, link: FakeLink) -> None:
    path = "/api/v1/library/fetch/favourite"
    assert page.post(path, json={"favourite": True}).json() == {"favourite": True}
    first = page.get("/api/v1/library").json()[0]
    assert (first["words"], first["favourite"]) == (FETCH, True)
    page.post(path, json={"favourite": False})
    assert words(page) == [TOUR, FETCH]
    assert error_of(page.post("/api/v1/library/nobody/favourite", json={"favourite": True}), 404)


def test_a_kiosk_that_starts_in_the_middle_of_a_run_shows_its_plan(
    page: TestClient, link: FakeLink, library: Path
) -> None:
    keep(library, "fetch", FETCH)
    link.event(EventKind.RUN_STARTED, "fetch", instruction=FETCH, program_sha256=sha256())
    until(lambda: page.get("/api/v1/tasks/fetch").json().get("steps"))
    task = page.get("/api/v1/tasks/fetch").json()
    assert (task["phase"], task["text"], task["source"]) == ("running", FETCH, PROGRAM)
    assert not task["approvable"] and task["busy"]
    link.event(
        EventKind.RUN_STARTED, "other", instruction="x", program_sha256=sha256(PROGRAM + "#")
    )
    assert in_phase(page, "other", "running")["source"] == ""


def test_what_was_refused_is_kept_with_the_reason(page: TestClient, link: FakeLink) -> None:
    rejected = submit(page, "Take two cups")
    code = TaskErrorCode.NO_ACCEPTED_PROGRAM
    link.finish_generation(rejected, verdict=REJECTED, code=code)
    in_phase(page, rejected, "rejected")
    link.say_instead(submit(page, "Fly to the moon"), "cannot", "The robot cannot fly.")
    until(lambda: len(page.get("/api/v1/attempts").json()) == 2)
    moon, cups = page.get("/api/v1/attempts").json()
    assert (moon["outcome"], moon["why"]) == ("refused", "The robot cannot fly.")
    assert (cups["outcome"], cups["why"]) == ("rejected", "the hand is full")
    assert cups["asked_by"] == "kiosk"
    found = page.get("/api/v1/attempts", params={"words": "MOON"}).json()
    assert [one["words"] for one in found] == ["Fly to the moon"]
