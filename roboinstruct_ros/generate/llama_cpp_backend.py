"""A GGUF model in this process, through llama-cpp-python."""

from __future__ import annotations

import codecs
import ctypes
import logging
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backend import (
    BackendError,
    ModelDescription,
    Request,
    StopSignal,
    Token,
)
from roboinstruct_ros.generate.constrained_decoding import constrained
from roboinstruct_ros.generate.gguf_file import GgufError, GgufHeader, read_gguf_header
from roboinstruct_ros.generate.gpu_memory import gpu_memory
from roboinstruct_ros.generate.memory_plan import (
    AUTO_LAYERS,
    Load,
    free_main_memory,
    is_out_of_memory,
    main_memory_fault,
    place,
    shortage,
)
from roboinstruct_ros.generate.model_file import check_language_model, model_shape
from roboinstruct_ros.generate.model_notes import prompt_format_of, read_notes
from roboinstruct_ros.generate.prompt import DEFAULT_FORMAT

DEFAULT_CONTEXT = 4096  # tokens, when the model can hold that many
BATCH = 256  # prompt tokens a step
LEAST_ANSWER = 16  # tokens that must be left for the answer
SMALL_MODEL = 100_000_000  # weights, below which one thread is best
CANCEL_POLL = 0.01  # s
FLASH_ATTENTION = ("auto", "on", "off")
_CACHE_TYPES = {"f16": 1, "q8_0": 8, "q4_0": 2}  # `ggml_type`

_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class LlamaCppSettings:
    """How a GGUF is loaded.

    Attributes:
        model: Path of the .gguf file.
        n_ctx: Tokens that prompt and answer share; 0 takes what the model was trained for, at
            most `DEFAULT_CONTEXT`.
        n_threads: Threads; 0 takes one for a small model, else one for each core this process
            may use.
        n_gpu_layers: Layers on the GPU; -1 puts all there, 0 none, -2 as many as it has room for.
        kv_cache: Number format of the keys and values: a key of `KV_BYTES`.
        flash_attn: One of `FLASH_ATTENTION`; auto is on with layers on a GPU or a quantized cache.
    """

    model: Path
    n_ctx: int = 0
    n_threads: int = 0
    n_gpu_layers: int = AUTO_LAYERS
    kv_cache: str = "f16"
    flash_attn: str = "auto"


