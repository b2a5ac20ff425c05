"""The interface between the generate-verify-repair loop and a language model."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from roboinstruct_ros.domain.files.world_names import SERVICE_ROBOT
from roboinstruct_ros.domain.task_error import TaskError
from roboinstruct_ros.generate.backends.conversation import Prompt


class BackendError(TaskError):
    """A model that cannot be loaded or used; `str()` is one clear line.

    Attributes:
        code: MODEL_NOT_LOADED, MODEL_FAILED or INSTRUCTION_TOO_LONG (context overflow).
        message: What is wrong and what would be right.
    """


@dataclass(frozen=True)
class Token:
    """A piece of newly generated text; may be empty inside a multi-byte character.

    Attributes:
        log_p: Natural logarithm of this token's probability, in the likeliest text; None if
            unknown.
    """

    text: str
    log_p: float | None = None


@dataclass(frozen=True)
class ModelDescription:
    """The properties of a model.

    Attributes:
        name: Short name, for people and the record.
        prompt_format: Name of the prompt format it was trained for, see `prompt.py`.
        context: Tokens that prompt and answer share.
        parameters: Number of weights.
        robot: Name of the domain that it was trained for, if it was trained for one.
    """

    name: str
    prompt_format: str
    context: int
    parameters: int
    robot: str = SERVICE_ROBOT


@dataclass(frozen=True)
class Request:
    """A request to write text.

    Attributes:
        prompt: Text to continue, or a conversation to answer (for models whose `prompt_format`
            is `chat`).
        max_tokens: Most tokens to generate.
        temperature: 0 is greedy decoding and ignores `seed`.
        seed: The same seed gives the same text.
        grammar: GBNF to which the new text is constrained; "" leaves it free.
    """

    prompt: Prompt
    max_tokens: int
    temperature: float = 0.0
    seed: int = 1
    grammar: str = ""


@dataclass(frozen=True)
class Draw:
    """How one of several texts for the same prompt is drawn; see `Request`.

    Attributes:
        leads: the text counts as the likeliest one although it is sampled.
    """

    temperature: float
    seed: int
    leads: bool = False


@dataclass(frozen=True)
class CandidateText:
    """New text of one of several candidates.

    Attributes:
        index: 0-based index among the draws.
        ended: the candidate is complete.
        cut_off: it was ended because the cache had no room for it beside the others.
        log_p: see `Token`.
    """

    index: int
    text: str
    ended: bool = False
    cut_off: bool = False
    log_p: float | None = None


class StopSignal(Protocol):
    """A stop flag, such as a `threading.Event`."""

    def is_set(self) -> bool:
        """Whether to stop now."""


class Backend(Protocol):
    """A language model that continues a prompt. Not thread-safe."""

    def load(self) -> None:
        """Load the model into memory; a second call does nothing.

        Raises:
            BackendError: MODEL_NOT_LOADED, naming the file and the fault.
        """

    def unload(self) -> None:
        """Free the model's memory; does nothing if it is not loaded."""

    def describe(self) -> ModelDescription:
        """The properties of the loaded model.

        Raises:
            BackendError: MODEL_NOT_LOADED.
        """

    @property
    def cached_tokens(self) -> int:
        """Tokens of the last prompt that were cached from the text before."""

    def count_tokens(self, prompt: Prompt) -> int:
        """The length of `prompt` in tokens of the context.

        Raises:
            BackendError: MODEL_NOT_LOADED.
        """

    def stream(self, request: Request, cancel: StopSignal) -> Iterator[Token]:
        """Continue the prompt until the model ends, `max_tokens` is reached, or `cancel` is set.

        Args:
            cancel: Checked often enough that the iterator ends within 100 ms.

        Raises:
            BackendError: MODEL_NOT_LOADED, MODEL_FAILED, or INSTRUCTION_TOO_LONG if the prompt
                leaves no room in the context. The backend stays usable after the last two.
        """


@runtime_checkable
class ReadsAhead(Protocol):
    """A backend that can evaluate the common beginning of all prompts before the first task."""

    def warm(self, beginning: Prompt) -> None:
        """Evaluate the beginning, or restore its state from disk.

        Raises:
            BackendError: MODEL_NOT_LOADED or MODEL_FAILED.
        """


@runtime_checkable
class Forgets(Protocol):
    """A backend that caches evaluated prompts to speed up the next one."""

    def forget(self) -> None:
        """Reset the cache to the beginning that was read ahead.

        A prompt evaluated in other pieces has probabilities that differ in the last digits.
        """


@runtime_checkable
class Scores(Protocol):
    """A backend that can compute the likelihood of a given text."""

    def score(self, prompt: str, text: str) -> float:
        """Mean natural logarithm of the probabilities of the text's tokens after the prompt.

        Raises:
            BackendError: As `Backend.stream`.
        """


@runtime_checkable
class SideBySide(Protocol):
    """A backend that draws several texts for one prompt in parallel, evaluating the prompt once."""

    def draw(
        self, request: Request, draws: Sequence[Draw], dropped: set[int], cancel: StopSignal
    ) -> Iterator[CandidateText]:
        """Yield new text of every candidate, in turns.

        Args:
            request: Its temperature and seed are ignored.
            draws: At least one.
            dropped: Add an index to it during the iteration to end that candidate.
            cancel: As of `Backend.stream`.

        Raises:
            BackendError: As `Backend.stream`.
        """


def candidates(
    backend: Backend,
    request: Request,
    draws: Sequence[Draw],
    dropped: set[int],
    cancel: StopSignal,
) -> Generator[CandidateText]:
    """Texts for one prompt: in parallel if the backend can, else one after the other.

    To be closed: a text in progress keeps the model to itself.

    Raises:
        BackendError: As `Backend.stream`.
    """
    if len(draws) > 1 and isinstance(backend, SideBySide):
        yield from backend.draw(request, draws, dropped, cancel)
        return
    for index, draw in enumerate(draws):
        own = replace(request, temperature=draw.temperature, seed=draw.seed)
        for token in backend.stream(own, cancel):
            yield CandidateText(index, token.text, log_p=token.log_p)
            if index in dropped:
                break
        else:
            yield CandidateText(index, "", True)
