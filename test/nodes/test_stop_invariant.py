"""After a stop nothing moves that was approved before it, in whatever order things happen."""

from __future__ import annotations

import random

import pytest
from simulated_stack import BEAT, LATENCY, STEP, Stack
from simulated_time import SimulatedTime

from roboinstruct_ros.domain.stop_number import StopNumber
from roboinstruct_ros.execute.task_state import TaskState
from roboinstruct_ros.skill_servers.kit.goal_runner import GoalRunner

SHORT, LONG = 1000, 20_000
MOVES = 14
WITHIN = LATENCY + STEP
"""s from a stop to the last motion, when its request reaches the robot."""
AT_WORST = 2 * (BEAT + LATENCY) + WITHIN
"""The same when the request is lost and heartbeats have to tell of it, from whoever heard it."""

STOPS = ("kiosk", "voice", "executor", "by hand")


def sequence(seed: int, losses: float) -> Stack:
    """Random moves of people, programs and the network; then everybody rests."""
    with pytest.MonkeyPatch.context() as patch:
        stack = Stack(seed, patch, losses)
        draw = random.Random(seed)
        clock = 0.2
        for _ in range(MOVES):
            stack.time.run(clock)
            move(stack, draw)
            clock += draw.choice((0.0, 0.01, 0.1, 0.4, 1.0)) * draw.random()
        stack.runner.pause(False)
        stack.time.run(clock + 12.0)
        stack.runner.pause(False)
        last = stack.approve(stack.kiosk)
        for _ in range(20):
            stack.time.run(stack.time.now + 3.0)
            if last in stack.runs:
                break
        held_to_it(stack, AT_WORST if losses else WITHIN)
        assert last in stack.runs, "nothing hangs"
        assert stack.runs[last].outcome in (TaskState.SUCCEEDED, TaskState.FAILED)
        return stack


def move(stack: Stack, draw: random.Random) -> None:
    what = draw.choice(("approve", "queue", "preempt", "pause", "go on", "stop", "stop", "cancel"))
    line = draw.choice((stack.kiosk, stack.voice))
    if what == "approve":
        stack.approve(line)
    elif what in ("queue", "preempt"):
        stack.approve(line, **{what: True})
    elif what == "stop":
        stack.stop(draw.choice(STOPS))
    elif what == "cancel":
        stack.runner.cancel(stack.runner._admission, "client", "cancelled")
    else:
        number = line.stops.current
        stack.network.send(lambda: stack.runner.pause(what == "pause", number), late=True)


def held_to_it(stack: Stack, limit: float) -> None:
    for moment, order in stack.robot.moved:
        approved = stack.approved[order]
        late = [stop for stop in stack.stops if approved < stop <= moment - limit - 1e-9]
        assert not late, f"{order}, approved at {approved:.3f}, moves at {moment:.3f} after {late}"


@pytest.mark.timeout(3600)  # of the long version, on a busy machine
@pytest.mark.parametrize("losses", [0.0, 0.3])
def test_nothing_moves_that_was_approved_before_the_stop(
    losses: float, request: pytest.FixtureRequest
) -> None:
    begin = request.config.getoption("--seed") or 0
    moved = stopped = done = 0
    for seed in range(begin, begin + (LONG if request.config.getoption("--long") else SHORT) // 2):
        try:
            stack = sequence(seed, losses)
        except BaseException as error:
            raise AssertionError(f"sequence {seed}, losses {losses}: {error}") from error
        moved += bool(stack.robot.moved)
        stopped += any(run.error_code.name == "STOPPED" for run in stack.runs.values())
        done += any(run.outcome is TaskState.SUCCEEDED for run in stack.runs.values())
    assert min(moved, stopped, done) > 0.5 * SHORT / 2, "the sequences are worth something"


def test_a_sequence_is_the_same_each_time() -> None:
    assert sequence(7, 0.3).robot.moved == sequence(7, 0.3).robot.moved


def breaks(patch: pytest.MonkeyPatch, where: object, name: str, by: object) -> bool:
    patch.setattr(where, name, by)
    for seed in range(SHORT):
        try:
            sequence(seed, 0.3)
        except AssertionError:
            return True
    return False


def test_a_server_that_lets_old_goals_in_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    admit = GoalRunner._accept

    def any_goal(runner: GoalRunner, goal: object) -> None:
        goal.request.admission.stop_number = 0  # type: ignore[attr-defined]
        admit(runner, goal)

    assert breaks(monkeypatch, GoalRunner, "_accept", any_goal)


def test_an_executor_that_forgets_who_was_admitted_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    admit = StopNumber.admit
    assert breaks(monkeypatch, StopNumber, "admit", lambda stops, number=0: admit(stops))


def test_stops_that_nobody_tells_of_again_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert breaks(monkeypatch, StopNumber, "learn", lambda stops, number: False)


def test_simulated_time_repeats_itself() -> None:
    def play(seed: int) -> list[str]:
        time, told = SimulatedTime(seed), list[str]()
        for name in "abc":
            time.start(lambda name=name: [time.sleep(1.0), told.append(name)])
        time.run(2.0)
        return told

    assert play(3) == play(3) and sorted(play(3)) == ["a", "b", "c"]
    assert len({tuple(play(seed)) for seed in range(20)}) > 1
