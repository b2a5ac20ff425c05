"""Stops at random moments, by random ways, in every state of a task, beside random work.

The judge is the simulated robot's own clock: `/odom` says when it moved, and nothing that was let
in before a stop may move it more than `ALLOWED` s after the stop's own time.
"""

from __future__ import annotations

import json
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from given_time import GivenTime
from stop_stack import StopStack, Unreached
from stop_states import STATES, Reached
from waiting import LIMIT

from roboinstruct_msgs.msg import StopRequest
from roboinstruct_msgs.srv import Stop
from roboinstruct_ros import names
from roboinstruct_ros.nodes.conversions import time_to_msg

ALLOWED = 0.1
"""s after a stop's own time: the loop of the simulated robot."""

END_LIMIT = 60.0  # s for the tasks to end, and for all to know of the stop

TOPIC, CLIENT, SERVICE, PAGE = "topic", "client", "service", "page"
THROUGH = {TOPIC: (), CLIENT: (), SERVICE: ("executor",), PAGE: ("kiosk",)}
"""Ways to stop, and the processes that have to pass it on."""

VICTIMS = ("executor", "kiosk", "generator", "recorder", "client")
"""Who may be held by SIGSTOP; the robot's clock is the judge."""


@dataclass
class Trial:
    """What one stop came to; times in s after the stop's own time.

    Attributes:
        ways: by which it was asked for, the first one first.
        held: node that was held by SIGSTOP meanwhile; empty for none.
        asked: the stop's own time, s since the epoch.
        before: number of the stop before it.
        moving: whether the robot moved as it was stopped.
        moves: (when, the same without what the machine kept the processes waiting) of each thing
            that the robot has done since: it was somewhere else, took, let go or spoke.
        ends: of the tasks.
        faults: what went wrong beside, in words.
    """

    state: str
    ways: tuple[str, ...]
    held: str
    load: dict[str, int]
    asked: float = 0.0
    before: int = 0
    moving: bool = False
    moves: list[tuple[float, float]] = field(default_factory=list)
    ends: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def acted(self) -> bool:
        """Whether there was anything to stop."""
        return self.moving or bool(self.moves)

    @property
    def late(self) -> bool:
        """Whether something moved too late."""
        return any(given > ALLOWED for _, given in self.moves)

    @property
    def good(self) -> bool:
        return not self.late and not self.faults


