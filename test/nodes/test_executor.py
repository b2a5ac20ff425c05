"""The executor with the simulated robot and the recorder, over real DDS."""

from __future__ import annotations

import itertools
import signal
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from builtin_interfaces.msg import Time
from given_time import GivenTime, still
from goal_client import GoalClient
from rosgraph_msgs.msg import Clock
from skill_client import SkillClient
from waiting import LIMIT, until

from roboinstruct_msgs.action import ExecuteProgram
from roboinstruct_msgs.msg import Event, Heartbeat
from roboinstruct_msgs.msg import SkillCall as SkillCallMsg
from roboinstruct_msgs.srv import Stop, VerifyProgram
from roboinstruct_ros import names
from roboinstruct_ros.domain.stop_number import Admission, StopNumber
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.nodes.discovery import wait_discovered
from roboinstruct_ros.nodes.executor.node import ExecutorNode
from roboinstruct_ros.nodes.qos import EVENTS, STREAM
from roboinstruct_ros.nodes.stack_watch import StackWatch
from roboinstruct_ros.nodes.stop_link import Stopped
from roboinstruct_ros.nodes.task_client import TaskClient as CommandLine
from roboinstruct_ros.program.task_program import sha256_of
from roboinstruct_ros.trace.bag import read_events
from roboinstruct_ros.trace.judged_again import replay_verdict
from roboinstruct_ros.trace.replay import replay_calls
from roboinstruct_ros.trace.run_trace import read_trace

pytestmark = pytest.mark.stack

ROBOT = "roboinstruct_ros.skill_servers.sim.node"
EXECUTOR = "roboinstruct_ros.nodes.executor.node"
RECORDER = "roboinstruct_ros.nodes.recorder"
DRIVE = 'go_to("kitchen")\ngo_to("garage")\ngo_to("kitchen")\ngo_to("garage")'


class TaskClient:
    """Asks the executor for runs; watches `/odom` and the events."""

    def __init__(
        self, robot: SkillClient, name: str = names.EXECUTOR_NODE, /, **processes: Any
    ) -> None:
        self.robot, self.processes = robot, processes
        self.events: list[Event] = []
        node = robot.node
        node.create_subscription(Event, names.EVENTS_TOPIC, self.events.append, EVENTS)
        self._execute = GoalClient(node, ExecuteProgram, names.EXECUTE_PROGRAM_ACTION)
        self._stop = node.create_client(Stop, names.STOP_SERVICE)
        self._verify = node.create_client(VerifyProgram, names.VERIFY_PROGRAM_SERVICE)
        assert self._execute.wait_for_server(LIMIT)
        assert self._stop.wait_for_service(LIMIT)
        assert self._verify.wait_for_service(LIMIT)
        assert wait_discovered(node, name, LIMIT)

    def send(self, body: str, approved_by: str = "test", sha256: str = "") -> Any:
        source = "def task_program():\n" + "".join(f"    {line}\n" for line in body.split("\n"))
        goal = ExecuteProgram.Goal(
            task_id="t1",
            instruction="a task",
            source=source,
            program_sha256=sha256 or sha256_of(source),
            approved_by=approved_by,
        )
        handle = wait(self._execute.send_goal_async(goal))
        assert handle.accepted
        return handle

    def result(self, handle: Any) -> Any:
        return wait(handle.get_result_async()).result

    def run(self, body: str, **given: str) -> Any:
        return self.result(self.send(body, **given))

    def drive(self) -> Any:
        """A goal in which the robot moves now."""
        handle = self.send(DRIVE)
        until(lambda: self.robot.moving[-1][1])
        return handle

    def verify(self, source: str, *calls: SkillCallMsg) -> Any:
        request = VerifyProgram.Request(source=source, calls=list(calls))
        return wait(self._verify.call_async(request))

    def given_time(self) -> GivenTime:
        """From now on, without what those of `processes` that live are kept waiting."""
        return GivenTime(*(one.pid for one in self.processes.values() if one.poll() is None))

    def stop(self) -> Any:
        return wait(self._stop.call_async(Stop.Request(source="test", reason="enough")))


