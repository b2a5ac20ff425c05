"""Trains the shipped model on fresh examples; resumes from its checkpoint, killed at any time.

    python -m roboinstruct_ros.learn.train --base BASE.gguf --out train_out --minutes 60
    python -m roboinstruct_ros.learn.train --out train_out --steps 3000

With `--base` it trains a LoRA adapter on that model, else a small model from nothing. `--from`
begins with a file that either of the two had as its result.

Each rank is a process with one thread that works on its own share of a batch. On a machine that
others use too this is several times faster than one process with two threads, which wait for each
other at every single operation.

With `--minutes` the learning rate follows the clock, so the same command gives a finished model
on a slow or a fast machine; with `--steps` it follows the steps, so the same command gives the same
model, also when it was killed in between. Which examples a step sees follows from its number.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import logging
import math
import os
import subprocess
import sys
import time
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor, distributed
from torch.nn import functional

from roboinstruct_ros.learn.batches import (
    IGNORED,
    Batches,
    Drawn,
    Encoded,
    FromFile,
    Source,
    batch_of,
    rounded_up,
)
from roboinstruct_ros.learn.begin_from import AdapterFile, GgufFile, ModelFile, NotOurs
from roboinstruct_ros.learn.examples import PAIRS
from roboinstruct_ros.learn.model import Decoder, ModelShape
from roboinstruct_ros.learn.tokenizer import load_tokenizer, train_tokenizer

log = logging.getLogger("roboinstruct.train")

MEMORY = "glibc.malloc.hugetlb=1:glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=17179869184"
"""Freed memory is kept, in large pages: asking the kernel for it anew costs a sixth of a step."""


def prepare(arguments: argparse.Namespace) -> None:
    """Tokenizer, shape and first weights of a new run; what is there stays.

    The shape is written last, so a run that was killed here begins anew.

    Raises:
        NotOurs: `--base` or `--from` is no GGUF of its kind, or the run had another base.
    """
    out: Path = arguments.out
    base = ModelFile(arguments.base) if arguments.base else None
    digest = base.sha256 if base else ""
    if (out / "shape.json").exists():
        if (out / "base.sha256").read_text() != digest:
            raise NotOurs(f"{out}: was begun on another base; name that one, or another --out")
        return
    shape = _begun(arguments, base)
    (out / "base.sha256").write_text(digest)
    (out / "shape.json").write_text(json.dumps(dataclasses.asdict(shape)))


def _begun(arguments: argparse.Namespace, base: ModelFile | None) -> ModelShape:
    """Writes tokenizer and first weights, where there are some, and returns the shape."""
    out: Path = arguments.out
    begin: GgufFile | None = None
    if base is not None:
        adapter = AdapterFile(arguments.begin, base) if arguments.begin else None
        begin = adapter
        tokenizer, shape = base.tokenizer(), base.shape(adapter.rank if adapter else arguments.lora)
    elif arguments.begin is not None:
        begin = model = ModelFile(arguments.begin)
        tokenizer, shape = model.tokenizer(), model.shape()
    else:
        draw = PAIRS[arguments.pairs]
        sample = [draw(arguments.seed + 1, index) for index in range(30000)]
        texts = [text for example in sample for text in (example.prompt, example.completion)]
        tokenizer = train_tokenizer(texts, arguments.vocab)
        shape = ModelShape(vocab=tokenizer.get_vocab_size())
    tokenizer.save(str(out / "tokenizer.json"))
    if begin is not None:
        torch.save(begin.tensors(), out / "begin.pt")
    return shape


def loss_of(model: Decoder, inputs: Tensor, targets: Tensor) -> Tensor:
    """Mean cross entropy over program tokens."""
    aims = targets.flatten()
    scored = (aims != IGNORED).nonzero().flatten()
    spare = rounded_up(len(scored), 256) - len(scored)
    places = torch.cat((scored, scored.new_zeros(spare)))
    with torch.autocast("cpu", torch.bfloat16, enabled=not model.shape.rank):
        logits = model.logits(model(inputs)[places]).float()
    return functional.cross_entropy(
        logits, torch.cat((aims[scored], aims.new_full((spare,), IGNORED)))
    )


def optimizers(model: Decoder, rate: float) -> list[torch.optim.Optimizer]:
    """Adam for an adapter, embedding and norms; Muon for the matrices inside the blocks."""
    weights = model.trained()
    if model.shape.rank:
        return [torch.optim.AdamW(weights.values(), rate, (0.9, 0.98), weight_decay=0, fused=True)]
    matrices = [w for n, w in weights.items() if w.ndim == 2 and "embd" not in n]
    rest = [w for n, w in weights.items() if w.ndim < 2 or "embd" in n]
    return [
        torch.optim.Muon(matrices, lr=rate, weight_decay=0.02, adjust_lr_fn="match_rms_adamw"),
        torch.optim.AdamW(rest, lr=rate, betas=(0.9, 0.98), weight_decay=0.0),
    ]


def rate_at(progress: float, step: int) -> float:
    """Share of the peak learning rate: short warm-up, then a cosine down to 3 %."""
    return min(1.0, (step + 1) / 60) * (
        0.03 + 0.97 * 0.5 * (1 + math.cos(math.pi * min(progress, 1)))
    )


@torch.no_grad()  # type: ignore[untyped-decorator]
def forced_accuracy(model: Decoder, examples: list[Encoded]) -> float:
    """Share of examples whose every program token is the likeliest one: equals greedy exactness."""
    right = 0
    for start in range(0, len(examples), 16):
        inputs, targets = batch_of(examples[start : start + 16])
        aims = targets.flatten()
        with torch.autocast("cpu", torch.bfloat16, enabled=not model.shape.rank):
            wrong = model.logits(model(inputs)[aims != IGNORED]).argmax(-1) != aims[aims != IGNORED]
        rows = (targets != IGNORED).nonzero()[:, 0]
        right += len(inputs) - len(rows[wrong].unique())
    return right / max(1, len(examples))


def main() -> None:
    """Command line of the training run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("train_out"))
    parser.add_argument("--base", type=Path, help="a GGUF to train an adapter for")
    parser.add_argument("--lora", type=int, default=32, help="rank of the adapter")
    parser.add_argument("--minutes", type=float, default=65.0, help="of the clock, in all")
    parser.add_argument("--steps", type=int, help="in all, instead of --minutes")
    parser.add_argument(
        "--from", dest="begin", type=Path, help="a result to begin with: a model, or an adapter"
    )
    parser.add_argument("--pairs", choices=list(PAIRS), default="robot_task")
    parser.add_argument("--data", type=Path, help="JSONL of prompt and completion, not --pairs")
    parser.add_argument("--seed", type=int, default=2024)
    parser.add_argument("--batch", type=int, help="examples of one rank and step (8; 24)")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--rank", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--rate", type=float, help="peak learning rate (1e-3; 2.5e-3)")
    parser.add_argument("--vocab", type=int, default=2048, help="of a model from nothing")
    parser.add_argument("--look-every", type=int, default=300, help="steps between held-out looks")
    parser.add_argument("--save-every", type=int, default=50, help="steps between checkpoints")
    arguments = parser.parse_args()
    if os.environ.get("GLIBC_TUNABLES") != MEMORY:
        os.execve(sys.executable, sys.orig_argv, {**os.environ, "GLIBC_TUNABLES": MEMORY})
    arguments.rate = arguments.rate or (1e-3 if arguments.base else 2.5e-3)
    arguments.batch = arguments.batch or (8 if arguments.base else 24)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(1)
    arguments.out.mkdir(parents=True, exist_ok=True)
    meeting = (arguments.out / "ranks").resolve()
    if arguments.rank == 0:
        meeting.unlink(missing_ok=True)
        try:
            prepare(arguments)
        except NotOurs as error:
            sys.exit(f"cannot train: {error}")
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


