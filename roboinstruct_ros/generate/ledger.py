"""Records the cost of a generation: tokens, times, and rejections."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from roboinstruct_ros.generate.generation import GenerationStats, Rejection
from roboinstruct_ros.verify.verdict import Verdict


class Ledger:
    """Counts while a program is written.

    Attributes:
        prompt_tokens: Tokens of all prompts.
        generated_tokens: Tokens of all texts, including repeats.
        examples: Chosen examples in the last prompt.
    """

    def __init__(self) -> None:
        self.prompt_tokens = 0
        self.generated_tokens = 0
        self.examples = 0
        self._cached = 0
        self._drawn = 0
        self._first: float | None = None
        self._writing = 0.0
        self._begun = 0.0
        self._verification = 0.0
        self._before = 0.0
        self._rejected: list[Rejection] = []
        self._fallbacks: dict[str, None] = {}

    def begin(self, prompt_tokens: int, texts: int = 1) -> None:
        """Record the beginning of texts that share a prompt."""
        self.prompt_tokens += prompt_tokens
        self._drawn += texts
        self._begun = time.monotonic()
        self._before = self._verification

    def token(self, elapsed: float) -> None:
        """Record a token, written `elapsed` s after the instruction arrived."""
        self.generated_tokens += 1
        if self._first is None:
            self._first = elapsed

    def end(self, cached_tokens: int) -> None:
        """Record the end of the texts."""
        self._cached += cached_tokens
        # verification during writing is not the model's time
        self._writing += time.monotonic() - self._begun - (self._verification - self._before)

    @contextmanager
    def verification(self) -> Iterator[None]:
        """Context for the verification of a program."""
        begun = time.monotonic()
        try:
            yield
        finally:
            self._verification += time.monotonic() - begun

    def reject(self, draft: int, verdict: Verdict) -> None:
        """Record a draft that was not accepted."""
        first = verdict.violations[0] if verdict.violations else None
        self._rejected.append(
            Rejection(draft, first.code.value, first.line, first.message)
            if first
            else Rejection(draft, "undecided", 0, verdict.why_not)
        )

    def fall_back(self, what: str) -> None:
        """Record what could not be put into a prompt."""
        self._fallbacks[what] = None

    def stats(self) -> GenerationStats:
        """The totals so far."""
        speed = self.generated_tokens / self._writing if self._writing else 0.0
        return GenerationStats(
            cached_tokens=self._cached,
            drawn=self._drawn,
            first_token=None if self._first is None else round(self._first, 4),
            writing=round(self._writing, 4),
            verification=round(self._verification, 4),
            tokens_per_second=round(speed, 1),
            rejected=tuple(self._rejected),
            fallbacks=tuple(self._fallbacks),
            examples=self.examples,
        )