def wait(future: Any) -> Any:
    done = threading.Event()
    future.add_done_callback(lambda _: done.set())
    assert done.wait(LIMIT), "no reply"
    return future.result()


def start_robot(stack_process: Any, speed: float) -> Any:
    parameters = (f"speed_factor:={speed}", "grasp_slipped:=0.0", "navigation_blocked:=0.0")
    given = [part for parameter in parameters for part in ("-p", parameter)]
    return stack_process(ROBOT, "--ros-args", *given)


@contextmanager
def started(stack_process: Any, domain: int, runs: Path) -> Iterator[TaskClient]:
    """A robot, its executor and a recorder that writes to `runs`."""
    processes = {"robot": start_robot(stack_process, 1.0)}
    processes["executor"] = stack_process(EXECUTOR, "--ros-args", "-p", "map:=home")
    stack_process(RECORDER, "--ros-args", "-p", f"directory:={runs}")
    with SkillClient(domain) as robot:
        client = TaskClient(robot, **processes)
        until(lambda: robot.node.count_subscribers(names.EVENTS_TOPIC) >= 2)
        yield client


@pytest.fixture
def client(ros_domain: int, stack_process: Any, tmp_path: Path) -> Iterator[TaskClient]:
    with started(stack_process, ros_domain, tmp_path / "runs") as client:
        yield client


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the recorder of `shared` writes."""
    return tmp_path_factory.mktemp("recorded") / "runs"


@pytest.fixture(scope="module")
def shared(shared_stack: Any, runs: Path) -> Iterator[TaskClient]:
    """For tests that leave everything as alive as it was."""
    with started(*shared_stack, runs) as client:
        yield client


def test_a_run_lives_in_the_time_of_a_simulator(ros_domain: int, stack_process: Any) -> None:
    start_robot(stack_process, 0.0)
    stack_process(EXECUTOR, "--ros-args", "-p", "map:=home", "-p", "use_sim_time:=true")
    with SkillClient(ros_domain) as robot:
        client = TaskClient(robot)
        clock = robot.node.create_publisher(Clock, "/clock", 1)
        minutes = itertools.count(100)
        robot.node.create_timer(
            0.02, lambda: clock.publish(Clock(clock=Time(sec=60 * next(minutes))))
        )
        until(lambda: clock.get_subscription_count() > 0)
        run = client.run('time.sleep(3600)\nsay("an hour later")')
        assert (run.outcome, run.error_msg) == ("succeeded", "")
        assert 6000 + 3600 <= run.calls[0].start.sec <= run.calls[0].end.sec < 10**6
        until(lambda: client.events[-1].kind == "run_finished")
        assert all(event.stamp.sec < 10**6 for event in client.events)


def test_a_run_is_carried_out_and_recorded_and_the_gate_holds(
    shared: TaskClient, runs: Path
) -> None:
    refused = shared.run('say("x")', approved_by="")
    assert refused.error_code == TaskErrorCode.NOT_APPROVED
    refused = shared.run('say("x")', sha256="0" * 64)
    assert refused.error_code == TaskErrorCode.HASH_MISMATCH
    refused = shared.run('place("apple")')
    assert refused.error_code == TaskErrorCode.NOT_VERIFIED
    assert [v.code for v in refused.verdict.violations] == ["hand_empty"]
    assert "skill_started" not in [event.kind for event in shared.events]

    def bags() -> set[Path]:
        return {path.parent for path in runs.glob("*/metadata.yaml")}

    # what is told before the recorder has discovered the executor is told to nobody
    until(lambda: shared.run('say("ready")') and bags())
    done = shared.run('x = get_current_location()\nsay("I am in " + x)\nprint(x)')
    assert (done.outcome, done.error_msg) == ("succeeded", "")
    assert [(call.skill, call.line) for call in done.calls] == [
        ("get_current_location", 2),
        ("say", 3),
    ]

    def printed() -> list[list[Any]]:
        told = [list(read_events(bag)) for bag in bags()]
        return [events for events in told if "program_printed" in [e.kind for e in events]]

    until(printed)
    (events,) = printed()
    numbers = defaultdict(list)
    kinds = []
    for event in events:
        numbers[event.source, event.session].append(event.seq)
        kinds.append(event.kind)
    assert kinds[-1] == "run_finished"
    assert {"run_started", "program_verified", "skill_finished", "program_printed"} <= set(kinds)
    for seqs in numbers.values():
        assert seqs == list(range(seqs[0], seqs[0] + len(seqs)))

    # the bag alone is enough to run it again, and to judge it again
    traces = [read_trace(bag) for bag in bags()]
    assert [call.call.skill for trace in traces for call in trace.calls].count("say") >= 2
    assert [replay_calls(trace) for trace in traces] == [None] * len(traces)
    assert [replay_verdict(trace) for trace in traces] == [None] * len(traces)


def test_verification_goes_on_from_calls_that_were_made(shared: TaskClient) -> None:
    source = (
        "def task_program():\n"
        '    if is_in_room("apple"):\n        pick("apple")\n        pick("cup")\n'
    )
    seen = SkillCallMsg(skill="is_in_room", arguments=['"apple"'], result="false", line=2)
    assert shared.verify(source).verdict.status == "rejected"
    assert shared.verify(source, seen).verdict.status == "accepted"
    seen.result = "true"
    (violation,) = shared.verify(source, seen).verdict.violations
    assert (violation.code, violation.line) == ("hand_full", 4)
    seen.result = "no JSON"
    answer = shared.verify(source, seen)
    assert "not JSON" in answer.error_msg
    assert answer.error_code != TaskErrorCode.NONE


def test_a_policy_of_the_operator_holds(
    ros_domain: int, stack_process: Any, tmp_path: Path
) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text("policies:\n  - name: quiet\n    never: say(...)\n")
    start_robot(stack_process, 0.0)
    stack_process(EXECUTOR, "--ros-args", "-p", "map:=home", "-p", f"policies:={rules}")
    with SkillClient(ros_domain) as robot:
        client = TaskClient(robot)
        refused = client.run('say("x")')
        assert refused.error_code == TaskErrorCode.NOT_VERIFIED
        assert [v.code for v in refused.verdict.violations] == ["policy_broken"]
        assert client.run('go_to("kitchen")').outcome == "succeeded"


def test_the_stop_service_stands_the_robot_still(shared: TaskClient) -> None:
    handle = shared.drive()
    given = shared.given_time()
    answer = shared.stop()
    assert answer.was_running
    assert still(shared.robot, given) < 0.1
    result = shared.result(handle)
    assert (result.outcome, result.error_code) == ("cancelled", TaskErrorCode.STOPPED)
    assert not shared.stop().was_running


def test_a_robot_that_dies_fails_the_task_and_the_next_one_works(
    client: TaskClient, stack_process: Any
) -> None:
    handle = client.drive()
    client.processes["robot"].kill()
    given = client.given_time()
    result = client.result(handle)
    assert given.until(time.time()) < 3.0
    assert (result.outcome, result.error_code) == ("failed", TaskErrorCode.SKILL_SERVER_LOST)
    before = len(client.robot.moving)
    start_robot(stack_process, 0.0)
    until(lambda: len(client.robot.moving) > before)
    done = client.run('go_to("kitchen")\nsay("back again")')
    assert (done.outcome, done.error_msg) == ("succeeded", "")


def test_a_robot_that_is_restarted_before_its_silence_is_noticed_fails_the_task(
    shared: TaskClient,
) -> None:
    handle, node, robot = shared.drive(), shared.robot.node, shared.processes["robot"]
    beats = node.create_publisher(Heartbeat, names.HEARTBEAT_TOPIC, STREAM)
    anew = Heartbeat(node=names.SIM_ROBOT_NODE, session="the session of another start")
    robot.send_signal(signal.SIGSTOP)  # none of its own beats comes after those
    timer = node.create_timer(0.02, lambda: beats.publish(anew))
    try:
        result = shared.result(handle)
    finally:
        robot.send_signal(signal.SIGCONT)
        node.destroy_timer(timer)
        node.destroy_publisher(beats)
    assert (result.outcome, result.error_code) == ("failed", TaskErrorCode.SKILL_SERVER_LOST)
    assert "'sim_robot' was restarted during 'skills/go_to'" in result.error_msg


def test_an_executor_that_dies_leaves_a_robot_standing_still(client: TaskClient) -> None:
    client.drive()
    client.processes["executor"].kill()
    given = client.given_time()
    stood = given.began + client.robot.still_after(given.began)
    assert given.until(stood) < 1.5
    until(lambda: client.robot.moving[-1][0] > stood + 0.5)
    assert not any(moves for when, moves in list(client.robot.moving) if when >= stood)


def test_the_loss_of_an_executor_of_another_name_is_noticed_too(
    ros_domain: int, stack_process: Any
) -> None:
    moved = start_robot(stack_process, 1.0)
    executor = stack_process(EXECUTOR, "--ros-args", "-p", "map:=home", "-r", "__node:=other")
    with StackWatch(threading.Event()) as watch:
        until(lambda: watch.status()["executor"], "the state of the executor")
        assert watch.nodes()["other"] == "up" and "executor" not in watch.nodes()
    with CommandLine(lambda event: None, threading.Event()) as person:
        assert person.pause(True) == "no task is running"
    with SkillClient(ros_domain) as robot:
        TaskClient(robot, "other").drive()
        executor.kill()
        assert still(robot, GivenTime(moved.pid)) < 1.5


def test_a_goal_that_is_accepted_while_the_executor_ends_moves_nothing() -> None:
    stops = StopNumber()
    node: Any = SimpleNamespace(
        _admissions={}, _halting=False, get_name=lambda: "executor",
        _stop_link=SimpleNamespace(
            stops=stops, learn=lambda *_: None, stop=lambda *_: stops.advance()
        ),
        _runner=SimpleNamespace(running=False, wait_ended=lambda limit: True),
        _telling=SimpleNamespace(told=lambda limit: True),
    )  # fmt: skip

    def accept(key: bytes) -> Admission:
        goal_id = SimpleNamespace(uuid=key)
        goal: Any = SimpleNamespace(goal_id=goal_id, request=ExecuteProgram.Goal())
        goal.execute = lambda: None
        ExecutorNode._accepted(node, goal)
        return node._admissions[key]

    not_begun = accept(b"before")
    assert not not_begun.is_set()
    ExecutorNode.halt(node)
    assert not_begun.is_set() and accept(b"after").is_set()


def test_a_cancel_that_comes_as_a_run_ends_leaves_nothing_that_is_stopped_at_the_end() -> None:
    request = ExecuteProgram.Goal(source="x" * 10**6)  # refused at once
    goal: Any = SimpleNamespace(
        goal_id=SimpleNamespace(uuid=b"x"), request=request, is_active=True,
        is_cancel_requested=False, abort=lambda: None,
    )  # fmt: skip
    node: Any = SimpleNamespace(
        _admissions={b"x": Admission()}, _runner=SimpleNamespace(cancel=lambda *_: None),
        _telling=SimpleNamespace(goals={}, told=lambda limit: True),
        _log=SimpleNamespace(ended=lambda *_: None),
        _offer=lambda: ExecutorNode._cancel(node, goal),
    )  # fmt: skip
    ExecutorNode._execute(node, goal)
    assert node._admissions == {}


def test_the_answer_to_a_stop_that_the_topic_brought_first_waits_for_what_it_ended() -> None:
    ended: dict[int, bool] = {}

    def wait_ended(limit: float) -> bool:
        ended[7] = True  # the topic's thread has ended the task
        return True

    node: Any = SimpleNamespace(
        _stop_link=SimpleNamespace(relay=lambda *request: Stopped(7, "client", "")),
        _runner=SimpleNamespace(wait_ended=wait_ended),
        _ended_by=ended,
    )
    answer = ExecutorNode._stop(node, Stop.Request(number=7), Stop.Response())
    assert answer.was_running and answer.message == "the task has ended"
