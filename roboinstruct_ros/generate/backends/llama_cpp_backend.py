"""A GGUF model in this process, through llama-cpp-python."""

from __future__ import annotations

import codecs
import logging
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.domain.world_names import SERVICE_ROBOT
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
from roboinstruct_ros.generate.backends.llama_loading import (
    captured_log,
    many_texts,
    plain_kernels,
    wait_passively,
    without_chat_handlers,
)
from roboinstruct_ros.generate.backends.prefix_store import PrefixStore
from roboinstruct_ros.generate.models.gguf_file import GgufError, GgufHeader, read_gguf_header
from roboinstruct_ros.generate.models.lora import (
    Adapter,
    add_to,
    bytes_of,
    prompt_format_with,
    trained_for,
)
from roboinstruct_ros.generate.models.memory_plan import MemoryPlan, is_out_of_memory
from roboinstruct_ros.generate.models.model_file import check_language_model
from roboinstruct_ros.generate.models.model_notes import read_notes
from roboinstruct_ros.generate.models.model_options import LoadingOptions
from roboinstruct_ros.generate.models.model_store import known_sha256
from roboinstruct_ros.generate.prompts.prompt import DEFAULT_FORMAT
from roboinstruct_ros.generate.writing_options import MOST_CANDIDATES

DEFAULT_CONTEXT = 4096  # tokens, if the model can hold that many
BATCH = 256  # prompt tokens per step
LEAST_ANSWER = 16  # tokens that must be left for the answer
LEAST_KEPT = 64  # tokens of a common beginning that are worth a file
SMALL_MODEL = 200_000_000  # weights; below it, one thread generates fastest
TINY_MODEL = 20_000_000  # weights; below it, one thread also evaluates prompts fastest
CANDIDATE_TOKENS = 256  # tokens added to the context for each candidate but the first
_NO_MEMORY = " -2"  # llama_decode's code for failed allocation
_CACHE_TYPES = {"f16": 1, "q8_0": 8, "q4_0": 2}  # `ggml_type`

