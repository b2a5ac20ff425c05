"""What carries Stop and heartbeats, over real DDS: nothing in the process can hold it up."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import cast

import pytest
import rclpy
from rclpy.context import Context
from rclpy.node import Node
from rclpy.parameter import Parameter
from waiting import until

from roboinstruct_msgs.action import GenerateProgram
from roboinstruct_msgs.msg import Heartbeat, StopRequest
from roboinstruct_ros import names
from roboinstruct_ros.nodes import stop_link
from roboinstruct_ros.nodes.heartbeat import LONGEST_STEP, HeartbeatMonitor
from roboinstruct_ros.nodes.qos import STREAM
from roboinstruct_ros.nodes.result_client import ResultClient
from roboinstruct_ros.nodes.spun_node import THREAD_LOST
from roboinstruct_ros.nodes.stack_client import StackGoal
from roboinstruct_ros.nodes.stop_link import StopLink, Stopped

pytestmark = pytest.mark.stack


class Process:
    """A node with its stop link, as a process has one, and the stops that it was told of."""

    def __init__(self, domain: int, name: str, beats: bool = True, **parameters: bool) -> None:
        self.context = Context()
        rclpy.init(context=self.context, domain_id=domain)
        given = [Parameter(name, value=value) for name, value in parameters.items()]
        self.node: Node = rclpy.create_node(name, context=self.context, parameter_overrides=given)
        self.stopped: list[Stopped] = []
        self.fault: Exception | None = None
        self.line = StopLink(self.node, self._stopped, beats=beats)

    def _stopped(self, stopped: Stopped) -> None:
        self.stopped.append(stopped)
        if self.fault is not None:
            raise self.fault

    def close(self) -> None:
        self.line.close()
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)


@pytest.fixture
def process(ros_domain: int) -> Iterator[Callable[..., Process]]:
    made: list[Process] = []

    def make(name: str, beats: bool = True, **parameters: bool) -> Process:
        made.append(Process(ros_domain, name, beats, **parameters))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_a_stop_reaches_everybody_once_and_all_agree_on_its_number(
    process: Callable[..., Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stop_link, "_BEATS", 10**9)  # one with the number could overtake the reason
    kiosk, robot = process("kiosk"), process("robot")
    meet(kiosk, robot)
    stopped = kiosk.line.stop("kiosk", "pressed")
    until(lambda: robot.stopped)
    assert robot.stopped == kiosk.stopped == [stopped]
    assert str(robot.stopped[0]) == "stopped by kiosk: pressed"
    assert robot.line.stops.current == kiosk.line.stops.current == stopped.number
    kiosk.line.request(stopped)
    again = kiosk.line.stop("kiosk", "pressed again")
    until(lambda: len(robot.stopped) > 1)
    assert robot.stopped[1:] == [again], "the repetition is no second stop"


def test_who_comes_after_a_stop_learns_its_number_from_heartbeats(
    process: Callable[..., Process],
) -> None:
    kiosk = process("kiosk")
    number = kiosk.line.stop("kiosk", "pressed").number
    late = process("late")
    until(lambda: late.line.stops.current == number)
    assert late.line.stops.admit(number - 1).is_set()


def test_who_begins_to_listen_hears_from_a_node_before_its_next_heartbeat(
    process: Callable[..., Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stop_link, "_BEATS", 10**9)  # after its first one, it only welcomes others
    process("executor")
    for name in ("kiosk", "cli"):
        late = process(name)
        until(partial(late.line.heard.alive, "executor"))


def test_a_simulator_that_holds_the_clock_makes_nobody_silent(
    process: Callable[..., Process],
) -> None:
    robot = process("robot", use_sim_time=True)  # nobody publishes /clock: its time stands
    person = process("person", use_sim_time=True)
    meet(robot, person)
    for _ in range(3):
        person.line.heard.pass_time(LONGEST_STEP)
        silent = person.line.heard.silence(robot.line.session)
        assert silent > 0.0
        until(lambda s=silent: person.line.heard.silence(robot.line.session) < s)


def test_a_request_written_by_hand_is_a_stop(process: Callable[..., Process]) -> None:
    robot, person = process("robot"), process("person", beats=False)
    by_hand = person.node.create_publisher(StopRequest, names.STOP_REQUEST_TOPIC, STREAM)
    until(lambda: by_hand.get_subscription_count() == 2)
    admission = robot.line.stops.admit()
    by_hand.publish(StopRequest(source="a person"))
    until(lambda: robot.stopped)
    assert admission.is_set() and robot.stopped[0].source == "a person"


def test_a_stop_whose_carrying_out_fails_does_not_end_the_next(
    process: Callable[..., Process],
) -> None:
    kiosk, robot = process("kiosk"), process("robot")
    meet(kiosk, robot)
    robot.fault = RuntimeError("this stop goes wrong")
    kiosk.line.stop("kiosk", "first")
    until(lambda: len(robot.stopped) == 1)
    robot.fault = None
    kiosk.line.stop("kiosk", "second")
    until(lambda: len(robot.stopped) == 2)


def test_words_of_any_length_and_numbers_beyond_all_bounds_stop_and_do_no_harm(
    process: Callable[..., Process],
) -> None:
    robot, stranger = process("robot"), process("stranger", beats=False)
    stops = stranger.node.create_publisher(StopRequest, names.STOP_REQUEST_TOPIC, STREAM)
    beats = stranger.node.create_publisher(Heartbeat, names.HEARTBEAT_TOPIC, STREAM)
    until(lambda: stops.get_subscription_count() == 2 and beats.get_subscription_count() == 2)
    for number in range(600):
        beats.publish(
            Heartbeat(node=f"n{number}" * 500, session=str(number), stop_number=2**64 - 1)
        )
    stops.publish(StopRequest(source="s" * 100_000, reason="r" * 100_000, number=2**64 - 1))
    until(lambda: robot.stopped)
    assert len(str(robot.stopped[0])) < 1000
    assert len(robot.line.heard.seen()) <= 256
    assert robot.line.stops.current < 2**63


def test_the_loss_of_the_thread_that_carries_stop_ends_the_process(ros_domain: int) -> None:
    """Another process would otherwise take it for one that can be stopped."""
    ended = subprocess.run(
        [sys.executable, "-c", _LOSES_ITS_THREAD], capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == THREAD_LOST
    assert "its thread 'spin' has ended; ending the process" in ended.stderr


_LOSES_ITS_THREAD = """
import threading, rclpy
from roboinstruct_ros.nodes import spun_node
from roboinstruct_ros.nodes.stop_link import StopLink
spun_node.SpunNode._spin = lambda self: None
rclpy.init()
StopLink(rclpy.create_node("robot"))
threading.Event().wait(30)
"""


def test_a_flood_of_names_drives_nobody_out() -> None:
    heard = HeartbeatMonitor()
    heard.note("robot", "its session")
    heard.pass_time(LONGEST_STEP)
    for number in range(1000):
        heard.note("robot", "its session")
        heard.note(f"n{number}", str(number))
    assert heard.alive("robot") and len(heard.seen()) <= 256


def test_silence_is_counted_by_what_passed_here_and_not_while_the_process_slept() -> None:
    heard = HeartbeatMonitor()
    heard.note("robot", "first")
    assert heard.alive("robot") and heard.session("robot") == "first"
    heard.pass_time(60.0)
    assert heard.alive("robot"), "whoever sleeps hears nobody"
    for _ in range(int(names.HEARTBEAT_TIMEOUT / LONGEST_STEP)):
        heard.pass_time(LONGEST_STEP)
    assert heard.lost("robot") and heard.silence("first") > names.HEARTBEAT_TIMEOUT
    heard.note("robot", "second")
    assert heard.alive("robot") and heard.silence("first") > names.HEARTBEAT_TIMEOUT
    assert heard.silence("never heard") == 0.0
    heard.pass_time(LONGEST_STEP)
    assert heard.silence("never heard") == LONGEST_STEP


def test_a_result_is_awaited_through_a_silence_that_a_loaded_computer_makes() -> None:
    heard = HeartbeatMonitor()
    heard.note("generator", "first")
    nobody = cast(ResultClient, None)
    goal = StackGoal(nobody, GenerateProgram.Goal(), names.GENERATOR_NODE, "generator", heard)

    def fall_silent(seconds: float) -> None:
        for _ in range(round(seconds / LONGEST_STEP)):
            heard.pass_time(LONGEST_STEP)

    fall_silent(3.0)
    assert heard.lost("generator") and not goal.is_lost
    heard.note("generator", "first")
    fall_silent(names.RESULT_PATIENCE + 2 * LONGEST_STEP)
    assert goal.is_lost
    heard.note("generator", "first")
    assert not goal.is_lost
    heard.note("generator", "started anew")
    assert goal.is_lost


def meet(*processes: Process) -> None:
    until(lambda: all(one.line.listeners() == len(processes) for one in processes))
    names = {one.node.get_name() for one in processes}
    until(lambda: all(names <= set(one.line.heard.seen()) for one in processes))


def test_a_node_that_was_started_twice_is_told_from_one_that_was_restarted() -> None:
    heard = HeartbeatMonitor()
    for session in ("first", "second", "second"):
        heard.note("robot", session)
        assert not heard.doubled("robot"), "restarted"
    for session in ("first", "second", "second", "first"):
        heard.note("robot", session)
        assert heard.doubled("robot")
    for _ in range(int(names.HEARTBEAT_TIMEOUT / LONGEST_STEP) + 1):
        heard.pass_time(LONGEST_STEP)
        heard.note("robot", "first")
    assert not heard.doubled("robot"), "the other one has ended"
