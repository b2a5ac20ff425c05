"""What the recorder keeps of what never rests, and that it sleeps between two runs."""

from __future__ import annotations

import itertools
import json
import os
import resource
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import rclpy
from nav_msgs.msg import Odometry
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.serialization import deserialize_message
from rosbags.rosbag2 import Reader
from waiting import LIMIT, until
from wakes import wakes_in

from roboinstruct_msgs.msg import Event, Heartbeat
from roboinstruct_ros import names
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.nodes.qos import EVENTS, STREAM
from roboinstruct_ros.trace.bag import read_events
from roboinstruct_ros.trace.repair import repair
from roboinstruct_ros.trace.run_trace import read_trace

pytestmark = pytest.mark.stack


TOPICS = {
    "/roboinstruct/events", "/roboinstruct/task_state", "/roboinstruct/stop_request",
    "/odom", "/robot_pose", "/world_markers",
}  # fmt: skip
"""Events, motion and what was seen: no sound and no image."""


UNDECIDED = {"status": "undecided", "program_sha256": ""}


class Robot:
    """A recorder beside a robot that drives and an executor that tells of runs."""

    def __init__(self, stack_process: Any, domain: int, runs: Path, *options: str) -> None:
        self.runs, self.tick = runs, threading.Event()
        self._context = Context()
        rclpy.init(context=self._context, domain_id=domain)
        self._node = rclpy.create_node("robot", context=self._context)
        self._told = self._node.create_publisher(Event, names.EVENTS_TOPIC, EVENTS)
        self._beats = self._node.create_publisher(Heartbeat, names.HEARTBEAT_TOPIC, STREAM)
        self._odometry = self._node.create_publisher(Odometry, names.ODOMETRY_TOPIC, 10)
        self._node.create_subscription(Event, names.EVENTS_TOPIC, self._hear, EVENTS)
        self.heard: list[str] = []
        given = [item for option in options for item in ("-p", option)]
        self.recorder = stack_process(
            "roboinstruct_ros.nodes.recorder",
            "--ros-args", "-p", f"directory:={runs}", *given,
        )  # fmt: skip
        until(lambda: self._told.get_subscription_count() > 1)
        until(self._odometry.get_subscription_count)
        until(self._beats.get_subscription_count)

    def close(self) -> None:
        self._node.destroy_node()
        rclpy.shutdown(context=self._context)

    def tell(self, kind: EventKind, task_id: str = "drive", **data: Any) -> None:
        self.tell_text(kind, json.dumps(data), task_id)

    def tell_text(self, kind: EventKind, data: str, task_id: str = "drive") -> None:
        event = Event(kind=kind.value, task_id=task_id, data=data)
        event.stamp = self._node.get_clock().now().to_msg()
        self._told.publish(event)

    def begin(self, task_id: str = "drive", resumed: int = 0) -> Path:
        """A run begins; gives its bag."""
        before = set(self.runs.glob("*/*.mcap"))
        told = {"instruction": "drive", "program_sha256": "", "seed": 1, "resumed": resumed}
        self.tell(EventKind.RUN_STARTED, task_id, **told)
        until(lambda: set(self.runs.glob("*/*.mcap")) - before)
        return (set(self.runs.glob("*/*.mcap")) - before).pop().parent

    def end(self, outcome: str = "succeeded", task_id: str = "drive") -> None:
        told = {"outcome": outcome, "error_code": 0, "error_msg": ""}
        self.tell(EventKind.RUN_FINISHED, task_id, **told)

    def beat(self, session: str) -> None:
        """The executor lives, as the process of that session."""
        self._beats.publish(Heartbeat(node=names.EXECUTOR_NODE, session=session))

    def drive(self, begin: int, count: int) -> None:
        for number in range(begin, begin + count):
            for part in range(2):  # in a tenth of a second one is kept
                message = Odometry()
                message.header.stamp.sec, message.header.stamp.nanosec = number, part * 10**7
                self._odometry.publish(message)
            self.tick.wait(0.02)

    def spin_until(self, true: Callable[[], object]) -> None:
        executor = SingleThreadedExecutor(context=self._context)
        executor.add_node(self._node)
        until(lambda: executor.spin_once(0.01) or true())
        executor.remove_node(self._node)

    def _hear(self, event: Event) -> None:
        if event.kind == EventKind.ERROR.value:
            self.heard.append(json.loads(event.data)["error_msg"])


