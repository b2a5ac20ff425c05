"""What the generate-verify-repair loop needs of a language model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from roboinstruct_ros.domain.task_error import TaskError
from roboinstruct_ros.domain.world_names import SERVICE_ROBOT
from roboinstruct_ros.generate.backends.conversation import Prompt


class BackendError(TaskError):
    """A model that cannot be loaded, asked, or heard; `str()` is one clear line.

    Attributes:
        code: MODEL_NOT_LOADED, MODEL_FAILED or INSTRUCTION_TOO_LONG (context overflow).
        message: What is wrong and what would be right.
    """


@dataclass(frozen=True)
class Token:
    """A piece of newly generated text; may be empty inside a multi-byte character.

    Attributes:
        log_p: of the likeliest text, the natural logarithm of this token's probability; None where
            nobody knows.
    """

    text: str
    log_p: float | None = None


@dataclass(frozen=True)
class ModelDescription:
    """What is known about a model.

    Attributes:
        name: Short name, for people and the record.
        prompt_format: Name of the prompt format it was trained for, see `prompt.py`.
        context: Tokens that prompt and answer share.
        parameters: Number of weights.
        robot: Name of the domain that it was trained for, if for one.
    """

    name: str
    prompt_format: str
    context: int
    parameters: int
    robot: str = SERVICE_ROBOT


@dataclass(frozen=True)
class Request:
    """What a model is to write.

    Attributes:
        prompt: Text to continue, or a conversation to answer (for models whose `prompt_format`
            is `chat`).
        max_tokens: Most tokens to generate.
        temperature: 0 takes the most likely token each time and ignores `seed`.
        seed: Same seed, same text.
        grammar: GBNF that the new text has to fit; "" lets the model write anything.
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
        leads: it counts as the likeliest text, though it is drawn.
    """

    temperature: float
    seed: int
    leads: bool = False


@dataclass(frozen=True)
class CandidateText:
    """New text of one of several candidates.

    Attributes:
        index: 0-based place among the draws.
        ended: nothing more comes of this one.
        cut_off: it had to end, because there was no room for it beside the others.
        log_p: as of `Token`.
    """

    index: int
    text: str
    ended: bool = False
    cut_off: bool = False
    log_p: float | None = None


class StopSignal(Protocol):
    """Anything that can say "stop now"; a `threading.Event` is one."""

    def is_set(self) -> bool:
        """Whether to stop now."""


class Backend(Protocol):
    """A language model that continues a prompt. Not safe to use from two threads at once."""

    def load(self) -> None:
        """Take the model into memory; a second call does nothing.

        Raises:
            BackendError: MODEL_NOT_LOADED, naming the file and the fault.
        """

    def unload(self) -> None:
        """Free the model's memory; does nothing when it is not loaded."""

    def describe(self) -> ModelDescription:
        """What is known about the loaded model.

        Raises:
            BackendError: MODEL_NOT_LOADED.
        """

    @property
    def cached_tokens(self) -> int:
        """Tokens of the last prompt that needed no evaluation, as the text before began alike."""

    def count_tokens(self, prompt: Prompt) -> int:
        """Tokens that `prompt` takes of the context.

        Raises:
            BackendError: MODEL_NOT_LOADED.
        """

    def stream(self, request: Request, cancel: StopSignal) -> Iterator[Token]:
        """Continue the prompt until the model ends, its tokens are out, or `cancel` is set.

        Args:
            cancel: Looked at often enough that the iterator ends within 100 ms.

        Raises:
            BackendError: MODEL_NOT_LOADED, MODEL_FAILED, or INSTRUCTION_TOO_LONG when the prompt
                leaves no room in the context. The backend stays usable after the last two.
        """


@runtime_checkable
class ReadsAhead(Protocol):
    """A backend that can read what all prompts begin with before the first task."""

    def warm(self, beginning: Prompt) -> None:
        """Evaluate the beginning, or take its state from where it was kept.

        Raises:
            BackendError: MODEL_NOT_LOADED or MODEL_FAILED.
        """


@runtime_checkable
class Forgets(Protocol):
    """A backend that keeps what it has read, so that the next prompt is read sooner."""

    def forget(self) -> None:
        """Read the next prompt as if it were the first after what was read ahead: read in other
        pieces, the last digits of its probabilities are others."""


@runtime_checkable
class Scores(Protocol):
    """A backend that can tell how likely it finds a text that somebody else wrote."""

    def score(self, prompt: str, text: str) -> float:
        """Mean natural logarithm of the probabilities of the text's tokens after the prompt.

        Raises:
            BackendError: As `Backend.stream`.
        """


@runtime_checkable
class SideBySide(Protocol):
    """A backend that draws several texts for one prompt at once, reading the prompt once."""

    def draw(
        self, request: Request, draws: Sequence[Draw], dropped: set[int], cancel: StopSignal
    ) -> Iterator[CandidateText]:
        """New text of every candidate, in turns.

        Args:
            request: Its own temperature and seed are not used.
            draws: At least one.
            dropped: An index that is put into it while this runs gets no more text.
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
) -> Iterator[CandidateText]:
    """Texts for one prompt, side by side where the backend can, else one after the other.

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
