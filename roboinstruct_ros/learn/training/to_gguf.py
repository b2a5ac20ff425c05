"""Writes a trained model as one GGUF that llama.cpp loads: an adapter, or a complete model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import gguf
import numpy
import torch
from torch import Tensor

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.domain.files.world_names import SERVICE_ROBOT
from roboinstruct_ros.generate.models.lora import BASE_KEY
from roboinstruct_ros.generate.models.model_notes import DOMAIN_KEY, PROMPT_FORMAT_KEY
from roboinstruct_ros.learn.training.gguf_base import GgufFile
from roboinstruct_ros.learn.training.tensor_names import (
    Heads,
    from_gguf,
    name_in_gguf,
    name_in_model,
    to_gguf,
)
from roboinstruct_ros.learn.training.vocabulary import Vocabulary

F16, F32, Q8_0 = (
    gguf.GGMLQuantizationType.F16,
    gguf.GGMLQuantizationType.F32,
    gguf.GGMLQuantizationType.Q8_0,
)
_BLOCK = 32  # values of a row that share a scale in Q8_0
_HALF = re.compile(r"(?:base_model\.model\.)?(.+)\.lora_([AB])(?:\.default)?\.weight")


@dataclass(frozen=True)
class About:
    """The metadata of a file.

    Attributes:
        prompt_format: For the generator (`generate/prompts/prompt.py`).
        domain: Name of the domain for which it writes programs.
        base_sha256: For an adapter, hash of the file that it was trained on; "" if there was none.
    """

    name: str
    description: str
    licence: str
    prompt_format: str
    domain: str = SERVICE_ROBOT
    base_sha256: str = ""


class NotAnAdapter(InputError):
    """Tensors that are not a LoRA adapter; `str()` is one line."""


def write_adapter(
    halves: Mapping[str, Tensor], alpha: float, heads: Heads, about: About, target: Path
) -> None:
    """Write an adapter of `peft`, of any rank.

    Args:
        halves: Its tensors by their names in `peft`.
        alpha: llama.cpp and `peft` both multiply by alpha / rank.
        heads: Configuration of the base.

    Raises:
        NotAnAdapter: a tensor is not half of a matrix's adapter.
    """
    writer = _writer(target, heads.model_type, about)
    writer.add_type(gguf.GGUFType.ADAPTER)
    writer.add_string(gguf.Keys.Adapter.TYPE, "lora")
    writer.add_float32(gguf.Keys.Adapter.LORA_ALPHA, alpha)
    if about.base_sha256:
        writer.add_string(BASE_KEY, about.base_sha256)
    for name, rows in adapter_to_gguf(halves, heads).items():
        _add(writer, name, rows, Q8_0 if rows.shape[-1] % _BLOCK == 0 else F16)
    _finish(writer, target)


def adapter_to_gguf(halves: Mapping[str, Tensor], heads: Heads) -> dict[str, Tensor]:
    """The tensors of a `peft` adapter in the form of a GGUF; empty halves are left out.

    Raises:
        NotAnAdapter: a tensor is not half of a matrix's adapter.
    """
    found: dict[str, Tensor] = {}
    for name, rows in halves.items():
        half = _HALF.fullmatch(name)
        if half is None:
            raise NotAnAdapter(f"{name} is no half of an adapter")
        matrix = name_in_gguf(f"{half[1]}.weight")
        # Only B has the rows of the matrix itself.
        turned = to_gguf(rows, matrix, heads) if half[2] == "B" else rows
        found[f"{matrix}.lora_{half[2].lower()}"] = turned
    return found


def adapter_from_gguf(tensors: Iterable[tuple[str, Tensor]], heads: Heads) -> dict[str, Tensor]:
    """The inverse of `adapter_to_gguf`, with the names that `peft` loads."""
    found: dict[str, Tensor] = {}
    for name, rows in tensors:
        matrix, _, half = name.rpartition(".lora_")
        turned = from_gguf(rows, matrix, heads) if half == "b" else rows
        stem = name_in_model(matrix).removesuffix(".weight")
        found[f"base_model.model.{stem}.lora_{half.upper()}.weight"] = turned
    return found


def write_merged(
    base: GgufFile, halves: Mapping[str, Tensor], scale: float, about: About, target: Path
) -> None:
    """Write the base with an adapter merged in, with the base's own metadata and matrices as F16.
    Only one matrix at a time is in memory.

    Args:
        halves: The adapter's tensors by their names in `adapter_to_gguf`.
        scale: Alpha / rank.

    Raises:
        NotAnAdapter: it belongs to another base.
    """
    ours = {one.name: one for one in base.reader.tensors}
    for name in {half.rpartition(".lora_")[0] for half in halves}:
        a, b = (halves[f"{name}.lora_{half}"] for half in "ab")
        if name not in ours or ours[name].shape.tolist() != [a.shape[1], b.shape[0]]:
            raise NotAnAdapter(f"{base.path}: is not the base of the adapter, by its {name}")
    writer = _writer(target, str(base.value(gguf.Keys.General.ARCHITECTURE)), about)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
    _copy_words(base, writer)
    for name, one in ours.items():
        kind = numpy.float16 if len(one.shape) > 1 else numpy.float32
        shape = one.shape.tolist()[::-1]
        writer.add_tensor_info(name, shape, numpy.dtype(kind), one.n_elements * kind().itemsize)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    for name, rows in base.tensors(torch.float32):
        if f"{name}.lora_a" in halves:
            a, b = (halves[f"{name}.lora_{half}"].float() for half in "ab")
            rows = rows + scale * b @ a
        kind = numpy.float16 if rows.ndim > 1 else numpy.float32
        writer.write_tensor_data(rows.numpy().astype(kind))
    writer.close()
    _unfinished(target).replace(target)


def _copy_words(base: GgufFile, writer: gguf.GGUFWriter) -> None:
    """Copy the base's metadata, except keys that the writer sets itself."""
    said = writer.kv_data[0]
    for field in base.reader.fields.values():
        if field.name not in said and not field.name.startswith(("GGUF.", "roboinstruct.")):
            kind, inner = field.types[0], field.types[-1] if len(field.types) > 1 else None
            writer.add_key_value(field.name, field.contents(), kind, inner)


