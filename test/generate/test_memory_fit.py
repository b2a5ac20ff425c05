"""Memory arithmetic against published figures, and what is proposed when a card is short."""

from __future__ import annotations

import os
from pathlib import Path

import llama_cpp
import pytest

from roboinstruct_ros.generate.models.gpu_memory import GpuMemory, gpu_memory, read_cards
from roboinstruct_ros.generate.models.memory_fit import (
    BUFFER_BYTES,
    GIB,
    KV_BYTES,
    Fit,
    FitStatus,
    ModelShape,
    arithmetic,
    fit,
    kv_cache_bytes,
    memory_need,
    weight_bytes,
)
from roboinstruct_ros.generate.models.model_registry import load_registry
from roboinstruct_ros.generate.models.quantization import (
    FILE_TYPES,
    QUANTIZATIONS,
    UnknownQuantization,
    quantization,
)

CODE_LLAMA = ModelShape(6_740_000_000, 16384, layers=32, kv_heads=32, head_dim=128)
QWEN = ModelShape(7_620_000_000, 32768, layers=28, kv_heads=4, head_dim=128)


def at(name: str, shape: ModelShape = CODE_LLAMA) -> int:
    return weight_bytes(shape.parameters, quantization(name).bits)


def held(name: str, n_ctx: int, card_gib: float, kv_type: str = "f16") -> Fit:
    return fit(CODE_LLAMA, at(name), n_ctx, int(card_gib * GIB), kv_type)


def ways(result: Fit) -> dict[str, str]:
    return {way.change: way.words for way in result.ways_out}


@pytest.mark.parametrize(
    ("name", "published"),
    [("Q4_K_M", 4.08e9), ("Q5_K_M", 4.78e9), ("Q8_0", 7.16e9), ("Q4_0", 3.83e9)],
)
def test_weights_are_as_large_as_the_published_files_of_a_7b(name: str, published: float) -> None:
    assert at(name) == pytest.approx(published, rel=0.02)


def test_the_cache_of_a_7b_takes_half_a_mebibyte_for_each_token() -> None:
    assert kv_cache_bytes(CODE_LLAMA, 1) == 2**19
    assert kv_cache_bytes(CODE_LLAMA, 4096) == 2 * GIB


def test_heads_that_are_shared_make_the_cache_small() -> None:
    assert kv_cache_bytes(QWEN, 4096) == kv_cache_bytes(CODE_LLAMA, 4096) * 28 * 4 // (32 * 32)


def test_a_quantized_cache_has_a_scale_for_32_values() -> None:
    f16 = kv_cache_bytes(CODE_LLAMA, 4096)
    assert kv_cache_bytes(CODE_LLAMA, 4096, "q8_0") == f16 * 34 // 64
    assert kv_cache_bytes(CODE_LLAMA, 4096, "q4_0") == f16 * 18 // 64


def test_the_sum_is_spelled_out() -> None:
    need = memory_need(CODE_LLAMA, at("Q4_K_M"), 4096)
    assert arithmetic(CODE_LLAMA, need, 4096) == (
        "weights 4.1 GB + KV cache 32 layers x 32 heads x 128 x 2 x 2 bytes x 4096 tokens = 2.1 GB"
        " + buffers 0.6 GB = 6.8 GB"
    )


def test_a_7b_at_q4_k_m_fits_10_gib_and_the_cards_size_is_the_limit() -> None:
    result = held("Q4_K_M", 4096, 10)
    assert (result.status, result.short_by, result.ways_out) == (FitStatus.FITS, 0, ())
    exact = result.need.total
    assert fit(CODE_LLAMA, at("Q4_K_M"), 4096, exact).status is FitStatus.FITS
    short = fit(CODE_LLAMA, at("Q4_K_M"), 4096, exact - 1)
    assert (short.status, short.short_by) == (FitStatus.DOES_NOT_FIT, 1)


def test_without_a_card_nothing_is_claimed() -> None:
    assert fit(CODE_LLAMA, at("F16"), 4096, None).status is FitStatus.NO_CARD


def test_the_most_exact_quantization_that_fits_is_proposed() -> None:
    assert ways(held("F16", 4096, 10))["quantization"] == "quantize it to Q8_0"
    assert ways(held("Q8_0", 4096, 8))["quantization"] == "quantize it to Q6_K"


def test_what_is_proposed_fits() -> None:
    for name in ("F16", "Q8_0", "Q4_K_M"):
        for card in (3, 4, 6, 8, 10, 12):
            result = held(name, 16384, card)
            assert all(way.total <= card * GIB for way in result.ways_out), (name, card)


def test_the_longest_context_that_fits_is_proposed() -> None:
    words = ways(held("Q4_K_M", 16384, 10))["n_ctx"]
    tokens = int(words.split()[3])
    assert held("Q4_K_M", tokens, 10).status is FitStatus.FITS
    assert held("Q4_K_M", tokens + 256, 10).status is FitStatus.DOES_NOT_FIT