class StopTrials:
    """Makes trials, one after the other.

    Args:
        seed: of all that is drawn.
        anew: trials after which the stack is started anew.
    """

    def __init__(self, stack: StopStack, seed: int, anew: int = 250) -> None:
        self._stack, self._draw, self._anew = stack, random.Random(seed), anew
        self._load: dict[str, int] = {}
        self.unreached: list[str] = []

    def run(self, states: Iterable[str], note: Callable[[Trial], None]) -> None:
        """One trial for each name in `states`, each told to `note`."""
        failures = 0
        for number, state in enumerate(states):
            if number and (number % self._anew == 0 or failures == 3):
                self._stack.end()
                self._stack.start()
                self._load, failures = {}, 0
            try:
                note(self.trial(state))
                failures = 0
            except Unreached as why:
                failures += 1
                self.unreached.append(f"{state}: {why}")
                print(self.unreached[-1], flush=True)
                self._put_back()

    def trial(self, state: str) -> Trial:
        """Bring a task into a state and stop it. Raises Unreached."""
        self._draw_load()
        self._stack.seen.forget()
        ways, held = self._draw_stop(state)
        trial = Trial(state, ways, held, dict(self._load))
        reached = STATES[state](self._stack, self._draw)
        try:
            self._stop(trial, reached)
            self._settle(trial, reached)
        finally:
            reached.after()
            self._stack.seen.moved = lambda stamp: None
        return trial

    def _draw_load(self) -> None:
        draw = self._draw
        if not self._load or draw.random() < 0.2:
            self._load = {
                "pages": draw.choice((0, 0, 1, 5, 30)),
                "half_open": draw.choice((0, 0, 10, 30)),
                "verifying": draw.choice((0, 0, 0, 0, 0, 0, 2, 12)),
            }
            self._stack.load(**self._load)

    def _draw_stop(self, state: str) -> tuple[tuple[str, ...], str]:
        ways = tuple(self._draw.sample(sorted(THROUGH), 2 if self._draw.random() < 0.2 else 1))
        passing = {name for way in ways for name in THROUGH[way]}
        others = [name for name in VICTIMS if name in self._stack.nodes and name not in passing]
        return ways, self._draw.choice(others) if self._draw.random() < 0.35 else ""

    def _stop(self, trial: Trial, reached: Reached) -> None:
        draw, stack = self._draw, self._stack
        moment = draw.uniform(0, reached.within)
        before = draw.uniform(0, min(0.05, moment))
        meanwhile = draw.uniform(0, 0.02)
        wait = threading.Event().wait
        wait(moment - before)
        if trial.held:
            stack.nodes[trial.held].send_signal(signal.SIGSTOP)
        wait(before)
        threads = [threading.Thread(target=self._ask, args=(way, number))
                   for number, way in enumerate(trial.ways)]  # fmt: skip
        if reached.meanwhile is not None:
            reached.meanwhile()
            wait(meanwhile)
        watched = [stack.nodes[name].pid for name in ("sim_robot", *THROUGH[trial.ways[0]])]
        given = GivenTime(*watched)

        def moved(stamp: float) -> None:
            if stamp > trial.asked:
                trial.moves.append((stamp - trial.asked, given.until(stamp)))

        trial.before = stack.number
        trial.asked = given.began = time.time()
        stack.seen.moved = moved
        threads[0].start()
        trial.moving = stack.seen.last_moved > trial.asked - 0.05
        for thread in threads[1:]:
            wait(draw.uniform(0, 0.02))
            thread.start()
        for thread in threads:
            thread.join(LIMIT)

    def _ask(self, way: str, number: int) -> None:
        """Send one stop; number tells the clients apart."""
        stack = self._stack
        if way == TOPIC:
            stamp = time_to_msg(time.time())
            stack.bare.publish(StopRequest(source="nobody", reason="a test", stamp=stamp))
        elif way == CLIENT:
            stack.clients[number].stop("a client", "a test")
        elif way == SERVICE:
            answered = threading.Event()
            future = stack.stop_service.call_async(Stop.Request(source="a client"))
            future.add_done_callback(lambda _: answered.set())
            answered.wait(LIMIT)
        else:
            stack.ask("/api/v1/stop", {})

    def _settle(self, trial: Trial, reached: Reached) -> None:
        """Watch until nothing is left that could move, a process that was held among it."""
        stack, wait = self._stack, threading.Event().wait
        begin = time.time()
        if trial.held:
            long = self._draw.random() < 0.02  # its heartbeat is missed then
            wait(1.3 if long else self._draw.uniform(0.05, 0.3))
            stack.nodes[trial.held].send_signal(signal.SIGCONT)
            begin = time.time()
        for goal in reached.goals:
            if not goal.over.wait(END_LIMIT):
                trial.faults.append(f"{goal.task_id} has not ended")
            trial.ends.append(goal.outcome)
        try:
            stack.seen.wait(lambda: self._known(trial), "all know of the stop", END_LIMIT)
        except Unreached:
            numbers = stack.seen.numbers
            trial.faults.append(f"after {trial.before} comes {stack.number}; {numbers}")
        wait(max(0.0, begin + reached.watched - time.time()))

    def _known(self, trial: Trial) -> bool:
        """Whether those who move the robot know of the stop, and we of theirs."""
        numbers = self._stack.seen.numbers
        told = [numbers.get(name, 0) for name in (names.EXECUTOR_NODE, names.SIM_ROBOT_NODE)]
        return all(trial.before < number <= self._stack.number for number in told)

    def _put_back(self) -> None:
        """Whatever the trial that was none has left."""
        for process in self._stack.nodes.values():
            process.send_signal(signal.SIGCONT)
        self._stack.clients[0].stop("a client", "not reached")
        threading.Event().wait(1.0)


def table(trials: Iterable[Trial]) -> str:
    """Figures by state, as they stand in `docs/execution.md`."""
    lines = [
        "| state | stops | robot moved | median | p99 | longest | later than 100 ms "
        "| given: p99 | longest | later than 100 ms |",
        "| --- " * 10 + "|",
    ]
    made = list(trials)
    for state in (*STATES, "all"):
        of_state = [one for one in made if state in (one.state, "all")]
        if of_state:
            lines.append(f"| {state} | {_row(of_state)} |")
    return "\n".join(lines)


def _row(trials: list[Trial]) -> str:
    acted = [one.moves[-1] if one.moves else (0.0, 0.0) for one in trials if one.acted]
    raw, given = sorted(when for when, _ in acted), sorted(max(0.0, when) for _, when in acted)
    raw_late = sum(when > ALLOWED for when in raw)
    figures = [*(_ms(raw, part) for part in (0.5, 0.99, 1.0)), raw_late]
    figures += [*(_ms(given, part) for part in (0.99, 1.0)), sum(one.late for one in trials)]
    return " | ".join(str(figure) for figure in (len(trials), len(acted), *figures))


def summary(trials: Iterable[Trial]) -> str:
    """How the stops were asked for, and beside what."""
    made = list(trials)
    ways = Counter(" and ".join(one.ways) for one in made)
    held = Counter(one.held or "nobody" for one in made)
    return f"ways {dict(ways)}\nheld {dict(held)}"


def note_to(path: Path) -> Callable[[Trial], None]:
    """Keeps each trial in a line of JSON."""

    def note(trial: Trial) -> None:
        with path.open("a") as file:
            file.write(f"{json.dumps(asdict(trial))}\n")

    return note


def read(path: Path) -> list[Trial]:
    """What `note_to` has kept."""
    return [Trial(**json.loads(line)) for line in path.read_text().splitlines()]


def _ms(values: list[float], part: float) -> str:
    """The value below which that part of the sorted values lies."""
    at = values[min(len(values) - 1, int(part * len(values)))] if values else 0.0
    return f"{at * 1000:.0f} ms"
