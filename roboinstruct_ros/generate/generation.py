"""What writing a program gives, and what happens on the way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from roboinstruct_ros.domain.answer import Answer
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.program.narrate import PlanStep
from roboinstruct_ros.verify.verdict import Verdict


@dataclass(frozen=True)
class DraftStarted:
    """A text is being written; what an earlier one was shown is void.

    Attributes:
        draft: the program that it may become, counted from 1.
        attempt: 2 and more after rejected programs, which it is to mend; else 1.
    """

    draft: int
    attempt: int = 1


@dataclass(frozen=True)
class TokensWritten:
    """New text. `tokens` counts those of this draft so far."""

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
        code: a violation code; "undecided" where the verifier found none.
    """

    draft: int
    code: str
    line: int
    message: str


@dataclass(frozen=True)
class GenerationStats:
    """What writing took.

    Attributes:
        cached_tokens: Prompt tokens that were still in the model's memory from the text before.
        drawn: Texts that were begun, repeats and cut off ones included.
        first_token: s from the instruction to the first new text; None when there was none.
        writing: s in which the model wrote, prompts included.
        verification: s in which programs were verified.
        tokens_per_second: New tokens for each second of `writing`.
        examples: Tasks done before that the model was shown, beside those that always are.
        fallbacks: What the model could not be told, and what was done instead.
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
    """An accepted program that somebody may choose, where two were likely.

    Attributes:
        choice: what it does that the other does not, as the question has it.
        notes, now, deferred: as of the `Generation` that it becomes.
    """

    choice: str
    source: str
    notes: tuple[str, ...] = ()
    now: str = ""
    deferred: str = ""


@dataclass(frozen=True)
class Generation:
    """The end of writing: an accepted program, or why there is none.

    Attributes:
        source: Text of the accepted program, else of the last draft; may be empty.
        sha256: Hash of the UTF-8 text, lower-case hex; empty when `source` is.
        verdict: The verdict on `source`; None when nothing was verified.
        plan: The accepted program as numbered English steps.
        attempts: Programs that were verified.
        prompt_tokens: Tokens of all prompts.
        generated_tokens: Tokens of all drafts, repeated ones too.
        duration: Seconds from instruction to this.
        error_code: NONE when `source` is accepted.
        error_msg: One line of plain English; empty on success.
        notes: What in the accepted program does not fit the instruction, as far as names tell.
        steering: How a follow-up was read; empty for a task of its own.
        parent_sha256: Hash of the program that a follow-up was built upon; empty for none.
        task_id: Of the task that the program is a version of; empty where nobody keeps it.
        version: Its number in the task, from 1; 0 where nobody keeps it.
        answer: What is said instead of a program: the model's own words, or a question where the
            instruction names a room that is not there, a follow-up cannot be acted upon, or
            something has to be said first. With it `error_code` is NO_ACCEPTED_PROGRAM.
        now: The words that `source` was written for, where they are a part of the instruction.
        deferred: What is left of the instruction until more is known; see `splitting.py`.
        confidence: How likely this is what was meant, from 0 to 1; None where nothing tells.
        agreed: How many drafts agree with this, and of how many; None where they were not counted.
        offers: Of a question about two programs, what its choices stand for.
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
    parent_sha256: str = ""
    task_id: str = ""
    version: int = 0

    @property
    def accepted(self) -> bool:
        """Whether `source` may go on to approval."""
        return self.error_code is TaskErrorCode.NONE


GenerationEvent = DraftStarted | TokensWritten | DraftVerified | Generation
OnEvent = Callable[[GenerationEvent], None]


def all_but_the_end(on_event: OnEvent) -> OnEvent:
    """Tells `on_event` of everything but what is returned."""

    def tell(event: GenerationEvent) -> None:
        if not isinstance(event, Generation):
            on_event(event)

    return tell