class Report:
    """What the log says: mean loss, tokens a second and time left since the last time."""

    def __init__(self) -> None:
        self._tokens = 0
        self._losses: list[float] = []
        self._since = time.monotonic()

    def add(self, tokens: int, loss: float) -> None:
        """Count one step."""
        self._tokens += tokens
        self._losses.append(loss)

    def write(self, step: int, rate: float, left: float) -> None:
        """Write the line and begin anew."""
        mean = sum(self._losses) / len(self._losses)
        speed = self._tokens / (time.monotonic() - self._since)
        text = "step %d loss %.4f rate %.5f %.0f tok/s %.0f min left"
        log.info(text, step, mean, rate, speed, left / 60)
        self._tokens, self._losses, self._since = 0, [], time.monotonic()


def turn(makers: list[torch.optim.Optimizer], rate: float) -> None:
    """One step of the optimizers at this learning rate."""
    for maker in makers:
        for part in maker.param_groups:
            part["lr"] = rate
        maker.step()
        maker.zero_grad()


def source_of(arguments: argparse.Namespace, tokenizer: Tokenizer) -> Source:
    """Where this run has its examples from; one line when it is a file with another content."""
    if arguments.data is None:
        return Drawn(arguments.pairs, arguments.seed, tokenizer)
    try:
        return FromFile(arguments.data, arguments.seed, tokenizer)
    except (OSError, ValueError) as error:
        sys.exit(f"--data: {error}")


