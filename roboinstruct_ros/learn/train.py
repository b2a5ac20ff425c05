"""Trains the shipped model on fresh examples; resumes from its checkpoint, killed at any time.

    python -m roboinstruct_ros.learn.train --out train_out --minutes 65 --ranks 2
    python -m roboinstruct_ros.learn.train --out train_out --steps 3000 --from models/...gguf

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
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor, distributed
from torch.nn import functional

from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.learn.batches import IGNORED, Batches, Encoded, batch_of, encoded, rounded_up
from roboinstruct_ros.learn.begin_from import NotOurs, begin_from
from roboinstruct_ros.learn.draw import Split
from roboinstruct_ros.learn.examples import Kind, example_of
from roboinstruct_ros.learn.families import pairs
from roboinstruct_ros.learn.model import Decoder, ModelShape
from roboinstruct_ros.learn.tokenizer import load_tokenizer, train_tokenizer

log = logging.getLogger("roboinstruct.train")


def prepare(arguments: argparse.Namespace) -> None:
    """Tokenizer and shape of a new run; what is there stays.

    The shape is written last, so a run that was killed here begins anew.

    Raises:
        NotOurs: `--from` is no GGUF of this kind.
    """
    out: Path = arguments.out
    if (out / "shape.json").exists():
        return
    if arguments.begin is not None:
        shape = begin_from(arguments.begin, out)
    else:
        sample = list(islice(pairs(arguments.seed + 1), 30000))
        texts = [text for pair in sample for text in (pair.prompt, pair.completion)]
        tokenizer = train_tokenizer(texts, arguments.vocab)
        tokenizer.save(str(out / "tokenizer.json"))
        shape = ModelShape(vocab=tokenizer.get_vocab_size())
    (out / "shape.json").write_text(json.dumps(dataclasses.asdict(shape)))


def loss_of(model: Decoder, inputs: Tensor, targets: Tensor) -> Tensor:
    """Mean cross entropy over program tokens."""
    with torch.autocast("cpu", torch.bfloat16):
        hidden = model(inputs).flatten(0, 1)
        aims = targets.flatten()
        scored = (aims != IGNORED).nonzero().flatten()
        spare = rounded_up(len(scored), 256) - len(scored)
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


def forced_accuracy(model: Decoder, examples: list[Encoded]) -> float:
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
    parser.add_argument("--minutes", type=float, default=65.0, help="of the clock, in all")
    parser.add_argument("--steps", type=int, help="in all, instead of --minutes")
    parser.add_argument(
        "--from", dest="begin", type=Path, help="a GGUF whose tokenizer and weights a new run takes"
    )
    parser.add_argument("--seed", type=int, default=2024)
    parser.add_argument("--batch", type=int, default=24, help="examples of one rank and step")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--rank", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--rate", type=float, default=2.5e-3)
    parser.add_argument("--vocab", type=int, default=2048)
    parser.add_argument("--look-every", type=int, default=300, help="steps between held-out looks")
    parser.add_argument("--save-every", type=int, default=100, help="steps between checkpoints")
    arguments = parser.parse_args()
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
            sys.exit(f"--from: {error}")
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
    """What the log says every 50 steps: mean loss and tokens a second since the last time."""

    def __init__(self) -> None:
        self._tokens = 0
        self._losses: list[float] = []
        self._since = time.monotonic()

    def add(self, tokens: int, loss: float) -> None:
        """Count one step."""
        self._tokens += tokens
        self._losses.append(loss)

    def write(self, step: int, rate: float) -> None:
        """Write the line and begin anew."""
        mean = sum(self._losses) / len(self._losses)
        speed = self._tokens / (time.monotonic() - self._since)
        log.info("step %d loss %.4f rate %.5f %.0f tok/s a rank", step, mean, rate, speed)
        self._tokens, self._losses, self._since = 0, [], time.monotonic()


def turn(makers: list[torch.optim.Optimizer], rate: float) -> None:
    """One step of the optimizers at this learning rate."""
    for maker in makers:
        for part in maker.param_groups:
            part["lr"] = rate
        maker.step()
        maker.zero_grad()


def run(arguments: argparse.Namespace) -> None:
    """The training loop."""
    out: Path = arguments.out
    tokenizer = load_tokenizer(out / "tokenizer.json")
    model = Decoder(ModelShape(**json.loads((out / "shape.json").read_text())))
    makers = optimizers(model, arguments.rate)
    step, used = resume(out, model, makers)
    size = sum(weight.numel() for weight in model.parameters()) / 1e6
    log.info("%.2f M parameters, from step %d", size, step)
    first = arguments.rank == 0
    batches = Batches(tokenizer, arguments.seed, arguments.rank, arguments.batch).since(step)
    begun, progress, report = time.monotonic() - used, 0.0, Report()
    while progress < 1 and step < (arguments.steps or math.inf):
        inputs, targets = next(batches)
        loss = loss_of(model, inputs, targets)
        loss.backward()
        used = time.monotonic() - begun
        done = step / arguments.steps if arguments.steps else used / (arguments.minutes * 60)
        progress = shared(model, done, arguments.rank, arguments.ranks)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        rate = arguments.rate * rate_at(progress, step)
        turn(makers, rate)
        step += 1
        report.add(inputs.numel(), float(loss.detach()))
        if first and step % 50 == 0:
            report.write(step, rate)
        if first and step % arguments.save_every == 0:
            save(out, model, makers, step, used)
        if first and arguments.look_every and step % arguments.look_every == 0:
            log.info("step %d exact %s", step, held_out_shares(model, tokenizer))
            report = Report()
    if first:
        save(out, model, makers, step, used)


def held_out_shares(model: Decoder, tokenizer: Tokenizer, count: int = 128) -> dict[str, str]:
    """How it goes, on small held-out sets; the real figures come from `evaluate_model`."""
    domain = load_domain()
    sets: dict[str, list[Encoded]] = {
        split.value: [encoded(pair, tokenizer) for pair in islice(pairs(7, split), count)]
        for split in Split
    }
    for kind in (Kind.CHANGE, Kind.REPAIR):
        sets[kind.value] = [
            encoded(example_of(kind, 7, index, domain), tokenizer) for index in range(count)
        ]
    return {name: f"{forced_accuracy(model, held):.3f}" for name, held in sets.items()}


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
    """Loads the checkpoint, or the weights to begin with. Returns step and seconds used."""
    path = out / "checkpoint.pt"
    if not path.exists():
        if (out / "begin.pt").exists():
            model.load_state_dict(torch.load(out / "begin.pt", weights_only=True))
        return 0, 0.0
    state = torch.load(path, weights_only=True)
    model.load_state_dict(state["model"])
    for maker, saved in zip(makers, state["optimizers"], strict=True):
        maker.load_state_dict(saved)
    return int(state["step"]), float(state["used"])


if __name__ == "__main__":
    main()
