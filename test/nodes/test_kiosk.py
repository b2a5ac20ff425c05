"""The kiosk node as a process: what it says to ROS, what it makes of silence, how it ends."""

from __future__ import annotations

import contextlib
import hashlib
import json
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from given_time import time_to_end
from waiting import LIMIT, until

pytestmark = pytest.mark.stack

TAKEN = "I take it that a charger is in the library."
PROGRAM = 'def task_program():\n    go_to("kitchen")\n'
SHA256 = hashlib.sha256(PROGRAM.encode()).hexdigest()


HOSTILE = (
    "", "no json", "[]", "3", "NaN", "[" * 100_000, '{"a":' * 5000 + "1" + "}" * 5000,
    '{"index": 1e999, "skill": [], "arguments": 3}',
    '{"index": ' + "9" * 400 + ', "skill": "say", "arguments": {}, "duration": ' + "9" * 400 + "}",
    '{"error_code": 0, "verdict": [], "source": {}, "duration": [], "options": 3}',
    '{"error_code": 0, "verdict": {"status": "accepted", "violations": 3}, "options": [[[]]]}',
)  # fmt: skip
"""JSON of messages that anybody may publish."""


class Stack:
    """A generator that writes `PROGRAM` at once and an executor that never ends, in one node.

    Neither publishes events, so all that the kiosk knows comes from the goals themselves.
    """

    def __init__(self, domain: int) -> None:
        import rclpy
        from geometry_msgs.msg import PoseStamped
        from rclpy.action import ActionServer, CancelResponse
        from rclpy.callback_groups import ReentrantCallbackGroup
        from rclpy.executors import MultiThreadedExecutor

        from roboinstruct_msgs.action import ExecuteProgram, GenerateProgram
        from roboinstruct_msgs.msg import Answer, Event, Heartbeat, Question, StopRequest, TaskState
        from roboinstruct_msgs.srv import VerifyProgram
        from roboinstruct_ros import names
        from roboinstruct_ros.nodes.qos import EVENTS, LATCHED, STREAM

        self.beating = {names.GENERATOR_NODE, names.EXECUTOR_NODE}
        self.stops: list[Any] = []
        self.answers: list[Any] = []
        self.approved_by: list[str] = []
        self._ended = threading.Event()
        self._context = rclpy.Context()
        rclpy.init(context=self._context, domain_id=domain)
        node = rclpy.create_node("kiosk_test", context=self._context)
        options: dict[str, Any] = {
            "callback_group": ReentrantCallbackGroup(),
            "cancel_callback": lambda _: CancelResponse.ACCEPT,
        }
        self._servers = [
            ActionServer(
                node, GenerateProgram, names.GENERATE_PROGRAM_ACTION, self._write, **options
            ),
            ActionServer(node, ExecuteProgram, names.EXECUTE_PROGRAM_ACTION, self._run, **options),
        ]
        self.refusals = 0  # BUSY, before the verifier gives its verdict
        self.verdict = "accepted"
        node.create_service(VerifyProgram, names.VERIFY_PROGRAM_SERVICE, self._judge)
        self.events = node.create_publisher(Event, names.EVENTS_TOPIC, EVENTS)
        self.questions = node.create_publisher(Question, names.QUESTION_TOPIC, LATCHED)
        self.states = node.create_publisher(TaskState, names.TASK_STATE_TOPIC, LATCHED)
        self.poses = node.create_publisher(PoseStamped, names.ROBOT_POSE_TOPIC, LATCHED)
        beats = node.create_publisher(Heartbeat, names.HEARTBEAT_TOPIC, STREAM)

        def beat() -> None:
            for name in self.beating:
                beats.publish(Heartbeat(node=name, session="1"))

        node.create_timer(names.HEARTBEAT_PERIOD, beat)
        node.create_subscription(StopRequest, names.STOP_REQUEST_TOPIC, self.stops.append, STREAM)
        node.create_subscription(Answer, names.ANSWER_TOPIC, self.answers.append, 10)
        self._executor = MultiThreadedExecutor(4, context=self._context)
        self._executor.add_node(node)
        self._thread = threading.Thread(target=self._executor.spin, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._ended.set()
        self._executor.shutdown(2.0)
        self._thread.join(2.0)
        self._context.try_shutdown()

    def _write(self, goal: Any) -> Any:
        from roboinstruct_msgs.action import GenerateProgram
        from roboinstruct_msgs.msg import Verdict

        goal.succeed()
        verdict = Verdict(status=Verdict.ACCEPTED, program_sha256=SHA256, paths=1, exhaustive=True)
        return GenerateProgram.Result(source=PROGRAM, program_sha256=SHA256, verdict=verdict)

    def _judge(self, request: Any, response: Any) -> Any:
        from roboinstruct_msgs.msg import TaskErrorCode

        if self.refusals:
            self.refusals -= 1
            response.error_code = TaskErrorCode.BUSY
            response.error_msg = "others have to be verified first"
            return response
        response.verdict.status = self.verdict
        response.verdict.paths = 3
        response.verdict.assumptions = [TAKEN]
        response.verdict.program_sha256 = hashlib.sha256(request.source.encode()).hexdigest()
        return response

    def _run(self, goal: Any) -> Any:
        from roboinstruct_msgs.action import ExecuteProgram

        self.approved_by.append(goal.request.approved_by)
        self._ended.wait(60.0)
        goal.abort()
        return ExecuteProgram.Result(outcome="failed")


@pytest.fixture
def stack(ros_domain: int) -> Iterator[Stack]:
    stack = Stack(ros_domain)
    yield stack
    stack.close()


def ask(port: int, path: str, body: Any = None) -> Any:
    """What the kiosk answers; None while it does not."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data)
    request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=LIMIT) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refusal:
        return json.load(refusal)
    except (urllib.error.URLError, ConnectionError):
        return None


def start(stack_process: Any, port: int, *parameters: str) -> Any:
    arguments = [part for p in (f"port:={port}", *parameters) for part in ("-p", p)]
    return stack_process("roboinstruct_ros.nodes.kiosk.node", "--ros-args", *arguments)


def nodes(port: int) -> dict[str, str]:
    return dict((ask(port, "/api/v1/health") or {}).get("nodes", {}))


def losses(port: int) -> float:
    """Of nodes, as Prometheus is told."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=LIMIT) as answer:
        told = answer.read().decode().partition("\nroboinstruct_nodes_lost_total ")[2]
    return float(told.partition("\n")[0])


@pytest.mark.parametrize("executor", ["executor", "kiosk_test"])
def test_a_lost_executor_stops_the_robot_and_ends_the_task(
    stack: Stack, stack_process: Any, port: int, executor: str
) -> None:
    """Also one that was given another name, which is that of the node that serves its action."""
    stack.beating = {"generator", executor}
    kiosk = start(stack_process, port)
    until(lambda: nodes(port) == {"generator": "up", "executor": "up"})
    task_id = ask(port, "/api/v1/tasks", {"text": "Go to the kitchen"})["id"]
    task = until(lambda: (t := ask(port, f"/api/v1/tasks/{task_id}"))["phase"] == "ready" and t)
    assert task["source"] == PROGRAM and task["verdict"]["status"] == "accepted"

    ask(port, f"/api/v1/tasks/{task_id}/approve", {"sha256": task["sha256"]})
    until(lambda: stack.approved_by == ["kiosk"])
    before = time.time()
    assert ask(port, "/api/v1/stop", {}) == {"sent": True}
    stop = until(lambda: stack.stops)[0]
    assert stop.source == "kiosk" and abs(stop.stamp.sec - before) < LIMIT
    assert ask(port, f"/api/v1/tasks/{task_id}")["phase"] == "stopping"

    stack.beating.discard(executor)
    task = until(lambda: (t := ask(port, f"/api/v1/tasks/{task_id}"))["phase"] == "failed" and t)
    assert task["error"]["error_name"] == "PROGRAM_LOST"
    until(lambda: len(stack.stops) == 2)
    assert nodes(port)["executor"] == "lost"
    until(lambda: losses(port) >= 1)
    refusal = ask(port, f"/api/v1/tasks/{task_id}/approve", {"sha256": task["sha256"]})
    assert refusal["error_name"] == "WRONG_PHASE"

    assert time_to_end(kiosk, signal.SIGTERM) < 1.0
    assert kiosk.returncode == 0
    assert "Traceback" not in stack_process.log_of(kiosk)


def test_what_may_be_approved_is_judged_by_the_executor(
    stack: Stack, stack_process: Any, port: int
) -> None:
    stack.refusals = 2
    start(stack_process, port)
    until(lambda: nodes(port) == {"generator": "up", "executor": "up"})
    task_id = ask(port, "/api/v1/tasks", {"text": "Go to the kitchen"})["id"]
    task = until(lambda: (t := ask(port, f"/api/v1/tasks/{task_id}"))["phase"] == "ready" and t)
    assert task["verdict"]["paths"] == 3, "the generator says 1"
    assert task["verdict"]["assumptions"] == [TAKEN]
    stack.verdict = "rejected"
    task_id = ask(port, "/api/v1/tasks", {"text": "Go to the kitchen"})["id"]
    task = until(lambda: (t := ask(port, f"/api/v1/tasks/{task_id}"))["phase"] == "rejected" and t)
    assert task["error"]["error_name"] == "NOT_VERIFIED"


@pytest.mark.parametrize(
    ("state", "phase"), [("running", "running"), ("paused", "paused"), ("waiting", "running")]
)
def test_a_kiosk_that_starts_in_the_middle_of_a_run_shows_it(
    stack: Stack, stack_process: Any, port: int, state: str, phase: str
) -> None:
    from roboinstruct_msgs.msg import TaskState

    told = {"task_id": "t", "instruction": "Go to the kitchen", "program_sha256": SHA256}
    stack.states.publish(TaskState(state=state, line=2, **told))
    start(stack_process, port)
    task = until(lambda: [t for t in ask(port, "/api/v1/tasks") or () if t["phase"] == phase])[0]
    assert (task["text"], task["busy"], task["approvable"]) == ("Go to the kitchen", True, False)


@pytest.mark.parametrize(
    ("own", "last", "phase", "error"),
    [
        (True, "succeeded", "succeeded", None),
        (False, "cancelled", "cancelled", "STOPPED"),
        (False, "running", "failed", "PROGRAM_LOST"),  # another task
    ],
)
def test_a_run_whose_end_was_not_heard_ends_as_the_executor_says(
    stack: Stack, stack_process: Any, port: int, own: bool, last: str, phase: str, error: str | None
) -> None:
    """The fake executor's goal never ends."""
    from roboinstruct_msgs.msg import TaskState

    start(stack_process, port)
    until(lambda: nodes(port) == {"generator": "up", "executor": "up"})
    if own:
        task_id = ask(port, "/api/v1/tasks", {"text": "Go to the kitchen"})["id"]
        until(lambda: ask(port, f"/api/v1/tasks/{task_id}")["phase"] == "ready")
        ask(port, f"/api/v1/tasks/{task_id}/approve", {"sha256": SHA256})
        until(lambda: stack.approved_by)
    else:
        task_id = "theirs"
        stack.states.publish(TaskState(state="running", task_id=task_id))
        until(lambda: ask(port, f"/api/v1/tasks/{task_id}").get("phase") == "running")
    stack.states.publish(TaskState(state=last, task_id="another" if last == "running" else task_id))
    task = until(lambda: (t := ask(port, f"/api/v1/tasks/{task_id}"))["phase"] == phase and t)
    assert (task["error"] or {}).get("error_name") == error


def test_the_end_of_another_clients_run_is_told_once(
    stack: Stack, stack_process: Any, port: int
) -> None:
    """The end of the next run, which only the state tells, comes later than a second one would."""
    from roboinstruct_msgs.msg import Event, TaskState

    start(stack_process, port)
    until(lambda: nodes(port) == {"generator": "up", "executor": "up"})
    until(lambda: stack.events.get_subscription_count())
    for task_id in ("theirs", "next"):
        stack.states.publish(TaskState(state="running", task_id=task_id))
        until(lambda name=task_id: ask(port, f"/api/v1/tasks/{name}").get("phase") == "running")
        if task_id == "theirs":
            data = json.dumps({"outcome": "succeeded", "error_code": 0, "error_msg": ""})
            told = Event(source="executor", task_id=task_id, kind="run_finished", data=data)
            stack.events.publish(told)
            until(lambda: ask(port, "/api/v1/tasks/theirs")["phase"] == "succeeded")
        stack.states.publish(TaskState(state="succeeded", task_id=task_id))
    until(lambda: ask(port, "/api/v1/tasks/next")["phase"] == "succeeded")
    events = ask(port, "/api/v1/engineer/events")["events"]
    ended = [one["task_id"] for one in events if one["kind"] == "run_finished"]
    assert ended == ["theirs", "next"]


@pytest.mark.parametrize("restarted", [True, False])
def test_a_run_of_another_client_ends_with_its_executor(
    stack: Stack, stack_process: Any, port: int, restarted: bool
) -> None:
    from roboinstruct_msgs.msg import TaskState

    start(stack_process, port)
    until(lambda: nodes(port) == {"generator": "up", "executor": "up"})
    stack.states.publish(TaskState(state="running", task_id="t", instruction="Drive"))
    until(lambda: ask(port, "/api/v1/tasks/t").get("phase") == "running")
    assert ask(port, "/api/v1/tasks", {"text": "Go to the kitchen"})["error_name"] == "BUSY"
    if restarted:
        stack.states.publish(TaskState(state="idle"))
    else:
        stack.beating.discard("executor")
    until(lambda: ask(port, "/api/v1/tasks/t")["phase"] == "failed")
    assert "error_name" not in ask(port, "/api/v1/tasks", {"text": "Go to the kitchen"})


def test_an_answer_names_the_asking_that_it_is_for(
    stack: Stack, stack_process: Any, port: int
) -> None:
    from roboinstruct_msgs.msg import Answer, Question

    said = {"question": "Tea?", "answer": "yes"}

    def heard(goal_id: str) -> bool:
        """Whether the robot heard it; the first ones may be lost."""
        ask(port, "/api/v1/answer", {**said, "goal_id": goal_id})
        return stack.answers[-1:] == [Answer(goal_id=goal_id, **said)]

    start(stack_process, port)
    for number in ("1", "2"):
        asked = Question(question="Tea?", options=["yes"], live=True, goal_id=number)
        stack.questions.publish(asked)
        until(partial(heard, number))
    late = ask(port, "/api/v1/answer", {**said, "goal_id": "1"})
    assert late["error_name"] == "BAD_REQUEST"
    stack.answers.clear()
    ask(port, "/api/v1/answer", said)
    until(lambda: stack.answers)
    assert stack.answers[-1].goal_id == "2", "that of the question that is open now"


def test_what_anybody_publishes_ends_nothing(stack: Stack, stack_process: Any, port: int) -> None:
    from geometry_msgs.msg import PoseStamped

    from roboinstruct_msgs.msg import Event, Question

    kiosk = start(stack_process, port)
    until(lambda: nodes(port) == {"generator": "up", "executor": "up"})
    until(lambda: stack.events.get_subscription_count())
    for data in HOSTILE:
        for kind in ("run_started", "skill_started", "skill_finished", "generation_finished"):
            stack.events.publish(Event(source="x", task_id="t", kind=kind, data=data))
        stack.questions.publish(Question(question=data, options=[data] * 1001))
    lost = PoseStamped()
    lost.pose.position.x = float("nan")
    stack.poses.publish(lost)
    stack.events.publish(Event(source="x", task_id="t", kind="run_started", data="{}"))
    for text in ("\ud800", "whole"):
        said = json.dumps({"text": text, "line": 1})
        stack.events.publish(Event(source="x", task_id="t", kind="program_printed", data=said))
    task = until(lambda: [t for t in ask(port, "/api/v1/tasks") if t["printed"]])[0]
    assert task["printed"] == ["whole"]
    health = until(lambda: (h := ask(port, "/api/v1/health"))["robot_thread"] < 1.0 and h)
    assert health["status"] == "ok"
    assert set(health["silence"]) == {"generator", "executor"}
    end = json.dumps({"outcome": "failed", "error_code": 1})
    stack.events.publish(Event(source="x", task_id="t", kind="run_finished", data=end))
    until(lambda: ask(port, "/api/v1/tasks/t")["phase"] == "failed")
    task_id = ask(port, "/api/v1/tasks", {"text": "Go to the kitchen"})["id"]
    until(lambda: ask(port, f"/api/v1/tasks/{task_id}")["phase"] == "ready")
    log = stack_process.log_of(kiosk)
    assert "Traceback" not in log
    assert "is not taken in" in log and len(log.splitlines()) < 10


def test_a_kiosk_that_ends_begins_no_run_that_is_approved_meanwhile(
    stack: Stack, stack_process: Any, port: int
) -> None:
    kiosk = start(stack_process, port)
    until(lambda: nodes(port) == {"generator": "up", "executor": "up"})
    task_id = ask(port, "/api/v1/tasks", {"text": "Go to the kitchen"})["id"]
    until(lambda: ask(port, f"/api/v1/tasks/{task_id}")["phase"] == "ready")
    kiosk.send_signal(signal.SIGTERM)
    answer = ask(port, f"/api/v1/tasks/{task_id}/approve", {"sha256": SHA256})
    if answer is None or answer.get("error_name") == "NODE_MISSING":
        kiosk.wait(LIMIT)
        assert not stack.approved_by
    else:  # it came before the signal
        until(lambda: stack.stops)


def test_a_taken_port_is_one_clear_line(ros_domain: int, stack_process: Any) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        kiosk = start(stack_process, port)
        assert kiosk.wait(LIMIT) == 2
    [line] = stack_process.log_of(kiosk).splitlines()
    assert line.startswith(f"kiosk: cannot listen on 127.0.0.1 port {port}: address already in use")
    assert "--port" in line


def test_it_follows_the_approvals_in_advance_of_its_own_robot(
    ros_domain: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    import rclpy
    from rclpy.context import Context

    from roboinstruct_ros.domain.configuration import InputError
    from roboinstruct_ros.domain.robot_name import RobotName
    from roboinstruct_ros.nodes.kiosk import node as kiosk_node
    from roboinstruct_ros.nodes.kiosk.parameters import KioskParameters

    robots: list[RobotName] = []

    def create_app(*_: Any, robot: RobotName, **others: Any) -> None:
        robots.append(robot)
        raise InputError("seen enough")

    monkeypatch.setattr(kiosk_node, "create_app", create_app)
    monkeypatch.setattr(kiosk_node, "open_reach", lambda given: ())
    context = Context()
    rclpy.init(context=context, domain_id=ros_domain)
    try:
        node = rclpy.create_node("kiosk", namespace="/r1", context=context)
        with pytest.raises(InputError, match="seen enough"):
            kiosk_node.serve(node, KioskParameters())
    finally:
        rclpy.shutdown(context=context)
    assert robots == [RobotName(ros_domain, "r1", "service_robot")]


def test_an_unknown_map_is_one_clear_line(ros_domain: int, stack_process: Any, port: int) -> None:
    kiosk = start(stack_process, port, "map:=hme")
    assert kiosk.wait(LIMIT) == 2
    [line] = stack_process.log_of(kiosk).splitlines()
    assert line.startswith("kiosk: hme") and "did you mean 'home'?" in line


def test_an_argument_that_is_none_of_a_node_is_one_line() -> None:
    command = [sys.executable, "-m", "roboinstruct_ros.nodes.kiosk.node", "-p", "port:=9999"]
    process = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
    assert process.stderr.splitlines()[-1].startswith("kiosk: arguments: '-p' is no option")
    assert process.returncode == 2


def test_an_end_that_hangs_is_seen_by_the_exit_code(ros_domain: int, port: int) -> None:
    hangs = """
import sys, threading
from roboinstruct_ros.nodes.kiosk import node
node.RosRobotLink.close = lambda link: threading.Event().wait()
sys.exit(node.main())
"""
    command = [sys.executable, "-c", hangs, "--ros-args", "-p", f"port:={port}"]
    kiosk = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    until(lambda: ask(port, "/api/v1/health"))
    kiosk.send_signal(signal.SIGTERM)
    said = kiosk.communicate(timeout=LIMIT)[1].splitlines()
    assert kiosk.returncode == 1
    assert said[-1].startswith("kiosk: its end hangs")


def test_ctrl_c_ends_it_with_a_page_open(ros_domain: int, stack_process: Any, port: int) -> None:
    kiosk = start(stack_process, port)
    until(lambda: ask(port, "/api/v1/health"))
    with contextlib.closing(socket.create_connection(("127.0.0.1", port))) as page:
        page.sendall(
            f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        assert page.recv(12) == b"HTTP/1.1 101"
        assert time_to_end(kiosk, signal.SIGINT) < 1.0
        assert kiosk.returncode == 0
    assert "Traceback" not in stack_process.log_of(kiosk)