def run(arguments: argparse.Namespace) -> None:
    """The training loop."""
    out: Path = arguments.out
    tokenizer = load_tokenizer(out / "tokenizer.json")
    source = source_of(arguments, tokenizer)
    model = Decoder(ModelShape(**json.loads((out / "shape.json").read_text())))
    if arguments.base:
        model.take(ModelFile(arguments.base).tensors())
    makers = optimizers(model, arguments.rate)
    step, used = resume(out, model, makers)
    size = sum(weight.numel() for weight in model.trained().values()) / 1e6
    log.info("%.2f M parameters, from step %d", size, step)
    first = arguments.rank == 0
    batches = Batches(source, arguments.rank, arguments.ranks, arguments.batch).since(step)
    begun, progress, report = time.monotonic() - used, 0.0, Report()
    while progress < 1 and step < (arguments.steps or math.inf):
        inputs, targets = next(batches)
        model.renew()
        loss = loss_of(model, inputs, targets)
        loss.backward()
        used = time.monotonic() - begun
        done = step / arguments.steps if arguments.steps else used / (arguments.minutes * 60)
        progress = shared(model, done, arguments.rank, arguments.ranks)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        rate = arguments.rate * rate_at(progress, step)
        turn(makers, rate)
        step += 1
        report.add(inputs.numel() * arguments.ranks, float(loss.detach()))
        if first and step % 10 == 0:
            report.write(step, rate, used * (1 - progress) / max(progress, 1e-9))
        if first and step % arguments.save_every == 0:
            save(out, model, makers, step, used)
        if first and arguments.look_every and step % arguments.look_every == 0:
            exact = forced_accuracy(model, source.held_out(128))
            log.info("step %d exact on held-out examples %.3f", step, exact)
            report = Report()
    if first:
        save(out, model, makers, step, used)


def save(
    out: Path, model: Decoder, makers: list[torch.optim.Optimizer], step: int, used: float
) -> None:
    """Writes the checkpoint so that a half-written one is never seen."""
    state = {
        "model": model.trained(),
        "optimizers": [maker.state_dict() for maker in makers],
        "step": step,
        "used": used,
    }
    torch.save(state, out / "checkpoint.tmp")
    (out / "checkpoint.tmp").replace(out / "checkpoint.pt")


def resume(out: Path, model: Decoder, makers: list[torch.optim.Optimizer]) -> tuple[int, float]:
    """Loads the checkpoint, or the weights to begin with. Returns step and seconds used."""
    path = out / "checkpoint.pt"
    if not path.exists():
        if (out / "begin.pt").exists():
            tensors = torch.load(out / "begin.pt", weights_only=True)
            (model.take_adapter if model.shape.rank else model.take)(tensors)
        return 0, 0.0
    state = torch.load(path, weights_only=True)
    model.load_state_dict(state["model"], strict=False)
    for maker, saved in zip(makers, state["optimizers"], strict=True):
        maker.load_state_dict(saved)
    return int(state["step"]), float(state["used"])


if __name__ == "__main__":
    main()