_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class LlamaCppSettings(LoadingOptions):
    """How a GGUF is loaded.

    `n_ctx` 0 is the context that the model was trained for, at most `DEFAULT_CONTEXT`. `n_threads`
    0 is one thread for a small model, else one for each core available to this process; prompts and
    candidates use all cores, unless the model is tiny. `flash_attn` auto is on with layers on a GPU
    or with a quantized cache.

    Attributes:
        model: Path of the .gguf file.
        adapters: LoRA adapters for its weights, without duplicates.
        candidates: Usual number of texts written in parallel; each but the first adds
            `CANDIDATE_TOKENS` to the cache. A request may have more, as far as the cache has room.
        prefix_store: Folder for the evaluated beginning of all prompts; None keeps it in memory
            only.
    """

    model: Path
    adapters: tuple[Adapter, ...] = ()
    candidates: int = 1
    prefix_store: Path | None = None


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
        except (GgufError, ConfigError) as error:
            raise BackendError(TaskErrorCode.MODEL_NOT_LOADED, str(error)) from None
        self._llama = self._open(header)
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
        llama, _ = self._loaded()
        tokens, most = self._fitted(request)
        with (
            self._in_use,
            Abort(llama, cancel) as abort,
            constrained(llama, request.grammar, request.temperature, request.seed),
            self._faults(abort),
        ):
            yield from self._generate(tokens, most, request.temperature, request.seed, abort)

    def draw(
        self, request: Request, draws: Sequence[Draw], dropped: set[int], cancel: StopSignal
    ) -> Iterator[CandidateText]:
        llama, _ = self._loaded()
        tokens, most = self._fitted(request)
        batch = self._batch
        if batch is None:
            return
        with self._in_use, Abort(llama, cancel) as abort, self._faults(abort):
            for start in range(0, len(draws), MOST_CANDIDATES):
                kept = batch.read(tokens)
                self._cached = kept if not start else self._cached
                some = draws[start : start + MOST_CANDIDATES]
                for text in batch.draw(some, request.grammar, most, dropped):
                    if cancel.is_set():
                        return
                    yield replace(text, index=text.index + start)

    def warm(self, beginning: Prompt) -> None:
        llama, _ = self._loaded()
        try:
            tokens = self._tokenize(beginning)
        except BackendError:  # some templates need a question at the end; evaluated later
            return
        if len(tokens) < LEAST_KEPT or len(tokens) >= self._room() or self._batch is None:
            return
        folder, layers = self._settings.prefix_store, self._memory.layers if self._memory else 0
        # flash attention stores values in another order
        flash = "flash" if self._flash_attention(layers) else ""
        settings = f"{self._settings.kv_cache} {flash}".rstrip()
        settings += "".join(f" {known_sha256(a.path)} {a.scale:g}" for a in self._settings.adapters)
        store = PrefixStore(folder, self._settings.model, settings) if folder else None
        with self._in_use, Abort(llama, threading.Event()) as abort, self._faults(abort):
            if self._holds(tokens) and llama.n_tokens == len(tokens):
                return
            self._begun = tokens
            if store is not None and store.restore(llama, tokens):
                return
            self._batch.read(tokens)
            if store is not None:
                store.keep(llama, tokens)

    def score(self, prompt: str, text: str) -> float:
        llama, _ = self._loaded()
        before, _ = self._fitted(Request(f"{prompt}{text}", 1))
        start = shared_tokens([*self._tokenize(prompt), -1], [*before, -1])
        with self._in_use, Abort(llama, threading.Event()) as abort, self._faults(abort):
            llama.eval(before[:start])
            return mean_log_likelihood(llama, before[start:])

    def forget(self) -> None:
        llama, _ = self._loaded()
        with self._in_use:
            if self._begun and self._holds(self._begun):
                llama.n_tokens = len(self._begun)
                llama._ctx.kv_cache_seq_rm(0, llama.n_tokens, -1)
                return
            llama.reset()
            llama._ctx.kv_cache_clear()  # else the cache layout changes, and with it the rounding

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

    def _flash_attention(self, layers: int) -> bool:
        """llama.cpp supports quantized values only with its flash attention."""
        useful = layers != 0 or self._settings.kv_cache != "f16"
        return {"auto": useful, "on": True, "off": False}[self._settings.flash_attn]

    def _tokens_of(self, conversation: Conversation) -> list[int]:
        if self._chat is None:
            fault = f"{self._settings.model}: is spoken to as {self._prompt_format}, not in turns"
            raise BackendError(TaskErrorCode.MODEL_FAILED, fault)
        try:
            return self._chat.tokens(conversation)
        except ChatTemplateError as error:
            fault = f"{self._settings.model}: its chat template cannot be used: {error}"
            raise BackendError(TaskErrorCode.MODEL_FAILED, fault) from None

    def _open(self, header: GgufHeader) -> Any:
        wait_passively()
        try:
            import llama_cpp
        except (ImportError, OSError, RuntimeError) as error:
            raise BackendError(
                TaskErrorCode.MODEL_NOT_LOADED,
                f"llama-cpp-python cannot be imported ({error}); install it into this environment",
            ) from None
        cache = _CACHE_TYPES[self._settings.kv_cache]
        context = self._context(header) + (self._settings.candidates - 1) * CANDIDATE_TOKENS
        self._memory = MemoryPlan.make(
            self._settings.model,
            header,
            context,
            self._settings.kv_cache,
            self._settings.n_gpu_layers,
            llama_cpp.llama_supports_gpu_offload(),
            self._tell,
            bytes_of(self._settings.adapters),
        )
        with (
            captured_log(llama_cpp) as log,
            plain_kernels(llama_cpp),
            many_texts(llama_cpp),
            without_chat_handlers(llama_cpp),
        ):
            try:
                llama = llama_cpp.Llama(
                    str(self._settings.model),
                    n_ctx=context,
                    n_batch=BATCH,
                    n_threads=self._threads(header, SMALL_MODEL),
                    n_threads_batch=self._threads(header, TINY_MODEL),
                    n_gpu_layers=self._memory.layers,
                    type_k=cache,
                    type_v=cache,
                    flash_attn=self._flash_attention(self._memory.layers),
                    verbose=False,
                )
                add_to(llama, self._settings.adapters)
                return llama
            except (ValueError, RuntimeError, MemoryError, OSError, KeyError) as error:
                reason = " ".join((log[-1] if log else str(error)).split())
                if is_out_of_memory(log) or isinstance(error, MemoryError):
                    reason = f"out of memory: {self._memory.shortage()}"
                raise BackendError(
                    TaskErrorCode.MODEL_NOT_LOADED,
                    f"{self._settings.model}: llama.cpp cannot load it: {reason}",
                ) from None

    def _context(self, header: GgufHeader) -> int:
        architecture = header.text("general.architecture")
        trained = header.number(f"{architecture}.context_length", DEFAULT_CONTEXT)
        return self._settings.n_ctx or min(trained, DEFAULT_CONTEXT)

    def _threads(self, header: GgufHeader, least: int) -> int:
        """The number of threads; one for a model of fewer than `least` weights.

        Threads wait for each other after every node of the graph. On a machine with other work a
        small model then falls from 760 token/s to 4 (measured), while a single thread never waits.
        The nodes of a batch take longer, so a batch benefits from more threads at a smaller model
        size.
        """
        one = header.parameters < least
        return self._settings.n_threads or (1 if one else len(os.sched_getaffinity(0)))

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
