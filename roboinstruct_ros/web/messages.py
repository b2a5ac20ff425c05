"""What goes over the kiosk's WebSockets: one model for each message.

`WS /events` sends a `Snapshot` and then what changes it. Numbered messages are never missed: a
client that sees a gap in `seq` connects again. The others may be, for the next replaces them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, create_model

from roboinstruct_ros.domain.phrase import Phrase
from roboinstruct_ros.web.access.routes import ControlState, You
from roboinstruct_ros.web.api_models import ClosedValue
from roboinstruct_ros.web.robot_link import InterruptedRun, Question, RobotPose, WorldSeen
from roboinstruct_ros.web.schedule.views import ScheduleState
from roboinstruct_ros.web.task_view import Call, TaskView


class _Numbered(ClosedValue):
    seq: int


Examples = Annotated[list[str], Field(description="sentences to try that hold on this map")]


class Snapshot(_Numbered):
    """Everything that a page shows; the first message, and the only one of its kind."""

    type: Literal["snapshot"]
    now: Annotated[float, Field(description="the kiosk's clock, s since the Unix epoch")]
    tasks: list[TaskView]
    interrupted: list[InterruptedRun]
    pose: RobotPose | None
    world: WorldSeen
    question: Question
    nodes: dict[str, str]
    dictation: Annotated[bool, Field(description="whether there is a talk button")]
    control: ControlState
    you: You
    schedule: ScheduleState
    examples: Examples


_FIELDS: dict[str, Any] = {
    name: (one.annotation, None) for name, one in TaskView.model_fields.items() if name != "id"
}
_FIELDS |= {name: (one.return_type, None) for name, one in TaskView.model_computed_fields.items()}
TaskChange: type[BaseModel] = create_model(
    "TaskChange",
    __config__=ConfigDict(extra="forbid"),
    __doc__="A task's id with the fields that have changed, and what was added to those that grow. "
    "With another `run_started`, calls and output begin anew.",
    id=(str, ...),
    source_more=(str, None),
    calls_more=(list[Call], None),
    printed_more=(list[str], None),
    **_FIELDS,
)


class TaskTold(_Numbered):
    """A task is there, or has changed."""

    type: Literal["task"]
    task: TaskChange  # type: ignore[valid-type]


class ForgottenTold(_Numbered):
    """A task counts as never given."""

    type: Literal["forgotten"]
    id: str


class EventTold(_Numbered):
    """Something to tell a person: an error, a warning, a node that was lost."""

    type: Literal["event"]
    kind: str
    task_id: str
    data: dict[str, Any]
    phrase: Annotated[
        Phrase | None, Field(description="of its sentence, where that is the stack's own")
    ] = None


class WorldTold(_Numbered):
    """What is around the robot."""

    type: Literal["world"]
    world: WorldSeen


class QuestionTold(_Numbered):
    """What the robot asks somebody; no text: nothing any more."""

    type: Literal["question"]
    question: Question


class SpeechTold(_Numbered):
    """What the robot has said."""

    type: Literal["speech"]
    text: str


class StoppedTold(_Numbered):
    """What the executor has said to a Stop."""

    type: Literal["stopped"]
    was_running: bool
    latency: float
    message: str


class NodesTold(_Numbered):
    """State by node: waiting, up or lost."""

    type: Literal["nodes"]
    nodes: dict[str, str]


class DictationTold(_Numbered):
    """Whether something on the robot writes down what is said while the talk button is held."""

    type: Literal["dictation"]
    offered: bool


class DictatedTold(_Numbered):
    """What was said while a page's talk button was held."""

    type: Literal["dictated"]
    text: str


class InterruptedTold(_Numbered):
    """Runs that can be gone on with."""

    type: Literal["interrupted"]
    runs: list[InterruptedRun]


class ControlTold(_Numbered):
    """Which device has control, and which has asked for it."""

    type: Literal["control"]
    control: ControlState


class ScheduleTold(_Numbered):
    """What is approved in advance has changed, or a start is announced."""

    type: Literal["schedule"]
    schedule: ScheduleState


class ExamplesTold(_Numbered):
    """Other examples hold than before."""

    type: Literal["examples"]
    examples: Examples


class PoseTold(ClosedValue):
    """Where the robot is, m and rad; not numbered."""

    type: Literal["pose"]
    x: float
    y: float
    yaw: float


class AliveTold(ClosedValue):
    """The kiosk is there, once a second; not numbered."""

    type: Literal["alive"]


class StopPressed(BaseModel):
    """Stop. Whatever is sent is one; the time of the press, s, is the kiosk's clock's."""

    pressed: float | None = None


class StopSent(ClosedValue):
    """The stop request is published."""

    sent: Literal[True]


Event = (
    Snapshot | TaskTold | ForgottenTold | EventTold | WorldTold | QuestionTold | SpeechTold
    | StoppedTold | NodesTold | DictationTold | DictatedTold | InterruptedTold | ControlTold
    | ScheduleTold | ExamplesTold | PoseTold | AliveTold
)  # fmt: skip
EVENTS: tuple[type[BaseModel], ...] = get_args(Event)
"""Each message of `WS /events`."""
EventMessage: TypeAdapter[Any] = TypeAdapter(Annotated[Event, Field(discriminator="type")])
