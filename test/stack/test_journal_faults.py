"""A journal that is cut, a disk that is full, a clock that jumps: with a real executor."""

from __future__ import annotations

import resource
from pathlib import Path
from typing import Any

import pytest
from faulty_machine import FaultyMachine
from faulty_robot import done
from live_executor import LiveExecutor
from waiting import until

from roboinstruct_ros.domain.task_error import TaskErrorCode

pytestmark = pytest.mark.stack

WORDS = [f"word {number}" for number in range(6)]
TALK = "\n".join(f'say("{word}")' for word in WORDS)
DRIVES = 'say("begin")\ngo_to("kitchen")\nsay("between")\ngo_to("study")\nsay("end")'
HOUR = 3600.0  # s


@pytest.fixture
def machine(tmp_path: Path) -> FaultyMachine:
    return FaultyMachine(tmp_path)


def hold_in(live: LiveExecutor, body: str, room: str, task: str) -> Any:
    """A run that is driving to this room."""
    robot = live.robot

    def hold(goal: Any) -> Any:
        if goal.request.location == room:
            return robot.until_cancelled(goal)
        return done(goal)

    robot.behave()
    robot.plays["go_to"] = hold
    handle = live.send(body, task)
    until(lambda: ("go_to", room) in robot.calls, "the drive is under way")
    return handle


def test_a_record_that_the_power_cut_in_half_is_as_if_it_was_never_begun(
    stack_process: Any, ros_domain: int, tmp_path: Path
) -> None:
    with LiveExecutor(stack_process, ros_domain, tmp_path) as live:
        hold_in(live, DRIVES, "study", "cut")
        live.kill()
        before = live.journal("cut")
        path = live.journals / "cut.journal"
        whole = path.read_bytes()
        # the drive had come to its end, and the record of that was being written
        first_answer = next(line for line in whole.splitlines() if b'{"answer"' in line)
        path.write_bytes(whole + first_answer[:40])
        assert live.journal("cut").damaged and live.journal("cut").calls == before.calls
        live.robot.release.set()
        live.start()
        until(lambda: live.interrupted == ["cut"], "the run is offered")
        live.robot.behave()
        result = live.run(DRIVES, "cut", resume=True)
        assert result.outcome == "succeeded", result.error_msg
        assert live.robot.calls == [("go_to", "study"), ("say", "end")]
        until(lambda: "run_finished" in live.kinds("cut"), "the last event")
        assert live.kinds("cut").count("call_settled") == 1
        live.check_whole("cut", result)


def test_another_run_of_the_same_name_leaves_an_interrupted_one_alone(
    stack_process: Any, ros_domain: int, tmp_path: Path
) -> None:
    with LiveExecutor(stack_process, ros_domain, tmp_path) as live:
        hold_in(live, DRIVES, "kitchen", "same")
        live.kill()
        live.robot.behave()
        live.start()
        until(lambda: live.interrupted == ["same"], "the run is offered")
        assert live.run('say("another")', "same").outcome == "succeeded"
        assert len(live.journal("same").calls) == 1
        live.robot.behave()
        result = live.run(DRIVES, "same", resume=True)
        assert result.outcome == "succeeded", result.error_msg
        assert live.robot.calls[0] == ("go_to", "kitchen")
        live.check_whole("same", result)


def test_a_full_disk_ends_the_task_and_room_on_it_is_all_the_next_one_needs(
    stack_process: Any, ros_domain: int, tmp_path: Path
) -> None:
    with LiveExecutor(stack_process, ros_domain, tmp_path) as live:
        # the kernel takes no byte of a file behind this one: what a full disk is to a write
        resource.prlimit(live.process.pid, resource.RLIMIT_FSIZE, (1800, resource.RLIM_INFINITY))
        result = live.run(TALK, "full")
        assert (result.outcome, result.error_code) == ("failed", TaskErrorCode.JOURNAL_FAILED)
        until(lambda: ("failed", "full") in live.states, "the end is published")
        recorded = live.journal("full")
        said = [word for _, word in live.robot.calls]
        assert 0 < len(said) < len(WORDS) and said == WORDS[: len(said)]
        begun = len(recorded.calls) + (recorded.in_flight is not None)
        assert begun == len(said), "nothing is done that is not recorded"
        refused = live.run(f"{TALK}\n# {'x' * 2000}", "refused")  # its text alone is too long
        assert refused.error_code == TaskErrorCode.JOURNAL_FAILED and len(refused.calls) == 0
        unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        resource.prlimit(live.process.pid, resource.RLIMIT_FSIZE, unlimited)
        live.check_next()
        assert "full" in live.interrupted, (
            "what came of it is not on the disk: it may be gone on with"
        )
        result = live.run(TALK, "full", resume=True)
        assert result.outcome == "succeeded", result.error_msg
        assert [word for _, word in live.robot.calls] == ["next", *WORDS[len(said) :]]
        live.check_whole("full", result)


@pytest.mark.parametrize("jump", [HOUR, -HOUR], ids=["forward", "backward"])
def test_a_clock_that_jumps_changes_no_order(
    stack_process: Any, ros_domain: int, tmp_path: Path, machine: FaultyMachine, jump: int
) -> None:
    body = f"first = time.time()\n{DRIVES}\nsay(str(time.time() - first))"
    with LiveExecutor(stack_process, ros_domain, tmp_path, **machine.env) as live:
        handle = hold_in(live, body, "kitchen", "jump")
        machine.set(clock=jump)
        live.robot.release.set()
        result = live.result(handle)
        assert result.outcome == "succeeded", result.error_msg
        shown = float(live.robot.calls[-1][1])
        assert abs(shown - jump) < 60, "the program sees the jump"
        numbers = [event.seq for event in live.events]
        assert numbers == sorted(numbers)
        hold_in(live, body, "study", "after_jump")
        live.kill()
        live.robot.behave()
        machine.set(clock=0)  # and back again
        live.start()
        until(lambda: live.interrupted == ["after_jump"], "the run is offered")
        again = live.run(body, "after_jump", resume=True)
        assert again.outcome == "succeeded", again.error_msg
        assert live.robot.calls[0] == ("go_to", "study")
        live.check_whole("jump", result)