class LlamaCppBackend:
    """Backend for one GGUF file.

    Args:
        tell: Told, in one line, which layers go to a GPU and why.
    """

    def __init__(
        self, settings: LlamaCppSettings, tell: Callable[[str], object] = _logger.info
    ) -> None:
        self._settings = settings
        self._tell = tell
        self._layers = 0
        self._llama: Any = None
        self._header: GgufHeader | None = None
        self._prompt_format = DEFAULT_FORMAT
        self._in_use = threading.Lock()
        self._cached = 0

    def load(self) -> None:
        """Check the file, then hand it to llama.cpp.

        Raises:
            BackendError: MODEL_NOT_LOADED, one line that begins with the path.
        """
        if self._llama is not None:
            return
        path = self._settings.model
        self._check_settings()
        try:
            header = read_gguf_header(path)
            check_language_model(path, header)
            self._prompt_format = prompt_format_of(header, read_notes(path))
        except (GgufError, ConfigError) as error:
            raise BackendError(TaskErrorCode.MODEL_NOT_LOADED, str(error)) from None
        self._llama = self._open(header)
        self._header = header

    def unload(self) -> None:
        with self._in_use:
            if self._llama is not None:
                self._llama.close()
            self._llama = None
            self._header = None

    def describe(self) -> ModelDescription:
        llama, header = self._loaded()
        return ModelDescription(
            name=header.text("general.name", self._settings.model.stem),
            prompt_format=self._prompt_format,
            context=int(llama.n_ctx()),
            parameters=header.parameters,
        )

    @property
    def cached_tokens(self) -> int:
        return self._cached

    def count_tokens(self, prompt: str) -> int:
        return len(self._tokenize(prompt))

    def stream(self, request: Request, cancel: StopSignal) -> Iterator[Token]:
        llama, _ = self._loaded()
        tokens = self._tokenize(request.prompt)
        room = int(llama.n_ctx()) - len(tokens)
        if room < LEAST_ANSWER:
            raise BackendError(
                TaskErrorCode.INSTRUCTION_TOO_LONG,
                f"the prompt takes {len(tokens)} tokens and the model reads {llama.n_ctx()}; "
                "say it shorter or raise n_ctx",
            )
        with (
            self._in_use,
            _Abort(llama, cancel) as abort,
            constrained(llama, request.grammar, request.temperature, request.seed),
        ):
            most = min(request.max_tokens, room)
            yield from self._generate(tokens, most, request.temperature, request.seed, abort)

    def _generate(
        self, tokens: list[int], most: int, temperature: float, seed: int, abort: _Abort
    ) -> Iterator[Token]:
        import llama_cpp

        llama, decoder = self._llama, codecs.getincrementaldecoder("utf-8")("replace")
        vocabulary = llama._model.vocab
        llama.set_seed(seed)
        self._cached = _shared(llama.input_ids[: llama.n_tokens], tokens)
        try:
            for count, token in enumerate(llama.generate(tokens, temp=temperature)):
                if count >= most or abort.cancel.is_set():
                    return
                if llama_cpp.llama_vocab_is_eog(vocabulary, token):
                    return
                yield Token(decoder.decode(llama.detokenize([token])))
        except RuntimeError as error:  # llama_decode returned a code
            llama.reset()
            if abort.cancel.is_set():
                return
            raise self._failed(error) from None

    def _failed(self, error: RuntimeError) -> BackendError:
        fault = f"the model failed while writing: {error}"
        # llama_decode's code for memory that was not to be had; what is loaded stays usable
        if "-2" in str(error) or is_out_of_memory([str(error)]):
            fault = f"out of memory while writing: {self._shortage()}"
        return BackendError(TaskErrorCode.MODEL_FAILED, fault)

    def _check_settings(self) -> None:
        cache, flash = self._settings.kv_cache, self._settings.flash_attn
        fault = ""
        if cache not in _CACHE_TYPES:
            fault = f"kv_cache '{cache}' is no number format; there are {', '.join(_CACHE_TYPES)}"
        elif flash not in FLASH_ATTENTION:
            fault = f"flash_attn '{flash}' is not one of {', '.join(FLASH_ATTENTION)}"
        elif flash == "off" and cache != "f16":
            fault = f"a {cache} kv_cache needs flash attention; set flash_attn to auto"
        if fault:
            raise BackendError(TaskErrorCode.MODEL_NOT_LOADED, fault)

    def _place(self, llama_cpp: Any, header: GgufHeader) -> int:
        """Layers for the GPU.

        Raises:
            BackendError: MODEL_NOT_LOADED, what stays with the CPU is larger than main memory.
        """
        offload, wanted = bool(llama_cpp.llama_supports_gpu_offload()), self._settings.n_gpu_layers
        load = self._load(header)
        if wanted == AUTO_LAYERS:
            placement = place(load, gpu_memory(), offload)
            self._tell(f"{self._settings.model.name}: {placement.words}")
            wanted = placement.layers
        layers = wanted if offload else 0
        fault = main_memory_fault(load, layers, free_main_memory())
        if fault:
            fault = f"{self._settings.model}: {fault}"
            raise BackendError(TaskErrorCode.MODEL_NOT_LOADED, fault)
        return layers

    def _load(self, header: GgufHeader) -> Load:
        try:
            shape = model_shape(self._settings.model, header)
        except GgufError as error:
            raise BackendError(TaskErrorCode.MODEL_NOT_LOADED, str(error)) from None
        return Load(shape, header.file_bytes, self._context(header), self._settings.kv_cache)

    def _shortage(self) -> str:
        header = self._header
        load = self._load(header or read_gguf_header(self._settings.model))
        return shortage(load, self._layers, gpu_memory(), free_main_memory())

    def _flash_attention(self) -> bool:
        """llama.cpp quantizes values only where its flash attention reads them."""
        useful = self._layers != 0 or self._settings.kv_cache != "f16"
        return {"auto": useful, "on": True, "off": False}[self._settings.flash_attn]

    def _open(self, header: GgufHeader) -> Any:
        try:
            import llama_cpp
        except (ImportError, OSError, RuntimeError) as error:
            raise BackendError(
                TaskErrorCode.MODEL_NOT_LOADED,
                f"llama-cpp-python cannot be imported ({error}); install it into this environment",
            ) from None
        threads, cache = self._threads(header), _CACHE_TYPES[self._settings.kv_cache]
        self._layers = self._place(llama_cpp, header)
        with _captured_log(llama_cpp) as log, plain_kernels(llama_cpp):
            try:
                return llama_cpp.Llama(
                    str(self._settings.model),
                    n_ctx=self._context(header),
                    n_batch=BATCH,
                    n_threads=threads,
                    n_threads_batch=threads,
                    n_gpu_layers=self._layers,
                    type_k=cache,
                    type_v=cache,
                    flash_attn=self._flash_attention(),
                    verbose=False,
                )
            except (ValueError, RuntimeError, MemoryError, OSError, KeyError) as error:
                reason = " ".join((log[-1] if log else str(error)).split())
                if is_out_of_memory(log) or isinstance(error, MemoryError):
                    reason = f"out of memory: {self._shortage()}"
                raise BackendError(
                    TaskErrorCode.MODEL_NOT_LOADED,
                    f"{self._settings.model}: llama.cpp cannot load it: {reason}",
                ) from None

    def _context(self, header: GgufHeader) -> int:
        architecture = header.text("general.architecture")
        trained = header.number(f"{architecture}.context_length", DEFAULT_CONTEXT)
        return self._settings.n_ctx or min(trained, DEFAULT_CONTEXT)

    def _threads(self, header: GgufHeader) -> int:
        """llama.cpp's threads wait for each other actively after every node of the graph. On a
        machine with other work a small model then falls from 760 token/s to 4 (measured), while
        one thread that never waits loses nothing."""
        small = header.parameters < SMALL_MODEL
        return self._settings.n_threads or (1 if small else len(os.sched_getaffinity(0)))

    def _loaded(self) -> tuple[Any, GgufHeader]:
        if self._llama is None or self._header is None:
            raise BackendError(
                TaskErrorCode.MODEL_NOT_LOADED, f"{self._settings.model}: the model is not loaded"
            )
        return self._llama, self._header

    def _tokenize(self, prompt: str) -> list[int]:
        llama, _ = self._loaded()
        # True lets the vocabulary decide whether there is a token that begins every text.
        tokens: list[int] = llama.tokenize(prompt.encode(), add_bos=True, special=False)
        return tokens


