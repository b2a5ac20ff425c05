"""Kiosk, executor and a robot's skill server on a network that is slow, late and loses requests.

The task runner with its ports, queue, pause and recovery, the clients of the skills, the server's
goal runner and every stop number are the real ones; DDS, the programs' processes, the verifier and
wheels are simulated.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from simulated_time import SimulatedTime

from roboinstruct_msgs.action import GoTo, IsInRoom, Pick, Say
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.domain.stop_number import StopNumber
from roboinstruct_ros.execute import skill_calls, task_runner
from roboinstruct_ros.execute.clocks import Clocks
from roboinstruct_ros.execute.recovery_policies import load_recovery
from roboinstruct_ros.execute.run_report import RunnerHooks
from roboinstruct_ros.execute.runner_options import RunnerOptions
from roboinstruct_ros.execute.task_run import TaskOrder, TaskRun
from roboinstruct_ros.execute.task_runner import TaskRunner
from roboinstruct_ros.execute.task_state import TaskState
from roboinstruct_ros.nodes import skill_clients
from roboinstruct_ros.nodes.heartbeat import HeartbeatMonitor
from roboinstruct_ros.nodes.skill_clients import SkillClients
from roboinstruct_ros.nodes.stop_link import StopLink, Stopped
from roboinstruct_ros.program.task_program import sha256_of
from roboinstruct_ros.sandbox.program_process import EndKind, ProgramEnd, ProgramHooks
from roboinstruct_ros.skill_servers.kit import goal_runner
from roboinstruct_ros.skill_servers.kit.activity import Activities, Activity
from roboinstruct_ros.skill_servers.kit.fault import Fault
from roboinstruct_ros.skill_servers.kit.goal_runner import GoalRunner
from roboinstruct_ros.verify.verdict import Verdict
from roboinstruct_ros.verify.verifier import verify

STEP = 0.02  # s, of the robot's motion
LATENCY = 0.02  # s that a request takes at most, unless it is lost or late
BEAT = 0.1  # s between heartbeats
LATE = 3.0  # s that a goal may be late

DOMAIN = load_domain()
RECOVERY = load_recovery(DOMAIN)
PROGRAMS = tuple(
    "def task_program():\n" + "".join(f"    {line}\n" for line in lines)
    for lines in (
        ('go_to("kitchen")', 'pick("apple")', 'say("done")'),
        ('for room in ["a", "b", "c"]:', "    go_to(room)", '    say("here")'),
        ('if is_in_room("apple"):', '    go_to("b")', "else:", '    go_to("c")'),
        ("try:", '    go_to("a")', "except SkillError:", '    say("no")', 'go_to("b")'),
        ('say("one")', "time.sleep(0.3)", 'go_to("a")'),
        ('is_in_room("apple")', 'is_in_room("cup")', 'go_to("a")'),
    )
)
VERDICTS = {source: verify(source, DOMAIN) for source in PROGRAMS}
assert all(verdict.accepted for verdict in VERDICTS.values())


@dataclass
class Network:
    """Carries messages; some are late, and a stop request may reach but one."""

    time: SimulatedTime
    losses: float
    lines: list[SimulatedLine] = field(default_factory=list)

    def send(self, work: Callable[[], Any], late: bool = False) -> None:
        random = self.time.random
        delay = random.uniform(0.0005, LATENCY)
        if late and random.random() < 0.2:
            delay = random.uniform(0.0, LATE)
        self.time.later(delay, work)

    def stop(self, number: int, source: str) -> None:
        sure = self.time.random.choice(self.lines)
        for line in self.lines:
            if line is sure or self.time.random.random() >= self.losses:
                self.send(lambda line=line: line.requested(number, source))


class SimulatedLine(StopLink):
    """A stop link whose messages go over the simulated network."""

    def __init__(
        self,
        network: Network,
        name: str,
        on_stop: Callable[[Stopped], object] = lambda stopped: None,
        on_tick: Callable[[float], object] = lambda passed: None,
    ) -> None:
        time = network.time
        self.stops = StopNumber(lambda: int(time.now * 1e9))
        self.heard = HeartbeatMonitor()
        self.session, self._on_stop, self._on_tick = name, on_stop, on_tick
        self._network = network
        network.lines.append(self)
        time.later(time.random.uniform(0.0, BEAT), self.beat)

    def request(self, stopped: Stopped, pressed: float | None = None) -> None:
        self._network.stop(stopped.number, stopped.source)

    def requested(self, number: int, source: str) -> None:
        self._requested(SimpleNamespace(number=number, source=source, reason=""))

    def beat(self) -> None:
        self._network.time.later(BEAT, self.beat)
        number = self.stops.current
        self._network.send(lambda: self._heard_by_all(number))
        self.heard.pass_time(BEAT)
        self._on_tick(BEAT)

    def _heard_by_all(self, number: int) -> None:
        for line in self._network.lines:
            line.heard.note(self.session, self.session)
            line.learn(number, self.session)


class Robot:
    """A skill server: the real goal runner, and wheels that move in steps."""

    def __init__(self, network: Network) -> None:
        self.time, self._network = network.time, network
        self.lock = threading.RLock()
        self.activities = Activities()
        self.goals = GoalRunner(self)  # type: ignore[arg-type]
        self.served: dict[str, Any] = {}
        self.moved: list[tuple[float, str]] = []
        self._orders: dict[int, str] = {}
        for kind, name in ((GoTo, "go_to"), (Pick, "pick"), (Say, "say"), (IsInRoom, "is_in_room")):
            run = lambda goal, kind=kind, name=name: self._run(goal, kind, name)  # noqa: E731
            self.served[name] = self.goals.offer(kind, name, run)  # type: ignore
        self.time.later(0.0, self._step)

    def stop_now(self) -> None:
        for activity in self.activities.running:
            activity.motion = None

    end_now = executor_lost = stop_now

    def tick(self, passed: float) -> None: ...

    def _run(self, goal: Any, kind: Any, name: str) -> Any:
        random = self.time.random
        activity = Activity(name, moves=name != "say", duration=random.uniform(0.1, 0.6))
        self._orders[id(activity)] = goal.order

        def begin(activity: Activity) -> Fault | None:
            if name == "go_to" and random.random() < 0.2:
                activity.ending = Fault(SkillErrorCode.NAVIGATION_BLOCKED, "a door is shut")
            activity.motion = "moving"  # type: ignore[assignment]
            return None

        def finish(result: Any) -> None:
            if kind is IsInRoom:
                result.present = random.random() < 0.5

        return self.goals.carry_out(
            goal, activity, kind.Result(), begin, lambda a: kind.Feedback(), finish
        )

    def _step(self) -> None:
        self.time.later(STEP, self._step)
        for activity in list(self.activities.running):
            activity.advance(STEP)
            if activity.moves and activity.motion and not activity.over.is_set():
                self.moved.append((self.time.now, self._orders[id(activity)]))


class Goal:
    """What rclpy hands to an action server."""

    def __init__(self, request: Any, order: str, execute: Callable[[Any], Any]) -> None:
        self.request, self.order = request, order
        self.goal_id = SimpleNamespace(uuid=next(_ids).to_bytes(16, "big"))
        self.is_active, self.is_cancel_requested = True, False
        self.status = 0
        self._execute = execute

    def execute(self) -> None:
        self._execute(self)

    def publish_feedback(self, feedback: Any) -> None: ...

    def succeed(self) -> None:
        self._end(4)

    def canceled(self) -> None:
        self._end(5)

    def abort(self) -> None:
        self._end(6)

    def _end(self, status: int) -> None:
        self.is_active, self.status = False, status


_ids = itertools.count(1)


class InFlight:
    """A goal on its way over the simulated network; stands for `GoalInFlight`."""

    def __init__(self, stack: Stack, server: Any, goal: Any) -> None:
        self.over = threading.Event()
        self.accepted, self.response, self.fault = False, None, None
        self._given_up = False
        self._stack, self._server = stack, server
        self._goal = Goal(goal, stack.order_in_hand, self._executed)
        stack.network.send(self._arrive, late=True)

    def give_up(self) -> None:
        self._given_up = True
        if self.accepted and not self.over.is_set():
            self._stack.network.send(self._cancel)

    def _arrive(self) -> None:
        self._stack.time.start(lambda: self._server["handle_accepted_callback"](self._goal))
        self._stack.network.send(self._answered)

    def _answered(self) -> None:
        self.accepted = True
        if self._given_up:
            self._stack.network.send(self._cancel)

    def _cancel(self) -> None:
        if self._goal.is_active:
            self._server["cancel_callback"](self._goal)
            self._goal.is_cancel_requested = True

    def _executed(self, goal: Goal) -> None:
        def run() -> None:
            result = self._server["execute_callback"](goal)
            response = SimpleNamespace(status=goal.status, result=result)
            self._stack.network.send(lambda: self._ended(response))

        self._stack.time.start(run)

    def _ended(self, response: Any) -> None:
        self.response = response
        self.over.set()


class SimulatedProgram:
    """A program's process: it runs the text, and can be killed."""

    def __init__(self, source: str, skills: tuple[str, ...], limits: Any, seed: int) -> None:
        self._source, self._skills, self._killed = source, skills, False

    def kill(self) -> None:
        self._killed = True

    close = kill

    def run(self, hooks: ProgramHooks) -> ProgramEnd:
        class SkillError(Exception): ...

        class Killed(BaseException): ...

        def alive(value: Any = None) -> Any:
            if self._killed:
                raise Killed
            return value

        def skill(name: str) -> Callable[..., Any]:
            def call(*args: Any, **kwargs: Any) -> Any:
                alive()
                reply = alive(hooks.call(name, args, kwargs, 1))
                if reply.error:
                    raise SkillError(reply.message)
                return reply.value

            return call

        pause = SimpleNamespace(sleep=lambda s: alive(hooks.sleep(s, 1)))
        space = {"SkillError": SkillError, "time": pause, **{n: skill(n) for n in self._skills}}
        try:
            exec(self._source, space)
            space["task_program"]()  # type: ignore[operator]
        except Killed:
            return ProgramEnd(EndKind.KILLED)
        except SkillError as error:
            return ProgramEnd(EndKind.SKILL_ERROR, 1, str(error))
        return ProgramEnd(EndKind.FINISHED)