def test_no_context_is_proposed_that_leaves_no_room_for_an_answer() -> None:
    card = (at("Q4_K_M") + BUFFER_BYTES + kv_cache_bytes(CODE_LLAMA, 1024)) / GIB
    assert "n_ctx" not in ways(held("Q4_K_M", 4096, card))


def test_a_smaller_cache_is_proposed() -> None:
    assert ways(held("Q4_K_M", 4096, 6))["kv_cache"].startswith("a q8_0 KV cache")
    assert "kv_cache" not in ways(held("Q8_0", 16384, 6, "q4_0"))


def test_where_no_single_change_does_two_together_are_proposed() -> None:
    found = ways(held("Q8_0", 8192, 5))
    assert set(found) == {"together", "gpu_layers"}
    words = "quantize it to Q3_K_M, with 2048 tokens of context (n_ctx)"
    assert found["together"] == words


def test_layers_go_to_the_cpu_but_never_all_are_promised_to_the_card() -> None:
    words = ways(held("Q8_0", 4096, 8))["gpu_layers"]
    assert 1 <= int(words.split()[0]) < 32
    assert "gpu_layers" not in ways(held("F16", 4096, 0.5))
    assert held("F16", 4096, 0.5).ways_out == ()


def test_numbers_of_file_types_are_those_of_llama_cpp() -> None:
    prefix = "LLAMA_FTYPE_"
    theirs = {
        name.removeprefix(prefix).removeprefix("MOSTLY_").removeprefix("ALL_"): number
        for name, number in vars(llama_cpp).items()
        if name.startswith(prefix)
    }
    assert {name: theirs[name] for name in FILE_TYPES.values()} == {
        name: number for number, name in FILE_TYPES.items()
    }


def test_quantizations_are_ordered_and_found_in_any_letter_case() -> None:
    bits = [q.bits for q in QUANTIZATIONS]
    assert bits == sorted(bits, reverse=True)
    assert quantization("q4_k_m").name == "Q4_K_M"
    assert list(KV_BYTES) == ["f16", "q8_0", "q4_0"]


def test_an_unknown_quantization_lists_those_there_are() -> None:
    with pytest.raises(UnknownQuantization) as error:
        quantization("Q4_KM")
    assert "did you mean 'Q4_K_M'? There are F16, Q8_0," in str(error.value)


def test_cards_are_read_in_mib_and_what_is_no_number_is_left_out() -> None:
    answer = "10240, 9000\n[N/A], [N/A]\n12288, 11000\n"
    assert read_cards(answer) == [
        GpuMemory(10240 * 2**20, 9000 * 2**20),
        GpuMemory(12288 * 2**20, 11000 * 2**20),
    ]
    assert read_cards("No devices were found\n") == []


def test_the_card_with_the_most_free_memory_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend_nvidia_smi(tmp_path, 'echo "10240, 9000"; echo "24576, 500"')
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    assert gpu_memory() == GpuMemory(10240 * 2**20, 9000 * 2**20)


def test_cards_that_cuda_must_not_use_do_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend_nvidia_smi(tmp_path, 'case "$*" in *--id=1) echo "24576, 500";; *) exit 9;; esac')
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    assert gpu_memory() == GpuMemory(24576 * 2**20, 500 * 2**20)
    for nothing in ("", "-1"):
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", nothing)
        assert gpu_memory() is None


def test_a_machine_without_a_card_or_with_a_broken_driver(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert gpu_memory() is None
    pretend_nvidia_smi(tmp_path, "echo failed because it could not communicate; exit 9")
    assert gpu_memory() is None


def pretend_nvidia_smi(folder: Path, script: str) -> None:
    command = folder / "nvidia-smi"
    command.write_text(f"#!/bin/sh\n{script}\n")
    command.chmod(0o755)


def test_the_figures_of_the_model_card_are_those_that_are_computed() -> None:
    text = (Path(__file__).parents[2] / "models" / "README.md").read_text()
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if " GB | " in line]
    assert len(rows) > 6
    for name, weights, n_ctx, kv_type, sum_, *cards in rows:
        entry = load_registry().find(name)
        assert entry is not None
        need = memory_need(entry.shape, at(weights, entry.shape), int(n_ctx), kv_type)
        terms = (need.weights, need.kv_cache, need.buffers, need.total)
        assert sum_ == "{:.1f} + {:.1f} + {:.1f} = {:.1f} GB".format(*(t / 1e9 for t in terms))
        assert cards == [judged(need.total, gib * GIB) for gib in (10, 12)], name


def judged(total: int, card: int) -> str:
    desktop = 1_000_000_000
    if total > card:
        return "no"
    return "yes" if total <= card - desktop else "without a desktop"
