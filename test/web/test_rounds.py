"""A task in rounds at the kiosk: one task, each program approved, bounded, and always stoppable."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fake_link import FakeLink, sha256
from fastapi.testclient import TestClient
from served_kiosk import press_stop
from waiting import until

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.rounds.progressive import RoundOptions

LEFT = "When it is known what Bob needs: bring it to Bob"
TEA = ("ask", ["Bob", "What do you need?", ["tea", "milk"]], "tea")
FIRST = 'def task_program():\n    say("What do you need?")\n'
SECOND = 'def task_program():\n    go_to("kitchen")\n'


@pytest.fixture
def once(page_with: Callable[[RoundOptions], TestClient]) -> Iterator[TestClient]:
    with page_with(RoundOptions(max_rounds=3, approve_each_round=False)) as client:
        yield client


def submit(page: TestClient) -> str:
    text = "Ask Bob what he needs and bring it to him"
    return str(page.post("/api/v1/tasks", json={"text": text}).json()["id"])


def task(page: TestClient, task_id: str) -> dict[str, Any]:
    return dict(page.get(f"/api/v1/tasks/{task_id}").json())


def in_phase(page: TestClient, task_id: str, phase: str, round_: int = 1) -> dict[str, Any]:
    def there() -> bool:
        seen = task(page, task_id)
        return (seen["phase"], seen["round"]) == (phase, round_)

    until(there)
    return task(page, task_id)


def approve(page: TestClient, task_id: str, source: str) -> int:
    answer = page.post(f"/api/v1/tasks/{task_id}/approve", json={"sha256": sha256(source)})
    return int(answer.status_code)


def first_round_done(page: TestClient, link: FakeLink) -> str:
    task_id = submit(page)
    link.finish_generation(task_id, FIRST, now="Ask Bob what he needs", deferred=LEFT)
    shown = in_phase(page, task_id, "ready")
    assert (shown["now"], shown["left"]) == ("Ask Bob what he needs", LEFT)
    assert approve(page, task_id, FIRST) == 202
    link.finish_run(task_id, TEA)
    in_phase(page, task_id, "writing", 2)
    return task_id


def test_the_next_program_comes_by_itself_and_waits_for_its_own_approval(
    page: TestClient, link: FakeLink
) -> None:
    task_id = first_round_done(page, link)
    assert link.generated[-1] == (task_id, LEFT)
    assert link.found[-1][0] == 'Bob answered "tea" to "What do you need?"'
    link.finish_generation(task_id, SECOND, now="bring the tea to Bob")
    shown = in_phase(page, task_id, "ready", 2)
    assert len(link.executed) == 1, "nothing moves before the second approval"
    assert shown["duration"] == 0, "that was the first run's"
    assert [one["words"] for one in shown["earlier"]] == ["Ask Bob what he needs"]
    assert len(page.get("/api/v1/tasks").json()) == 1
    assert approve(page, task_id, FIRST) == 409, "the first program's hash is no approval"
    assert approve(page, task_id, SECOND) == 202
    assert link.executed[-1][1:3] == ("bring the tea to Bob", SECOND)
    assert link.approvals == ["kiosk", "kiosk"]
    link.finish_run(task_id)
    assert in_phase(page, task_id, "succeeded", 2)["left"] == ""


def test_a_question_before_a_program_is_answered_by_the_person(
    page: TestClient, link: FakeLink
) -> None:
    task_id = submit(page)
    link.ask_first(task_id, "Please say what Bob needs.", LEFT)
    assert in_phase(page, task_id, "asking")["answer"]["words"] == "Please say what Bob needs."
    for words in ("", "?!", "x" * 201):
        answer = page.post(f"/api/v1/tasks/{task_id}/answer", json={"text": words})
        assert answer.status_code == 422
    assert page.post(f"/api/v1/tasks/{task_id}/answer", json={"text": "tea"}).status_code == 202
    assert link.found[-1] == ('the person answered "tea" to "what Bob needs"',)
    assert link.generated[-1] == (task_id, LEFT)
    link.finish_generation(task_id, SECOND, now="bring the tea to Bob")
    in_phase(page, task_id, "ready")
    assert link.executed == []
    again = page.post(f"/api/v1/tasks/{task_id}/answer", json={"text": "milk"})
    assert again.status_code == 409


def test_a_pause_in_a_round_ends_nothing(page: TestClient, link: FakeLink) -> None:
    task_id = submit(page)
    link.finish_generation(task_id, FIRST, now="Ask Bob what he needs", deferred=LEFT)
    in_phase(page, task_id, "ready")
    approve(page, task_id, FIRST)
    link.event(EventKind.RUN_PAUSED, task_id, paused=True)
    assert in_phase(page, task_id, "paused")["error"] is None
    link.event(EventKind.RUN_PAUSED, task_id, paused=False)
    assert in_phase(page, task_id, "running")["error"] is None
    link.finish_run(task_id, TEA)
    in_phase(page, task_id, "writing", 2)


def test_a_round_that_fails_ends_the_task_and_says_what_is_left(
    page: TestClient, link: FakeLink
) -> None:
    task_id = submit(page)
    link.finish_generation(task_id, FIRST, deferred=LEFT)
    in_phase(page, task_id, "ready")
    approve(page, task_id, FIRST)
    link.finish_run(task_id, outcome="failed")
    error = in_phase(page, task_id, "failed")["error"]
    assert error["message"] == f"go_to failed: the door is shut; left undone: {LEFT}"
    assert len(link.generated) == 1


def test_a_round_that_nothing_can_be_written_for_says_so(page: TestClient, link: FakeLink) -> None:
    task_id = first_round_done(page, link)
    link.finish_generation(task_id, SECOND, {}, TaskErrorCode.NO_ACCEPTED_PROGRAM)
    error = in_phase(page, task_id, "rejected", 2)["error"]
    assert error["message"] == f"left undone: {LEFT}"


def test_the_generator_may_be_gone_between_two_rounds(page: TestClient, link: FakeLink) -> None:
    task_id = submit(page)
    link.finish_generation(task_id, FIRST, deferred=LEFT)
    in_phase(page, task_id, "ready")
    approve(page, task_id, FIRST)
    link.missing = True
    link.finish_run(task_id, TEA)
    error = in_phase(page, task_id, "failed")["error"]
    assert error["error_name"] == "NODE_MISSING"
    assert error["message"].endswith(f"left undone: {LEFT}")


def test_rounds_end_at_the_bound(
    page_with: Callable[[RoundOptions], TestClient], link: FakeLink
) -> None:
    with page_with(RoundOptions(max_rounds=1)) as page:
        task_id = submit(page)
        link.finish_generation(task_id, FIRST, deferred=LEFT)
        in_phase(page, task_id, "ready")
        approve(page, task_id, FIRST)
        link.finish_run(task_id, TEA)
        message = in_phase(page, task_id, "failed")["error"]["message"]
        assert message == f"1 round is the most for one task; left undone: {LEFT}"


def test_the_first_approval_covers_a_later_round_only_when_configured(
    once: TestClient, link: FakeLink
) -> None:
    task_id = first_round_done(once, link)
    link.finish_generation(task_id, SECOND, now="bring the tea to Bob", deferred="Say hi")
    shown = in_phase(once, task_id, "running", 2)
    said = f"kiosk, approved with round 1 (program {sha256(FIRST)[:12]})"
    assert link.approvals == ["kiosk", said]
    assert shown["approved_by"] == said
    link.finish_run(task_id)
    in_phase(once, task_id, "writing", 3)
    link.finish_generation(task_id, SECOND, notes=("it names the garage",))
    in_phase(once, task_id, "ready", 3)
    assert len(link.executed) == 2, "a doubt is looked at by a person"


@pytest.mark.parametrize("written", [False, True])
@pytest.mark.parametrize("here", [False, True])
def test_stop_between_two_rounds_ends_the_task(
    page: TestClient, link: FakeLink, written: bool, here: bool
) -> None:
    task_id = first_round_done(page, link)
    if written:
        link.finish_generation(task_id, SECOND)
        in_phase(page, task_id, "ready", 2)
    if here:
        press_stop(page)
    else:
        link.event(EventKind.STOP_REQUESTED, source="another kiosk", reason="pressed")
    error = in_phase(page, task_id, "cancelled", 2)["error"]
    assert error["message"] == f"the task was stopped; left undone: {LEFT}"
    assert len(link.stops) == int(here), "a stop that was heard is not sent again"
    assert link.cancelled == [task_id]


def test_a_program_that_comes_after_stop_does_not_run(once: TestClient, link: FakeLink) -> None:
    task_id = first_round_done(once, link)
    press_stop(once)
    link.finish_generation(task_id, SECOND)
    link.finish_generation(task_id, SECOND)
    assert in_phase(once, task_id, "cancelled", 2)
    assert len(link.executed) == 1


def test_a_late_end_of_the_first_run_is_not_the_end_of_the_second_program(
    page: TestClient, link: FakeLink
) -> None:
    task_id = first_round_done(page, link)
    link.finish_generation(task_id, SECOND)
    in_phase(page, task_id, "ready", 2)
    link.event(EventKind.RUN_FINISHED, task_id, outcome="succeeded", error_code=0)
    link.event(EventKind.GENERATION_STARTED, task_id, model="still here")
    until(lambda: task(page, task_id)["model"] == "still here")
    assert task(page, task_id)["phase"] == "ready"


@pytest.mark.parametrize("event_first", [True, False])
def test_the_words_of_a_round_are_shown_whichever_news_comes_first(
    page: TestClient, link: FakeLink, event_first: bool
) -> None:
    task_id = submit(page)
    for of_event in (event_first, not event_first):
        if of_event:
            link.tell_generation(task_id, FIRST, now="Ask Bob what he needs")
        else:
            link.finish_generation(task_id, FIRST, deferred=LEFT)
    link.event(EventKind.GENERATION_STARTED, task_id, model="still here")
    until(lambda: task(page, task_id)["model"] == "still here")
    shown = task(page, task_id)
    assert (shown["phase"], shown["now"]) == ("ready", "Ask Bob what he needs")


def test_stop_in_a_run_that_is_just_over_begins_no_other_round(
    once: TestClient, link: FakeLink
) -> None:
    task_id = submit(once)
    link.finish_generation(task_id, FIRST, deferred=LEFT)
    in_phase(once, task_id, "ready")
    approve(once, task_id, FIRST)
    press_stop(once)
    assert in_phase(once, task_id, "stopping")["error"] is None
    link.end_run(task_id)
    error = in_phase(once, task_id, "cancelled")["error"]
    assert error["message"] == f"the task was stopped; left undone: {LEFT}"
    assert len(link.generated) == 1


def test_a_question_of_another_client_is_not_answered_here(
    page: TestClient, link: FakeLink
) -> None:
    link.event(EventKind.GENERATION_STARTED, "cli", instruction="Ask Bob.", asked_by="cli")
    said = {"kind": "question", "words": "Please say what Bob needs."}
    link.event(
        EventKind.GENERATION_FINISHED, "cli", error_code=0, answer=said, deferred=LEFT, plan=[]
    )
    in_phase(page, "cli", "asking")
    answer = page.post("/api/v1/tasks/cli/answer", json={"text": "tea"})
    assert answer.status_code == 409
    assert answer.json()["error_name"] == "WRONG_PHASE"