class Stack:
    """Two clients, an executor and a robot, all made anew for one sequence."""

    def __init__(self, seed: int, patch: pytest.MonkeyPatch, losses: float) -> None:
        self.time = time = SimulatedTime(seed)
        self.network = Network(time, losses)
        self._patch(patch)
        self.robot = Robot(self.network)
        self.kiosk = SimulatedLine(self.network, "kiosk", self._kiosk_stopped)
        self.voice = SimulatedLine(self.network, "voice")
        self.executor = SimulatedLine(self.network, "executor", self._executor_stopped)
        self.runs: dict[str, TaskRun] = {}
        self.approved: dict[str, float] = {}
        self.stops: list[float] = []
        self._sources: dict[str, str] = {}
        port = SkillClients(_NoServices(), self.executor, ("robot",), 5.0, 3600.0, DOMAIN)  # type: ignore
        clocks = Clocks(*[lambda: time.now] * 3)
        options = RunnerOptions(recovery=RECOVERY, clocks=clocks)
        hooks = RunnerHooks(lambda *_: None, lambda *_: None, lambda _: None)
        self.runner = TaskRunner(
            DOMAIN, self._verify, port, hooks, options, stops=self.executor.stops
        )
        self.runner._turns._condition = time.condition()  # type: ignore[assignment]

    def _patch(self, patch: pytest.MonkeyPatch) -> None:
        time = self.time
        patch.setattr(
            threading.Event, "wait", lambda event, timeout=None: time.wait(event, timeout)
        )
        patch.setattr(threading.Event, "set", time.set)
        patch.setattr(threading.Event, "set", lambda event: time.set(event))
        for module in (skill_calls, task_runner, skill_clients, goal_runner):
            patch.setattr(module, "time", time.clock)
        patch.setattr(task_runner, "ProgramProcess", SimulatedProgram)
        patch.setattr(goal_runner, "ActionServer", _ServerCallbacks)
        patch.setattr(
            goal_runner, "StopLink", lambda _, *told: SimulatedLine(self.network, "robot", *told)
        )
        stack = self

        class Client:
            def __init__(self, node: Any, kind: Any, name: str) -> None:
                self.name, self.kind = name, kind

            def is_ready(self) -> bool:
                return True

            def send(self, goal: Any) -> InFlight:
                return InFlight(stack, stack.robot.served[self.name.rpartition("/")[2]], goal)

        patch.setattr(skill_clients, "ResultClient", Client)
        patch.setattr(skill_clients, "servers_of", lambda *_: [])

    @property
    def order_in_hand(self) -> str:
        report = self.runner._report
        assert report is not None
        return report.order.task_id

    def approve(self, line: SimulatedLine, number: int | None = None, **how: bool) -> str:
        """A person approves a program; what is to come of it may be late."""
        source = self.time.random.choice(PROGRAMS)
        name = f"t{len(self.approved)}"
        self.approved[name] = self.time.now
        admitted = line.stops.current if number is None else number
        order = TaskOrder(name, "", source, sha256_of(source), "test", stop_number=admitted, **how)
        self.network.send(lambda: self.time.start(lambda: self._execute(order)), late=True)
        return name

    def stop(self, way: str) -> None:
        self.stops.append(self.time.now)
        if way == "by hand":
            self.network.stop(0, way)
        else:
            getattr(self, way).stop(way, "")

    def _execute(self, order: TaskOrder) -> None:
        """As the executor's node does it."""
        self.executor.learn(order.stop_number, "client")
        admission = self.executor.stops.admit(order.stop_number)
        self.runs[order.task_id] = self.runner.run(order, admission)
        self._round(order)

    def _round(self, order: TaskOrder) -> None:
        """One approval may stand for the programs of several rounds."""
        again = self.runs[order.task_id].outcome is TaskState.SUCCEEDED
        if again and self.time.random.random() < 0.3:
            name = self.approve(self.kiosk, order.stop_number, queue=True)
            self.approved[name] = self.approved[order.task_id]

    def _verify(self, calls: Any, source: str, remains: Any) -> Verdict:
        self.time.sleep(self.time.random.choice((0.001, 0.05, 0.5)))
        return VERDICTS[source]

    def _executor_stopped(self, stopped: Stopped) -> None:
        self.runner.stopped(stopped.source, stopped.reason)

    def _kiosk_stopped(self, stopped: Stopped) -> None: ...


class _ServerCallbacks(dict[str, Any]):
    def __init__(self, node: Any, kind: Any, name: str, execute: Any, **callbacks: Any) -> None:
        super().__init__(callbacks, execute_callback=execute)


class _NoServices:
    def create_client(self, *_: Any) -> None: ...
