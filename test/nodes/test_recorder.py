"""What the recorder keeps of what never rests, and that it sleeps between two runs."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import rclpy
from nav_msgs.msg import Odometry
from rclpy.context import Context
from rclpy.serialization import deserialize_message
from rosbags.rosbag2 import Reader
from wakes import wakes_in

from roboinstruct_msgs.msg import Event
from roboinstruct_ros import names
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.nodes.qos import EVENTS

pytestmark = pytest.mark.stack


def test_odometry_is_kept_from_the_beginning_of_a_run_to_its_end_and_wakes_nobody_between_runs(
    stack_process: Any, ros_domain: int, tmp_path: Path
) -> None:
    runs = tmp_path / "runs"
    context = Context()
    rclpy.init(context=context, domain_id=ros_domain)
    node = rclpy.create_node("robot", context=context)
    told = node.create_publisher(Event, names.EVENTS_TOPIC, EVENTS)
    odometry = node.create_publisher(Odometry, names.ODOMETRY_TOPIC, 10)
    recorder = stack_process(
        "roboinstruct_ros.nodes.recorder", "--ros-args", "-p", f"directory:={runs}"
    )

    def tell(kind: EventKind) -> None:
        told.publish(Event(kind=kind.value, task_id="drive", data="{}"))

    def drive(begin: int, count: int) -> None:
        for number in range(begin, begin + count):
            for part in range(2):  # in a tenth of a second one is kept
                message = Odometry()
                message.header.stamp.sec, message.header.stamp.nanosec = number, part * 10**7
                odometry.publish(message)
            tick.wait(0.02)

    tick = threading.Event()
    try:
        until(lambda: told.get_subscription_count() and odometry.get_subscription_count())
        moving = threading.Thread(target=drive, args=(0, 200))
        moving.start()
        assert any(wakes_in(0.5, recorder.pid) < 20 for _ in range(5))
        moving.join()

        tell(EventKind.RUN_STARTED)
        until(lambda: list(runs.glob("*/*.mcap")))
        drive(1000, 5)  # twice: as many as wait for a recorder that gets no core just now
        tick.wait(1.0)
        tell(EventKind.RUN_FINISHED)
        until(lambda: list(runs.glob("*/metadata.yaml")))
        with Reader(next(runs.iterdir())) as bag:
            kept = [
                deserialize_message(raw, Odometry).header.stamp.sec
                for one, _, raw in bag.messages()
                if one.topic == "/odom"
            ]
        assert [number for number in kept if number >= 1000] == list(range(1000, 1005))
    finally:
        node.destroy_node()
        rclpy.shutdown(context=context)


def test_a_case_is_made_of_a_run_that_failed(
    stack_process: Any, ros_domain: int, tmp_path: Path
) -> None:
    runs, cases = tmp_path / "runs", tmp_path / "cases"
    context = Context()
    rclpy.init(context=context, domain_id=ros_domain)
    node = rclpy.create_node("robot", context=context)
    told = node.create_publisher(Event, names.EVENTS_TOPIC, EVENTS)
    given = ("-p", f"directory:={runs}", "-p", f"failure_cases:={cases}")
    recorder = stack_process("roboinstruct_ros.nodes.recorder", "--ros-args", *given)

    def tell(kind: EventKind, task: str, data: str = "{}") -> None:
        told.publish(Event(kind=kind.value, task_id=task, data=data))

    try:
        until(told.get_subscription_count)
        for task, outcome in (("well", "succeeded"), ("ill", "failed")):
            tell(EventKind.RUN_STARTED, task)
            until(lambda task=task: list(runs.glob(f"*_{task}/*.mcap")))
            tell(EventKind.RUN_FINISHED, task, json.dumps({"outcome": outcome}))
            until(lambda task=task: list(runs.glob(f"*_{task}/metadata.yaml")))
        # what is told here is no whole run, and that is what is said of it
        until(lambda: "no regression case was made" in stack_process.log_of(recorder))
        log = stack_process.log_of(recorder)
        assert "_ill" in log and log.count("regression case") == 1
    finally:
        node.destroy_node()
        rclpy.shutdown(context=context)


def until(true: Callable[[], object]) -> None:
    tick = threading.Event()
    for _ in range(6000):
        if true():
            return
        tick.wait(0.02)
    raise AssertionError("waited in vain")
