"""What the kiosk needs of a robot, and what it hears from it; `nodes/kiosk/` answers with ROS."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from roboinstruct_ros.domain.events import EventKind

NodeStates = Mapping[str, str]
"""Each watched node: "waiting" (not heard yet), "up" or "lost"."""


@dataclass(frozen=True)
class RobotEvent:
    """One event of the stack; `kind` and the keys of `data` as in `domain/events.py`.

    Attributes:
        stamp: When, s since the Unix epoch.
    """

    kind: str
    task_id: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""
    stamp: float = 0.0


@dataclass(frozen=True)
class JobEnded:
    """The end of a goal that this kiosk sent, as its result told it or as its server was lost.

    Attributes:
        kind: GENERATION_FINISHED or RUN_FINISHED.
        data: with the keys of the event of that kind; of a run also `made`, all calls.
    """

    kind: EventKind
    task_id: str
    data: Mapping[str, Any]


@dataclass(frozen=True)
class NothingRuns:
    """The executor has started anew or is lost for good: what ran there ended without a word."""


@dataclass(frozen=True)
class ProgramJudged:
    """What the executor says of a program that `RobotLink.verify` showed it.

    Attributes:
        sha256: of the text that it was shown.
        verdict: None when there is none; `error_code` and `message` then say why.
    """

    task_id: str
    sha256: str
    verdict: dict[str, Any] | None
    error_code: int = 0
    message: str = ""


def lost_node(name: str) -> RobotEvent:
    """What the kiosk itself tells when it hears a node no more."""
    data = {"node": name, "message": f"the {name.replace('_', ' ')} is lost"}
    return RobotEvent(EventKind.NODE_LOST.value, "", data, "kiosk", time.time())


@dataclass(frozen=True)
class RobotPose:
    """Where the robot is: m and rad, frame `map`."""

    x: float
    y: float
    yaw: float


@dataclass(frozen=True)
class Thing:
    """A door, an object or a person; m, frame `map`."""

    name: str
    x: float
    y: float
    open: bool = True


@dataclass(frozen=True)
class WorldSeen:
    """Everything on the map but rooms and robot."""

    doors: tuple[Thing, ...] = ()
    objects: tuple[Thing, ...] = ()
    people: tuple[Thing, ...] = ()
    held: str = ""


@dataclass(frozen=True)
class Speech:
    """What the robot said."""

    text: str


@dataclass(frozen=True)
class AnnouncementEnded:
    """The robot has said what `announce` gave it by that name; `fault`: why it has not."""

    name: str
    fault: str = ""


@dataclass(frozen=True)
class Question:
    """What the robot asks; `live` when the answer must come from the screen. No text: nothing.

    Attributes:
        until: when it is given up, s since the Unix epoch; 0 when nobody has said.
        goal_id: new for each asking, also of the same text; empty when nobody has said.
    """

    text: str = ""
    person: str = ""
    options: tuple[str, ...] = ()
    live: bool = False
    until: float = 0.0
    goal_id: str = ""


@dataclass(frozen=True)
class AnswerTime:
    """How long the robot still waits for the answer to its question, s."""

    left: float


@dataclass(frozen=True)
class DictationSeen:
    """Whether something on the robot writes down what is said, each time that changes."""

    offered: bool


@dataclass(frozen=True)
class Dictated:
    """What was said while the talk button was held."""

    text: str


@dataclass(frozen=True)
class NodesSeen:
    """Which nodes are there, each time that changes."""

    states: NodeStates


@dataclass(frozen=True)
class DiagnosisSeen:
    """What a node says of one of its parts; `level` as in `domain/diagnosis.py`, in lower case."""

    node: str
    part: str
    level: str
    message: str
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class StopAnswer:
    """What the executor said to a stop: `latency` in s, `was_running` a task."""

    was_running: bool
    latency: float
    message: str


@dataclass(frozen=True)
class InterruptedRun:
    """A run that a crash or a loss of power has ended in the middle.

    Attributes:
        calls: skill calls that are recorded.
        in_flight: the call that had begun; empty when none.
        begun: s since the Unix epoch.
    """

    task_id: str
    text: str
    source: str
    sha256: str
    calls: int
    in_flight: str = ""
    begun: float = 0.0


@dataclass(frozen=True)
class InterruptedSeen:
    """All runs that can be gone on with, each time that changes."""

    runs: tuple[InterruptedRun, ...]


@dataclass(frozen=True)
class LinkHealth:
    """How fresh is what the link says.

    Attributes:
        silence: s since each watched node was heard last.
        turned: s since the thread that listens has last done its round.
    """

    silence: Mapping[str, float]
    turned: float


Heard = (
    RobotEvent
    | JobEnded
    | NothingRuns
    | ProgramJudged
    | RobotPose
    | WorldSeen
    | Speech
    | AnnouncementEnded
    | DictationSeen
    | Dictated
    | Question
    | AnswerTime
    | NodesSeen
    | DiagnosisSeen
    | StopAnswer
    | InterruptedSeen
)
Listener = Callable[[Heard], None]


class RobotLink(Protocol):
    """Calls return at once; what comes of them is heard.

    A generation and a run end with `JobEnded`, even when the node that did it is lost.
    """

    def listen(self, listener: Listener) -> None:
        """Tell `listener` everything from now on, and latched things at once; from any thread."""

    def generate(
        self,
        task_id: str,
        instruction: str,
        asked_by: str,
        follows: str = "",
        found: tuple[str, ...] = (),
    ) -> None:
        """Have a program written, or one of an earlier task changed.

        Args:
            asked_by: For the record.
            follows: The task of the library that the words are a follow-up to; empty for a new one.
            found: What earlier rounds of the task have found out.

        Raises:
            WebError: NODE_MISSING, nobody writes programs now.
        """

    def cancel(self, task_id: str) -> None:
        """End the generation or run of that task; nothing if there is none."""

    def execute(
        self,
        task_id: str,
        instruction: str,
        source: str,
        sha256: str,
        approved_by: str,
        resume: bool = False,
        stop_number: int | None = None,
    ) -> None:
        """Have an approved program run.

        Args:
            resume: Go on with the interrupted run of this task.
            stop_number: Of the last stop known when a person approved; None is that of now.

        Raises:
            WebError: NODE_MISSING, nobody runs programs now.
        """

    def verify(self, task_id: str, source: str, sha256: str) -> None:
        """Have the executor judge a program; `ProgramJudged` is what it says.

        Raises:
            WebError: NODE_MISSING, nobody judges programs now.
        """

    def stop_number(self) -> int:
        """The number of the last stop that is known."""

    def health(self) -> LinkHealth:
        """How fresh is what it says; from any thread."""

    def pause(self, paused: bool) -> None:
        """Hold the running task, or let it go on."""

    def forget(self, task_id: str) -> None:
        """Count an interrupted run as ended."""

    def stop(self, reason: str, pressed: float) -> None:
        """Halt every skill and end the running task; from any thread, without waiting.

        Args:
            pressed: When Stop was pressed, s since the Unix epoch.
        """

    def talk(self, down: bool) -> None:
        """The talk button goes down, or up; `Dictated` is what was said in between."""

    def answer(self, question: str, answer: str, goal_id: str) -> None:
        """Give a live person's answer to the `Question` of that text and goal."""

    def announce(self, name: str, text: str) -> None:
        """Have the robot say something outside of any task, until `AnnouncementEnded`."""

    def hush(self, name: str) -> None:
        """End what is being announced by that name."""