def write_model(
    weights: Mapping[str, Tensor], config: Heads, words: Vocabulary, about: About, target: Path,
    kind: gguf.GGMLQuantizationType = F16,
) -> None:  # fmt: skip
    """Write a complete model; its matrices in `kind`, everything else in 32 bits."""
    writer = _writer(target, config.model_type, about)
    _add_sizes(writer, config)
    writer.add_file_type(
        gguf.LlamaFileType.ALL_F32 if kind is F32 else gguf.LlamaFileType.MOSTLY_F16
    )
    _add_words(writer, words)
    tied = getattr(config, "tie_word_embeddings", False)
    for name, rows in weights.items():
        if tied and name == "lm_head.weight":
            continue
        theirs = name_in_gguf(name)
        _add(writer, theirs, to_gguf(rows, theirs, config), kind if rows.ndim > 1 else F32)
    _finish(writer, target)


def _writer(target: Path, architecture: str, about: About) -> gguf.GGUFWriter:
    target.parent.mkdir(parents=True, exist_ok=True)
    writer = gguf.GGUFWriter(str(_unfinished(target)), architecture)
    writer.add_name(about.name)
    writer.add_description(about.description)
    if about.licence:
        writer.add_license(about.licence)
    writer.add_string(PROMPT_FORMAT_KEY, about.prompt_format)
    if about.domain != SERVICE_ROBOT:
        writer.add_string(DOMAIN_KEY, about.domain)
    return writer


def _add(writer: gguf.GGUFWriter, name: str, rows: Tensor, kind: gguf.GGMLQuantizationType) -> None:
    values = rows.detach().to("cpu", torch.float32).contiguous().numpy()
    if kind is F32:
        writer.add_tensor(name, values.astype(numpy.float32))
    else:
        writer.add_tensor(name, gguf.quants.quantize(values, kind), raw_dtype=kind)


def _finish(writer: gguf.GGUFWriter, target: Path) -> None:
    """Write atomically: the target never has incomplete content."""
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    _unfinished(target).replace(target)


def _unfinished(target: Path) -> Path:
    return target.with_name(f".{target.name}.part")


def _add_sizes(writer: gguf.GGUFWriter, config: Heads) -> None:
    size = config.__getattribute__
    writer.add_context_length(size("max_position_embeddings"))
    writer.add_embedding_length(size("hidden_size"))
    writer.add_block_count(size("num_hidden_layers"))
    writer.add_feed_forward_length(size("intermediate_size"))
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_rope_dimension_count(size("hidden_size") // config.num_attention_heads)
    writer.add_rope_freq_base(size("rope_parameters")["rope_theta"])
    writer.add_layer_norm_rms_eps(size("rms_norm_eps"))
    writer.add_vocab_size(size("vocab_size"))


def _add_words(writer: gguf.GGUFWriter, words: Vocabulary) -> None:
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(words.pre)
    writer.add_token_list(words.tokens)
    writer.add_token_types(words.kinds)
    writer.add_token_merges(words.merges)
    writer.add_add_bos_token(words.begin is not None)
    if words.begin is not None:
        writer.add_bos_token_id(words.begin)
    writer.add_eos_token_id(words.end)
    writer.add_add_eos_token(False)
    writer.add_add_space_prefix(False)
    if words.chat_template:
        writer.add_chat_template(words.chat_template)
