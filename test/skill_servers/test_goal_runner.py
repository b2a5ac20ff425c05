"""Every end of a goal over real DDS: failures in the server, cancels, other hands, shutdown."""

from __future__ import annotations

import ast
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import rclpy
from action_msgs.msg import GoalStatus
from goal_client import GoalClient
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.context import Context
from rclpy.node import Node
from waiting import LIMIT, until

import roboinstruct_ros.skill_servers as skill_servers
from roboinstruct_msgs.action import Say
from roboinstruct_msgs.srv import GetAllRooms
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.nodes.discovery import wait_discovered
from roboinstruct_ros.nodes.patient_executor import PatientExecutor
from roboinstruct_ros.skill_servers.kit import goal_runner
from roboinstruct_ros.skill_servers.kit.activity import Activities, Activity
from roboinstruct_ros.skill_servers.kit.fault import Fault
from roboinstruct_ros.skill_servers.kit.goal_runner import GoalRunner

pytestmark = pytest.mark.stack


class Server(Node):
    """Serves one action, whose goals end as `end` says; `raises` names where it fails."""

    def __init__(self, context: Context) -> None:
        super().__init__("server", context=context)
        self.lock = threading.RLock()
        self.activities = Activities()
        self.halts: list[str] = []
        self.running: list[Activity] = []
        self.settled = threading.Event()
        self.settled.set()
        self.raises = ""
        self.beginning: Callable[[], object] = lambda: None
        self.goals = GoalRunner(self)  # type: ignore[arg-type]
        self.goals.offer(Say, "say", self._say)
        self.goals.offer_service(GetAllRooms, "rooms", self._rooms)

    def stop_now(self) -> None:
        self.halts.append("halt")

    executor_lost = stop_now

    def end_now(self) -> None:
        self.halts.append("end")

    def tick(self, passed: float) -> None: ...

    def _say(self, goal: Any) -> Say.Result:
        self._step("run")
        activity = Activity(
            "say", moves=goal.request.message != "still", duration=None, patience=60
        )
        steps = [(lambda *_, s=s: self._step(s)) for s in ("begin", "feedback", "finish")]

        def begin(activity: Activity) -> Fault | None:
            steps[0]()
            self.beginning()
            self.running.append(activity)
            if self.raises in ("finish", "settle", "after"):
                activity.end()
            return None

        def feedback(_: Activity) -> Say.Feedback:
            steps[1]()
            return Say.Feedback()

        def settle() -> None:
            self._step("settle")
            assert self.settled.wait(LIMIT)

        result = self.goals.carry_out(
            goal, activity, Say.Result(), begin, feedback, steps[2], settle
        )
        self._step("after")
        return result

    def _rooms(self, _: Any, response: Any) -> Any:
        self._step("service")
        return response

    def _step(self, name: str) -> None:
        if self.raises == name:
            raise ValueError(f"broken in {name}")


class Stage:
    """A server and a client in one process."""

    def __init__(self, server: Server, client: GoalClient, node: Node) -> None:
        self.server, self.client, self.node = server, client, node

    def send(self, message: str = "hello") -> Any:
        return done(self.client.send_goal_async(Say.Goal(message=message)))

    def result(self, handle: Any) -> tuple[int, int, str]:
        answer = done(handle.get_result_async())
        return answer.status, answer.result.error_code, answer.result.error_msg


def done(future: Any) -> Any:
    answered = threading.Event()
    future.add_done_callback(lambda _: answered.set())
    assert answered.wait(LIMIT), "no answer"
    return future.result()


@contextmanager
def stage(domain: int) -> Iterator[Stage]:
    context = Context()
    rclpy.init(context=context, domain_id=domain)
    server = Server(context)
    node = rclpy.create_node("client", context=context)
    client = GoalClient(node, Say, "say", callback_group=ReentrantCallbackGroup())
    executors = [PatientExecutor(8, context=context), PatientExecutor(4, context=context)]
    executors[0].add_node(server)
    executors[1].add_node(node)
    threads = [threading.Thread(target=e.spin, daemon=True) for e in executors]
    for thread in threads:
        thread.start()
    try:
        assert client.wait_for_server(LIMIT) and wait_discovered(node, "server", LIMIT)
        yield Stage(server, client, node)
    finally:
        server.settled.set()
        for executor, thread in zip(executors, threads, strict=True):
            executor.shutdown(2.0)
            thread.join(2.0)
        server.goals.stop_link.close()
        server.destroy_node()
        node.destroy_node()
        rclpy.try_shutdown(context=context)


