"""The progress of a training, by steps or by time, and the resulting learning rate."""

from __future__ import annotations

import json
import math
import time
from pathlib import Path
from typing import Any

import torch
from torch import distributed
from transformers import TrainerCallback

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.learn.training.options import Schedule, TrainingOptions

_LEAST = 0.03  # of the peak rate, at the end of a cosine schedule
_USED = "seconds_used"


class Clock(TrainerCallback):  # type: ignore[misc]
    """Ends a training after its minutes, in all processes at the same step; time before a resume
    counts.

    Attributes:
        used: s.
        steps: at most.
    """

    def __init__(self, options: TrainingOptions, steps: int) -> None:
        self._options, self.steps = options, steps
        self._begun = time.monotonic()
        self.used, self._progress = 0.0, 0.0

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Resume from the checkpoint."""
        self.used = float(state.stateful_callbacks.get(_USED, {}).get("s", 0.0))
        self._begun = time.monotonic() - self.used
        self._look(state.global_step)

    def on_pre_optimizer_step(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Update the progress, which determines the rate of the next step."""
        self._look(state.global_step + 1)

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Store the time in the checkpoint state, and end the training."""
        state.stateful_callbacks[_USED] = {"s": self.used}
        if self._options.minutes and self._progress >= 1:
            control.should_training_stop = control.should_save = True

    def done(self, step: int) -> float:
        """Completed share of the training."""
        return self._progress if self._options.minutes else step / max(1, self.steps)

    def rate(self, step: int) -> float:
        """Share of the peak learning rate."""
        done = self.done(step)
        warm = (step + 1) / max(1.0, self._options.warmup * self.steps)
        if self._options.minutes and self._options.warmup:
            warm = max(done, 1e-4) / self._options.warmup
        if self._options.schedule is Schedule.CONSTANT:
            return min(1.0, warm)
        wave = 0.5 * (1 + math.cos(math.pi * min(done, 1.0)))
        return min(1.0, warm) * (_LEAST + (1 - _LEAST) * wave)

    def _look(self, step: int) -> None:
        self.used = time.monotonic() - self._begun
        if not self._options.minutes:
            return
        seen = torch.tensor([self.used / (60 * self._options.minutes)])
        if distributed.is_initialized():  # the other processes follow the first
            seen = seen.to("cuda") if distributed.get_backend() == "nccl" else seen
            distributed.broadcast(seen, 0)
        self._progress = float(seen)


class Curve(TrainerCallback):  # type: ignore[misc]
    """Appends each log entry to a file as a line, and prints it.

    Raises:
        InputError: the gradient is not a number, nor is any weight from then on.
    """

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path, self._clock = path, clock

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Rewrite the file, without lines after the checkpoint."""
        if state.is_world_process_zero:
            text = "".join(_line(log) for log in state.log_history)
            self._path.write_text(text)

    def on_log(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        if state.is_world_process_zero:
            line = _line(state.log_history[-1])
            with self._path.open("a") as file:
                file.write(line)
            print(f"{self._clock.done(state.global_step):.4f} {line}", end="", flush=True)
            if math.isnan(state.log_history[-1].get("grad_norm", 0.0)):  # the loss hides it
                raise InputError(
                    f"step {state.global_step}: the gradient is not a number, and the model is "
                    "lost; begin anew with a lower rate"
                )


def _line(log: dict[str, Any]) -> str:
    names = {
        "step": "step", "loss": "loss", "eval_loss": "eval_loss", "learning_rate": "rate",
        "reward": "reward", "grad_norm": "gradient",
        "num_input_tokens_seen": "tokens", "num_tokens": "tokens",
    }  # fmt: skip
    return json.dumps({ours: log[name] for name, ours in names.items() if name in log}) + "\n"


def last_whole_checkpoint(out: Path) -> Path | None:
    """The newest complete checkpoint; `trainer_state.json` is written last. Others are deleted."""
    import shutil

    found = sorted(out.glob("checkpoint-*"), key=lambda path: int(path.name.partition("-")[2]))
    for path in reversed(found):
        try:
            json.loads((path / "trainer_state.json").read_text())
            return path
        except (OSError, ValueError):
            shutil.rmtree(path)
    return None
