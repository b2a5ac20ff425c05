"""The running stack seen from outside: counters, /diagnostics, the log, and who is missed."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from running_stack import CLI
from skill_client import SkillClient
from test_executor import EXECUTOR, RECORDER, TaskClient, start_robot
from waiting import until

from roboinstruct_msgs.msg import Event, StopRequest, TaskState
from roboinstruct_ros import names
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.nodes.qos import EVENTS, LATCHED
from roboinstruct_ros.nodes.stack_watch import StackWatch

pytestmark = pytest.mark.stack

KIOSK = "roboinstruct_ros.nodes.kiosk.node"
GENERATOR = "roboinstruct_ros.nodes.generator.node"


def given(**parameters: object) -> list[str]:
    return [part for name, value in parameters.items() for part in ("-p", f"{name}:={value}")]


class Diagnosed:
    """The latest of each status on `/diagnostics`."""

    def __init__(self, robot: SkillClient) -> None:
        self.latest: dict[str, DiagnosticStatus] = {}
        robot.node.create_subscription(DiagnosticArray, "/diagnostics", self._hear, 10)

    def _hear(self, message: DiagnosticArray) -> None:
        self.latest.update({status.name: status for status in message.status})

    def value(self, name: str, key: str) -> str:
        return next((v.value for v in self.latest[name].values if v.key == key), "")


def cli(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*CLI, *arguments], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL
    )


def status(*options: str) -> subprocess.CompletedProcess[str]:
    return cli("status", *options)


def test_a_run_is_counted_diagnosed_and_logged(
    ros_domain: int, stack_process: Any, port: int, tmp_path: Path
) -> None:
    file = tmp_path / "robot.prom"
    start_robot(stack_process, 0.0)
    levels = ("--log-level", "executor:=debug")
    executor = stack_process(EXECUTOR, "--ros-args", *levels, *given(map="home"))
    stack_process(RECORDER, "--ros-args", *given(directory=tmp_path / "runs", metrics_file=file))
    kiosk = stack_process(KIOSK, "--ros-args", *given(port=port))
    stack_process(GENERATOR, "--ros-args", *given(model=tmp_path / "missing.gguf"))
    with SkillClient(ros_domain) as robot:
        client, diagnosed = TaskClient(robot), Diagnosed(robot)

        def served() -> str:
            url = f"http://127.0.0.1:{port}/metrics"
            try:
                with urllib.request.urlopen(url, timeout=60) as answer:
                    return str(answer.read().decode())
            except (
                urllib.error.URLError,
                ConnectionError,
            ):  # the kiosk starts later than the executor
                return ""

        def written() -> str:
            return file.read_text() if file.exists() else ""

        def refused_and_counted() -> bool:
            """DDS has to have discovered those who count; a refusal changes no other figure."""
            assert client.run('say("x")', approved_by="").error_code == TaskErrorCode.NOT_APPROVED
            return all("not_approved" in text for text in (served(), written()))

        until(refused_and_counted)
        assert client.run('say("hi")\nsay("there")').outcome == "succeeded"
        assert client.run('place("apple")').error_code == TaskErrorCode.NOT_VERIFIED
        for line in (
            'roboinstruct_tasks_total{error="none",outcome="succeeded"} 1.0',
            'roboinstruct_tasks_total{error="not_verified",outcome="failed"} 1.0',
            'roboinstruct_skill_calls_total{code="none",skill="say"} 2.0',
        ):
            until(lambda line=line: line in served() and line in written())  # type: ignore[misc]

        until(lambda: "generator: library" in diagnosed.latest)
        until(lambda: diagnosed.value("executor: task", "state") == "failed")
        told = diagnosed.latest
        assert told["executor: task"].level == DiagnosticStatus.WARN
        until(lambda: told["generator: model"].level == DiagnosticStatus.ERROR)
        assert "missing.gguf" in told["generator: model"].message
        assert told["executor: journal"].level == DiagnosticStatus.OK
        assert diagnosed.value("executor: nodes", "sim_robot") == "up"
        assert all(one.hardware_id == socket.gethostname() for one in told.values())

        seen = status()
        assert seen.returncode == 0, seen.stderr
        assert re.search(r"^executor +up$", seen.stdout, re.M), seen.stdout
        assert re.search(r"^kiosk +up$", seen.stdout, re.M), seen.stdout
        assert re.search(r"^state +failed +t1 ", seen.stdout, re.M), seen.stdout
        assert re.search(r"^error +generator: model: .*missing.gguf", seen.stdout, re.M)
        os.kill(kiosk.pid, signal.SIGKILL)
        until(lambda: diagnosed.value("executor: nodes", "kiosk") == "lost")
        seen = status()
        assert re.search(r"^kiosk +lost$", seen.stdout, re.M), seen.stdout
    log = stack_process.log_of(executor)
    assert re.search(r"task=t1 state=running from=verifying line=0 sha=[0-9a-f]{8} msg=", log)
    assert len(re.findall(r"call=\d+ skill=say code=none", log)) == 2


def test_a_kiosk_that_is_killed_stops_the_robot_where_that_is_asked_for(
    ros_domain: int, stack_process: Any, port: int
) -> None:
    moved = start_robot(stack_process, 1.0)
    executor = stack_process(EXECUTOR, "--ros-args", *given(map="home", stop_when_lost="kiosk"))
    with SkillClient(ros_domain) as robot:
        client = TaskClient(robot, robot=moved, executor=executor)
        stops: list[StopRequest] = []
        robot.node.create_subscription(StopRequest, names.STOP_REQUEST_TOPIC, stops.append, 10)
        refused = client.run('go_to("kitchen")')
        assert (refused.outcome, refused.error_code) == ("failed", TaskErrorCode.STOPPED)
        assert "'kiosk' has to be heard" in refused.error_msg

        kiosk = stack_process(KIOSK, "--ros-args", *given(port=port))
        until(lambda: client.run('say("hi")').outcome == "succeeded")
        handle = client.drive()
        os.kill(kiosk.pid, signal.SIGKILL)
        clock = client.given_time()
        until(lambda: stops)
        stamp = stops[0].stamp
        detected = stamp.sec + stamp.nanosec * 1e-9
        still = robot.still_after(detected) - clock.withheld()
        print(f"standing still {still * 1000:.0f} ms after the loss was noticed")
        assert still < 0.1
        result = client.result(handle)
        assert (result.outcome, result.error_code) == ("cancelled", TaskErrorCode.STOPPED)
        until(lambda: "run_finished" in [e.kind for e in client.events[-3:]])
        lost = [event for event in client.events if event.kind == "node_lost"]
        assert len(lost) == 1 and "'kiosk' fell silent during the run" in lost[0].data
        assert lost[0].task_id == "t1"
        assert len(stops) == 1


@pytest.fixture
def half_a_stack(ros_domain: int) -> Iterator[Any]:
    """A node that beats as the executor and says which numbers it wants."""
    import rclpy
    from rclpy.context import Context

    from roboinstruct_ros.nodes.stop_link import StopLink

    context = Context()
    rclpy.init(context=context, domain_id=ros_domain)
    node = rclpy.create_node(names.EXECUTOR_NODE, context=context)
    stop_link = StopLink(node)
    events = node.create_publisher(Event, names.EVENTS_TOPIC, EVENTS)
    executor = rclpy.executors.SingleThreadedExecutor(context=context)
    executor.add_node(node)
    thread = threading.Thread(target=executor.spin, daemon=True)
    thread.start()

    def tell(seq: int, session: str = "a") -> None:
        stamp = node.get_clock().now().to_msg()
        events.publish(
            Event(seq=seq, source=names.EXECUTOR_NODE, session=session, stamp=stamp, task_id="t1",
                  kind="program_printed", data='{"text": "hi\\n\\u001b[2J", "line": 3}')
        )  # fmt: skip

    tell.listeners = events.get_subscription_count  # type: ignore[attr-defined]
    yield tell
    executor.shutdown()
    thread.join(5)
    stop_link.close()
    node.destroy_node()
    rclpy.shutdown(context=context)


def test_status_follows_events_tells_gaps_and_ends_with_ctrl_c(half_a_stack: Any) -> None:
    process = subprocess.Popen(
        [*CLI, "status", "--follow"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    lines = iter(process.stdout.readline, "")
    head = [next(lines) for _ in range(2)]
    assert [line.split(maxsplit=1) for line in head] == [
        ["generator", "not heard\n"], ["executor", "up\n"],
    ]  # fmt: skip
    assert half_a_stack.listeners() == 1
    for seq in (5, 6, 10):
        half_a_stack(seq)
    half_a_stack(0, session="b")
    told = [next(line for line in lines if "  " in line and ":" in line) for _ in range(5)]
    assert re.match(
        r"\d\d:\d\d:\d\d\.\d{3}  executor  t1  program_printed  text=hi \?\[2J", told[0]
    )
    assert told[2].endswith("  3 events of the executor were lost\n")
    assert "program_printed" in told[3] and "program_printed" in told[4]
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130


def test_without_a_stack_status_is_one_line(ros_domain: int) -> None:
    told = status("--json")
    assert (told.returncode, told.stdout) == (2, "")
    assert told.stderr.startswith("the stack is not running") and told.stderr.count("\n") == 1
    assert "(same ROS_DOMAIN_ID and --namespace?)" in told.stderr


@pytest.mark.parametrize("command", ["status", "stop", "pause"])
def test_a_stack_in_another_namespace_is_named(ros_domain: int, command: str) -> None:
    import rclpy
    from rclpy.context import Context

    context = Context()
    rclpy.init(context=context, domain_id=ros_domain)
    try:
        nodes = [
            rclpy.create_node("executor", namespace=one, context=context) for one in ("", "r1")
        ]
        states = [one.create_publisher(TaskState, names.TASK_STATE_TOPIC, LATCHED) for one in nodes]
        told = cli(command, "--namespace", "r2")
    finally:
        rclpy.shutdown(context=context)
    assert len(states) == 2 and told.returncode != 0 and told.stderr.count("\n") == 1
    assert "the stack is not running" in told.stderr
    assert "(there is one with --namespace r1 and one without --namespace)" in told.stderr


def test_a_node_that_runs_twice_is_a_doubt(ros_domain: int) -> None:
    with StackWatch(threading.Event()) as watch:
        for session in ("first", "second", "first"):
            watch.stop_link.heard.note(names.GENERATOR_NODE, session)
        told = watch.status()
    assert told["nodes"][names.GENERATOR_NODE] == "up"
    assert told["doubts"] == [
        {"name": names.GENERATOR_NODE, "level": "ERROR", "message": "runs twice; end one"}
    ]


def test_without_a_stack_there_is_nothing_to_pause(ros_domain: int) -> None:
    told = cli("pause")
    assert (told.returncode, told.stdout) == (2, "")
    assert told.stderr.startswith("the stack is not running") and told.stderr.count("\n") == 1
