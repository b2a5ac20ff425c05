"""The access of all steps to a model: with retries, and with reproducible answers.

A GGUF in this process forgets earlier questions, so that an answer depends on its question alone. A
server (llama.cpp, vLLM) gets many questions in parallel. If a server hangs, breaks off or sends an
invalid answer, the question is repeated, a bounded number of times.
"""

from __future__ import annotations

import atexit
import random
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import TypeVar

from pydantic import Field

from roboinstruct_ros.domain.configuration import Strict
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.backend import (
    Backend,
    BackendError,
    Forgets,
    ModelDescription,
    ReadsAhead,
    Request,
    Scores,
    StopSignal,
    Token,
)
from roboinstruct_ros.generate.backends.conversation import Prompt
from roboinstruct_ros.generate.backends.open_backend import backend_for, check_model
from roboinstruct_ros.generate.backends.prefix_store import default_folder
from roboinstruct_ros.generate.backends.server_address import is_address
from roboinstruct_ros.generate.backends.time_limit import TimeLimit
from roboinstruct_ros.generate.models.memory_plan import AUTO_LAYERS
from roboinstruct_ros.generate.models.model_options import ModelOptions
from roboinstruct_ros.generate.plain_answer import can_read
from roboinstruct_ros.learn.pipeline.work import LearnError
from roboinstruct_ros.learn.question import Question, Said

LONGEST_PAUSE = 60.0  # s between two tries
_NEVER = threading.Event()
_CANNOT_BE_MENDED = (TaskErrorCode.INSTRUCTION_TOO_LONG,)

Made = TypeVar("Made")


class WriterOptions(Strict):
    """The model to ask, and the retries.

    Attributes:
        model: as for `generate --model`; "" is the `writer` of the configuration.
    """

    model: str = Field(
        default="", description="a model's name, path or server; empty: `writer` above"
    )
    lora: str = Field(default="", description="adapters of a GGUF, as `generate --lora` takes them")
    n_ctx: int = Field(
        default=0, ge=0, le=1 << 20, description="tokens of context; 0: the model's own"
    )
    n_threads: int = Field(
        default=0, ge=0, le=256, description="threads of a GGUF; 0: as it is best"
    )
    n_gpu_layers: int = Field(default=AUTO_LAYERS, ge=-2, le=1000, description="layers on the GPU")
    at_once: int = Field(
        default=16, ge=1, le=1024, description="questions that a server has at once"
    )
    tries: int = Field(default=5, ge=1, le=100, description="times that a failed question is asked")
    pause: float = Field(
        default=1.0, ge=0, le=60, description="s to the second try; then twice as long"
    )
    silence: float = Field(
        default=60.0, gt=0, le=3600, description="s between two tokens of a server"
    )
    longest: float = Field(default=900.0, gt=0, le=86400, description="s for one answer")

    @property
    def side_by_side(self) -> int:
        """Number of questions asked in parallel."""
        return self.at_once if is_address(self.model) else 1


class WriterError(LearnError):
    """A model does not answer; `str()` is one line: which model, what is wrong and what to do."""


class Unheard(Exception):
    """One question was not answered; another try may succeed."""


class Writer:
    """Asks one model. Safe to call from any thread; each asks a server by itself."""

    def __init__(self, options: WriterOptions) -> None:
        self.options = options
        self._own = threading.local()
        self._shared: Faithful | None = None
        self._lock = threading.RLock()
        self._serves = is_address(options.model)

    def ask(self, question: Question) -> Said:
        """Ask a question.

        Raises:
            WriterError: there is no answer.
        """
        return self.patiently(lambda backend: _answer(backend, question, self.options.longest))

    def score(self, prompt: str, text: str) -> float | None:
        """Mean natural logarithm of the probabilities of a text's tokens after a prompt; None if
        the model does not report them, or the text does not fit. Raises WriterError."""

        def scored(backend: Faithful) -> float | None:
            inner = backend.inner
            if not isinstance(inner, Scores):
                return None
            backend.begin("")
            try:
                return inner.score(prompt, text)
            except BackendError as error:
                if error.code in _CANNOT_BE_MENDED:
                    return None
                raise Unheard(str(error)) from None

        return self.patiently(scored)

    def patiently(self, do: Callable[[Faithful], Made]) -> Made:
        """Call `do` with the loaded model, with retries.

        Args:
            do: called again when it raises `Unheard`, so it must be repeatable.

        Raises:
            WriterError: it fails each time.
        """
        fault, pause = "", self.options.pause
        for attempt in range(self.options.tries):
            if attempt:
                time.sleep(min(pause, LONGEST_PAUSE))
                pause *= 2
            try:
                if self._serves:
                    return do(self._backend())
                with self._lock:
                    return do(self._backend())
            except Unheard as unheard:
                fault = str(unheard)
        times = f"asked {self.options.tries} times" if self.options.tries > 1 else "asked once"
        raise WriterError(
            f"{fault} ({times}); what was made is kept: mend it, then give the same command again"
        )

    def close(self) -> None:
        """Free a model in this process."""
        if self._shared is not None:
            self._shared.inner.unload()
            self._shared = None

    def _backend(self) -> Faithful:
        """The model, loaded; raises Unheard."""
        found = getattr(self._own, "backend", None) if self._serves else self._shared
        if found is None:
            found = Faithful(_opened(self.options))
            if self._serves:
                self._own.backend = found
            else:
                self._shared = found
        return found