@pytest.mark.parametrize("where", ["run", "begin", "feedback", "finish", "settle", "after"])
def test_a_failure_in_the_server_has_a_code_and_one_traceback(
    where: str, ros_domain: int, capfd: pytest.CaptureFixture[str]
) -> None:
    with stage(ros_domain) as on:
        on.server.raises = where
        _, code, message = on.result(on.send())
        assert code == SkillErrorCode.UNKNOWN
        assert "'say'" in message and f"broken in {where}" in message
        moving = where in ("begin", "feedback", "finish", "settle")
        assert bool(on.server.halts) == moving
        on.server.raises = ""
        goal = on.send()  # and it serves on
        until(lambda: any(not a.over.is_set() for a in on.server.running))
        goal.cancel_goal_async()
        assert on.result(goal)[:2] == (GoalStatus.STATUS_CANCELED, SkillErrorCode.CANCELED)
    said = "".join(capfd.readouterr())
    assert said.count("Traceback") == 1 and said.count("ValueError: broken in") == 1, said


def test_what_has_fields_of_another_type_is_not_sent(
    ros_domain: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = {"Say_Feedback"}

    def check(message: Any) -> None:
        if type(message).__name__ in wrong:
            raise AssertionError("must be of type 'float'")

    with stage(ros_domain) as on:
        monkeypatch.setattr(goal_runner, "check_fields", check)
        for on.server.raises in ("", "after"):
            on.server.halts.clear()
            _, code, message = on.result(on.send())
            assert code == SkillErrorCode.UNKNOWN and "must be of type 'float'" in message
            assert on.server.halts
            wrong = {"Say_Result", "GetAllRooms_Response"}
        client = on.node.create_client(GetAllRooms, "rooms")
        assert client.wait_for_service(LIMIT) and wait_discovered(on.node, "server", LIMIT)
        assert done(client.call_async(GetAllRooms.Request())).error_code == SkillErrorCode.UNKNOWN


def test_a_service_that_fails_has_a_code_too(ros_domain: int) -> None:
    with stage(ros_domain) as on:
        client = on.node.create_client(GetAllRooms, "rooms")
        assert client.wait_for_service(LIMIT) and wait_discovered(on.node, "server", LIMIT)
        on.server.raises = "service"
        answer = done(client.call_async(GetAllRooms.Request()))
        assert answer.error_code == SkillErrorCode.UNKNOWN and "broken" in answer.error_msg
        on.server.raises = ""
        assert done(client.call_async(GetAllRooms.Request())).error_code == 0


def test_what_another_cancelled_is_told_at_once_and_not_as_cancelled_by_the_client(
    ros_domain: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(goal_runner, "CANCELING_LIMIT", 1000.0)
    with stage(ros_domain) as on:
        goal = on.send()
        until(lambda: len(on.server.running) == 1)
        on.server.running[0].end(Fault(SkillErrorCode.CANCELED, "by somebody else"))
        assert on.result(goal) == (
            GoalStatus.STATUS_ABORTED,
            SkillErrorCode.CANCELED,
            "by somebody else",
        )


def test_a_cancel_does_not_wait_for_who_holds_the_lock(ros_domain: int) -> None:
    with stage(ros_domain) as on:
        goal = on.send()
        until(lambda: len(on.server.running) == 1)
        with on.server.lock:
            goal.cancel_goal_async()
            until(lambda: on.server.halts == ["end"])
        assert on.result(goal)[1] == SkillErrorCode.CANCELED


@pytest.mark.parametrize("how", ["halt", "end"])
def test_what_ends_a_goal_while_its_motion_is_prepared_ends_that_motion_too(
    how: str, ros_domain: int
) -> None:
    with stage(ros_domain) as on:
        beginning, ended = threading.Event(), threading.Event()

        def begin() -> None:
            beginning.set()
            assert ended.wait(LIMIT)
            on.server.halts.append("begun")

        on.server.beginning = begin
        goal = on.send()
        assert beginning.wait(LIMIT)
        if how == "end":
            goal.cancel_goal_async()
        else:
            threading.Thread(target=on.server.goals.stop_link.stop, args=("test", "")).start()
        until(lambda: on.server.halts == [how])
        ended.set()
        assert on.result(goal)[1] in (SkillErrorCode.CANCELED, SkillErrorCode.STOPPED)
        assert on.server.halts[:3] == [how, "begun", "end"]


def test_at_the_end_motion_stands_first_and_every_goal_is_told(ros_domain: int) -> None:
    with stage(ros_domain) as on:
        goals = [on.send(), on.send("still")]
        until(lambda: len(on.server.running) == 2)
        over_when_ended = []
        on.server.end_now = lambda: over_when_ended.append(  # type: ignore[method-assign]
            [activity.over.is_set() for activity in on.server.running]
        )
        assert on.server.goals.close("the end", LIMIT)
        assert over_when_ended[0] == [False, False]
        assert not on.server.halts, "the motion of others"
        stopped = (GoalStatus.STATUS_ABORTED, SkillErrorCode.STOPPED, "the end")
        assert [on.result(goal) for goal in goals] == [stopped, stopped]
        assert on.result(on.send()) == stopped and len(on.server.running) == 2


def test_what_ends_after_the_end_is_silent(
    ros_domain: int, capfd: pytest.CaptureFixture[str]
) -> None:
    with stage(ros_domain) as on:
        on.server.settled.clear()
        on.send()
        until(lambda: len(on.server.running) == 1)
        assert not on.server.goals.close("the end", 0.05)
        on.server.context.shutdown()
        on.server.settled.set()
        with on.server.goals._under_way:
            assert on.server.goals._under_way.wait_for(lambda: not on.server.goals._count, LIMIT)
    said = "".join(capfd.readouterr())
    assert not [word for word in ("Traceback", "Error:", "never", "invalid") if word in said], said


def test_fifty_goals_at_once_are_all_answered(ros_domain: int) -> None:
    with stage(ros_domain) as on:
        first = on.send()
        until(lambda: len(on.server.running) == 1)
        sent = [on.client.send_goal_async(Say.Goal(message="hello")) for _ in range(50)]
        codes = {on.result(done(future))[1] for future in sent}
        assert codes == {SkillErrorCode.BUSY}
        first.cancel_goal_async()
        assert on.result(first)[1] == SkillErrorCode.CANCELED


def test_nobody_offers_a_skill_beside_the_guard() -> None:
    """What an action server or a service of its own would lack: codes for failures, depth."""
    allowed = {"goal_runner.py"}
    for path in Path(skill_servers.__path__[0]).rglob("*.py"):
        calls = [n.func for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Call)]
        named = {c.attr if isinstance(c, ast.Attribute) else getattr(c, "id", "") for c in calls}
        if path.name not in allowed:
            assert not named & {"ActionServer", "create_service"}, path


def test_a_tick_before_the_link_is_known_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    ticked: list[float] = []
    threads: list[threading.Thread] = []

    class Link:
        """Its first tick comes before it is assigned, as on a machine that is busy."""

        heard = SimpleNamespace(silence=lambda session: 0.0)

        def __init__(self, node: Any, on_stop: Any, on_tick: Any) -> None:
            threads.append(threading.Thread(target=on_tick, args=[0.05]))
            threads[0].start()
            threads[0].join(0.1)

    monkeypatch.setattr(goal_runner, "StopLink", Link)
    server = SimpleNamespace(
        lock=threading.RLock(), activities=Activities(), tick=ticked.append, executor_lost=None
    )
    GoalRunner(server)  # type: ignore[arg-type]
    threads[0].join(LIMIT)
    assert ticked == [0.05]
