"""Which layers go to a card, and what is said when memory is short."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import llama_cpp
import pytest
from tiny_gguf import write_tiny_gguf

from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.backend import BackendError, Request
from roboinstruct_ros.generate.backends.llama_cpp_backend import LlamaCppBackend
from roboinstruct_ros.generate.backends.llama_opening import LlamaCppSettings
from roboinstruct_ros.generate.models import memory_plan
from roboinstruct_ros.generate.models.gguf_file import GgufHeader
from roboinstruct_ros.generate.models.gpu_memory import GpuMemory
from roboinstruct_ros.generate.models.memory_fit import GIB, MemoryNeed, ModelShape, layers_that_fit
from roboinstruct_ros.generate.models.memory_plan import (
    ALL_LAYERS,
    AUTO_LAYERS,
    Load,
    MemoryPlan,
    free_main_memory,
    main_memory_fault,
    place,
    shortage,
)

CODE_LLAMA = ModelShape(6_740_000_000, 16384, 32, 32, 128)
Q4 = Load(CODE_LLAMA, 4_070_000_000, 4096, "f16")  # 6.8 GB with its cache and buffers


def card(gib: float) -> GpuMemory:
    return GpuMemory(total=24 * GIB, free=int(gib * GIB))


def test_all_layers_go_to_a_card_that_holds_them() -> None:
    placement = place(Q4, card(10), offload=True)
    assert placement.layers == ALL_LAYERS
    assert placement.words == (
        "weights 4.1 GB + KV cache 32 layers x 32 heads x 128 x 2 x 2 bytes x 4096 tokens = 2.1 GB"
        " + buffers 0.6 GB = 6.8 GB; 10.7 GB free on the GPU: all 32 layers go there"
    )


@pytest.mark.parametrize("gib", [1, 2, 3, 4, 5, 6, 6.3])
def test_as_many_layers_as_the_card_holds_and_not_one_more(gib: float) -> None:
    layers = place(Q4, card(gib), offload=True).layers
    need = Q4.held_against(None).need
    layer = (need.weights + need.kv_cache) / 32
    assert 0 <= layers < 32
    assert need.buffers + layers * layer <= card(gib).free < need.buffers + (layers + 1) * layer


def test_a_card_that_holds_nothing_gets_nothing() -> None:
    assert layers_that_fit(CODE_LLAMA, MemoryNeed(4_000_000_000, 2_000_000_000), 100) == 0
    assert place(Q4, card(0.1), offload=True).words.endswith("no layer fits there, the rest stays "
                                                             "with the CPU")  # fmt: skip


def test_without_a_card_or_a_llama_cpp_for_it_all_stays_with_the_cpu() -> None:
    assert place(Q4, None, offload=False) == place(Q4, None, offload=False)
    assert (place(Q4, None, False).layers, place(Q4, card(10), False).layers) == (0, 0)
    assert place(Q4, None, False).words.endswith("there is no GPU")
    assert place(Q4, card(10), False).words.endswith("built without GPU support")
    assert "n_gpu_layers can name a number" in place(Q4, None, True).words


def test_main_memory_has_to_hold_what_stays_with_the_cpu() -> None:
    assert main_memory_fault(Q4, ALL_LAYERS, free=1) == ""
    assert main_memory_fault(Q4, 0, free=8 * 10**9) == ""
    assert main_memory_fault(Q4, 0, free=None) == ""
    assert main_memory_fault(Q4, 16, free=4 * 10**9) == ""
    fault = main_memory_fault(Q4, 0, free=4 * 10**9)
    assert fault.startswith("6.2 GB (weights and KV cache) would stay in main memory, where 4.0 GB")


def test_a_shortage_says_how_much_and_what_would_do() -> None:
    line = shortage(Q4, 6 * GIB, "the GPU")
    assert "6.4 GB free in the GPU, 0.4 GB too much; would fit: quantize it to Q3_K_M or " in line
    assert "30 of 32 layers on the GPU (n_gpu_layers 30)" in line
    assert "something else takes it" in shortage(Q4, 20 * GIB, "the GPU")
    assert "smaller model" in shortage(Q4, None, "the GPU")


def loaded(path: Path, told: list[str], **settings: object) -> LlamaCppBackend:
    backend = LlamaCppBackend(LlamaCppSettings(path, n_threads=1, **settings), told.append)  # type: ignore[arg-type]
    backend.load()
    return backend


def flash_attention(backend: LlamaCppBackend) -> bool:
    kind = backend._llama.context_params.flash_attn_type
    return bool(kind == llama_cpp.LLAMA_FLASH_ATTN_TYPE_ENABLED)


def test_the_backend_tells_where_the_layers_go(
    tiny_gguf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "nvidia-smi"
    script.write_text('#!/bin/sh\necho "10240, 9000"\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    told: list[str] = []
    loaded(tiny_gguf, told).unload()
    monkeypatch.setattr(llama_cpp, "llama_supports_gpu_offload", lambda: True)
    on_card = loaded(tiny_gguf, told)
    assert "built without GPU support" in told[0]
    assert told[1].startswith("tiny.gguf: weights ") and told[1].endswith("all 1 layers go there")
    assert flash_attention(on_card)
    on_card.unload()
    by_hand = loaded(tiny_gguf, told, n_gpu_layers=0)
    assert len(told) == 2 and not flash_attention(by_hand)
    by_hand.unload()


@pytest.mark.parametrize(
    ("flash_attn", "kv_cache", "used"),
    [("auto", "f16", False), ("auto", "q8_0", True), ("on", "f16", True), ("off", "f16", False)],
)
def test_flash_attention(tiny_gguf: Path, flash_attn: str, kv_cache: str, used: bool) -> None:
    path = Path(__file__).parents[2] / "models" / "roboinstruct-small.gguf"
    backend = loaded(path, [], flash_attn=flash_attn, kv_cache=kv_cache)
    assert flash_attention(backend) is used
    request = Request("# Instruction: Go to the kitchen.\ndef task_program():\n", 40)
    assert 'go_to("kitchen")' in "".join(
        token.text for token in backend.stream(request, threading.Event())
    )
    backend.unload()


@pytest.mark.parametrize(
    ("settings", "fault"),
    [
        ({"flash_attn": "yes"}, "flash_attn 'yes' is not one of auto, on, off"),
        ({"flash_attn": "off", "kv_cache": "q8_0"}, "a q8_0 kv_cache needs flash attention"),
    ],
)
def test_settings_that_cannot_be(tiny_gguf: Path, settings: dict[str, str], fault: str) -> None:
    with pytest.raises(BackendError, match=fault) as error:
        loaded(tiny_gguf, [], **settings)
    assert error.value.code is TaskErrorCode.MODEL_NOT_LOADED


def test_a_file_larger_than_main_memory_is_refused_before_it_is_mapped(tmp_path: Path) -> None:
    path = write_tiny_gguf(tmp_path / "huge.gguf")
    os.truncate(path, 2**42)  # sparse: it takes no disk
    with pytest.raises(BackendError) as error:
        loaded(path, [], n_gpu_layers=AUTO_LAYERS)
    assert error.value.code is TaskErrorCode.MODEL_NOT_LOADED
    assert str(error.value).startswith(f"{path}: 4398.0 GB (weights and KV cache) would stay in ")
    free = free_main_memory()
    assert free is not None and 10**8 < free < 2**42


def test_a_model_whose_cache_cannot_be_computed_is_not_put_on_a_card_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = GgufHeader({"general.architecture": "mamba"}, {}, 10**6, 10**6)
    monkeypatch.setattr(memory_plan, "gpu_memory", lambda: card(10))
    told: list[str] = []
    path = tmp_path / "m.gguf"
    plan = MemoryPlan.make(path, known, 512, "f16", AUTO_LAYERS, True, told.append)
    assert plan.layers == 0 and "no mamba.attention.head_count" in told[0]
    assert MemoryPlan.make(path, known, 512, "f16", 5, True, told.append).layers == 5
    huge = replace(known, file_bytes=2**42)
    with pytest.raises(BackendError, match="would stay in main memory"):
        MemoryPlan.make(path, huge, 512, "f16", AUTO_LAYERS, True, told.append)


SHORT = """
import resource, sys, threading
from pathlib import Path
import llama_cpp
from roboinstruct_ros.generate.backends.backend import BackendError, Request
from roboinstruct_ros.generate.backends.llama_cpp_backend import LlamaCppBackend
from roboinstruct_ros.generate.backends.llama_opening import LlamaCppSettings
path = Path(sys.argv[1])
small = LlamaCppBackend(LlamaCppSettings(path, n_threads=1))
small.load()
taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + 300 * 2**20,) * 2)
large = LlamaCppBackend(LlamaCppSettings(path, n_ctx=2**23, n_threads=1))
try:
    large.load()
