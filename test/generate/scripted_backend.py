"""A model that says what a test tells it to, for the loop's own logic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log

from roboinstruct_ros.generate.backends.backend import (
    BackendError,
    ModelDescription,
    Request,
    StopSignal,
    Token,
)
from roboinstruct_ros.generate.backends.conversation import Prompt


class ScriptedBackend:
    """Says `answers` one after the other, the last one for ever, a word a token."""

    def __init__(
        self, answers: Sequence[str | BackendError], prompt_format: str = "instruction_comment"
    ) -> None:
        self.requests: list[Request] = []
        self._answers = answers
        self._prompt_format = prompt_format

    cached_tokens = 0

    def load(self) -> None: ...

    def unload(self) -> None: ...

    def describe(self) -> ModelDescription:
        return ModelDescription("scripted", self._prompt_format, 10_000, 0)

    def count_tokens(self, prompt: Prompt) -> int:
        return len((prompt if isinstance(prompt, str) else prompt.text).split(" "))

    def stream(self, request: Request, cancel: StopSignal) -> Iterator[Token]:
        answer = self._answers[min(len(self.requests), len(self._answers) - 1)]
        self.requests.append(request)
        if isinstance(answer, BackendError):
            raise answer
        for word in answer.replace(" ", " \0").split("\0")[: request.max_tokens]:
            if cancel.is_set():
                return
            yield Token(word)


class WeighedBackend(ScriptedBackend):
    """Says how likely its likeliest text is as a whole."""

    def __init__(self, *answers: str, likely: float = 0.1, last: float = 1.0) -> None:
        super().__init__(answers, "robot_task")
        self._likely, self._last = likely, last

    def stream(self, request: Request, cancel: StopSignal) -> Iterator[Token]:
        likeliest = request.temperature == 0
        tokens = list(super().stream(request, cancel))
        weights = [log(self._likely), *(0.0 for _ in tokens[2:]), log(self._last)]
        for token, weight in zip(tokens, weights, strict=False):
            yield Token(token.text, weight if likeliest else None)