@pytest.fixture
def robot(stack_process: Any, ros_domain: int, tmp_path: Path) -> Iterator[Robot]:
    robot = Robot(stack_process, ros_domain, tmp_path / "runs", "keep_runs:=2")
    yield robot
    robot.close()


def test_odometry_is_kept_from_the_beginning_of_a_run_to_its_end_and_wakes_nobody_between_runs(
    robot: Robot,
) -> None:
    moving = threading.Thread(target=robot.drive, args=(0, 200))
    moving.start()
    assert any(wakes_in(0.5, robot.recorder.pid) < 20 for _ in range(5))
    moving.join()

    recorded = robot.begin()
    robot.drive(1000, 5)  # twice: as many as wait for a recorder that gets no core just now
    robot.tick.wait(1.0)
    robot.end()
    until((recorded / "metadata.yaml").exists)
    with Reader(recorded) as bag:
        assert {one.topic for one in bag.connections} == TOPICS
        kept = [
            deserialize_message(raw, Odometry).header.stamp.sec
            for one, _, raw in bag.messages()
            if one.topic == "/odom"
        ]
    assert [number for number in kept if number >= 1000] == list(range(1000, 1005))
    assert len(kept) < 20, "what came before the run is none of its"


def test_a_disk_that_is_full_ends_the_recording_and_the_next_run_is_recorded(
    robot: Robot, tmp_path: Path
) -> None:
    unlimited = resource.prlimit(robot.recorder.pid, resource.RLIMIT_FSIZE)
    torn = robot.begin()
    resource.prlimit(robot.recorder.pid, resource.RLIMIT_FSIZE, (20_000, unlimited[1]))
    robot.drive(0, 100)
    robot.spin_until(lambda: robot.drive(0, 5) or robot.heard)
    assert robot.heard == [f"this run is not recorded further: {torn}: File too large"]
    said = {"index": 1, "skill": "say", "arguments": ["hello"], "line": 2}
    robot.tell(EventKind.SKILL_FINISHED, result=None, error_code=0, error_msg="", **said)
    robot.end()
    resource.prlimit(robot.recorder.pid, resource.RLIMIT_FSIZE, unlimited)
    assert repair(torn, tmp_path / "saved").messages > 10
    assert read_trace(tmp_path / "saved").instruction == "drive"
    whole = robot.begin()
    robot.end()
    until((whole / "metadata.yaml").exists)
    assert read_trace(whole).outcome == "succeeded"
    kinds = [event.kind for event in read_events(whole)]
    assert kinds == [EventKind.RUN_STARTED, EventKind.RUN_FINISHED], "and nothing of the one before"


def test_a_recorder_that_is_ended_waits_for_the_end_of_a_run(robot: Robot) -> None:
    whole = robot.begin()
    robot.recorder.send_signal(signal.SIGSTOP)
    for number in range(50):
        robot.tell(EventKind.PROGRAM_PRINTED, text=str(number), line=1)
    robot.end()
    robot.recorder.send_signal(signal.SIGINT)
    robot.recorder.send_signal(signal.SIGCONT)
    assert robot.recorder.wait(LIMIT) == 0
    assert read_trace(whole).outcome == "succeeded"


def test_a_recorder_that_hears_no_end_completes_the_bag_that_it_has(robot: Robot) -> None:
    aborted = robot.begin()
    robot.recorder.send_signal(signal.SIGINT)
    assert robot.recorder.wait(LIMIT) == 0
    assert (aborted / "metadata.yaml").exists() and read_trace(aborted).outcome == ""


@pytest.mark.parametrize("data", ["", "[]", "[" * 100_000])
def test_an_end_that_is_none_ends_the_bag_and_not_the_recorder(robot: Robot, data: str) -> None:
    bag = robot.begin()
    robot.tell_text(EventKind.RUN_FINISHED, data)
    until((bag / "metadata.yaml").exists)
    whole = robot.begin("another")
    robot.end(task_id="another")
    until((whole / "metadata.yaml").exists)
    assert robot.recorder.poll() is None


