"""Publishes the progress of a generation: feedback to the client, numbered events to everybody."""

from __future__ import annotations

import time
from typing import Any

from rclpy.action.server import ServerGoalHandle

from roboinstruct_msgs.action import GenerateProgram
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.instruction import IN_BACKGROUND
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.generation import (
    DraftStarted,
    DraftVerified,
    Generation,
    GenerationEvent,
    TokensWritten,
)
from roboinstruct_ros.nodes.conversions import verdict_to_msg, violation_to_msg
from roboinstruct_ros.nodes.events import EventPublisher
from roboinstruct_ros.verify.verdict import Verdict

TEXT_PERIOD = 0.03
"""Period (s) of text feedback; a fast model would otherwise send one message per token."""

_TOLD_AS_THEY_ARE = (
    "source", "attempts", "prompt_tokens", "generated_tokens", "duration", "steering",
    "parent_sha256", "deferred", "error_msg",
)  # fmt: skip


class GenerationReport:
    """Converts the events of one generation to messages; call it with each event."""

    def __init__(self, events: EventPublisher, goal: ServerGoalHandle) -> None:
        self._events, self._goal = events, goal
        self._text = ""
        self._attempt = self._draft = self._tokens = 0
        self._sent = 0.0

    def publish(self, kind: EventKind, data: dict[str, Any]) -> None:
        """Publish an event of this task; a request made in the background has none."""
        request = self._goal.request
        if request.asked_by != IN_BACKGROUND:
            self._events.publish(kind, data, request.task_id)

    def __call__(self, event: GenerationEvent) -> None:
        if isinstance(event, TokensWritten):
            self._text += event.text
            self._draft, self._tokens = event.draft, event.tokens
            if time.monotonic() - self._sent >= TEXT_PERIOD:
                self._flush()
            return
        self._flush()
        if isinstance(event, DraftStarted):
            self._attempt, self._draft, self._tokens = event.attempt, event.draft, 0
            data = {"draft": event.draft, "attempt": event.attempt}
            self.publish(EventKind.DRAFT_STARTED, data)
            self._feedback()
        elif isinstance(event, DraftVerified):
            self._verified(event)
        else:
            self._finished(event)

    def _flush(self) -> None:
        if not self._text:
            return
        data = {"draft": self._draft, "text": self._text, "tokens": self._tokens}
        self.publish(EventKind.TOKENS, data)
        self._feedback(self._text)
        self._text, self._sent = "", time.monotonic()

    def _verified(self, event: DraftVerified) -> None:
        verdict = event.verdict.model_dump(mode="json")
        data = {"draft": event.draft, "source": event.source, "verdict": verdict}
        self.publish(EventKind.DRAFT_VERIFIED, data)
        if not event.verdict.accepted:
            self._feedback("", event.verdict)

    def _finished(self, generation: Generation) -> None:
        self.publish(EventKind.GENERATION_FINISHED, generation.as_json)
        if generation.error_code is not TaskErrorCode.NONE and generation.answer is None:
            code, message = int(generation.error_code), generation.error_msg
            self.publish(EventKind.ERROR, {"error_code": code, "error_msg": message})

    def _feedback(self, text: str = "", rejected: Verdict | None = None) -> None:
        violations = [violation_to_msg(v) for v in rejected.violations] if rejected else []
        self._goal.publish_feedback(
            GenerateProgram.Feedback(
                attempt=self._attempt, tokens=self._tokens, text=text, violations=violations
            )
        )


def result_msg(generation: Generation) -> GenerateProgram.Result:
    """Convert an ended generation; its duration is in s."""
    result = GenerateProgram.Result(
        program_sha256=generation.sha256,
        plan=[str(step) for step in generation.plan],
        notes=list(generation.notes),
        error_code=int(generation.error_code),
        **{name: getattr(generation, name) for name in _TOLD_AS_THEY_ARE},
    )
    if generation.answer is not None:
        result.answer = generation.answer.kind.value
        result.answer_words = generation.answer.words
        result.choices = list(generation.answer.choices)
    if generation.verdict is not None:
        result.verdict = verdict_to_msg(generation.verdict)
    return result