class Faithful:
    """A `Backend` that raises its failures as Unheard, to be retried, and counts tokens."""

    def __init__(self, inner: Backend) -> None:
        self.inner = inner
        self.read = self.written = 0

    @property
    def cached_tokens(self) -> int:
        return self.inner.cached_tokens

    def load(self) -> None:
        """Does nothing: the model is loaded."""

    def unload(self) -> None:
        """Does nothing: the model stays loaded."""

    def begin(self, beginning: Prompt) -> None:
        """Reset the cache to the common beginning of prompts, and the token counts."""
        self.read = self.written = 0
        if isinstance(self.inner, Forgets):
            self.inner.forget()
        if beginning and isinstance(self.inner, ReadsAhead):
            self.inner.warm(beginning)

    def describe(self) -> ModelDescription:
        return self.inner.describe()

    def count_tokens(self, prompt: Prompt) -> int:
        return self.inner.count_tokens(prompt)

    def stream(self, request: Request, cancel: StopSignal) -> Iterator[Token]:
        """Raises Unheard, and BackendError if the prompt is too long."""
        self.read += self.inner.count_tokens(request.prompt)
        try:
            for token in self.inner.stream(request, cancel):
                self.written += 1
                yield token
        except BackendError as error:
            if error.code in _CANNOT_BE_MENDED:
                raise
            raise Unheard(str(error)) from None


def seed_of(seed: int, *what: object) -> int:
    """The seed of one question, derived from the common seed."""
    return random.Random("/".join(map(str, (seed, *what)))).randrange(2**31)


def _opened(options: WriterOptions) -> Backend:
    try:
        backend = backend_for(
            options.model,
            _loading(options),
            prefix_store=default_folder(),
            warn=_say_nothing,
            tell=_say_nothing,
            silence=options.silence,
        )
        backend.load()
    except BackendError as error:
        raise Unheard(str(error)) from None
    return backend


def _say_nothing(_: str) -> None:
    """The step has reported it once."""


def _loading(options: WriterOptions) -> ModelOptions:
    return ModelOptions(
        lora=options.lora,
        n_ctx=options.n_ctx,
        n_threads=options.n_threads,
        n_gpu_layers=options.n_gpu_layers,
    )


def _answer(backend: Faithful, question: Question, longest: float) -> Said:
    known, kind = backend.describe(), question.kind
    limit = TimeLimit(_NEVER, longest)
    backend.begin(kind.beginning(known.prompt_format))
    prompt = kind.prompt(question.asked, known.prompt_format)
    request = Request(prompt, kind.max_tokens, question.temperature, question.seed)
    text, written = "", backend.written
    try:
        for token in backend.stream(request, limit):
            text += token.text
            if kind.ends in text.lstrip():
                break
    except BackendError:  # the question is too long
        return Said("", False)
    if limit.is_set():
        raise Unheard(f"{known.name}: has not ended its answer after {longest:g} s")
    said, end, _ = text.lstrip().partition(kind.ends)
    whole = bool(end) or backend.written - written < kind.max_tokens
    # Some servers cannot begin an answer, so the model repeats the beginning.
    said = said.strip().removeprefix(kind.begins).strip()
    return Said(said, whole, backend.read, backend.written)


@cache
def writer_of(options: WriterOptions) -> Writer:
    """The writer of this process; its model is freed with the process."""
    writer = Writer(options)
    atexit.register(writer.close)
    return writer


def checked(options: WriterOptions, otherwise: str, reads: bool = False) -> WriterOptions:
    """The options with the model resolved and checked.

    Args:
        otherwise: the default model.
        reads: the model must understand more than an instruction.

    Raises:
        WriterError: it cannot be used.
    """
    options = options.model_copy(update={"model": options.model or otherwise})
    once = options.model_copy(update={"tries": 1})
    try:
        check_model(options.model, options.lora)
    except BackendError as error:
        raise WriterError(str(error)) from None
    if reads:
        format_ = writer_of(once).patiently(lambda backend: backend.describe().prompt_format)
        if not can_read(format_):
            raise WriterError(
                f"{options.model or 'the default model'}: was trained to write programs and "
                "nothing else; name a writer that answers questions, for example a server"
            )
    return options
