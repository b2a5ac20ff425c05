"""What the kiosk makes of the executor's states when nothing else tells the end of a run."""

from __future__ import annotations

from typing import Any

import pytest

from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.nodes.kiosk import unheard_ends
from roboinstruct_ros.nodes.kiosk.unheard_ends import UnheardEnds


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unheard_ends, "RESULT_PATIENCE", 0.0)


@pytest.fixture
def goals() -> dict[str, Any]:
    return {"t": object()}


@pytest.fixture
def ends(goals: dict[str, Any]) -> UnheardEnds:
    return UnheardEnds(goals.get)


def test_a_final_state_ends_the_run_once(ends: UnheardEnds, goals: dict[str, Any]) -> None:
    ends.note("running", "t", "")
    assert ends.due() == []
    ends.note("failed", "t", "the door is shut")
    (end,) = ends.due()
    assert (end.task_id, end.goal) == ("t", goals["t"])
    assert end.data["outcome"] == "failed" and end.data["error_msg"] == "the door is shut"
    assert ends.due() == []


def test_the_run_of_another_task_ends_the_one_before(ends: UnheardEnds) -> None:
    ends.note("running", "t", "")
    ends.note("verifying", "u", "")
    (end,) = ends.due()
    assert end.task_id == "t" and end.data["error_code"] == TaskErrorCode.PROGRAM_LOST


def test_an_end_that_was_told_is_not_told_again(ends: UnheardEnds, goals: dict[str, Any]) -> None:
    ends.note("running", "t", "")
    ends.note("succeeded", "t", "")
    goals["t"] = object()  # its next round
    assert ends.due() == []


def test_a_run_that_goes_on_has_not_ended(ends: UnheardEnds) -> None:
    ends.note("running", "t", "")
    ends.note("succeeded", "t", "")
    ends.note("verifying", "t", "")
    ends.note("awaiting_approval", "old", "a run was interrupted")
    ends.note("verifying", "u", "")
    assert "old" not in [end.task_id for end in ends.due()]


@pytest.mark.parametrize("event_first", [True, False])
def test_the_end_of_another_clients_run_is_told_once(ends: UnheardEnds, event_first: bool) -> None:
    ends.note("running", "theirs", "")
    if event_first:
        ends.heard("theirs")
    ends.note("succeeded", "theirs", "")
    if not event_first:
        ends.heard("theirs")
    ends.note("running", "next", "")
    assert ends.due() == []


def test_the_state_of_a_run_that_ended_before_the_kiosk_began_tells_no_end(
    ends: UnheardEnds,
) -> None:
    ends.note("succeeded", "old", "")
    assert ends.due() == []
