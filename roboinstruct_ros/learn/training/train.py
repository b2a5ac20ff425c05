"""One training, from its job to the results in its folder."""

from __future__ import annotations

import importlib.metadata
import json
import math
import os
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, set_peft_model_state_dict
from safetensors.torch import load_file
from transformers import EarlyStoppingCallback, PrinterCallback

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.generate.models.lora import BASE_KEY
from roboinstruct_ros.learn.training.base import Base, new_base, read_base
from roboinstruct_ros.learn.training.clock import Clock, Curve, last_whole_checkpoint
from roboinstruct_ros.learn.training.examples import Encoded, Text, read_texts
from roboinstruct_ros.learn.training.gguf_base import GgufFile
from roboinstruct_ros.learn.training.job import (
    ADAPTER,
    CURVE,
    MODEL,
    RESULT,
    WORDS,
    TrainingJob,
    TrainingResult,
)
from roboinstruct_ros.learn.training.memory import check_memory
from roboinstruct_ros.learn.training.options import Method, TrainingOptions
from roboinstruct_ros.learn.training.precision import fastest_precision
from roboinstruct_ros.learn.training.supervised import (
    Supervised,
    dataset_of,
    plain_dataset,
    sft_config,
)
from roboinstruct_ros.learn.training.tensor_names import MATRICES
from roboinstruct_ros.learn.training.to_gguf import adapter_from_gguf

_FOREVER = 10**7
LIBRARIES = ("torch", "transformers", "trl", "peft", "accelerate", "datasets")


def train(job: TrainingJob) -> TrainingResult:
    """Do all that is left of a training.

    Raises:
        InputError: it cannot be done as requested; nothing has been loaded then.
    """
    options = job.options
    base, texts, found, left_out = checked(job)
    adapter = _halves(job, base)
    clock = Clock(options, _steps(options, len(found)))
    trainer = _trainer(job, base, texts, found, clock)
    if adapter is not None:
        set_peft_model_state_dict(trainer.model, adapter)
    trainer.train(resume_from_checkpoint=_checkpoint(job.out))
    return _finish(job, base, trainer, clock, (len(found), left_out))


def checked(job: TrainingJob) -> tuple[Base, list[Text], list[Encoded], int]:
    """The base without its weights, the texts, the encoded examples, and how many are too long.

    Raises:
        InputError: it cannot be done as requested.
    """
    texts = read_texts(job.examples)
    base = read_base(job.base) if job.base else new_base(job.options.new, texts, job.seed)
    _check(job, base)
    found, left_out = _short_enough([base.encode(text) for text in texts], job)
    check_memory(base.config, job.options, max(len(one.input_ids) for one in found))
    return base, texts, found, left_out


def _check(job: TrainingJob, base: Base) -> None:
    """Checks that are possible before anything is loaded."""
    options = job.options
    on_gpu = torch.cuda.is_available()
    if options.bits == 4 and not (on_gpu and options.rank):
        raise InputError("bits: 4 needs an NVIDIA GPU and an adapter (rank above 0); give bits: 16")
    if options.packing and not on_gpu:
        raise InputError("packing: needs FlashAttention on an NVIDIA GPU; leave it out here")
    layers = base.config.num_hidden_layers
    if options.first_layer >= layers:
        raise InputError(f"first_layer: {options.first_layer}, but the base has {layers} layers")
    if job.base is None and (options.rank or options.begin):
        raise InputError("a model from nothing is trained whole: rank 0, and no begin")


def _short_enough(all_: list[Encoded], job: TrainingJob) -> tuple[list[Encoded], int]:
    longest = job.options.longest
    found = [one for one in all_ if len(one.input_ids) <= longest]
    if not found:
        raise InputError(f"{job.examples}: has no example of at most {longest} tokens")
    return found, len(all_) - len(found)


def _halves(job: TrainingJob, base: Base) -> dict[str, Any] | None:
    """The adapter to continue from, in the form that `peft` loads."""
    if not job.options.begin:
        return None
    path = Path(job.options.begin).expanduser()
    if path.is_dir():
        try:
            return dict(load_file(path / "adapter_model.safetensors"))
        except OSError as error:
            raise InputError(f"{path}: holds no adapter of peft: {error}") from None
    file = GgufFile(path)
    wanted = str(file.value(BASE_KEY, ""))
    if wanted and wanted != base.sha256:
        raise InputError(f"{path}: belongs to the base with SHA-256 {wanted}, not to {job.base}")
    found = adapter_from_gguf(file.tensors(torch.float32), base.config)
    rank, alpha = (next(iter(found.values())).shape[0], float(file.value("adapter.lora.alpha")))
    ours = job.options.alpha or job.options.rank
    if rank != job.options.rank or alpha / rank != ours / job.options.rank:
        raise InputError(f"{path}: is of rank {rank} and alpha {alpha:g}; give these two")
    return found


def _steps(options: TrainingOptions, examples: int) -> int:
    per_step = _per_step(options)
    if options.minutes:
        return _FOREVER
    return options.steps or math.ceil(examples * options.epochs / per_step)


def _per_step(options: TrainingOptions) -> int:
    """Examples per step, over all processes."""
    return options.batch * options.accumulate * int(os.environ.get("WORLD_SIZE", "1"))


