"""The training step: runs a child process with the training libraries, and resumes after a kill."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from roboinstruct_ros.generate.models.model_names import model_on_this_machine
from roboinstruct_ros.learn.pipeline.config import LearnConfig
from roboinstruct_ros.learn.pipeline.step import Step
from roboinstruct_ros.learn.pipeline.work import LearnError, StepWork
from roboinstruct_ros.learn.training.environment import run_module, training_python
from roboinstruct_ros.learn.training.job import RESULT, TrainingJob, TrainingResult
from roboinstruct_ros.learn.training.options import TrainingOptions

__all__ = ["TrainingOptions", "TrainingStep", "base_path", "served_base"]

_JOB = ".job.json"
TRAIN, HELD_OUT = "train.jsonl", "held_out.jsonl"


class TrainingStep:
    """Trains on the pairs that cleaning has kept."""

    name = Step.TRAINING
    version = 1

    def check(self, config: Any, run: Path) -> None:
        """Raises LearnError and ModelFault: training is not possible here, or there is no base."""
        training_python()
        base_path(config.base)

    def run(self, work: StepWork) -> None:
        """Raises LearnError if it cannot be done; a later call resumes."""
        cleaned = work.given(Step.CLEANING)
        held_out = cleaned / HELD_OUT
        job = TrainingJob(
            out=work.folder.resolve(),
            base=base_path(work.config.base),
            examples=(cleaned / TRAIN).resolve(),
            held_out=held_out.resolve() if held_out.exists() and held_out.stat().st_size else None,
            seed=work.config.seed,
            domain=work.config.domain,
            map=work.config.map,
            options=work.options,
        )
        (work.folder / _JOB).write_text(job.model_dump_json(indent=2))
        hear = _Hearing(work)
        run_module("training", ["--job", str(work.folder / _JOB)], hear)
        result = TrainingResult.model_validate_json((work.folder / RESULT).read_text())
        work.costs.tokens_read = hear.tokens
        work.costs.counts |= {
            "steps": result.steps,
            "examples": result.examples,
            "too long": result.left_out,
            "seconds of learning": round(result.seconds),
            "parameters": result.trained_parameters,
        }


class _Hearing:
    """Turns lines `0.25 {...}` into progress, in percent, and all others into notes.

    Attributes:
        tokens: learned from so far.
    """

    def __init__(self, work: StepWork) -> None:
        self._progress, self._done = work.progress, 0
        self.tokens = work.costs.tokens_read
        work.progress.total(100)

    def __call__(self, line: str) -> None:
        share, _, rest = line.partition(" ")
        try:
            done = min(100, int(100 * float(share)))
            told = json.loads(rest)
        except ValueError:
            self._progress.note(line)
            return
        self._progress.advance(max(0, done - self._done))
        self._done = max(done, self._done)
        self.tokens = told.get("tokens", self.tokens)
        if {"loss", "eval_loss", "reward"} & set(told):
            self._progress.note(rest)


def base_path(base: str) -> Path | None:
    """The file or folder of the base; None for a new model.

    Raises:
        LearnError: it is not on this machine.
        ModelFault: there is no such model.
    """
    if not base:
        return None
    found = model_on_this_machine(base, bare=True).path
    if found is None:
        raise LearnError(f"{base}: is not on this machine; fetch its folder, and name that as base")
    return found.resolve()


def served_base(config: LearnConfig) -> Path | None:
    """The GGUF that serves the base; None for a new model.

    Raises:
        LearnError: the base is a folder, and no GGUF is named.
        ModelFault: there is no such model.
    """
    base = base_path(config.base)
    if base is None or not base.is_dir():
        return base
    if not config.base_gguf:
        raise LearnError(
            f"base: {config.base} is a folder, and llama.cpp serves a GGUF: make one with its "
            f"convert_hf_to_gguf.py, and name it as base_gguf: {base.name}.gguf"
        )
    return base_path(config.base_gguf)
