"""The stack of the stop trials: real nodes, the simulated robot at 50 times its speed, and ears."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import rclpy
from goal_client import GoalClient
from nav_msgs.msg import Odometry
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import SetParameters
from rclpy.context import Context
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.qos import DurabilityPolicy, QoSProfile
from std_msgs.msg import String
from waiting import LIMIT, until

from roboinstruct_msgs.action import ExecuteProgram
from roboinstruct_msgs.msg import Answer, Event, Heartbeat, StopRequest, TaskState
from roboinstruct_msgs.srv import Pause, Stop
from roboinstruct_ros import names
from roboinstruct_ros.bringup.node_set import Options, describe
from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.nodes.discovery import wait_discovered
from roboinstruct_ros.nodes.qos import EVENTS, LATCHED, STREAM
from roboinstruct_ros.nodes.stop_link import StopLink
from roboinstruct_ros.program.task_program import sha256_of

SPEED = 50.0
THING = "apple"
WITH_RECORDER = 4
"""Every so manieth stack has a recorder: a bag for each run costs as much as all else."""

# At 50 times its speed a pick of the shipped world would be over in 60 ms, before a stop that waits
# for its beginning could be sent.
DURATIONS = "durations: {pick: 15, place: 12, say: 10, ask: 15}"
RECOVERY = """
skills:
  go_to:
    after:
      navigation_blocked:
        - {wait: 0.1}
        - {say: "Please clear the way to the {location}.", wait: 0.1}
        - {}
        - {wait: 0.3}
        - {say: "Please.", wait: 0.5}
    time_limit: 60
