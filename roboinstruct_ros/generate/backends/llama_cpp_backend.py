"""A GGUF model in this process, through llama-cpp-python."""

from __future__ import annotations

import codecs
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.files.world_names import SERVICE_ROBOT
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.backend import (
    BackendError,
    CandidateText,
    Draw,
    ModelDescription,
    Request,
    StopSignal,
    Token,
)
from roboinstruct_ros.generate.backends.candidate_batch import (
    CandidateBatch,
    shared_tokens,
)
from roboinstruct_ros.generate.backends.chat_template import ChatTemplateError
from roboinstruct_ros.generate.backends.constrained_decoding import constrained
from roboinstruct_ros.generate.backends.conversation import Conversation, Prompt
from roboinstruct_ros.generate.backends.likelihood import log_likelihood, mean_log_likelihood
from roboinstruct_ros.generate.backends.llama_abort import Abort
from roboinstruct_ros.generate.backends.llama_chat import LlamaChat, format_and_chat
from roboinstruct_ros.generate.backends.llama_opening import (
    CANDIDATE_TOKENS,
    LlamaCppSettings,
    flash_attention,
    open_llama,
)
from roboinstruct_ros.generate.backends.prefix_store import PrefixStore
from roboinstruct_ros.generate.models.gguf_file import GgufError, GgufHeader, read_gguf_header
from roboinstruct_ros.generate.models.lora import (
    prompt_format_with,
    trained_for,
)
from roboinstruct_ros.generate.models.memory_plan import MemoryPlan
from roboinstruct_ros.generate.models.model_file import check_language_model
from roboinstruct_ros.generate.models.model_notes import named_format, read_notes
from roboinstruct_ros.generate.models.model_store import known_sha256
from roboinstruct_ros.generate.prompts.prompt import DEFAULT_FORMAT
from roboinstruct_ros.generate.writing_options import MOST_CANDIDATES

LEAST_ANSWER = 16  # tokens that must be left for the answer
LEAST_KEPT = 64  # tokens of a common beginning that are worth a file
_NO_MEMORY = " -2"  # llama_decode's code for failed allocation

_logger = logging.getLogger(__name__)


