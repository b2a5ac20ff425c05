"""Many goals, at once and one after the other, and a program that calls without end."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import psutil
import pytest
from faulty_robot import ends
from live_executor import LiveExecutor, program, wait
from waiting import LIMIT, until

from roboinstruct_ros.domain.task_error import TaskErrorCode

pytestmark = pytest.mark.stack

AT_ONCE = 50
MOST_CALLS = 200
DRIVE = 'go_to("kitchen")\nsay("there")'


@pytest.fixture(scope="module")
def live(shared_stack: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveExecutor]:
    processes, domain = shared_stack
    parameters = (f"max_calls:={MOST_CALLS}", "queue_length:=4")
    with LiveExecutor(processes, domain, tmp_path_factory.mktemp("live"), *parameters) as live:
        yield live


@pytest.fixture(autouse=True)
def behaved(live: LiveExecutor) -> Iterator[None]:
    live.robot.behave()
    yield
    live.robot.release.set()


def all_at_once(live: LiveExecutor, name: str, **options: bool) -> list[Any]:
    futures = [live.begin(program(DRIVE), f"{name}{n}", **options) for n in range(AT_ONCE)]
    handles = [wait(future) for future in futures]
    assert all(handle.accepted for handle in handles)
    return handles


def put_all_threads_to_work(live: LiveExecutor) -> None:
    """A thread of the executor's node is begun when all others are at work, and stays."""
    live.robot.plays["go_to"] = live.robot.until_cancelled
    results = [handle.get_result_async() for handle in all_at_once(live, "work", queue=True)]
    until(lambda: sum(one.done() for one in results) == AT_ONCE - 5, "one runs and four wait")
    until(lambda: live.robot.count("go_to") == 1, "the drive is under way")
    live.stop()
    until(lambda: all(one.done() for one in results), "all have ended")


def test_of_fifty_at_once_one_runs_and_the_others_are_told(live: LiveExecutor) -> None:
    live.robot.plays["go_to"] = live.robot.until_cancelled
    handles = all_at_once(live, "at_once")
    results = [handle.get_result_async() for handle in handles]
    until(lambda: sum(one.done() for one in results) == AT_ONCE - 1, "all but one are refused")
    assert live.interrupted == [], "a run that goes on is not offered as an interrupted one"
    live.robot.release.set()
    ends = Counter((r.outcome, r.error_code) for r in (wait(one).result for one in results))
    assert ends == {("succeeded", 0): 1, ("failed", TaskErrorCode.BUSY): AT_ONCE - 1}
    assert live.robot.calls == [("go_to", "kitchen"), ("say", "there")]
    live.check_next()


def test_a_stop_sends_all_of_fifty_away(live: LiveExecutor) -> None:
    live.robot.plays["go_to"] = live.robot.until_cancelled
    handles = all_at_once(live, "queued", queue=True)
    results = [handle.get_result_async() for handle in handles]
    until(lambda: sum(one.done() for one in results) == AT_ONCE - 5, "one runs and four wait")
    until(lambda: live.robot.count("go_to") == 1, "the drive is under way")
    assert live.stop().was_running
    ends = Counter(wait(one).result.error_code for one in results)
    stopped = 1 + 4  # what runs, and what waits
    assert ends == {TaskErrorCode.STOPPED: stopped, TaskErrorCode.BUSY: AT_ONCE - stopped}
    assert live.robot.calls == [("go_to", "kitchen")], "after a stop nothing moves by itself"
    live.check_next()


def test_fifty_that_are_cancelled_as_soon_as_they_are_sent_leave_nothing_behind(
    live: LiveExecutor,
) -> None:
    handles = all_at_once(live, "given_up", queue=True)
    for handle in handles:
        handle.cancel_goal_async()
    results = [wait(handle.get_result_async()).result for handle in handles]
    assert {result.outcome for result in results} <= {"cancelled", "failed", "succeeded"}
    made = sum(len(result.calls) for result in results)
    assert len(live.robot.calls) <= made, "what was called stands in a result"
    assert len(psutil.Process(live.process.pid).children()) == 1, "the verifier's is left"
    live.check_next()


@pytest.mark.timeout(1800)
def test_goals_one_after_the_other_leave_nothing_behind(live: LiveExecutor, long: bool) -> None:
    process = psutil.Process(live.process.pid)
    first, count = len(live.events), 1000 if long else 40
    put_all_threads_to_work(live)
    live.check_next()
    live.robot.calls.clear()
    until(lambda: live.events[-1].kind == "run_finished", "the last event")
    before, memory = (process.num_fds(), process.num_threads()), process.memory_info().rss
    times = [time.monotonic()]
    for number in range(count):
        result = live.run(f'say("{number}")', f"row{number}")
        assert result.outcome == "succeeded", (number, result.error_msg)
        times.append(time.monotonic())
    assert live.robot.calls == [("say", str(number)) for number in range(count)]
    tenth = count // 10
    print(f"{(times[tenth] - times[0]) / tenth:.3f} s a goal at first, ", end="")
    print(f"{(times[-1] - times[-1 - tenth]) / tenth:.3f} s at last")
    until(lambda: "run_finished" in live.kinds(f"row{count - 1}"), "the last event")
    numbers = [event.seq for event in live.events[first:]]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), "no event is lost"
    assert (process.num_fds(), process.num_threads()) == before
    grown = (process.memory_info().rss - memory) / count
    print(f"{grown:.0f} bytes of memory a goal")
    assert grown < 1e6
    assert len(process.children()) == 1, "the verifier's"


def test_a_program_that_floods_is_ended(live: LiveExecutor) -> None:
    memory = psutil.Process(live.process.pid).memory_info().rss
    result = live.run('while not is_in_room("banana"):\n    say("help")', "one")
    assert result.outcome == "succeeded"
    live.robot.behave()
    live.robot.plays["is_in_room"] = ends("succeed", present=False)
    result = live.run('while not is_in_room("banana"):\n    say("help")', "flood")
    assert (result.outcome, result.error_code) == ("failed", TaskErrorCode.PROGRAM_LIMIT)
    assert f"more than {MOST_CALLS} skills" in result.error_msg
    assert len(live.robot.calls) == MOST_CALLS == len(result.calls)
    until(lambda: "run_finished" in live.kinds("flood"), "the last event")
    assert live.kinds("flood").count("skill_started") == MOST_CALLS
    assert psutil.Process(live.process.pid).memory_info().rss - memory < 50e6
    live.check_whole("flood", result)


def test_a_goal_that_waited_and_was_cancelled_is_never_begun(live: LiveExecutor) -> None:
    live.robot.plays["go_to"] = live.robot.until_cancelled
    running = live.send(DRIVE, "running")
    until(lambda: live.robot.count("go_to") == 1, "the drive is under way")
    waiting = live.send('say("too late")', "waiting", queue=True)
    wait(waiting.cancel_goal_async(), LIMIT)
    assert live.result(waiting).outcome == "cancelled"
    live.robot.release.set()
    assert live.result(running).outcome == "succeeded"
    assert ("say", "too late") not in live.robot.calls
    live.check_next()
