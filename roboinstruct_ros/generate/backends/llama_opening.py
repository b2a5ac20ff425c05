"""Opens a GGUF with llama.cpp: how much context, which threads, what goes to a GPU."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.backend import BackendError
from roboinstruct_ros.generate.backends.llama_loading import (
    captured_log,
    many_texts,
    plain_kernels,
    wait_passively,
    without_chat_handlers,
)
from roboinstruct_ros.generate.models.gguf_file import GgufHeader
from roboinstruct_ros.generate.models.lora import Adapter, add_to, bytes_of
from roboinstruct_ros.generate.models.memory_plan import MemoryPlan, is_out_of_memory
from roboinstruct_ros.generate.models.model_options import LoadingOptions

DEFAULT_CONTEXT = 4096  # tokens, if the model can hold that many
BATCH = 256  # prompt tokens per step
SMALL_MODEL = 200_000_000  # weights; below it, one thread generates fastest
TINY_MODEL = 20_000_000  # weights; below it, one thread also evaluates prompts fastest
CANDIDATE_TOKENS = 256  # tokens added to the context for each candidate but the first
_CACHE_TYPES = {"f16": 1, "q8_0": 8, "q4_0": 2}  # `ggml_type`


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


def open_llama(
    settings: LlamaCppSettings, header: GgufHeader, tell: Callable[[str], object]
) -> tuple[Any, MemoryPlan]:
    """The loaded `llama_cpp.Llama` with its adapters, and the memory that it takes.

    Raises:
        BackendError: MODEL_NOT_LOADED, one line that begins with the path.
    """
    wait_passively()
    try:
        import llama_cpp
    except (ImportError, OSError, RuntimeError) as error:
        raise BackendError(
            TaskErrorCode.MODEL_NOT_LOADED,
            f"llama-cpp-python cannot be imported ({error}); install it into this environment",
        ) from None
    cache = _CACHE_TYPES[settings.kv_cache]
    context = _context(settings, header) + (settings.candidates - 1) * CANDIDATE_TOKENS
    memory = MemoryPlan.make(
        settings.model,
        header,
        context,
        settings.kv_cache,
        settings.n_gpu_layers,
        llama_cpp.llama_supports_gpu_offload(),
        tell,
        bytes_of(settings.adapters),
    )
    with (
        captured_log(llama_cpp) as log,
        plain_kernels(llama_cpp),
        many_texts(llama_cpp),
        without_chat_handlers(llama_cpp),
    ):
        try:
            llama = llama_cpp.Llama(
                str(settings.model),
                n_ctx=context,
                n_batch=BATCH,
                n_threads=_threads(settings, header, SMALL_MODEL),
                n_threads_batch=_threads(settings, header, TINY_MODEL),
                n_gpu_layers=memory.layers,
                type_k=cache,
                type_v=cache,
                flash_attn=flash_attention(settings, memory.layers),
                verbose=False,
            )
            add_to(llama, settings.adapters)
            return llama, memory
        except (ValueError, RuntimeError, MemoryError, OSError, KeyError) as error:
            reason = " ".join((log[-1] if log else str(error)).split())
            if is_out_of_memory(log) or isinstance(error, MemoryError):
                reason = f"out of memory: {memory.shortage()}"
            raise BackendError(
                TaskErrorCode.MODEL_NOT_LOADED,
                f"{settings.model}: llama.cpp cannot load it: {reason}",
            ) from None


def _context(settings: LlamaCppSettings, header: GgufHeader) -> int:
    architecture = header.text("general.architecture")
    trained = header.number(f"{architecture}.context_length", DEFAULT_CONTEXT)
    return settings.n_ctx or min(trained, DEFAULT_CONTEXT)


def _threads(settings: LlamaCppSettings, header: GgufHeader, least: int) -> int:
    """The number of threads; one for a model of fewer than `least` weights.

    Threads wait for each other after every node of the graph. On a machine with other work a
    small model then falls from 760 token/s to 4 (measured), while a single thread never waits.
    The nodes of a batch take longer, so a batch benefits from more threads at a smaller model
    size.
    """
    one = header.parameters < least
    return settings.n_threads or (1 if one else len(os.sched_getaffinity(0)))


def flash_attention(settings: LlamaCppSettings, layers: int) -> bool:
    """llama.cpp supports quantized values only with its flash attention."""
    useful = layers != 0 or settings.kv_cache != "f16"
    return {"auto": useful, "on": True, "off": False}[settings.flash_attn]