@pytest.mark.parametrize("task_id", ["drive", "another"])
def test_a_run_after_one_without_an_end_has_a_bag_of_its_own(robot: Robot, task_id: str) -> None:
    lost = robot.begin()
    robot.tell(EventKind.GENERATION_STARTED, "another", instruction="said meanwhile")
    robot.tell(EventKind.PROGRAM_VERIFIED, task_id, verdict=UNDECIDED)
    until((lost / "metadata.yaml").exists)
    robot.tell(EventKind.PROGRAM_APPROVED, task_id, approved_by="Anna")
    whole = robot.begin(task_id, resumed=2)
    robot.end(task_id=task_id)
    until((whole / "metadata.yaml").exists)
    cut, run = read_trace(lost), read_trace(whole)
    assert (cut.task_id, cut.outcome, cut.words, cut.approved_by) == ("drive", "", None, "")
    assert (run.task_id, run.outcome, run.resumed) == (task_id, "succeeded", 2)
    assert run.approved_by == "Anna" and run.verdict is not None
    assert (run.words is not None) == (task_id == "another")


@pytest.mark.parametrize("task_id", ["/../../x", "ü" * 200, "two\nlines"])
def test_a_bag_is_in_the_folder_of_the_recorder_whatever_the_task_is_called(
    robot: Robot, task_id: str
) -> None:
    bag = robot.begin(task_id)
    robot.end(task_id=task_id)
    until((bag / "metadata.yaml").exists)
    assert "\n" not in bag.name
    assert read_trace(bag).task_id == task_id


def test_a_run_whose_executor_has_started_again_is_cut_off(robot: Robot) -> None:
    cut, sessions = robot.begin(), itertools.cycle(("before", "after"))
    until(lambda: robot.beat(next(sessions)) or (cut / "metadata.yaml").exists())
    assert read_trace(cut).outcome == ""


def test_a_node_that_falls_silent_is_counted_in_the_file_of_figures(
    stack_process: Any, ros_domain: int, tmp_path: Path
) -> None:
    file = tmp_path / "robot.prom"
    robot = Robot(stack_process, ros_domain, tmp_path / "runs", f"metrics_file:={file}")
    try:
        robot.beat("one")
        until(lambda: "roboinstruct_nodes_lost_total 1.0" in file.read_text())
    finally:
        robot.close()


def test_a_run_that_succeeded_makes_room_for_the_next_and_one_that_failed_does_not(
    robot: Robot,
) -> None:
    bags = []
    for outcome in ("failed", "succeeded", "succeeded"):
        bags.append(robot.begin())
        robot.end(outcome)
        until((bags[-1] / "run.json").exists)
    until(lambda: not bags[1].exists())
    assert bags[0].exists() and bags[2].exists()


@pytest.mark.parametrize("option", ["directory", "failure_cases"])
def test_a_folder_that_cannot_be_written_is_refused_at_once(
    stack_process: Any, ros_domain: int, tmp_path: Path, option: str
) -> None:
    (tmp_path / "file").touch()
    folders = {"directory": tmp_path / "runs", option: tmp_path / "file" / "x"}
    given = [part for name, folder in folders.items() for part in ("-p", f"{name}:={folder}")]
    recorder = stack_process("roboinstruct_ros.nodes.recorder", "--ros-args", *given)
    assert recorder.wait(LIMIT) == 2
    line = f"{option}: {folders[option]} is no folder that can be written: Not a directory\n"
    assert stack_process.log_of(recorder) == line


def test_a_case_is_made_of_a_run_that_failed(
    stack_process: Any, ros_domain: int, tmp_path: Path
) -> None:
    cases = f"failure_cases:={tmp_path / 'cases'}"
    robot = Robot(stack_process, ros_domain, tmp_path / "runs", cases)
    try:
        for outcome in ("succeeded", "failed"):
            bag = robot.begin()
            robot.end(outcome)
            until((bag / "metadata.yaml").exists)
        # what is told here is no whole run, and that is what is said of it
        until(lambda: "no regression case was made" in stack_process.log_of(robot.recorder))
        log = stack_process.log_of(robot.recorder)
        assert bag.name in log and log.count("regression case") == 1
        bag = robot.begin()
        robot.end("failed")
        until((bag / "metadata.yaml").exists)
        os.killpg(robot.recorder.pid, signal.SIGINT)
        assert robot.recorder.wait(LIMIT) == 0
        told = stack_process.log_of(robot.recorder).removeprefix(log)
        assert str(bag) in told
        assert "does not hold the program" in told or "still being made" in told
    finally:
        robot.close()
