"""Publishes the progress of a generation: feedback to the client, numbered events to everybody."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.generation import (
    DraftStarted,
    DraftVerified,
    Generation,
    GenerationEvent,
    TokensWritten,
)
from roboinstruct_ros.verify.verdict import Verdict

Publish = Callable[[EventKind, dict[str, Any]], None]
Feedback = Callable[[int, int, str, Verdict | None], None]

TEXT_PERIOD = 0.03
"""Period (s) of text feedback; a fast model would otherwise send one message per token."""


class GenerationReport:
    """Converts the events of one generation to messages; call it with each event.

    Args:
        feedback: Sends attempt, tokens of the draft so far, new text, and the verdict of a rejected
            draft.
    """

    def __init__(self, publish: Publish, feedback: Feedback) -> None:
        self._publish = publish
        self._feedback = feedback
        self._text = ""
        self._attempt = self._draft = self._tokens = 0
        self._sent = 0.0

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
            self._publish(EventKind.DRAFT_STARTED, data)
            self._feedback(event.attempt, 0, "", None)
        elif isinstance(event, DraftVerified):
            self._verified(event)
        else:
            self._finished(event)

    def _flush(self) -> None:
        if not self._text:
            return
        data = {"draft": self._draft, "text": self._text, "tokens": self._tokens}
        self._publish(EventKind.TOKENS, data)
        self._feedback(self._attempt, self._tokens, self._text, None)
        self._text, self._sent = "", time.monotonic()

    def _verified(self, event: DraftVerified) -> None:
        verdict = event.verdict
        self._publish(
            EventKind.DRAFT_VERIFIED,
            {"draft": event.draft, "source": event.source, "verdict": _as_json(verdict)},
        )
        if not verdict.accepted:
            self._feedback(self._attempt, self._tokens, "", verdict)

    def _finished(self, generation: Generation) -> None:
        self._publish(EventKind.GENERATION_FINISHED, generation_data(generation))
        if generation.error_code is not TaskErrorCode.NONE and generation.answer is None:
            self._publish(
                EventKind.ERROR,
                {"error_code": int(generation.error_code), "error_msg": generation.error_msg},
            )


def generation_data(generation: Generation) -> dict[str, Any]:
    """A generation as JSON, as in its `generation_finished` event."""
    return {
        "source": generation.source,
        "program_sha256": generation.sha256,
        "verdict": _as_json(generation.verdict),
        "plan": plan_lines(generation),
        "notes": list(generation.notes),
        "confidence": generation.confidence,
        "agreed": generation.agreed,
        "answer": generation.answer.as_json if generation.answer else None,
        "now": generation.now,
        "deferred": generation.deferred,
        "attempts": generation.attempts,
        "prompt_tokens": generation.prompt_tokens,
        "generated_tokens": generation.generated_tokens,
        "duration": round(generation.duration, 4),
        "stats": asdict(generation.stats),
        "steering": generation.steering,
        "parent_sha256": generation.parent_sha256,
        "task": generation.task_id,
        "version": generation.version,
        "error_code": int(generation.error_code),
        "error_msg": generation.error_msg,
    }


def plan_lines(generation: Generation) -> list[str]:
    return [str(step) for step in generation.plan]


def _as_json(verdict: Verdict | None) -> dict[str, Any] | None:
    return None if verdict is None else verdict.model_dump(mode="json")