def _shared(before: Sequence[int], tokens: Sequence[int]) -> int:
    """Tokens at the beginning that are the same; the last one is always evaluated anew."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(before, tokens[:-1], strict=False))
    return sum(1 for _ in same)


class _Abort:
    """Ends a running `llama_decode` soon after `cancel` is set.

    A long prompt on a CPU is one C call of seconds. llama.cpp asks a callback after every node of
    its graph whether to go on; a Python callback would wait for the interpreter's lock each time,
    so the callback is C's own `strlen` on a two-byte flag: "" is go on, "x" is stop.
    """

    def __init__(self, llama: Any, cancel: StopSignal) -> None:
        self.cancel = cancel
        self._llama = llama
        self._flag = ctypes.create_string_buffer(2)
        self._over = threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="cancel watcher", daemon=True)

    def __enter__(self) -> _Abort:
        import llama_cpp

        strlen = ctypes.cast(ctypes.CDLL(None).strlen, llama_cpp.llama_cpp.ggml_abort_callback)
        llama_cpp.llama_set_abort_callback(self._llama.ctx, strlen, ctypes.addressof(self._flag))
        self._watcher.start()
        return self

    def __exit__(self, *_: object) -> None:
        import llama_cpp

        self._over.set()
        self._watcher.join()
        nothing = llama_cpp.llama_cpp.ggml_abort_callback()
        llama_cpp.llama_set_abort_callback(self._llama.ctx, nothing, None)

    def _watch(self) -> None:
        while not self._over.wait(CANCEL_POLL):
            if self.cancel.is_set():
                self._flag[0] = b"x"
                return


@contextmanager
def plain_kernels(llama_cpp: Any) -> Iterator[None]:
    """Keeps a model that is loaded meanwhile off the AMX unit of the CPU.

    llama.cpp's int8 kernels for it (Q8_0, Q4_0, ...) end the process with an illegal instruction on
    virtual machines that announce AMX (measured: `tileloadd`, Linux 6.18 guest). They live in the
    "extra buffer types", which `Llama` has no argument for; the vector kernels then take over.
    """
    low = llama_cpp.llama_cpp
    defaults = low.llama_model_default_params

    def without_extra_buffers() -> Any:
        parameters = defaults()
        parameters.use_extra_bufts = False
        return parameters

    if _cpu_has("amx_tile"):
        low.llama_model_default_params = without_extra_buffers
    try:
        yield
    finally:
        low.llama_model_default_params = defaults


def _cpu_has(flag: str) -> bool:
    try:
        return flag in Path("/proc/cpuinfo").read_text().split()
    except OSError:
        return False


_log: list[str] = []
_log_callback: Any = None  # llama.cpp keeps the pointer, so it must live as long as the process


@contextmanager
def _captured_log(llama_cpp: Any) -> Iterator[list[str]]:
    """llama.cpp's errors while loading, as a list; its log goes to `logging` at DEBUG, for good."""
    global _log_callback
    if _log_callback is None:
        _log_callback = llama_cpp.llama_log_callback(_take_log)
        llama_cpp.llama_log_set(_log_callback, ctypes.c_void_p(0))
    _log.clear()
    yield _log


def _take_log(level: int, text: bytes, _: Any) -> None:
    line = text.decode("utf-8", "replace").strip()
    _logger.debug("llama.cpp: %s", line)
    if level == 4 and line:  # GGML_LOG_LEVEL_ERROR
        _log.append(line)
        del _log[:-5]
