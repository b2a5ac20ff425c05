"""What the stack has told lately: events, what writing programs took, and how each node is."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from typing import Any

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.generate.confidence import confidence_text
from roboinstruct_ros.web.api_models import Value
from roboinstruct_ros.web.robot_link import DiagnosisSeen, Heard, RobotEvent
from roboinstruct_ros.web.shown import shown, shown_text, shown_texts
from roboinstruct_ros.web.task_events import MALFORMED, MAX_REJECTED

MOST_EVENTS = 500
"""Events that are kept, the last ones; all of a run are in its bag."""
MOST_GENERATIONS = 20
MOST_DIAGNOSES = 200
MOST_KEYS = 40
"""Fields of one event, and values of one diagnosis."""


class EventSeen(Value):
    """An event of the stack: `number` counts those that this kiosk has heard, from 1; `stamp` in s
    since the Unix epoch; long values of `data` are cut."""

    number: int
    stamp: float
    kind: str
    source: str
    task_id: str
    data: dict[str, Any]


class EventsSeen(Value):
    """Events in order; `missed` of them came since, and are not kept any more."""

    events: list[EventSeen]
    missed: int


class RejectedDraft(Value):
    """Why a draft was not accepted: its first violation."""

    draft: int
    code: str
    line: int
    message: str


class GenerationSeen(Value):
    """What the writing of one program took; times in s.

    Attributes:
        begun: s since the Unix epoch; 0 where the kiosk came later.
        drafts: programs that were verified; `drawn` texts were begun.
        first_token: from the instruction to the first text; None where there was none.
        writing, verification: of `duration`; the rest is neither.
        error: why there is no program; empty where there is one.
    """

    task_id: str
    words: str
    model: str
    begun: float
    duration: float
    drafts: int
    drawn: int
    prompt_tokens: int
    cached_tokens: int
    generated_tokens: int
    tokens_per_second: float
    first_token: float | None
    writing: float
    verification: float
    rejected: list[RejectedDraft]
    fallbacks: list[str]
    confidence: str
    error: str


class DiagnosisLine(Value):
    """What a node says of one of its parts; `age` in s since it was heard."""

    part: str
    level: str
    message: str
    values: dict[str, str]
    age: float


class NodeSeen(Value):
    """A node: `state` waiting, up or lost, empty where no heartbeat is waited for; `silence` in s
    since its last heartbeat, None where none was heard."""

    name: str
    state: str
    silence: float | None
    lines: list[DiagnosisLine]


class StackRecord:
    """Keeps what is heard; lives on one event loop."""

    def __init__(self) -> None:
        self._events: deque[EventSeen] = deque(maxlen=MOST_EVENTS)
        self._number = 0
        self._begun: dict[str, RobotEvent] = {}
        self._generations: deque[GenerationSeen] = deque(maxlen=MOST_GENERATIONS)
        self._diagnoses: dict[str, tuple[DiagnosisSeen, float]] = {}

    def hear(self, heard: Heard) -> None:
        """Take it, if it is one of those that are kept."""
        if isinstance(heard, DiagnosisSeen):
            self._hear_diagnosis(heard)
        elif isinstance(heard, RobotEvent) and heard.kind != EventKind.TOKENS.value:
            self._hear_event(heard)

    def events(self, after: int) -> EventsSeen:
        """Those with a greater number; a number that there is not yet gives all."""
        after = after if 0 <= after <= self._number else 0
        later = [event for event in self._events if event.number > after]
        return EventsSeen(events=later, missed=self._number - after - len(later))

    def generations(self) -> list[GenerationSeen]:
        """The last one first."""
        return list(reversed(self._generations))

    def nodes(self, states: Mapping[str, str], silence: Mapping[str, float]) -> list[NodeSeen]:
        """Every node that is watched or has told something, by name."""
        now = time.monotonic()
        lines: dict[str, list[DiagnosisLine]] = {}
        for told, heard_at in self._diagnoses.values():
            line = DiagnosisLine(
                part=told.part, level=told.level, message=told.message,
                values=dict(told.values), age=round(now - heard_at, 1),
            )  # fmt: skip
            lines.setdefault(told.node, []).append(line)
        names = sorted({*states, *silence, *lines})
        return [
            NodeSeen(
                name=name, state=states.get(name, ""), lines=lines.get(name, []),
                silence=round(silence[name], 2) if name in silence else None,
            )
            for name in names
        ]  # fmt: skip

    def _hear_diagnosis(self, told: DiagnosisSeen) -> None:
        name = f"{told.node}: {told.part}"
        if name in self._diagnoses or len(self._diagnoses) < MOST_DIAGNOSES:
            self._diagnoses[name] = told, time.monotonic()

    def _hear_event(self, event: RobotEvent) -> None:
        self._number += 1
        data = {shown_text(key, 60): _bounded(value) for key, value in _some(event.data)}
        self._events.append(
            EventSeen(
                number=self._number, stamp=event.stamp, kind=event.kind, source=event.source,
                task_id=event.task_id, data=data,
            )
        )  # fmt: skip
        if event.kind == EventKind.GENERATION_STARTED.value:
            self._begun = {event.task_id: event}  # one program is written at a time
        elif event.kind == EventKind.GENERATION_FINISHED.value:
            try:
                begun = self._begun.pop(event.task_id, RobotEvent(event.kind))
                self._generations.append(_generation(begun, event))
            except MALFORMED:
                pass  # it stands among the events as it came


def _some(data: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return list(data.items())[:MOST_KEYS]


def _bounded(value: Any) -> Any:
    """A value in which nothing is deep; of an object, such as `stats` or a verdict, one level."""
    if isinstance(value, Mapping):
        return {shown_text(key, 60): shown(one) for key, one in _some(value)}
    return shown(value)


def _generation(begun: RobotEvent, ended: RobotEvent) -> GenerationSeen:
    """Raises what `MALFORMED` names."""
    data, stats = ended.data, ended.data.get("stats") or {}
    first = stats.get("first_token")
    sure = confidence_text(data.get("confidence"), data.get("agreed"))
    return GenerationSeen(
        task_id=ended.task_id,
        words=shown_text(begun.data.get("instruction")),
        model=shown_text(begun.data.get("model"), 200),
        begun=begun.stamp,
        duration=float(data.get("duration", 0.0)),
        drafts=int(data.get("attempts", 0)),
        drawn=int(stats.get("drawn", 0)),
        prompt_tokens=int(data.get("prompt_tokens", 0)),
        cached_tokens=int(stats.get("cached_tokens", 0)),
        generated_tokens=int(data.get("generated_tokens", 0)),
        tokens_per_second=float(stats.get("tokens_per_second", 0.0)),
        first_token=None if first is None else float(first),
        writing=float(stats.get("writing", 0.0)),
        verification=float(stats.get("verification", 0.0)),
        rejected=[
            RejectedDraft(
                draft=int(one["draft"]), code=shown_text(one["code"], 60), line=int(one["line"]),
                message=shown_text(one["message"]),
            )
            for one in stats.get("rejected", ())[:MAX_REJECTED]
        ],
        fallbacks=list(shown_texts(stats.get("fallbacks", ()))),
        confidence=shown_text(sure, 60),
        error=shown_text(data.get("error_msg")),
    )  # fmt: skip