class LlamaCppBackend:
    """Backend for one GGUF file.

    Args:
        tell: Called with one line: which layers go to a GPU and why.
        warn: Called with one line if a chat template cannot be used as it is.
    """

    def __init__(
        self,
        settings: LlamaCppSettings,
        tell: Callable[[str], object] = _logger.info,
        warn: Callable[[str], object] = _logger.warning,
    ) -> None:
        self._settings = settings
        self._tell, self._warn = tell, warn
        self._chat: LlamaChat | None = None
        self._memory: MemoryPlan | None = None
        self._llama: Any = None
        self._batch: CandidateBatch | None = None
        self._header: GgufHeader | None = None
        self._prompt_format, self._robot = DEFAULT_FORMAT, SERVICE_ROBOT
        self._in_use = threading.Lock()
        self._cached = 0
        self._begun: list[int] = []

    def load(self) -> None:
        """Check the file, then load it with llama.cpp.

        Raises:
            BackendError: MODEL_NOT_LOADED, one line that begins with the path.
        """
        if self._llama is not None:
            return
        path = self._settings.model
        if self._settings.fault:
            raise BackendError(TaskErrorCode.MODEL_NOT_LOADED, self._settings.fault)
        try:
            header = read_gguf_header(path)
            check_language_model(path, header)
            notes = read_notes(path)
            self._robot = trained_for(self._settings.adapters, header)
            of_adapter = prompt_format_with(self._settings.adapters, path, header)
            if of_adapter:
                notes = notes.model_copy(update={"prompt_format": of_adapter})
            named_format(path, header, notes)  # refuses an unknown one before anything is loaded
        except (GgufError, ConfigError) as error:
            raise BackendError(TaskErrorCode.MODEL_NOT_LOADED, str(error)) from None
        self._llama, self._memory = open_llama(self._settings, header, self._tell)
        try:
            self._prompt_format, self._chat = format_and_chat(
                self._llama, path, header, notes, self._warn
            )
        except BackendError:
            self.unload()
            raise
        self._batch = CandidateBatch(self._llama)
        self._header = header

    def unload(self) -> None:
        with self._in_use:
            if self._batch is not None:
                self._batch.close()
            if self._llama is not None:
                self._llama.close()
            self._llama = self._batch = self._chat = None
            self._header = None

    def describe(self) -> ModelDescription:
        _, header = self._loaded()
        return ModelDescription(
            name=header.text("general.name", self._settings.model.stem),
            prompt_format=self._prompt_format,
            context=self._room(),
            parameters=header.parameters,
            robot=self._robot,
        )

    @property
    def cached_tokens(self) -> int:
        return self._cached

    def count_tokens(self, prompt: Prompt) -> int:
        return len(self._tokenize(prompt))

    def stream(self, request: Request, cancel: StopSignal) -> Iterator[Token]:
        with (
            self._using() as llama,
            Abort(llama, cancel) as abort,
            constrained(llama, request.grammar, request.temperature, request.seed),
            self._faults(abort),
        ):
            tokens, most = self._fitted(request)
            yield from self._generate(tokens, most, request.temperature, request.seed, abort)

    def draw(
        self, request: Request, draws: Sequence[Draw], dropped: set[int], cancel: StopSignal
    ) -> Iterator[CandidateText]:
        with self._using() as llama, Abort(llama, cancel) as abort, self._faults(abort):
            tokens, most = self._fitted(request)
            batch = self._batch
            if batch is None:
                return
            for start in range(0, len(draws), MOST_CANDIDATES):
                kept = batch.read(tokens)
                self._cached = kept if not start else self._cached
                some = draws[start : start + MOST_CANDIDATES]
                for text in batch.draw(some, request.grammar, most, dropped):
                    if cancel.is_set():
                        return
                    yield replace(text, index=text.index + start)

    def warm(self, beginning: Prompt) -> None:
        with (
            self._using() as llama,
            Abort(llama, threading.Event()) as abort,
            self._faults(abort),
        ):
            try:
                tokens = self._tokenize(beginning)
            except BackendError:  # some templates need a question at the end; evaluated later
                return
            if len(tokens) < LEAST_KEPT or len(tokens) >= self._room() or self._batch is None:
                return
            store = self._store()
            if self._holds(tokens) and llama.n_tokens == len(tokens):
                return
            self._begun = tokens
            if store is not None and store.restore(llama, tokens):
                return
            self._batch.read(tokens)
            if store is not None:
                store.keep(llama, tokens)

    def _store(self) -> PrefixStore | None:
        folder, layers = self._settings.prefix_store, self._memory.layers if self._memory else 0
        # flash attention stores values in another order
        flash = "flash" if flash_attention(self._settings, layers) else ""
        settings = f"{self._settings.kv_cache} {flash}".rstrip()
        settings += "".join(f" {known_sha256(a.path)} {a.scale:g}" for a in self._settings.adapters)
        return PrefixStore(folder, self._settings.model, settings) if folder else None

    def score(self, prompt: str, text: str) -> float:
        with (
            self._using() as llama,
            Abort(llama, threading.Event()) as abort,
            self._faults(abort),
        ):
            before, _ = self._fitted(Request(f"{prompt}{text}", 1))
            start = shared_tokens([*self._tokenize(prompt), -1], [*before, -1])
            llama.eval(before[:start])
            return mean_log_likelihood(llama, before[start:])

    def forget(self) -> None:
        with self._using() as llama:
            if self._begun and self._holds(self._begun):
                llama.n_tokens = len(self._begun)
                llama._ctx.kv_cache_seq_rm(0, llama.n_tokens, -1)
                return
            llama.reset()
            llama._ctx.kv_cache_clear()  # else the cache layout changes, and with it the rounding

    @contextmanager
    def _using(self) -> Iterator[Any]:
        """The loaded model, which `unload` does not free meanwhile."""
        with self._in_use:
            yield self._loaded()[0]

    def _holds(self, tokens: Sequence[int]) -> bool:
        """Whether the evaluated tokens begin with these."""
        llama, _ = self._loaded()
        return shared_tokens(llama.input_ids[: llama.n_tokens], [*tokens, -1]) == len(tokens)

    def _fitted(self, request: Request) -> tuple[list[int], int]:
        """The prompt's tokens, and the most tokens that may follow them.

        Raises:
            BackendError: INSTRUCTION_TOO_LONG.
        """
        tokens = self._tokenize(request.prompt)
        room = self._room() - len(tokens)
        if room < LEAST_ANSWER:
            raise BackendError(
                TaskErrorCode.INSTRUCTION_TOO_LONG,
                f"the prompt takes {len(tokens)} tokens and the model reads {self._room()}; "
                "say it shorter or raise n_ctx",
            )
        return tokens, min(request.max_tokens, room)

    def _room(self) -> int:
        """Tokens shared by the prompt and one answer."""
        llama, _ = self._loaded()
        return int(llama.n_ctx()) - (self._settings.candidates - 1) * CANDIDATE_TOKENS

    @contextmanager
    def _faults(self, abort: Abort) -> Iterator[None]:
        """Converts errors of llama.cpp into BackendErrors; a requested abort is not an error."""
        try:
            yield
        except RuntimeError as error:  # llama_decode returned a code
            self._llama.reset()
            if not abort.cancel.is_set():
                raise self._failed(error) from None

    def _generate(
        self, tokens: list[int], most: int, temperature: float, seed: int, abort: Abort
    ) -> Iterator[Token]:
        import llama_cpp

        llama, decoder = self._llama, codecs.getincrementaldecoder("utf-8")("replace")
        vocabulary = llama._model.vocab
        llama.set_seed(seed)
        self._cached = shared_tokens(llama.input_ids[: llama.n_tokens], tokens)
        for count, token in enumerate(llama.generate(tokens, temp=temperature)):
            if count >= most or abort.cancel.is_set():
                return
            log_p = None if temperature else log_likelihood(llama, token)
            if llama_cpp.llama_vocab_is_eog(vocabulary, token):
                yield Token("", log_p)
                return
            yield Token(decoder.decode(llama.detokenize([token])), log_p)

    def _failed(self, error: RuntimeError) -> BackendError:
        fault = f"the model failed while writing: {error}"
        if self._memory is not None and str(error).endswith(_NO_MEMORY):
            fault = f"out of memory while writing: {self._memory.shortage()}"
        return BackendError(TaskErrorCode.MODEL_FAILED, fault)

    def _tokens_of(self, conversation: Conversation) -> list[int]:
        if self._chat is None:
            fault = f"{self._settings.model}: is spoken to as {self._prompt_format}, not in turns"
            raise BackendError(TaskErrorCode.MODEL_FAILED, fault)
        try:
            return self._chat.tokens(conversation)
        except ChatTemplateError as error:
            fault = f"{self._settings.model}: its chat template cannot be used: {error}"
            raise BackendError(TaskErrorCode.MODEL_FAILED, fault) from None

    def _loaded(self) -> tuple[Any, GgufHeader]:
        if self._llama is None or self._header is None:
            raise BackendError(
                TaskErrorCode.MODEL_NOT_LOADED, f"{self._settings.model}: the model is not loaded"
            )
        return self._llama, self._header

    def _tokenize(self, prompt: Prompt) -> list[int]:
        llama, _ = self._loaded()
        if isinstance(prompt, Conversation):
            return self._tokens_of(prompt)
        # True lets the vocabulary decide whether there is a begin-of-text token.
        tokens: list[int] = llama.tokenize(prompt.encode(), add_bos=True, special=False)
        return tokens
