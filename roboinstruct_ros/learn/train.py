"""Trains the shipped model on fresh pairs for a given wall-clock time; resumes from its checkpoint.

    python -m roboinstruct_ros.learn.train --out train_out --minutes 65 --ranks 2

Each rank is a process with one thread that works on its own share of a batch. On a machine that
others use too this is several times faster than one process with two threads, which wait for each
other at every single operation.

The learning rate follows the clock, not the step count, so the same command gives a finished model
on a slow or a fast machine.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import logging
import math
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor, distributed
from torch.nn import functional

from roboinstruct_ros.learn.dataset import Pair, pairs
from roboinstruct_ros.learn.draw import Split
from roboinstruct_ros.learn.model import Decoder, ModelShape
from roboinstruct_ros.learn.tokenizer import BOS, EOS, load_tokenizer, train_tokenizer

log = logging.getLogger("roboinstruct.train")

IGNORED = -100


def tokenizer_for(out: Path, seed: int, vocab_size: int) -> Tokenizer:
    """The tokenizer of this run, trained at the first start."""
    path = out / "tokenizer.json"
    if not path.exists():
        sample = list(islice(pairs(seed + 1), 30000))
        texts = [text for pair in sample for text in (pair.prompt, pair.completion)]
        train_tokenizer(texts, vocab_size).save(str(path))
    return load_tokenizer(path)


def encoded(pair: Pair, tokenizer: Tokenizer) -> tuple[list[int], int]:
    """Ids of the whole example and how many of them are the prompt."""
    prompt = [tokenizer.token_to_id(BOS), *tokenizer.encode(pair.prompt).ids]
    body = tokenizer.encode(pair.completion.rstrip("\n")).ids
    return [*prompt, *body, tokenizer.token_to_id(EOS)], len(prompt)


def batch_of(examples: list[tuple[list[int], int]]) -> tuple[Tensor, Tensor]:
    """Inputs and targets, padded on the right; prompt and padding are not scored."""
    # Few different shapes: the CPU kernels keep a plan, and memory, for each shape they meet.
    width = _rounded_up(max(len(ids) for ids, _ in examples) - 1, 16)
    inputs = torch.zeros(len(examples), width, dtype=torch.long)
    targets = torch.full((len(examples), width), IGNORED)
    for row, (ids, prompt) in enumerate(examples):
        inputs[row, : len(ids) - 1] = torch.tensor(ids[:-1])
        targets[row, prompt - 1 : len(ids) - 1] = torch.tensor(ids[prompt:])
    return inputs, targets


def _rounded_up(count: int, step: int) -> int:
    return -(-count // step) * step


def kept(example: tuple[list[int], int]) -> bool:
    """Every other long example is left out: most of its tokens are learned early and cost time."""
    ids, _ = example
    return len(ids) <= 160 or (len(ids) <= 512 and sum(ids) % 2 == 0)


def loss_of(model: Decoder, inputs: Tensor, targets: Tensor) -> Tensor:
    """Mean cross entropy over program tokens."""
    with torch.autocast("cpu", torch.bfloat16):
        hidden = model(inputs).flatten(0, 1)
        aims = targets.flatten()
        scored = (aims != IGNORED).nonzero().flatten()
        spare = _rounded_up(len(scored), 256) - len(scored)
        places = torch.cat((scored, scored.new_zeros(spare)))
        logits = model.logits(hidden[places]).float()
    return functional.cross_entropy(
        logits, torch.cat((aims[scored], aims.new_full((spare,), IGNORED)))
    )


def optimizers(model: Decoder, rate: float) -> list[torch.optim.Optimizer]:
    """Muon for the matrices inside the blocks, Adam for embedding and norms."""
    matrices = [w for n, w in model.named_parameters() if w.ndim == 2 and "embd" not in n]
    rest = [w for n, w in model.named_parameters() if w.ndim < 2 or "embd" in n]
    return [
        torch.optim.Muon(matrices, lr=rate, weight_decay=0.02, adjust_lr_fn="match_rms_adamw"),
        torch.optim.AdamW(rest, lr=rate, betas=(0.9, 0.98), weight_decay=0.0),
    ]


def rate_at(progress: float, step: int) -> float:
    """Share of the peak learning rate: short warm-up, then a cosine down to 3 %."""
    return min(1.0, (step + 1) / 60) * (
        0.03 + 0.97 * 0.5 * (1 + math.cos(math.pi * min(progress, 1)))
    )


def forced_accuracy(model: Decoder, examples: list[tuple[list[int], int]]) -> float:
    """Share of examples whose every program token is the likeliest one: equals greedy exactness."""
    right = 0
    for start in range(0, len(examples), 32):
        inputs, targets = batch_of(examples[start : start + 32])
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
            guesses = model.logits(model(inputs)).argmax(-1)
        right += int(((guesses == targets) | (targets == IGNORED)).all(1).sum())
    return right / len(examples)


def main() -> None:
    """Command line of the training run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("train_out"))
    parser.add_argument("--minutes", type=float, default=65.0)
    parser.add_argument("--seed", type=int, default=2024)
    parser.add_argument("--batch", type=int, default=24, help="examples of one rank and step")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--rank", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--rate", type=float, default=2.5e-3)
    parser.add_argument("--vocab", type=int, default=2048)
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(1)
    arguments.out.mkdir(parents=True, exist_ok=True)
    meeting = (arguments.out / "ranks").resolve()
    if arguments.rank == 0:
        meeting.unlink(missing_ok=True)
        tokenizer_for(arguments.out, arguments.seed, arguments.vocab)
        others = [
            subprocess.Popen(
                [sys.executable, "-m", __spec__.name, *sys.argv[1:], "--rank", str(rank)]
            )
            for rank in range(1, arguments.ranks)
        ]
    distributed.init_process_group(
        "gloo", init_method=f"file://{meeting}", rank=arguments.rank, world_size=arguments.ranks
    )
    try:
        run(arguments)
    finally:
        if arguments.rank == 0:
            for other in others:
                other.terminate()


