"""What becomes of a goal whose function blocks, hangs, raises, or returns because of a stop."""

from __future__ import annotations

import logging
import threading
from types import SimpleNamespace
from typing import Any

import pytest

from roboinstruct_msgs.action import GoTo, Pick, Say
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.skill_servers.kit import work as work_module
from roboinstruct_ros.skill_servers.kit.activity import Activity
from roboinstruct_ros.skill_servers.kit.fault import Fault
from roboinstruct_ros.skill_servers.kit.work import Call, Do, Work

LIMIT = 60.0
STOPPED = Fault(SkillErrorCode.STOPPED, "stopped by test")


class Server:
    """Carries goals out as `GoalRunner` does, without ROS."""

    def __init__(self) -> None:
        self.lock, self.goals = threading.RLock(), self
        self.parameters = SimpleNamespace(limit=LIMIT)
        self.ended_motions = 0
        self.guard: Any = None
        self.work = Work(self)  # type: ignore[arg-type]

    def end_motion(self) -> None:
        self.ended_motions += 1

    def get_logger(self) -> logging.Logger:
        return logging.getLogger("server")

    def get_name(self) -> str:
        return "server"

    def carry_out(
        self, goal: Any, activity: Activity, result: Any, begin: Any, feedback: Any, settle: Any
    ) -> Fault | None:
        fault: Fault | None = begin(activity)
        if fault is None:
            assert activity.over.wait(LIMIT)
            settle()
        return fault or activity.fault

    def run(self, do: Do, kind: Any = Pick) -> Fault | None:
        name = f"skills/{kind.__name__.lower()}"
        run = self.work.skill(kind, name, do, "limit", moves=kind is Pick)[2]
        fault: Fault | None = run(SimpleNamespace(request=kind.Goal()))
        assert self.work.settled(LIMIT)
        return fault


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_module, "REASON_WAIT", LIMIT)


def test_a_driver_that_returns_because_of_a_stop_has_not_succeeded() -> None:
    server = Server()

    def do(call: Call) -> None:
        server.work.halts += 1  # the stop takes the motion away, and says why a moment later
        threading.Timer(0.02, call.activity.end, (STOPPED,)).start()

    assert server.run(do) == STOPPED
    assert server.ended_motions == 1, "what was commanded meanwhile"


def test_a_value_of_another_type_raises_where_it_is_set() -> None:
    server = Server()

    def do(call: Call) -> None:
        call.feedback.distance_remaining = 20

    fault = server.run(do, GoTo)
    assert fault is not None and fault.code is SkillErrorCode.UNKNOWN
    assert "distance_remaining" in fault.message and "float" in fault.message


def test_a_motion_that_somebody_took_away_without_a_word_is_cancelled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(work_module, "REASON_WAIT", 0.0)
    server = Server()

    def do(_: Call) -> None:
        server.work.halts += 1

    fault = server.run(do)
    assert fault is not None and fault.code is SkillErrorCode.CANCELED


def test_a_motion_that_motion_stop_took_away_first_was_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = Server()
    server.guard = "motion_stop"
    failed = Fault(SkillErrorCode.GRASP_FAILED, "the controller gave up")

    def do(call: Call) -> Fault:  # fails before this process has heard of the stop
        threading.Timer(0.02, call.activity.end, (STOPPED,)).start()
        return failed

    assert server.run(do) == STOPPED
    monkeypatch.setattr(work_module, "REASON_WAIT", 0.0)
    assert server.run(lambda call: failed) == failed


def test_a_stop_before_the_goal_does_not_concern_it() -> None:
    server = Server()
    server.work.halts += 1
    assert server.run(lambda call: None) is None and server.ended_motions == 0


def test_a_function_that_hangs_holds_up_its_own_kind_only() -> None:
    server, released = Server(), threading.Event()

    def hang(call: Call) -> None:
        call.activity.end(STOPPED)
        assert released.wait(LIMIT)

    run = server.work.skill(Pick, "skills/pick", hang, "limit")[2]
    assert run(SimpleNamespace(request=Pick.Goal())) == STOPPED
    busy = run(SimpleNamespace(request=Pick.Goal()))
    assert busy.code is SkillErrorCode.BUSY
    threading.Timer(0.02, released.set).start()
    assert server.run(lambda call: None, Say) is None
    assert server.run(lambda call: None) is None


@pytest.mark.parametrize(("kind", "taken"), [(Pick, 1), (Say, 0)])
def test_a_function_that_raises_takes_its_own_motion_away(kind: Any, taken: int) -> None:
    server = Server()
    fault = server.run(lambda call: 1 / 0, kind)  # type: ignore[arg-type,return-value]
    assert fault is not None and fault.code is SkillErrorCode.UNKNOWN
    assert "ZeroDivisionError" in fault.message and server.ended_motions == taken


def test_a_goal_begins_as_soon_as_the_one_before_has_ended() -> None:
    server, scheduled = Server(), threading.Event()

    class Lock:
        """Who has released it gets no core for now."""

        def __enter__(self) -> None:
            pass

        def __exit__(self, *_: object) -> None:
            assert scheduled.wait(LIMIT)

    server.lock = Lock()  # type: ignore[assignment]
    assert [server.run(lambda call: None) for _ in range(2)] == [None, None]
    scheduled.set()


def test_a_driver_that_cannot_be_stopped_ends_its_goal_and_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = Server()
    with monkeypatch.context() as patch:
        patch.setattr(server, "end_motion", lambda: [][0])
        fault = server.run(lambda call: 1 / 0)  # type: ignore[arg-type,return-value]
    assert fault is not None and fault.code is SkillErrorCode.UNKNOWN
    assert "IndexError" in fault.message
    assert server.run(lambda call: None) is None


def test_a_goals_end_does_not_wait_for_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_module, "UNCONFIRMED", 0.0)
    server, released, told = Server(), threading.Event(), threading.Event()

    def warning(words: str) -> None:
        assert released.wait(LIMIT)
        assert "'pick'" in words
        told.set()

    monkeypatch.setattr(server, "get_logger", lambda: SimpleNamespace(warning=warning))

    def hang(call: Call) -> None:
        call.activity.end(STOPPED)
        assert told.wait(LIMIT)

    run = server.work.skill(Pick, "skills/pick", hang, "limit")[2]
    assert run(SimpleNamespace(request=Pick.Goal())) == STOPPED
    assert not told.is_set()
    released.set()
    assert told.wait(LIMIT)
