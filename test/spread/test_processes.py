"""Work goes to processes, and none of it is lost when one of them dies."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest
from spread_work import die, die_always, double, fail, whose

from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.backend import BackendError
from roboinstruct_ros.spread.processes import in_processes
from roboinstruct_ros.spread.work import Done, SpreadError, in_order


@pytest.mark.parametrize("jobs", [1, 3])
def test_everything_is_done_once_whatever_the_number_of_processes(jobs: int) -> None:
    done = in_order(in_processes(double, range(20), jobs))
    assert list(done) == [Done(number, 2 * number) for number in range(20)]


def test_what_the_work_raises_is_raised_here() -> None:
    with pytest.raises(BackendError, match="there is no model") as raised:
        list(in_processes(fail, [1], 2))
    assert raised.value.code is TaskErrorCode.MODEL_NOT_LOADED


@pytest.mark.parametrize(("times", "value"), [(1, 3), (2, None)])
def test_a_death_costs_a_second_try_and_two_are_told(
    tmp_path: Path, times: int, value: int | None
) -> None:
    done = list(in_order(in_processes(partial(die, tmp_path, times), range(6), 2)))
    assert done[3] == Done(3, value, times)
    assert [one.value for one in done if one.index != 3] == [0, 1, 2, 4, 5]


def test_no_process_is_left_when_nobody_asks_any_more() -> None:
    working = in_processes(whose, range(100), 2)
    pid = next(working).value
    working.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid or 0, 0)


def test_where_everything_dies_nothing_more_is_begun(tmp_path: Path) -> None:
    with pytest.raises(SpreadError, match="one process after the other dies"):
        list(in_processes(die_always, range(50), 1))
