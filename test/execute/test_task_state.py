"""The one table of transitions."""

from __future__ import annotations

import itertools

import pytest

from roboinstruct_ros.execute.task_state import (
    IN_RUN,
    TRANSITIONS,
    IllegalTransition,
    TaskState,
    TaskStateMachine,
)


@pytest.mark.parametrize(("before", "after"), list(itertools.product(TaskState, TaskState)))
def test_only_what_the_table_has_may_follow(before: TaskState, after: TaskState) -> None:
    machine = TaskStateMachine()
    machine.state = before
    if after in TRANSITIONS[before]:
        machine.enter(after)
        assert machine.state is after
    else:
        with pytest.raises(IllegalTransition, match=f"{before.value} -> {after.value}"):
            machine.enter(after)
        assert machine.state is before


def test_nothing_runs_that_was_not_verified() -> None:
    for state in IN_RUN:
        before = {s for s in TaskState if state in TRANSITIONS[s]} - IN_RUN
        assert before <= {TaskState.VERIFYING}


def test_a_task_succeeds_only_while_its_program_runs() -> None:
    before = [s for s in TaskState if TaskState.SUCCEEDED in TRANSITIONS[s]]
    assert before == [TaskState.RUNNING]


def test_every_state_is_reached_and_every_end_begins_anew() -> None:
    assert set().union(*TRANSITIONS.values()) == set(TaskState)
    for state in TaskState:
        assert state.final == (TRANSITIONS[state] == {TaskState.VERIFYING} and state != "idle")
