"""The export step: writes the trained model as files for llama.cpp."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from pydantic import Field, field_validator

from roboinstruct_ros.domain.configuration import FieldFault, Strict
from roboinstruct_ros.generate.models.quantization import QUANTIZATIONS
from roboinstruct_ros.learn.export.card import write_card
from roboinstruct_ros.learn.pipeline.manifest import read_manifest
from roboinstruct_ros.learn.pipeline.step import Step
from roboinstruct_ros.learn.pipeline.work import LearnError, StepWork
from roboinstruct_ros.learn.setting import setting_of
from roboinstruct_ros.learn.training.environment import run_module
from roboinstruct_ros.learn.training.job import MODEL
from roboinstruct_ros.learn.training.step import base_path, served_base

CARD = "README.md"
_NAMES = tuple(one.name for one in QUANTIZATIONS)


class ExportOptions(Strict):
    """Which files are written."""

    merged: bool = Field(default=True, description="a whole model, which can be imported")
    quantization: str = Field(default="Q8_0", description="of that file")
    licence: str = Field(default="", description="of what was trained; the base's, if none")

    @field_validator("quantization")
    @classmethod
    def _is_known(cls, name: str) -> str:
        if name not in _NAMES:
            raise FieldFault((), f"'{name}' is none; there is {', '.join(_NAMES)}", name, _NAMES)
        return name


class ExportStep:
    """Writes the adapter and, if requested, the complete model, with their card."""

    name = Step.EXPORT
    version = 1

    def check(self, config: Any, run: Path) -> None:
        """Raises LearnError and ModelFault: the result could not be written."""
        base, trained = base_path(config.base), config.options(Step.TRAINING)
        if base and base.is_dir() and not trained.rank:
            raise LearnError(
                f"base: {config.base} is a folder, and trained whole (rank: 0) it gives no GGUF "
                f"here: give training a rank, or leave out {Step.EXPORT.value} and "
                f"{Step.EVALUATION.value} and convert training/{MODEL} with llama.cpp's "
                "convert_hf_to_gguf.py"
            )
        if config.options(Step.EXPORT).merged:
            served_base(config)

    def run(self, work: StepWork) -> None:
        """Raises LearnError if it cannot be written."""
        training = work.given(Step.TRAINING)
        adapter = (training / "adapter").is_dir()
        whole = work.options.merged or not adapter
        work.progress.total(adapter + 2 * whole)
        if adapter:
            _write(work, adapter_file(work.folder, work.config.name), merged=False)
            work.progress.advance()
        if whole:
            self._whole(work)
        made = sorted(work.folder.glob("*.gguf"))
        work.costs.counts |= {f"MB of {one.name}": one.stat().st_size // 10**6 for one in made}
        write_card(work.run, work.config, work.folder / CARD)

    def _whole(self, work: StepWork) -> None:
        target, wanted = model_file(work.folder, work.config.name), work.options.quantization
        exact = work.folder / ".exact.gguf"
        _write(work, exact, merged=True)
        work.progress.advance()
        if wanted == "F16":
            exact.replace(target)
        else:
            _quantize(exact, target, wanted)
            exact.unlink()
        work.progress.advance()


def adapter_file(folder: Path, name: str) -> Path:
    """The path of the adapter."""
    return folder / f"{name}-lora.gguf"


def model_file(folder: Path, name: str) -> Path:
    """The path of the complete model."""
    return folder / f"{name}.gguf"


def _write(work: StepWork, target: Path, merged: bool) -> None:
    config, base = work.config, base_path(work.config.base)
    known = read_manifest(work.run).licences.get(config.base, "")
    arguments = [str(work.given(Step.TRAINING)), "--to", str(target), "--name", config.name]
    arguments += ["--base", str(base)] if base else []
    arguments += ["--merged"] if merged else []
    arguments += ["--base-gguf", str(served_base(config))] if merged and base else []
    arguments += ["--domain", setting_of(config).domain.name]
    arguments += ["--prompt-format", config.options(Step.CLEANING).prompt_format]
    arguments += ["--licence", work.options.licence or known]
    arguments += ["--description", f"Trained by roboinstruct learn on {config.base or 'nothing'}."]
    run_module("training.export", arguments, work.progress.note)


def _quantize(source: Path, target: Path, wanted: str) -> None:
    """Runs in a separate process, as llama.cpp cannot be interrupted otherwise."""
    module = "roboinstruct_ros.learn.quantize"
    part = target.with_name(f".{target.name}.part")
    command = [sys.executable, "-P", "-m", module, "--type", wanted, "--", str(source), str(part)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["nothing was said"])[-1]
        raise LearnError(f"{source}: llama.cpp could not quantize it to {wanted}: {last}")
    part.replace(target)
