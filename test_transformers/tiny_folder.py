"""Small models with random weights, made by transformers itself."""

from __future__ import annotations

from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

CHATML = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
MARKS = ["<|im_start|>", "<|im_end|>"]


def make_model(folder: Path, width: int = 32, layers: int = 2, chat_template: str = "") -> Path:
    """Write a Llama with a byte vocabulary in several files, and return `folder`."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {character: number for number, character in enumerate([*alphabet, "<s>", *MARKS])}
    inner = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    inner.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner, bos_token="<s>", eos_token="<|im_end|>",
        additional_special_tokens=MARKS,
    )  # fmt: skip
    if chat_template:
        tokenizer.chat_template = chat_template
    torch.manual_seed(7)
    config = LlamaConfig(
        vocab_size=len(vocabulary), hidden_size=width, intermediate_size=2 * width,
        num_hidden_layers=layers, num_attention_heads=2, max_position_embeddings=8192,
        initializer_range=0.3, bos_token_id=256, eos_token_id=258,
    )  # fmt: skip
    model = LlamaForCausalLM(config)
    model.save_pretrained(folder, max_shard_size="40KB" if width < 100 else "1GB")
    tokenizer.save_pretrained(folder)
    return folder