def shared(model: Decoder, progress: float, rank: int, ranks: int) -> float:
    """Averages the gradients over all ranks; returns the progress of rank 0, same for everyone."""
    grads = [w.grad for w in model.parameters() if w.grad is not None]
    own = torch.tensor([progress if rank == 0 else 0.0])
    flat = torch.cat([*(grad.flatten() / ranks for grad in grads), own])
    distributed.all_reduce(flat)
    start = 0
    for grad in grads:
        grad.copy_(flat[start : start + grad.numel()].view_as(grad))
        start += grad.numel()
    return float(flat[-1])


def run(arguments: argparse.Namespace) -> None:
    """The training loop."""
    out: Path = arguments.out
    tokenizer = tokenizer_for(out, arguments.seed, arguments.vocab)
    model = Decoder(ModelShape(vocab=tokenizer.get_vocab_size()))
    (out / "shape.json").write_text(json.dumps(dataclasses.asdict(model.shape)))
    makers = optimizers(model, arguments.rate)
    step, used = resume(out, model, makers)
    log.info(
        "%.2f M parameters, from step %d", sum(w.numel() for w in model.parameters()) / 1e6, step
    )
    held = {split: [encoded(p, tokenizer) for p in islice(pairs(7, split), 160)] for split in Split}
    first = arguments.rank == 0
    stream = pairs(arguments.seed + 1000 * arguments.rank, start=step * arguments.batch)
    progress = 0.0
    begun, last_report = time.monotonic() - used, time.monotonic()
    group: list[list[tuple[list[int], int]]] = []
    tokens, losses = 0, []
    while progress < 1:
        if not group:
            drawn = [encoded(pair, tokenizer) for pair in islice(stream, arguments.batch * 8)]
            drawn = sorted((e for e in drawn if kept(e)), key=lambda e: len(e[0]))
            group = [drawn[i : i + arguments.batch] for i in range(0, len(drawn), arguments.batch)]
            order = torch.randperm(len(group)).tolist()
            group = [group[i] for i in order]
        inputs, targets = batch_of(group.pop())
        loss = loss_of(model, inputs, targets)
        loss.backward()
        used = time.monotonic() - begun
        progress = shared(model, used / (arguments.minutes * 60), arguments.rank, arguments.ranks)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scale = rate_at(progress, step)
        for maker in makers:
            for part in maker.param_groups:
                part["lr"] = arguments.rate * scale
            maker.step()
            maker.zero_grad()
        step += 1
        tokens += inputs.numel()
        losses.append(float(loss.detach()))
        if first and step % 50 == 0:
            log.info(
                "step %d loss %.4f rate %.5f %.0f tok/s a rank",
                step,
                sum(losses) / len(losses),
                arguments.rate * scale,
                tokens / (time.monotonic() - last_report),
            )
            tokens, losses, last_report = 0, [], time.monotonic()
        if first and step % 100 == 0:
            save(out, model, makers, step, used)
        if first and step % 300 == 0:
            figures = {s.value: f"{forced_accuracy(model, held[s]):.3f}" for s in Split}
            log.info("step %d exact %s", step, figures)
            last_report = time.monotonic()
    if first:
        save(out, model, makers, step, used)


def save(
    out: Path, model: Decoder, makers: list[torch.optim.Optimizer], step: int, used: float
) -> None:
    """Writes the checkpoint so that a half-written one is never seen."""
    state = {
        "model": model.state_dict(),
        "optimizers": [maker.state_dict() for maker in makers],
        "step": step,
        "used": used,
    }
    torch.save(state, out / "checkpoint.tmp")
    (out / "checkpoint.tmp").replace(out / "checkpoint.pt")


def resume(out: Path, model: Decoder, makers: list[torch.optim.Optimizer]) -> tuple[int, float]:
    """Loads the checkpoint, when there is one. Returns step and seconds used."""
    path = out / "checkpoint.pt"
    if not path.exists():
        return 0, 0.0
    state = torch.load(path, weights_only=True)
    model.load_state_dict(state["model"])
    for maker, saved in zip(makers, state["optimizers"], strict=True):
        maker.load_state_dict(saved)
    return int(state["step"]), float(state["used"])


if __name__ == "__main__":
    main()