def _trainer(
    job: TrainingJob, base: Base, texts: list[Text], found: list[Encoded], clock: Clock
) -> Any:
    options, precision = job.options, fastest_precision()
    model = base.load(torch.float32 if options.rank == 0 else precision, **_loading(options))
    if not torch.cuda.is_available() and precision is torch.bfloat16:
        # The backward pass of the fused kernel is slower in bfloat16 on a CPU.
        model.set_attn_implementation("eager")
    more = dict(model=model, processing_class=base.tokenizer, peft_config=_lora(options, base))
    callbacks = [clock, Curve(job.out / CURVE, clock)]
    if options.method is Method.GRPO:
        from roboinstruct_ros.learn.training.reinforced import reinforced

        trainer = reinforced(
            job, base, texts, _common(job, clock, precision, False), callbacks, more
        )
    else:
        held = [base.encode(text) for text in read_texts(job.held_out)] if job.held_out else []
        held = [one for one in held if len(one.input_ids) <= options.longest]
        callbacks += [EarlyStoppingCallback(options.patience)] if options.patience and held else []
        trainer = Supervised(
            args=sft_config(options, _common(job, clock, precision, bool(held))),
            train_dataset=dataset_of(found, options, _per_step(options), job.seed),
            eval_dataset=plain_dataset(held) if held else None,
            callbacks=callbacks,
            **more,
        )
    trainer.remove_callback(PrinterCallback)  # Curve prints it
    _follow(trainer, clock)
    return trainer


def _loading(options: TrainingOptions) -> dict[str, Any]:
    more: dict[str, Any] = {}
    if options.packing:
        more["attn_implementation"] = "flash_attention_2"
    if options.bits == 4:
        from transformers import BitsAndBytesConfig

        more["quantization_config"] = BitsAndBytesConfig(
            load_in_4bit=True,
            bnb_4bit_quant_type="nf4",
            bnb_4bit_use_double_quant=True,
            bnb_4bit_compute_dtype=torch.bfloat16,
        )
    return more


def _lora(options: TrainingOptions, base: Base) -> LoraConfig | None:
    if not options.rank:
        return None
    return LoraConfig(
        r=options.rank,
        lora_alpha=options.alpha or options.rank,
        target_modules=list(MATRICES),
        layers_to_transform=list(range(options.first_layer, base.config.num_hidden_layers)),
        task_type="CAUSAL_LM",
    )


def _common(job: TrainingJob, clock: Clock, precision: torch.dtype, looks: bool) -> dict[str, Any]:
    """The arguments common to all transformers trainers."""
    options = job.options
    on_gpu = torch.cuda.is_available()
    early = bool(options.patience and looks)
    return {
        "output_dir": str(job.out),
        "seed": job.seed,
        "max_steps": clock.steps,
        "per_device_train_batch_size": options.batch,
        "gradient_accumulation_steps": options.accumulate,
        "learning_rate": options.rate,
        "adam_beta2": 0.98,
        "weight_decay": 0.0,
        "bf16": precision is torch.bfloat16,
        "use_cpu": not on_gpu,
        "ddp_backend": "gloo" if "WORLD_SIZE" in os.environ and not on_gpu else None,
        "ddp_find_unused_parameters": False,
        "gradient_checkpointing": on_gpu,
        "eval_strategy": "steps" if looks else "no",
        "eval_steps": options.look_every,
        "load_best_model_at_end": early,
        "metric_for_best_model": "eval_loss" if early else None,
        "greater_is_better": False if early else None,
        "save_steps": options.look_every if early else options.save_every,
        "save_total_limit": 2,
        "restore_callback_states_from_checkpoint": early,
        "logging_steps": min(10, options.save_every),
        "include_num_input_tokens_seen": "all",
        "report_to": "none",
        "disable_tqdm": True,
        "dataloader_pin_memory": on_gpu,
    }


def _follow(trainer: Any, clock: Clock) -> None:
    """Let the clock determine the learning rate."""

    def scheduler(num_training_steps: int, optimizer: Any = None) -> Any:
        optimizer = optimizer or trainer.optimizer
        trainer.lr_scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, clock.rate)
        return trainer.lr_scheduler

    trainer.create_scheduler = scheduler


def _checkpoint(out: Path) -> str | None:
    found = last_whole_checkpoint(out)
    return str(found) if found else None


def _finish(
    job: TrainingJob, base: Base, trainer: Any, clock: Clock, counts: tuple[int, int]
) -> TrainingResult:
    if trainer.eval_dataset is not None and not _was_looked_at(trainer):
        trainer.evaluate()
    trainer.save_model(str(job.out / (ADAPTER if job.options.rank else MODEL)))
    logs = trainer.state.log_history
    held = [log["eval_loss"] for log in logs if "eval_loss" in log]
    result = TrainingResult(
        steps=trainer.state.global_step,
        seconds=round(clock.used, 1),
        examples=counts[0],
        left_out=counts[1],
        trained_parameters=sum(p.numel() for p in trainer.model.parameters() if p.requires_grad),
        loss=next(_losses(logs), None),
        held_out_loss=min(held, default=None),
        base_sha256=base.sha256,
        versions={name: importlib.metadata.version(name) for name in LIBRARIES},
    )
    if trainer.is_world_process_zero():
        if base.words:
            (job.out / WORDS).write_text(json.dumps(asdict(base.words)))
        whole = job.out / f".{RESULT}.part"
        whole.write_text(json.dumps(result.model_dump(), indent=2))
        whole.replace(job.out / RESULT)
    return result


def _was_looked_at(trainer: Any) -> bool:
    """Whether the held-out examples were evaluated after the last step."""
    logs, last = trainer.state.log_history, trainer.state.global_step
    return any("eval_loss" in log and log["step"] == last for log in logs)


def _losses(logs: list[dict[str, float]]) -> Iterator[float]:
    """The losses, the last one first."""
    return (log["loss"] for log in reversed(logs) if "loss" in log)
