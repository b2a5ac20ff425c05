"""Loading options for which llama-cpp-python's `Llama` has no argument."""

from __future__ import annotations

import ctypes
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from roboinstruct_ros.generate.writing_options import MOST_CANDIDATES

_logger = logging.getLogger(__name__)


def wait_passively() -> None:
    """Let llama.cpp's threads sleep while they wait for each other, unless the environment says
    otherwise. Call it before importing the library.

    A busy-waiting thread takes the core from the thread that it waits for: two threads of SmolLM2
    on two cores with other work wrote 5 tokens per second of CPU, sleeping ones 52, a single one
    105.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")


@contextmanager
def plain_kernels(llama_cpp: Any) -> Iterator[None]:
    """Keep models loaded in this context off the AMX unit of the CPU.

    llama.cpp's int8 kernels for AMX (Q8_0, Q4_0, ...) crash with an illegal instruction on virtual
    machines that announce AMX (measured: `tileloadd`, Linux 6.18 guest). They are "extra buffer
    types", for which `Llama` has no argument; without them the vector kernels run.
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


@contextmanager
def many_texts(llama_cpp: Any) -> Iterator[None]:
    """Give contexts opened in this context room for candidates that share one cache, for which
    `Llama` has no argument."""
    low = llama_cpp.llama_cpp
    defaults = low.llama_context_default_params

    def with_sequences() -> Any:
        parameters = defaults()
        parameters.n_seq_max = MOST_CANDIDATES
        parameters.kv_unified = True
        return parameters

    low.llama_context_default_params = with_sequences
    try:
        yield
    finally:
        low.llama_context_default_params = defaults


@contextmanager
def without_chat_handlers(llama_cpp: Any) -> Iterator[None]:
    """Keep `Llama` from compiling chat templates, whose faults raise Jinja's own exceptions even
    for models that are not used for chat. `LlamaChat` reads the template from the file."""
    model = llama_cpp._internals.LlamaModel
    all_of_it = model.metadata

    def without_templates(self: Any) -> dict[str, str]:
        known = all_of_it(self).items()
        return {key: value for key, value in known if not key.startswith("tokenizer.chat_template")}

    model.metadata = without_templates
    try:
        yield
    finally:
        model.metadata = all_of_it


def _cpu_has(flag: str) -> bool:
    try:
        return flag in Path("/proc/cpuinfo").read_text().split()
    except OSError:
        return False


_log: list[str] = []
_log_callback: Any = None  # llama.cpp keeps the pointer, so it must live as long as the process


@contextmanager
def captured_log(llama_cpp: Any) -> Iterator[list[str]]:
    """Collect llama.cpp's errors while loading; permanently redirects its log to `logging`."""
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
