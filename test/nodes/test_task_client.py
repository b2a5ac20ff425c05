"""The command line's client of the stack."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
import rclpy
from rclpy.action import ActionServer
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.context import Context
from rclpy.executors import MultiThreadedExecutor
from rclpy.node import Node
from waiting import until

from roboinstruct_msgs.action import ExecuteProgram, GenerateProgram
from roboinstruct_msgs.msg import Event
from roboinstruct_msgs.srv import Pause
from roboinstruct_ros import names
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.nodes import task_client
from roboinstruct_ros.nodes.discovery import wait_discovered
from roboinstruct_ros.nodes.qos import EVENTS
from roboinstruct_ros.nodes.stack_client import StackGoal
from roboinstruct_ros.nodes.task_client import Interrupted, StackError, TaskClient

pytestmark = pytest.mark.stack
LATE = 0.3  # s by which the event of an end comes after the result
LIMIT = 60.0  # s


class LateStack:
    """A generator and an executor whose results overtake their last events.

    Attributes:
        begins: nothing is answered before it is set.
    """

    def __init__(self, domain: int) -> None:
        self.begins = threading.Event()
        self._late_events: list[threading.Timer] = []
        self._context = Context()
        rclpy.init(context=self._context, domain_id=domain)
        self._node = rclpy.create_node(names.GENERATOR_NODE, context=self._context)
        self.events = self._node.create_publisher(Event, names.EVENTS_TOPIC, EVENTS)
        group = ReentrantCallbackGroup()
        for kind, action, name in (
            (EventKind.GENERATION_FINISHED, GenerateProgram, names.GENERATE_PROGRAM_ACTION),
            (EventKind.RUN_FINISHED, ExecuteProgram, names.EXECUTE_PROGRAM_ACTION),
        ):
            ActionServer(self._node, action, name, self._late(kind, action), callback_group=group)
        self._node.create_service(Pause, names.PAUSE_SERVICE, _paused, callback_group=group)
        self._executor = MultiThreadedExecutor(4, context=self._context)
        self._executor.add_node(self._node)
        self._thread = threading.Thread(target=self._spin, daemon=True)
        self._thread.start()

    def _spin(self) -> None:
        self.begins.wait()
        self._executor.spin()

    def _late(self, kind: EventKind, action: Any) -> Any:
        def serve(goal: Any) -> Any:
            event = Event(kind=kind.value, task_id=goal.request.task_id, data="{}")
            setting = EventKind.RUN_SETTING.value
            self.events.publish(Event(kind=setting, task_id=event.task_id, data="{}"))
            self._late_events.append(threading.Timer(LATE, self.events.publish, [event]))
            self._late_events[-1].start()
            goal.succeed()
            return action.Result()

        return serve

    def close(self) -> None:
        self.begins.set()
        self._executor.shutdown()
        self._thread.join(LIMIT)
        for timer in self._late_events:
            timer.join(LIMIT)
        self._node.destroy_node()
        rclpy.shutdown(context=self._context)


def _paused(request: Pause.Request, answer: Pause.Response) -> Pause.Response:
    answer.message = "paused"
    return answer


@pytest.fixture
def waiting(ros_domain: int) -> Iterator[LateStack]:
    stack = LateStack(ros_domain)
    yield stack
    stack.close()


@pytest.fixture
def stack(waiting: LateStack) -> LateStack:
    waiting.begins.set()
    return waiting


def test_the_last_event_is_told_before_the_result(stack: LateStack) -> None:
    told: list[tuple[str, str]] = []

    def tell(event: dict[str, Any]) -> None:
        told.append((event["kind"], event["task_id"]))

    with TaskClient(tell, threading.Event()) as client:
        goals = client.stack.generation("", "", ""), client.stack.run("", "", "", "", "")
        until(lambda: all(goal.is_served for goal in goals), "generator and executor")
        assert wait_discovered(client.node, names.GENERATOR_NODE, LIMIT)
        until(lambda: stack.events.get_subscription_count() == 1, "discovery")
        client.generate("go", "first", "test")
        assert told == [("generation_finished", "first")]
        client.execute("go", "", "", "first", "test")
        assert told[1:] == [("run_finished", "first")]
        client.generate("go again", "first", "test")
        assert told[2:] == [("generation_finished", "first")]


def test_a_generator_that_does_not_answer_yet_is_waited_for(
    waiting: LateStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DDS tells of a server before its node begins to answer, and of a dead one for a while."""
    monkeypatch.setattr(task_client, "_ANSWER_LIMIT", 0.2)

    def begin() -> None:
        monkeypatch.setattr(task_client, "_ANSWER_LIMIT", LIMIT)
        waiting.begins.set()

    late = threading.Timer(2.0, begin)  # all tries take 0.6 s
    with TaskClient(lambda event: None, threading.Event()) as client:
        goal = client.stack.generation("", "", "")
        until(lambda: goal.is_served, "the generator is discovered")
        late.start()
        assert client.generate("go", "first", "test") is not None
    late.join()


def test_after_an_interrupt_nothing_is_sent(
    ros_domain: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    monkeypatch.setattr(StackGoal, "send", lambda goal: sent.append(goal.task_id))
    interrupt = threading.Event()
    with TaskClient(lambda event: None, interrupt) as client:
        interrupt.set()
        with pytest.raises(Interrupted):
            client.execute("go", "", "", "first", "test")
    assert not sent


def test_a_stack_of_which_a_part_is_heard_gets_more_time_than_none(waiting: LateStack) -> None:
    with TaskClient(lambda event: None, threading.Event()) as client:
        with pytest.raises(StackError, match=r"robot, arm not heard within 0\.1 s"):
            client.wait_ready(0.1, ("robot", "arm"), starting=0.5)
        client.monitor.note("robot", "its session")
        with pytest.raises(StackError, match=r"arm not heard within 0\.5 s"):
            client.wait_ready(0.1, ("robot", "arm"), starting=0.5)


def test_who_serves_is_asked_only_once_its_name_is_known(
    stack: LateStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DDS tells of an endpoint some time before it tells whose it is."""
    named = Node.get_publishers_info_by_topic
    looks = 0

    def nameless_at_first(node: Node, topic: str) -> Any:
        nonlocal looks
        looks += 1
        told = named(node, topic)
        if looks <= 3:
            for one in told:
                one.node_name = "_NODE_NAME_UNKNOWN_"
        return told

    monkeypatch.setattr(Node, "get_publishers_info_by_topic", nameless_at_first)
    with TaskClient(lambda event: None, threading.Event()) as client:
        assert client.pause(True) == "paused"
    assert looks > 3


@pytest.mark.parametrize("namespace", ["robot1/", "/robot1/"])
def test_a_namespace_may_end_in_a_slash(namespace: str, ros_domain: int) -> None:
    with TaskClient(lambda event: None, threading.Event(), namespace) as client:
        assert client.node.get_namespace() == "/robot1"


@pytest.mark.parametrize("sessions", ["ab", "abab"])
def test_a_node_that_runs_twice_is_not_called_lost(ros_domain: int, sessions: str) -> None:
    twice = len(sessions) > 2
    told = "the node 'generator' " + ("runs twice; end one" if twice else "was lost in the middle")
    with TaskClient(lambda event: None, threading.Event()) as client:
        client.monitor.note(names.GENERATOR_NODE, sessions[0])

        def beat() -> None:
            for session in sessions[1:]:
                client.monitor.note(names.GENERATOR_NODE, session)

        beats = threading.Timer(0.1, beat)
        beats.start()
        with pytest.raises(StackError, match=told):
            client.generate("go", "first", "test")
        beats.join()
