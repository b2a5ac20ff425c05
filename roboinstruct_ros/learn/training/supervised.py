"""Supervised fine-tuning with `trl` and `peft`; the loss is that of the completion alone."""

from __future__ import annotations

import types
from typing import Any

import torch
from datasets import Dataset
from torch import Tensor
from torch.nn import functional
from transformers.modeling_outputs import CausalLMOutput
from trl import SFTConfig, SFTTrainer

from roboinstruct_ros.learn.training.examples import IGNORED, Encoded, order_of
from roboinstruct_ros.learn.training.options import TrainingOptions

_WITHOUT_END = 1_000_000
"""Examples prepared for a training that ends by time."""


def dataset_of(
    found: list[Encoded], options: TrainingOptions, batch: int, seed: int
) -> Dataset:  # fmt: skip
    """The examples in training order; trl shuffles packed ones."""
    if options.packing:
        return Dataset.from_dict(
            {
                "input_ids": [one.input_ids for one in found],
                "completion_mask": [[int(x != IGNORED) for x in one.labels] for one in found],
            }
        )
    epochs = options.epochs
    if options.minutes:
        epochs = _WITHOUT_END / len(found)
    elif options.steps:
        epochs = options.steps * batch / len(found)
    order = order_of([len(one.input_ids) for one in found], batch, epochs, seed)
    return plain_dataset(found).select(order)


def plain_dataset(found: list[Encoded]) -> Dataset:
    """The examples in their original order."""
    columns = {"input_ids": [one.input_ids for one in found]}
    return Dataset.from_dict({**columns, "labels": [one.labels for one in found]})


def sft_config(options: TrainingOptions, common: dict[str, Any]) -> SFTConfig:
    """The configuration for trl."""
    return SFTConfig(
        **common,
        max_length=options.longest if options.packing else None,
        packing=options.packing,
        completion_only_loss=True if options.packing else None,
        dataset_kwargs=None if options.packing else {"skip_prepare_dataset": True},
        train_sampling_strategy="random" if options.packing else "sequential",
        per_device_eval_batch_size=options.batch,
        prediction_loss_only=True,
    )


class Supervised(SFTTrainer):  # type: ignore[misc]
    """trl's trainer; on a CPU, only scored tokens go through the head.

    Without Triton, trl's own head also computes scores for prompts and padding, and multiplies in
    32 bits in the backward pass: a third of the time of a model with a large vocabulary.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for module in self.model.modules():
            if hasattr(module, "lora_A"):  # autocast does it, once for A and B and not for x
                module.cast_input_dtype_enabled = False
        self._scores_itself = self.args.device.type == "cpu"
        if self._scores_itself:
            peft = hasattr(self.model, "get_base_model")
            base = self.model.get_base_model() if peft else self.model
            base.forward = types.MethodType(_summed_loss, base)

    def create_model_card(self, *_: Any, **__: Any) -> None:
        """Does nothing: our card is made from the manifest."""

    def compute_loss(
        self, model: Any, inputs: dict[str, Tensor], return_outputs: bool = False,
        num_items_in_batch: Any = None,
    ) -> Any:  # fmt: skip
        if not self._scores_itself:
            return super().compute_loss(model, inputs, return_outputs, num_items_in_batch)
        count = (inputs["labels"][:, 1:] != IGNORED).sum()
        if num_items_in_batch is not None:  # over all processes, whose gradients are averaged
            count = torch.as_tensor(num_items_in_batch) / self.accelerator.num_processes
        return model(**inputs).loss / count.clamp(min=1)


def _summed_loss(
    self: Any, input_ids: Tensor, labels: Tensor, attention_mask: Tensor, **_: Any
) -> CausalLMOutput:
    """For a causal model: the summed cross entropy of the scored tokens."""
    hidden = self.model(input_ids=input_ids, attention_mask=attention_mask, use_cache=False)
    aims = labels[:, 1:]
    scored = aims != IGNORED
    logits = self.lm_head(hidden.last_hidden_state[:, :-1][scored]).float()
    return CausalLMOutput(loss=functional.cross_entropy(logits, aims[scored], reduction="sum"))
