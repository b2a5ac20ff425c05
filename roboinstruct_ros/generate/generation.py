"""The result of writing a program, and the events on the way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from roboinstruct_ros.domain.answer import Answer
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.program.narrate import PlanStep
from roboinstruct_ros.verify.verdict import Verdict


@dataclass(frozen=True)
class DraftStarted:
    """A text is being written; anything shown of an earlier one is void.

    Attributes:
        draft: the program that it may become, counted from 1.
        attempt: 2 or more for a repair of rejected programs; else 1.
    """

    draft: int
    attempt: int = 1


@dataclass(frozen=True)
class TokensWritten:
    """New text. `tokens` is the count of this draft so far."""

    draft: int
    text: str
    tokens: int


@dataclass(frozen=True)
class DraftVerified:
    """The verifier has judged the draft's program."""

    draft: int
    source: str
    verdict: Verdict


@dataclass(frozen=True)
class Rejection:
    """Why a draft was not accepted: its first violation.

    Attributes:
        code: a violation code; "undecided" if the verifier found none.
    """

    draft: int
    code: str
    line: int
    message: str


@dataclass(frozen=True)
class GenerationStats:
    """The cost of writing.

    Attributes:
        cached_tokens: Prompt tokens that were cached from an earlier prompt.
        drawn: Texts that were begun, including repeats and texts cut off.
        first_token: s from the instruction to the first new text; None if there was none.
        writing: s in which the model wrote, including prompts.
        verification: s in which programs were verified.
        tokens_per_second: New tokens per second of `writing`.
        examples: Earlier tasks shown to the model besides the fixed examples.
        fallbacks: What could not be put into a prompt, and what was done instead.
    """

    cached_tokens: int = 0
    drawn: int = 0
    first_token: float | None = None
    writing: float = 0.0
    verification: float = 0.0
    tokens_per_second: float = 0.0
    rejected: tuple[Rejection, ...] = ()
    fallbacks: tuple[str, ...] = ()
    examples: int = 0


@dataclass(frozen=True)
class Offer:
    """An accepted program that a person may choose if two were likely.

    Attributes:
        choice: what it does differently from the other, in the words of the question.
        notes, now, deferred: as of the `Generation` that it becomes.
    """

    choice: str
    source: str
    notes: tuple[str, ...] = ()
    now: str = ""
    deferred: str = ""


@dataclass(frozen=True)
class Generation:
    """The result: an accepted program, or why there is none.

    Attributes:
        source: Text of the accepted program, else of the last draft; may be empty.
        sha256: Hash of the UTF-8 text, lower-case hex; empty if `source` is.
        verdict: The verdict on `source`; None if nothing was verified.
        plan: The accepted program as numbered English steps.
        attempts: Number of verified programs.
        prompt_tokens: Tokens of all prompts.
        generated_tokens: Tokens of all drafts, including repeats.
        duration: s from the instruction to the result.
        error_code: NONE if `source` is accepted.
        error_msg: One line of plain English; empty on success.
        notes: What in the accepted program does not fit the instruction, judged by names.
        steering: How a follow-up was read; empty for a new task.
        words: The whole task as one instruction, a follow-up joined with what it changes.
        parent_sha256: Hash of the program that a follow-up changes; empty for none.
        task_id: Of the task that the program is a version of; empty if it is not stored.
        version: Its number in the task, from 1; 0 if it is not stored.
        succeeded: Number of earlier runs of that version that succeeded.
        answer: An answer instead of a program: the model's own words, or a question if the
            instruction names an unknown room, a follow-up cannot be carried out, or something has
            to be said first. `error_code` is then NO_ACCEPTED_PROGRAM.
        now: The words for which `source` was written, if they are a part of the instruction.
        deferred: The part of the instruction that waits until more is known; see `splitting.py`.
        confidence: Probability that this is what was meant, from 0 to 1; None if unknown.
        agreed: Drafts that agree with this, and all drafts; None if they were not compared.
        offers: The programs behind the choices of a question between two programs.
    """

    source: str
    sha256: str
    verdict: Verdict | None
    plan: tuple[PlanStep, ...]
    attempts: int
    prompt_tokens: int
    generated_tokens: int
    duration: float
    error_code: TaskErrorCode
    error_msg: str
    notes: tuple[str, ...] = ()
    answer: Answer | None = None
    now: str = ""
    deferred: str = ""
    confidence: float | None = None
    agreed: tuple[int, int] | None = None
    offers: tuple[Offer, ...] = ()
    stats: GenerationStats = GenerationStats()
    steering: str = ""
    words: str = ""
    parent_sha256: str = ""
    task_id: str = ""
    version: int = 0
    succeeded: int = 0

    @property
    def accepted(self) -> bool:
        """Whether `source` may be submitted for approval."""
        return self.error_code is TaskErrorCode.NONE

    @property
    def as_json(self) -> dict[str, Any]:
        """As in its `generation_finished` event."""
        return {
            "source": self.source,
            "program_sha256": self.sha256,
            "verdict": None if self.verdict is None else self.verdict.model_dump(mode="json"),
            "plan": [str(step) for step in self.plan],
            "notes": list(self.notes),
            "confidence": self.confidence,
            "agreed": self.agreed,
            "answer": self.answer.as_json if self.answer else None,
            "now": self.now,
            "deferred": self.deferred,
            "attempts": self.attempts,
            "prompt_tokens": self.prompt_tokens,
            "generated_tokens": self.generated_tokens,
            "duration": round(self.duration, 4),
            "stats": asdict(self.stats),
            "steering": self.steering,
            "words": self.words,
            "parent_sha256": self.parent_sha256,
            "task": self.task_id,
            "version": self.version,
            "succeeded": self.succeeded,
            "error_code": int(self.error_code),
            "error_msg": self.error_msg,
        }


GenerationEvent = DraftStarted | TokensWritten | DraftVerified | Generation
OnEvent = Callable[[GenerationEvent], None]


def all_but_the_end(on_event: OnEvent) -> OnEvent:
    """Forward every event to `on_event` except the final one."""

    def tell(event: GenerationEvent) -> None:
        if not isinstance(event, Generation):
            on_event(event)

    return tell