except BackendError as error:
    print(error.code.name, error)
large.unload()
small.unload()
small.load()
print(len(list(small.stream(Request("go", 5), threading.Event()))))
"""


def test_memory_that_llama_cpp_does_not_get_is_one_line_and_another_load_works(
    tiny_gguf: Path,
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SHORT, str(tiny_gguf)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    line, tokens = done.stdout.splitlines()
    assert line.startswith(f"MODEL_NOT_LOADED {tiny_gguf}: llama.cpp cannot load it: out of memory")
    assert "KV cache 1 layers x 2 heads x 16" in line and "less n_ctx" in line
    assert tokens == "5"


def test_memory_that_is_gone_while_writing_is_typed_and_the_next_request_is_served(
    tiny_gguf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = loaded(tiny_gguf, [])
    request = Request("go to the kitchen", 5)
    with monkeypatch.context() as patch:
        patch.setattr(llama_cpp.llama_cpp, "llama_decode", lambda *_: -2)  # what a full card gives
        with pytest.raises(BackendError) as error:
            list(backend.stream(request, threading.Event()))
    assert error.value.code is TaskErrorCode.MODEL_FAILED
    assert str(error.value).startswith("out of memory while writing: weights ")
    assert len(list(backend.stream(request, threading.Event()))) == 5
    backend.unload()
