"""Writes the result of a training as a GGUF.

Example:
`python -m roboinstruct_ros.learn.training.export train_out --base BASE.gguf --to mine.gguf`.

For an adapter it writes the adapter, with the checksum of its base; with --merged it writes the
base with the adapter merged in. A base that is a folder needs its GGUF for that (--base-gguf).
Matrices are F16; those of an adapter are Q8_0 if their row length allows it.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from peft import PeftConfig
from pydantic import TypeAdapter
from safetensors.torch import load_file
from torch import Tensor
from transformers import AutoConfig

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.domain.files.world_names import SERVICE_ROBOT
from roboinstruct_ros.generate.prompts.prompt import FORMATS
from roboinstruct_ros.learn.training.base import read_base
from roboinstruct_ros.learn.training.gguf_base import GgufFile
from roboinstruct_ros.learn.training.job import ADAPTER, MODEL, RESULT, WORDS
from roboinstruct_ros.learn.training.to_gguf import (
    About,
    adapter_to_gguf,
    write_adapter,
    write_merged,
    write_model,
)
from roboinstruct_ros.learn.training.vocabulary import Vocabulary

_HALVES = "adapter_model.safetensors"


@dataclass(frozen=True)
class Asked:
    """What is to be written.

    Attributes:
        base: the trained base; None for a new model.
        gguf: the GGUF into which an adapter is merged; None for `base` itself.
    """

    run: Path
    base: Path | None
    gguf: Path | None
    merged: bool
    target: Path


def export(asked: Asked, about: About) -> None:
    """Write a training's result.

    Raises:
        InputError: the training is not done, was of another base, or cannot be written this way.
    """
    run, base, target = asked.run, asked.base, asked.target
    if not (run / RESULT).exists():
        raise InputError(f"{run}: holds no training that is done: there is no {RESULT}")
    if (run / MODEL).is_dir():
        config = AutoConfig.from_pretrained(run / MODEL)
        write_model(_shards(run / MODEL), config, _words(run), about, target)
        return
    if base is None:
        raise InputError(f"{run}: holds an adapter; name its base with --base")
    known = read_base(base)
    result = json.loads((run / RESULT).read_text())
    if result["base_sha256"] != known.sha256:
        raise InputError(f"{run}: was trained on another base than {base}")
    halves, lora = load_file(run / ADAPTER / _HALVES), PeftConfig.from_pretrained(run / ADAPTER)
    if not asked.merged:
        about = replace(about, base_sha256=known.sha256)
        write_adapter(halves, float(lora.lora_alpha), known.config, about, target)
        return
    file = GgufFile(asked.gguf or base)
    turned = adapter_to_gguf(halves, known.config)
    write_merged(file, turned, lora.lora_alpha / lora.r, about, target)


def _words(run: Path) -> Vocabulary:
    try:
        found = json.loads((run / WORDS).read_text())
    except OSError:
        raise InputError(
            f"{run}: a folder that was trained whole gives no GGUF here; convert "
            f"{run / MODEL} with llama.cpp's convert_hf_to_gguf.py"
        ) from None
    return TypeAdapter(Vocabulary).validate_python(found)


def _shards(folder: Path) -> dict[str, Tensor]:
    return {
        k: v for path in sorted(folder.glob("*.safetensors")) for k, v in load_file(path).items()
    }


def main() -> int:
    """Exit 0 on success, 1 with one line on failure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("--base", type=Path)
    parser.add_argument("--base-gguf", type=Path)
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--merged", action="store_true")
    parser.add_argument("--prompt-format", choices=list(FORMATS), default="robot_task")
    parser.add_argument("--domain", default=SERVICE_ROBOT)
    parser.add_argument("--name", default="")
    parser.add_argument("--description", default="Writes RoboInstruct task programs.")
    parser.add_argument("--licence", default="")
    given = parser.parse_args()
    name = given.name or given.to.stem
    about = About(name, given.description, given.licence, given.prompt_format, given.domain)
    asked = Asked(given.run, given.base, given.base_gguf, given.merged, given.to)
    try:
        export(asked, about)
    except InputError as error:
        print(f"cannot export: {error}", file=sys.stderr)
        return 1
    print(f"{given.to}: {given.to.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
