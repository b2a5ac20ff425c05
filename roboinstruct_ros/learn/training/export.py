"""Writes the result of a training as a GGUF.

    python -m roboinstruct_ros.learn.training.export train_out --base BASE.gguf --to mine.gguf

Of an adapter it writes the adapter, with the checksum of its base; with --merged the base with the
adapter in it. Matrices are F16, of an adapter Q8_0 where a row can be.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import torch
from peft import PeftConfig
from pydantic import TypeAdapter
from safetensors.torch import load_file
from torch import Tensor
from transformers import AutoConfig

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.generate.prompts.prompt import FORMATS
from roboinstruct_ros.learn.training.base import read_base
from roboinstruct_ros.learn.training.job import ADAPTER, MODEL, RESULT, WORDS
from roboinstruct_ros.learn.training.to_gguf import About, write_adapter, write_model
from roboinstruct_ros.learn.training.vocabulary import Vocabulary

_HALVES = "adapter_model.safetensors"


def export(run: Path, base: Path | None, merged: bool, about: About, target: Path) -> None:
    """Write a training's result.

    Raises:
        InputError: the training is not done, was of another base, or cannot be written so.
    """
    if not (run / RESULT).exists():
        raise InputError(f"{run}: holds no training that is done: there is no {RESULT}")
    if (run / MODEL).is_dir():
        config = AutoConfig.from_pretrained(run / MODEL)
        weights = _shards(run / MODEL)
        write_model(weights, config, _words(run), about, target)
        return
    if base is None:
        raise InputError(f"{run}: holds an adapter; name its base with --base")
    known = read_base(base)
    result = json.loads((run / RESULT).read_text())
    if result["base_sha256"] != known.sha256:
        raise InputError(f"{run}: was trained on another base than {base}")
    if merged:
        words = _words(run)
        write_model(_merged(known, run / ADAPTER), known.config, words, about, target)
        return
    alpha = float(PeftConfig.from_pretrained(run / ADAPTER).lora_alpha)
    write_adapter(load_file(run / ADAPTER / _HALVES), alpha, known.config, about, target)


def _words(run: Path) -> Vocabulary:
    try:
        found = json.loads((run / WORDS).read_text())
    except OSError:
        raise InputError(
            f"{run}: a base of Hugging Face's format gives no whole GGUF here; export the adapter "
            "(merged: false), and convert the base with llama.cpp's convert_hf_to_gguf.py"
        ) from None
    return TypeAdapter(Vocabulary).validate_python(found)


def _shards(folder: Path) -> dict[str, Tensor]:
    return {
        k: v for path in sorted(folder.glob("*.safetensors")) for k, v in load_file(path).items()
    }


def _merged(base: Any, adapter: Path) -> dict[str, Tensor]:
    """The weights of the base with the adapter's added."""
    config = PeftConfig.from_pretrained(adapter)
    weights: dict[str, Tensor] = base.load(torch.float32).state_dict()
    halves = load_file(adapter / _HALVES)
    for name, a in halves.items():
        if ".lora_A." in name:
            matrix = name.removeprefix("base_model.model.").replace(".lora_A", "")
            b = halves[name.replace(".lora_A.", ".lora_B.")]
            weights[matrix] += (b.float() @ a.float()) * (config.lora_alpha / config.r)
    return weights


def main() -> int:
    """Exit 0 when it is written, 1 with one line when it cannot be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("--base", type=Path)
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--merged", action="store_true")
    parser.add_argument("--prompt-format", choices=list(FORMATS), default="robot_task")
    parser.add_argument("--name", default="")
    parser.add_argument("--description", default="Writes RoboInstruct task programs.")
    parser.add_argument("--licence", default="")
    given = parser.parse_args()
    known = read_base(given.base).sha256 if given.base and not given.merged else ""
    name = given.name or given.to.stem
    about = About(name, given.description, given.licence, given.prompt_format, known)
    try:
        export(given.run, given.base, given.merged, about, given.to)
    except InputError as error:
        print(f"cannot export: {error}", file=sys.stderr)
        return 1
    print(f"{given.to}: {given.to.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