"""


class Unreached(Exception):
    """The state that a trial wants did not come about; the trial is not one."""


@dataclass
class Goal:
    """A task that was sent; `over` is set when its result is here."""

    task_id: str
    over: threading.Event = field(default_factory=threading.Event)
    outcome: str = ""


class Seen:
    """What a bystander hears of the robot and the stack; all of it with the senders' own stamps.

    Attributes:
        moved: told of each thing that the robot does, s since the epoch by its own clock: it is
            somewhere else, it has taken something or let go of it, it speaks.
        held: what the gripper holds.
        numbers: of the last stop that each node tells in its heartbeats.
    """

    def __init__(self, node: Any) -> None:
        self.moved: Callable[[float], None] = lambda stamp: None
        self.last_moved = 0.0
        self.held = ""
        self.numbers: dict[str, int] = {}
        self.events: list[tuple[str, str, dict[str, Any]]] = []
        self.states: list[tuple[str, str]] = []
        self.changed = threading.Condition()
        self._pose: tuple[float, ...] = ()
        latched = QoSProfile(depth=100, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        node.create_subscription(Odometry, names.ODOMETRY_TOPIC, self._odometry, 50)
        node.create_subscription(String, names.HELD_TOPIC, self._hand, LATCHED)
        node.create_subscription(String, names.SPEECH_TOPIC, self._said, 10)
        node.create_subscription(Event, names.EVENTS_TOPIC, self._event, EVENTS)
        node.create_subscription(TaskState, names.TASK_STATE_TOPIC, self._state, latched)
        node.create_subscription(Heartbeat, names.HEARTBEAT_TOPIC, self._beat, STREAM)

    def forget(self) -> None:
        """What was seen of the tasks before."""
        with self.changed:
            self.events.clear()
            self.states.clear()

    def wait(self, holds: Callable[[], bool], what: str, limit: float = LIMIT) -> None:
        """Raises Unreached when it does not come about within `limit` s."""
        with self.changed:
            if not self.changed.wait_for(holds, limit):
                raise Unreached(f"not within {limit:g} s: {what}; {self.events[-3:]}")

    def has_event(self, task_id: str, kind: str, skill: str = "") -> bool:
        return any(
            one == task_id and told == kind and skill in ("", data.get("skill"))
            for one, told, data in self.events
        )

    def _odometry(self, message: Odometry) -> None:
        place, twist = message.pose.pose, message.twist.twist
        pose = (place.position.x, place.position.y, place.orientation.z, place.orientation.w)
        stamp = message.header.stamp.sec + message.header.stamp.nanosec * 1e-9
        turning = any((twist.linear.x, twist.linear.y, twist.angular.z))
        if turning or (self._pose and pose != self._pose):
            with self.changed:
                self.last_moved = stamp
                self.changed.notify_all()
            self.moved(stamp)
        self._pose = pose

    def _hand(self, message: String, info: Any) -> None:
        with self.changed:
            self.held = message.data
            self.changed.notify_all()
        self.moved(info["source_timestamp"] * 1e-9)

    def _said(self, message: String, info: Any) -> None:
        self.moved(info["source_timestamp"] * 1e-9)

    def _event(self, event: Event) -> None:
        with self.changed:
            self.events.append((event.task_id, event.kind, json.loads(event.data)))
            self.changed.notify_all()

    def _state(self, state: TaskState) -> None:
        with self.changed:
            self.states.append((state.task_id, state.state))
            self.changed.notify_all()

    def _beat(self, beat: Heartbeat) -> None:
        with self.changed:
            self.numbers[beat.node] = beat.stop_number
            self.changed.notify_all()


class StopStack:
    """Starts the nodes, and sends goals and stops; use it as a context manager.

    Args:
        start: the fixture `stack_process`.
        model: address of the model server that the generator asks.
    """

    def __init__(self, start: Any, domain: int, folder: Path, model: str) -> None:
        self._start, self._domain, self._folder, self._model = start, domain, folder, model
        self.journals = folder / "journal"
        self.port = _free_port()
        self.nodes: dict[str, subprocess.Popen[bytes]] = {}
        self._count = self._starts = 0

    def __enter__(self) -> StopStack:
        self._context = Context()
        rclpy.init(context=self._context, domain_id=self._domain)
        self._executor = SingleThreadedExecutor(context=self._context)
        self.node = rclpy.create_node("stop_trials", context=self._context)
        self._executor.add_node(self.node)
        self.seen = Seen(self.node)
        self._other = rclpy.create_node("stop_trials_too", context=self._context)
        self.bare = self.node.create_publisher(StopRequest, names.STOP_REQUEST_TOPIC, STREAM)
        self.answer = self.node.create_publisher(Answer, names.ANSWER_TOPIC, 10)
        self._execute = GoalClient(self.node, ExecuteProgram, names.EXECUTE_PROGRAM_ACTION)
        self.stop_service = self.node.create_client(Stop, names.STOP_SERVICE)
        self._pause = self.node.create_client(Pause, names.PAUSE_SERVICE)
        robot = f"{names.SIM_ROBOT_NODE}/set_parameters"
        self._parameters = self.node.create_client(SetParameters, robot)
        self._thread = threading.Thread(target=self._spin, daemon=True)
        self._thread.start()
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()
        self._executor.shutdown()
        self._thread.join(5)
        rclpy.shutdown(context=self._context)

    @property
    def number(self) -> int:
        """Of the last stop that a client knows of, as its goals carry it."""
        return self.clients[0].stops.current

    def start(self) -> None:
        """All nodes, and what they are loaded with; nobody knows of a stop yet."""
        self.clients = [StopLink(node, beats=False) for node in (self.node, self._other)]
        world = self._folder / "home.yaml"
        shipped = find_world("home").read_text().splitlines()
        world.write_text(
            "\n".join(DURATIONS if line.startswith("durations:") else line for line in shipped)
        )
        recovery = self._folder / "recovery.yaml"
        recovery.write_text(RECOVERY)
        self.seen.numbers.clear()
        robot = {"world": world, "speed_factor": SPEED, "live_answers": True}
        self._begin("skill_servers.sim.node", robot)
        given = {"map": world, "recovery": recovery, "journal": self.journals}
        self._begin("nodes.executor.node", given)
        self._begin("nodes.generator.node", {"map": world, "model": self._model, "library": "none"})
        if self._starts % WITH_RECORDER == 0:
            self._begin("nodes.recorder", {"directory": self._folder / "runs"})
        self._starts += 1
        self._begin(
            "nodes.kiosk.node", {"map": world, "port": self.port, "approve_each_round": False}
        )
        load = Path(__file__).with_name("stop_load.py")
        self._load = subprocess.Popen(
            [sys.executable, load, str(self.port)], stdin=subprocess.PIPE, text=True
        )
        self.nodes["client"] = self._load  # type: ignore[assignment]
        self._wait_up()

    def end(self) -> None:
        """End what `start` has begun."""
        for process in self.nodes.values():
            process.send_signal(signal.SIGCONT)
            process.send_signal(signal.SIGINT)
        for process in self.nodes.values():
            try:
                process.wait(LIMIT)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        assert self._load.stdin is not None
        with suppress(OSError):
            self._load.stdin.close()
        self.nodes.clear()
        for client in self.clients:
            client.close()
        shutil.rmtree(self._folder / "runs", ignore_errors=True)

    def load(self, **wanted: int) -> None:
        """How much the stack has to do beside (see `stop_load`)."""
        assert self._load.stdin is not None
        self._load.stdin.write(f"{json.dumps(wanted)}\n")
        self._load.stdin.flush()

    def send(self, body: str, **options: Any) -> Goal:
        """A task; the words of its program stand below `def task_program():`."""
        source = "def task_program():\n" + "".join(f"    {line}\n" for line in body.split("\n"))
        self._count += 1
        goal = Goal(options.pop("task_id", f"t{self._count}"))
        message = ExecuteProgram.Goal(
            task_id=goal.task_id,
            instruction="a task",
            source=source,
            program_sha256=sha256_of(source),
            approved_by="test",
            stop_number=self.number,
            **options,
        )

        def accepted(future: Any) -> None:
            future.result().get_result_async().add_done_callback(ended)

        def ended(future: Any) -> None:
            result = future.result().result
            goal.outcome = f"{result.outcome} {result.error_msg}".strip()
            goal.over.set()

        self._execute.send_goal_async(message).add_done_callback(accepted)
        return goal

    def pause(self, paused: bool) -> None:
        """Ask for it; what comes of it is seen."""
        self._pause.call_async(Pause.Request(paused=paused, stop_number=self.number))

    def block(self, rate: float) -> None:
        """How often a way is blocked: 0..1."""
        kind = ParameterType.PARAMETER_DOUBLE
        value = ParameterValue(type=kind, double_value=rate)
        parameter = Parameter(name="navigation_blocked", value=value)
        done = threading.Event()
        future = self._parameters.call_async(SetParameters.Request(parameters=[parameter]))
        future.add_done_callback(lambda _: done.set())
        if not done.wait(LIMIT):
            raise Unreached("the robot does not take a parameter")

    def ask(self, path: str, body: Any = None, limit: float = LIMIT) -> Any:
        """What the kiosk answers to a POST, or to a GET without a body; None when it does not."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data)
        request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=limit) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refusal:
            return json.load(refusal)
        except OSError:
            return None

    def _begin(self, module: str, parameters: dict[str, Any]) -> None:
        given = ["--ros-args", "--log-level", "warn"]
        for name, value in parameters.items():
            given += ["-p", f"{name}:={str(value).lower() if value in (True, False) else value}"]
        specs = describe(Options())
        name = next(spec.name for spec in specs if spec.module.endswith(f".{module}"))
        self.nodes[name] = self._start(f"roboinstruct_ros.{module}", *given)

    def _wait_up(self) -> None:
        clients = (self._execute.wait_for_server, self.stop_service.wait_for_service)
        assert all(wait(LIMIT) for wait in clients)
        assert self._parameters.wait_for_service(LIMIT)
        for name in (names.EXECUTOR_NODE, names.SIM_ROBOT_NODE):
            assert wait_discovered(self.node, name, LIMIT), name
        until(self._all_up, "the kiosk sees all nodes", 2 * LIMIT)

    def _all_up(self) -> bool:
        health = self.ask("/api/v1/health", limit=1.0) or {}
        return health.get("status") == "ok" and "generator" in health.get("nodes", {})

    def _spin(self) -> None:
        with suppress(ExternalShutdownException):
            self._executor.spin()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
